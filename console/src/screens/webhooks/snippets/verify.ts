import { createHmac, timingSafeEqual } from 'node:crypto';

/** True for a genuine, fresh delivery. `rawBody` holds the bytes as they came, before any JSON parser. */
export function verify(
  rawBody: Buffer,
  header: string | undefined,
  secret: string,
  toleranceSeconds = 300,
): boolean {
  const match = /^t=(\d+),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?$/.exec(header ?? '');
  if (!match) return false;
  const [, time, ...signatures] = match;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds;
  return (
    fresh &&
    signatures.some((signature) => signature && timingSafeEqual(expected, Buffer.from(signature, 'hex')))
  );
}
