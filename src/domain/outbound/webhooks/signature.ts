import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * `Webhook-Signature`: `t=<unix seconds>,v1=<64 lower-case hex>`, an HMAC-SHA256 over `<t>.<raw body>`, and a second `v1` by the previous secret
 * while it is valid. The key is the whole secret string as UTF-8, prefix included, never its base64 decoded: it is what a receiver pastes into its
 * verification library. Throws RangeError when the timestamp is not a whole number of seconds.
 */
export function sign(
  secret: string,
  timestampSeconds: number,
  rawBody: Buffer | string,
  previous?: string,
): string {
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new RangeError(`A signature needs a time in whole seconds since 1970, not ${timestampSeconds}.`);
  }
  const v1 = (key: string): string =>
    `v1=${createHmac('sha256', key).update(`${timestampSeconds}.`).update(rawBody).digest('hex')}`;
  const both = previous === undefined ? '' : `,${v1(previous)}`;
  return `t=${timestampSeconds},${v1(secret)}${both}`;
}

/** @returns `whsec_` and 32 random bytes in base64 */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** @returns `whsec_****` and its last 4 characters */
export function maskSigningSecret(secret: string): string {
  return `${SECRET_PREFIX}****${secret.slice(-4)}`;
}
