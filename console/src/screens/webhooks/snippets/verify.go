package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"time"
)

var header = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?$`)

// Verify reports whether a delivery is genuine and fresh: give 300 * time.Second as tolerance. rawBody holds the bytes as they came, before any JSON
// decoder.
func Verify(rawBody []byte, signature, secret string, tolerance time.Duration) bool {
	match := header.FindStringSubmatch(signature)
	if match == nil {
		return false
	}
	seconds, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(match[1] + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, signature := range match[2:] {
		if given, _ := hex.DecodeString(signature); hmac.Equal(expected, given) {
			return true
		}
	}
	return false
}
