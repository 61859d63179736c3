import { Injectable } from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, addHours } from '../../kernel/clock.js';
import { notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { bool, bytes, listOf, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { ApiKey, SignInCode, validAt } from './api-key.entity.js';
import { type Caller, digestOf, environmentOf, newSignInCode } from './authenticator.js';
import type { Scope } from './scope.js';

const VALID_MS = 600_000;
/** Time for which an expired code is kept, so that its refusal can name the reason. */
const RETENTION_HOURS = 24;

export type CodeRefusal = 'malformed' | 'foreign' | 'unknown' | 'used' | 'expired';

/** Key that a code stands for. `used`: it has opened a session before. */
export interface CodeHolder {
  caller: Caller;
  used: boolean;
}

const CODE_ROW = {
  keyId: text(),
  label: text(),
  scopes: listOf(text<Scope>()),
  partnerId: orNull(text()),
  used: bool(),
  expired: bool(),
};

/** A code ends with its key at the latest. */
const FIND = statement(
  'codes.find',
  { values: [bytes(), time()], row: CODE_ROW },
  `SELECT k.id AS "keyId", k.label, k.scopes, k.partner_id AS "partnerId", c.used_at IS NOT NULL AS used,
          least(c.expires_at, k.expires_at) <= $2 AS expired
     FROM sign_in_codes c JOIN api_keys k ON k.id = c.key_id WHERE c.digest = $1 AND k.revoked_at IS NULL AND k.suspended_at IS NULL`,
);

/** One-time codes, with which a link opens a session: each stands for a key, for ten minutes and one use. Only the SHA-256 of a code is stored. */
@Injectable()
export class SignInCodes {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  /** @returns the code, which is shown once @throws DomainError `not_found` for a key that is unknown, revoked or expired */
  async create(keyId: string): Promise<string> {
    const code = newSignInCode(this.settings.environment);
    const now = this.clock.wall();
    const isValid =
      isId('apiKey', keyId) && (await this.store.repository(ApiKey).existsBy({ id: keyId, ...validAt(now) }));
    if (!isValid) throw notFound('API key that is valid');
    const expiresAt = new Date(now.getTime() + VALID_MS);
    await this.store.repository(SignInCode).insert({ digest: digestOf(code), keyId, expiresAt });
    return code;
  }

  /** Verdict from the code alone, without a query; null: it may be a code of this deployment. */
  refusalOf(code: string): CodeRefusal | null {
    const environment = environmentOf(code, 'vlc');
    if (environment === null) return 'malformed';
    return environment === this.settings.environment ? null : 'foreign';
  }

  /** Looks a checked code up, in one statement, without using it. */
  async find(digest: Buffer): Promise<CodeHolder | CodeRefusal> {
    const [row] = await this.store.query(FIND, [digest, this.clock.wall()]);
    if (!row) return 'unknown';
    const { used, expired, ...caller } = row;
    if (expired) return 'expired';
    return { caller: { ...caller, sessionId: null }, used };
  }

  /** @returns whether this was its first use */
  async use(code: string): Promise<boolean> {
    const unused = { digest: digestOf(code), usedAt: IsNull() };
    const { affected } = await this.store
      .repository(SignInCode)
      .update(unused, { usedAt: this.clock.wall() });
    return affected === 1;
  }

  async prune(): Promise<number> {
    const expiresAt = LessThan(addHours(this.clock.wall(), -RETENTION_HOURS));
    return (await this.store.repository(SignInCode).delete({ expiresAt })).affected ?? 0;
  }
}
