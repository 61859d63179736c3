import hashlib
import hmac
import re
import time


def verify(raw_body: bytes, header: str, secret: str, tolerance_seconds: int = 300) -> bool:
    """True for a genuine, fresh delivery. raw_body holds the bytes as they came, before any JSON parser."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?", header or "")
    if match is None:
        return False
    timestamp, *signatures = match.groups()
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    fresh = abs(time.time() - int(timestamp)) <= tolerance_seconds
    return fresh and any(s is not None and hmac.compare_digest(expected, s) for s in signatures)
