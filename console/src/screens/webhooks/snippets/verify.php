<?php

/** True for a genuine, fresh delivery. $rawBody holds the bytes as they came (file_get_contents('php://input')), before any JSON parser. */
function verify(string $rawBody, ?string $header, string $secret, int $toleranceSeconds = 300): bool
{
    if (!preg_match('/\At=([0-9]{1,12}),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?\z/', $header ?? '', $match)) {
        return false;
    }
    $expected = hash_hmac('sha256', $match[1] . '.' . $rawBody, $secret);
    $fresh = abs(microtime(true) - (int) $match[1]) <= $toleranceSeconds;
    foreach (array_slice($match, 2) as $signature) {
        if (hash_equals($expected, $signature)) {
            return $fresh;
        }
    }
    return false;
}
