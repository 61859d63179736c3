import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { nextRandom } from '../identifier.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encryption of values that must be read back: AES-256-GCM, as nonce, tag and ciphertext. During a rotation it has two keys: it opens with both, and
 * seals with the one that the database's canary is sealed with.
 */
export class Cipher {
  /** Key objects, prepared once: decrypting with raw bytes takes four times as long, and every send decrypts. The sealing one is first. */
  private keys: readonly KeyObject[];
  /** Name of `SECRETS_KEY`, by which processes compare their keys. */
  readonly presentKey: string;

  /** Keys of 32 bytes each. */
  constructor(present: Buffer, previous: Buffer | null = null) {
    this.keys = [present, previous].filter((key) => key !== null).map((key) => createSecretKey(key));
    this.presentKey = this.keyNames[0]!;
  }

  /** Names of the keys, the sealing one first. A name does not disclose its key. */
  get keyNames(): string[] {
    return this.keys.map((key) => hmac(key, 'name of the key').toString('hex').slice(0, 16));
  }

  /** @param context owner of the value (id of its row): a ciphertext moved to another row cannot be decrypted. */
  encrypt(plain: string | Buffer, context: string): Buffer {
    const nonce = nextRandom(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys[0]!, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** @throws Error when no key fits, the context differs, or a byte was changed. */
  decrypt(sealed: Buffer, context: string): Buffer {
    return this.open(sealed, context).plain;
  }

  /** @returns the value sealed with the sealing key; null: it is already */
  reseal(sealed: Buffer, context: string): Buffer | null {
    const { plain, key } = this.open(sealed, context);
    return key === this.keys[0] ? null : this.encrypt(plain, context);
  }

  /** Seals from now on with the key that this value was sealed with. @returns false when no key fits; then nothing changes */
  sealLike(sealed: Buffer, context: string): boolean {
    try {
      this.sealWith(this.open(sealed, context).key);
      return true;
    } catch {
      return false;
    }
  }

  sealWithPresent(): void {
    this.sealWith(this.keys[this.keyNames.indexOf(this.presentKey)]!);
  }

  /** Keyed digest of `text`, for values that callers carry and must not change. */
  digest(text: string): Buffer {
    return hmac(this.keys[0]!, text);
  }

  /** Whether these are the first bytes of the text's digest by any of the keys. */
  isDigest(candidate: Buffer, text: string): boolean {
    return this.keys.some((key) => hmac(key, text).subarray(0, candidate.length).equals(candidate));
  }

  private open(sealed: Buffer, context: string): { plain: Buffer; key: KeyObject } {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    let failure: unknown;
    for (const key of this.keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
        decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
        return { plain: Buffer.concat([decipher.update(body), decipher.final()]), key };
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private sealWith(key: KeyObject): void {
    this.keys = [key, ...this.keys.filter((other) => other !== key)];
  }
}

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();
