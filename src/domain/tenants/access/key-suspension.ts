import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { DEPLOYMENT } from '../../kernel/deployment/replicas.js';
import { notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { rowCount, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { ApiKey } from './api-key.entity.js';

/** $1 now. `administrators`: keys that make keys or change partners. */
const COUNT_ACTIVE = statement(
  'access.count_active',
  { values: [time()], row: { keys: rowCount(), administrators: rowCount(), partners: rowCount() } },
  `SELECT count(*) AS keys, count(*) FILTER (WHERE scopes && '{keys:admin,partner:admin}') AS administrators,
          (SELECT count(*) FROM partners WHERE status = 'active' AND id <> '${DEPLOYMENT}') AS partners
     FROM api_keys WHERE revoked_at IS NULL AND suspended_at IS NULL AND (expires_at IS NULL OR expires_at > $1)`,
);

const END_SESSIONS = statement('access.end_sessions', { values: [], row: {} }, 'DELETE FROM sessions');
const END_CODES = statement('access.end_codes', { values: [], row: {} }, 'DELETE FROM sign_in_codes');

/** Suspends access after a restore of the database: what was revoked, disabled or ended since the backup would be valid again. */
@Injectable()
export class KeySuspension {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Active keys and partners. */
  async active() {
    const [counted] = await this.store.query(COUNT_ACTIVE, [this.clock.wall()]);
    return counted!;
  }

  /** Ends all sessions and one-time codes. @returns number of sessions */
  async endSessions(): Promise<number> {
    await this.store.query(END_CODES, []);
    return this.store.change(END_SESSIONS, []);
  }

  /** Suspends every key: it and its sessions are refused on every replica once this resolves, until `resume`. */
  async suspend(): Promise<void> {
    const active = { revokedAt: IsNull(), suspendedAt: IsNull() };
    await this.store.repository(ApiKey).update(active, { suspendedAt: this.clock.now() });
  }

  /** @param id absent: all suspended keys @returns number of keys @throws DomainError `not_found` */
  async resume(id?: string): Promise<number> {
    const keys = this.store.repository(ApiKey);
    if (id !== undefined && !(isId('apiKey', id) && (await keys.existsBy({ id })))) throw notFound('API key');
    const suspended = { ...(id !== undefined && { id }), suspendedAt: Not(IsNull()) };
    return (await keys.update(suspended, { suspendedAt: null })).affected!;
  }
}
