import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type DeploymentEnvironment, ENVIRONMENTS } from '../../../config/deployments.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(`^(vl|vlc)_(${ENVIRONMENTS.join('|')})_[0-9A-Za-z]{38}$`);

/** Prefix of a secret: `vl` for keys and sessions, `vlc` for one-time codes. */
type SecretKind = 'vl' | 'vlc';

/** New secret of a key or session: `vl_<environment>_`, 32 random base62 characters, and a checksum of 6. */
export const newKeySecret = (environment: DeploymentEnvironment): string => newSecret('vl', environment);

/** New one-time code: `vlc_<environment>_`, then as in a key. */
export const newSignInCode = (environment: DeploymentEnvironment): string => newSecret('vlc', environment);

function newSecret(kind: SecretKind, environment: DeploymentEnvironment): string {
  let random = '';
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      // 248 is the largest multiple of 62 that fits a byte: higher values would favour the first characters.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += ALPHABET[byte % 62];
    }
  }
  const body = `${kind}_${environment}_${random}`;
  return body + checksum(body);
}

/** Environment of a well-formed secret with a valid checksum, otherwise null: a mistyped key is recognised without a query. */
export function environmentOf(secret: string, kind: SecretKind = 'vl'): DeploymentEnvironment | null {
  const match = SHAPE.exec(secret);
  if (match?.[1] !== kind) return null;
  const body = secret.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(body) === secret.slice(-CHECKSUM_CHARACTERS) ? (match[2] as DeploymentEnvironment) : null;
}

/** Stored digest of a secret. Its 190 random bits need neither salt nor a slow hash. */
export const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Visible part of a secret, by which people recognise it: its first 12 characters. */
export const prefixOf = (secret: string): string => secret.slice(0, 12);

export const maskedSecret = (prefix: string): string => `${prefix}****`;

/** CRC32 of the preceding text, in base62, padded with zeros to six characters. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let digit = 0; digit < CHECKSUM_CHARACTERS; digit++) {
    digits = ALPHABET[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
