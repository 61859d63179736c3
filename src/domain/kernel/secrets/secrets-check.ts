import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ConfigError } from '../../../config/config-error.js';
import { Settings } from '../../../config/settings.js';
import { sealContext } from '../idempotency/idempotency.service.js';
import { Cipher } from '../store/cipher.js';
import { bytes, rowCount, text } from '../store/column.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';

/** A text sealed at the first start: at most one row. */
@Entity('secrets_canary')
export class Canary {
  @PrimaryColumn('boolean') single: true;
  @Column('bytea') sealed: Buffer;
  /** Canary text under the previous key, while a rotation encrypts rows again. */
  @Column('bytea', { nullable: true }) formerSealed: Buffer | null;
  @Column('timestamptz') sealedAt: Date;
}

/** Of two concurrent canaries, the first one stays. */
const SEAL_CANARY = statement(
  'secrets.seal_canary',
  { values: [bytes()], row: {} },
  `INSERT INTO secrets_canary (sealed, sealed_at) VALUES ($1, clock_timestamp()) ON CONFLICT DO NOTHING`,
);

/** The oldest and the newest secrets, $1 of each. */
const SAMPLE_ENDPOINTS = statement(
  'secrets.sample_endpoints',
  { values: [rowCount()], row: { id: text(), sealed: bytes() } },
  `(SELECT id, secret_sealed AS sealed FROM webhook_endpoints ORDER BY id LIMIT $1)
   UNION (SELECT id, secret_sealed FROM webhook_endpoints ORDER BY id DESC LIMIT $1)`,
);

const SAMPLE_ANSWERS = statement(
  'secrets.sample_answers',
  { values: [rowCount()], row: { keyId: text(), route: text(), key: text(), sealed: bytes() } },
  `SELECT key_id AS "keyId", route, key, coalesce(answer, packed) AS sealed FROM idempotency_claims
    WHERE coalesce(answer, packed) IS NOT NULL ORDER BY claimed_at DESC LIMIT $1`,
);

const REMOVE_ENDPOINTS = statement(
  'secrets.remove_endpoints',
  { values: [], row: {} },
  `DELETE FROM webhook_endpoints`,
);

/** Claims stay without an answer: a retry is answered that its effect is in progress, and does not repeat it. */
const REMOVE_ANSWERS = statement(
  'secrets.remove_answers',
  { values: [], row: {} },
  `UPDATE idempotency_claims SET answer = NULL, packed = NULL WHERE coalesce(answer, packed) IS NOT NULL`,
);

export const CANARY = 'canary';
/** Sample size of secrets that were sealed before there was a canary. */
const SAMPLE = 20;

/**
 * Check that this process has the keys of the database's secrets, by a canary: a text sealed at the first start. With another key every stored secret
 * would be unreadable, and new ones unreadable for the other processes.
 */
@Injectable()
export class SecretsCheck {
  constructor(
    private readonly store: Store,
    private readonly cipher: Cipher,
    private readonly settings: Settings,
  ) {}

  /**
   * Decrypts the canary, or creates one after the key has decrypted a sample of earlier secrets.
   * @throws ConfigError when the keys are not the right ones
   */
  async run(): Promise<void> {
    if ((await this.follow()) ?? (await this.sealCanary())) return;
    const { secretsKeySource, databaseSchema } = this.settings;
    const canary = await this.store.repository(Canary).findOneBy({ single: true });
    if (canary && this.opens(canary.sealed, CANARY))
      throw new ConfigError([
        `SECRETS_KEY_PREVIOUS is not the previous key, with which secrets in the schema "${databaseSchema}" are still sealed; it is needed until vaultline secrets rotate has finished.`,
      ]);
    throw new ConfigError([
      `${secretsKeySource} is not the key that sealed the secrets in the schema "${databaseSchema}"; start with the previous one, or, if it is lost, delete them: vaultline secrets forget.`,
    ]);
  }

  /**
   * Deletes what was sealed with a lost key: secrets of endpoints, which can no longer sign, and stored answers.
   * @throws ConfigError when it is not lost
   */
  async forget(): Promise<{ endpoints: number; answers: number }> {
    return this.store.transaction(async () => {
      if ((await this.follow()) ?? this.opensAny(await this.sample()))
        throw new ConfigError([
          `${this.settings.secretsKeySource} is the key that sealed the secrets; nothing was deleted.`,
        ]);
      await this.store.repository(Canary).delete({ single: true });
      const endpoints = await this.store.change(REMOVE_ENDPOINTS, []);
      const answers = await this.store.change(REMOVE_ANSWERS, []);
      await this.store.query(SEAL_CANARY, [this.cipher.encrypt(CANARY, CANARY)]);
      return { endpoints, answers };
    });
  }

  /** Seals from now on as the canary is sealed. @returns whether the keys open everything; null: there is no canary */
  async follow(): Promise<boolean | null> {
    const canary = await this.store.repository(Canary).findOneBy({ single: true });
    if (!canary) return null;
    const { sealed, formerSealed } = canary;
    return (
      this.cipher.sealLike(sealed, CANARY) && (formerSealed === null || this.opens(formerSealed, CANARY))
    );
  }

  private async sealCanary(): Promise<boolean> {
    const sample = await this.sample();
    if (sample.length > 0 && !this.opensAny(sample)) return false;
    await this.store.query(SEAL_CANARY, [this.cipher.encrypt(CANARY, CANARY)]);
    // The canary of another replica that was faster.
    return (await this.follow()) === true;
  }

  private async sample(): Promise<[sealed: Buffer, context: string][]> {
    const endpoints = await this.store.query(SAMPLE_ENDPOINTS, [SAMPLE]);
    const answers = await this.store.query(SAMPLE_ANSWERS, [SAMPLE]);
    return [
      ...endpoints.map(({ sealed, id }): [Buffer, string] => [sealed, id]),
      ...answers.map(({ sealed, keyId, ...claim }): [Buffer, string] => [sealed, sealContext(keyId, claim)]),
    ];
  }

  private opensAny(sample: readonly [sealed: Buffer, context: string][]): boolean {
    return sample.some(([sealed, context]) => this.cipher.sealLike(sealed, context));
  }

  private opens(sealed: Buffer, context: string): boolean {
    try {
      this.cipher.decrypt(sealed, context);
      return true;
    } catch {
      return false;
    }
  }
}
