import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encryption of values that must be read back (AES-256-GCM, a random nonce for each). Layout: nonce, tag, ciphertext. */
export class Cipher {
  /** Key object, prepared once: decrypting with raw bytes takes four times as long, and every send decrypts. */
  private readonly key: KeyObject;

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    this.key = createSecretKey(key);
  }

  /** @param context owner of the value (id of its row): a ciphertext moved to another row cannot be decrypted. */
  encrypt(plain: string | Buffer, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** @throws Error when the key or the context differs, or a byte was changed. */
  decrypt(sealed: Buffer, context: string): Buffer {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  }

  /** Keyed digest of `text`, for values that callers carry and must not change. */
  digest(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}
