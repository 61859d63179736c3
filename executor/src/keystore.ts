import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { type Hex, keccak256 } from 'viem';
import * as z from 'zod';

/** More would take minutes and gigabytes: a file may be anybody's. */
const MOST_SCRYPT_BYTES = 1024 * 1024 * 1024;
const bytes = z
  .string()
  .regex(/^([0-9a-fA-F]{2})+$/)
  .transform((text) => Buffer.from(text, 'hex'));
const count = (most: number) => z.int().min(1).max(most);
const CIPHER = { cipher: z.literal('aes-128-ctr'), cipherparams: z.object({ iv: bytes }) };
const [CONTENT, SALT] = [
  { ...CIPHER, ciphertext: bytes, mac: bytes },
  { salt: bytes, dklen: z.literal(32) },
];
const SCRYPT = z.object({ ...SALT, n: count(2 ** 21), r: count(64), p: count(64) });
const PBKDF2 = z.object({ ...SALT, c: count(10_000_000), prf: z.literal('hmac-sha256').optional() });
const KEYSTORE = z.object({
  version: z.literal(3),
  crypto: z.discriminatedUnion('kdf', [
    z.object({ ...CONTENT, kdf: z.literal('scrypt'), kdfparams: SCRYPT }),
    z.object({ ...CONTENT, kdf: z.literal('pbkdf2'), kdfparams: PBKDF2 }),
  ]),
});

/**
 * The private key in a keystore of web3's secret storage, version 3 (https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage).
 * @throws Error whose message has nothing of key or password
 */
export function decryptKeystore(text: string, password: string): Hex {
  const { data, error } = KEYSTORE.safeParse(lowerKeys(text));
  const parameter = error?.issues.find(({ path }) => path[1] === 'kdfparams')?.path[2];
  if (parameter) throw new Error(`its kdfparams lack ${String(parameter)}, or it is out of bounds`);
  if (!data) throw new Error('it is no keystore of version 3 with aes-128-ctr and scrypt or pbkdf2');
  const { ciphertext, mac, cipherparams, kdfparams } = data.crypto;
  const { salt } = kdfparams;
  const derived =
    'c' in kdfparams
      ? pbkdf2Sync(password, salt, kdfparams.c, 32, 'sha256')
      : scryptSync(password, salt, 32, { ...kdfparams, N: kdfparams.n, maxmem: MOST_SCRYPT_BYTES });
  const computed = keccak256(Buffer.concat([derived.subarray(16), ciphertext]), 'bytes');
  if (mac.length !== computed.length || !timingSafeEqual(computed, mac))
    throw new Error('the password is wrong, or the file was changed');
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), cipherparams.iv);
  const key = Buffer.concat([decipher.update(ciphertext), decipher.final()]);
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
