import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { type Hex, keccak256 } from 'viem';
import * as z from 'zod';

const hex = () => z.string().regex(/^([0-9a-fA-F]{2})+$/);
/** More would take minutes and gigabytes: a file may be anybody's. */
const MOST_SCRYPT_BYTES = 1024 * 1024 * 1024;
const KEYSTORE = z.object({
  version: z.literal(3),
  crypto: z.object({
    cipher: z.literal('aes-128-ctr'),
    cipherparams: z.object({ iv: hex() }),
    ciphertext: hex(),
    mac: hex(),
    kdf: z.enum(['scrypt', 'pbkdf2']),
    kdfparams: z.object({
      salt: hex(),
      dklen: z.literal(32),
      n: z
        .int()
        .min(2)
        .max(2 ** 21)
        .optional(),
      r: z.int().min(1).max(64).optional(),
      p: z.int().min(1).max(64).optional(),
      c: z.int().min(1).max(10_000_000).optional(),
      prf: z.literal('hmac-sha256').optional(),
    }),
  }),
});

/**
 * The private key in a keystore of web3's secret storage, version 3 (https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage).
 * @throws Error whose message has nothing of key or password
 */
export function decryptKeystore(text: string, password: string): Hex {
  const { data } = KEYSTORE.safeParse(lowerKeys(text));
  if (!data) throw new Error('it is no keystore of version 3 with aes-128-ctr and scrypt or pbkdf2');
  const { cipherparams, ciphertext, mac, kdf, kdfparams } = data.crypto;
  const { n, r, p, c } = kdfparams;
  const salt = Buffer.from(kdfparams.salt, 'hex');
  let derived: Buffer;
  if (kdf === 'pbkdf2') {
    if (c === undefined) throw new Error('its kdfparams lack c');
    derived = pbkdf2Sync(password, salt, c, 32, 'sha256');
  } else {
    if (n === undefined || r === undefined || p === undefined)
      throw new Error('its kdfparams lack n, r or p');
    // OpenSSL takes an n below 2^(16 r), which every program in use keeps to.
    if (n >= 2 ** (16 * r)) throw new Error('its n is too large for its r');
    derived = scryptSync(password, salt, 32, { N: n, r, p, maxmem: MOST_SCRYPT_BYTES });
  }
  const encrypted = Buffer.from(ciphertext, 'hex');
  const computed = keccak256(Buffer.concat([derived.subarray(16, 32), encrypted]), 'bytes');
  const stated = Buffer.from(mac, 'hex');
  if (stated.length !== computed.length || !timingSafeEqual(computed, stated))
    throw new Error('the password is wrong, or the file was changed');
  const decipher = createDecipheriv(
    'aes-128-ctr',
    derived.subarray(0, 16),
    Buffer.from(cipherparams.iv, 'hex'),
  );
  const key = Buffer.concat([decipher.update(encrypted), decipher.final()]);
  // Old programs left the zeros before a key out.
  return `0x${key.toString('hex').padStart(64, '0')}`;
}

/** Some programs write `Crypto`. */
function lowerKeys(text: string): unknown {
  try {
    const { Crypto, crypto = Crypto, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return { ...rest, crypto };
  } catch {
    return null;
  }
}
