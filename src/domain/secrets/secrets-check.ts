import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../config/config-error.js';
import { Settings } from '../../config/settings.js';
import { sealContext } from '../idempotency/idempotency.service.js';
import { Cipher } from '../store/cipher.js';
import { Store } from '../store/store.js';
import * as queries from './secrets.queries.js';

const CANARY = 'canary';
/** Of what was sealed before there was a canary. */
const SAMPLE = 20;

/**
 * Proves that this process has the key that the database's secrets were sealed with. A canary stands for them all: a text that was sealed at the first
 * start. With another key every secret would be unreadable, and what is sealed from then on unreadable to the others.
 */
@Injectable()
export class SecretsCheck {
  constructor(
    private readonly store: Store,
    private readonly cipher: Cipher,
    private readonly settings: Settings,
  ) {}

  /**
   * Opens the canary; without one, it seals one, where the key opens any of what was sealed before. Replicas that start at once seal one between them.
   *
   * @throws ConfigError when the key is another one
   */
  async run(): Promise<void> {
    if ((await this.canaryOpens()) ?? (await this.sealCanary())) return;
    const { secretsKeySource, database } = this.settings;
    throw new ConfigError([
      `${secretsKeySource} is another key than the secrets in the schema "${database.schema}" were sealed with; start with the one of before, or, where it is lost for good, give them up: vaultline secrets forget.`,
    ]);
  }

  /**
   * Gives up what was sealed with a key that is lost: endpoints, which cannot sign any more, and stored answers. What is sealed from now on is sealed with
   * the present key.
   *
   * @returns how many of each there were
   * @throws ConfigError when the present key is the right one
   */
  async forget(): Promise<{ endpoints: number; answers: number }> {
    return this.store.transaction(async () => {
      if ((await this.canaryOpens()) ?? this.opensAnyOf(await this.sample()))
        throw new ConfigError([
          `${this.settings.secretsKeySource} is the key that the secrets were sealed with; nothing has to be given up, and nothing was changed.`,
        ]);
      await this.store.query(queries.REMOVE_CANARY, []);
      const [endpoints] = await this.store.query(queries.REMOVE_ENDPOINTS, []);
      const [answers] = await this.store.query(queries.REMOVE_ANSWERS, []);
      await this.store.query(queries.SEAL_CANARY, [this.cipher.encrypt(CANARY, CANARY)]);
      return { endpoints: endpoints!.removed, answers: answers!.removed };
    });
  }

  /** null: there is none. */
  private async canaryOpens(): Promise<boolean | null> {
    const [canary] = await this.store.query(queries.FIND_CANARY, []);
    return canary ? this.opens(canary.sealed, CANARY) : null;
  }

  /** @returns whether the canary that is there now opens */
  private async sealCanary(): Promise<boolean> {
    const sample = await this.sample();
    if (sample.length > 0 && !this.opensAnyOf(sample)) return false;
    await this.store.query(queries.SEAL_CANARY, [this.cipher.encrypt(CANARY, CANARY)]);
    // Another replica's, where that was faster.
    return (await this.canaryOpens()) === true;
  }

  private async sample(): Promise<[sealed: Buffer, context: string][]> {
    const endpoints = await this.store.query(queries.SAMPLE_ENDPOINTS, [SAMPLE]);
    const answers = await this.store.query(queries.SAMPLE_ANSWERS, [SAMPLE]);
    return [
      ...endpoints.map(({ sealed, id }): [Buffer, string] => [sealed, id]),
      ...answers.map(({ sealed, keyId, ...claim }): [Buffer, string] => [sealed, sealContext(keyId, claim)]),
    ];
  }

  private opensAnyOf(sample: readonly [sealed: Buffer, context: string][]): boolean {
    return sample.some(([sealed, context]) => this.opens(sealed, context));
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
