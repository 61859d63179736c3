import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, addHours } from '../../kernel/clock.js';
import { invalid } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/identifier.js';
import { integer, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { ApiKey, Session } from './api-key.entity.js';
import { type Caller, digestOf, newKeySecret } from './authenticator.js';
import { PARTNER_KEY_SCOPES, type Scope } from './scope.js';

/** Longest lifetime of a session, in seconds. */
export const MAX_SESSION_SECONDS = 43_200;
/** Sessions of one key; beyond that the oldest are ended. */
const SESSIONS_PER_KEY = 20;
/** Time for which an ended session is kept, so that its use is answered with "expired". */
const RETENTION_HOURS = 24;

export interface SignedIn {
  id: string;
  label: string;
  scopes: readonly Scope[];
  partnerId: string | null;
  partnerName: string | null;
  expiresAt: Date | null;
}

/** New session with its full secret, which exists in memory only, and only once. */
export type CreatedSession = SignedIn & { secret: string };

/** All sessions of a key but the newest $2. */
const END_OLDEST = statement(
  'sessions.end_oldest',
  { values: [text(), integer()], row: {} },
  `DELETE FROM sessions WHERE id IN
     (SELECT id FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2::int)`,
);

/** A key with its partner, and its session $2 if there is one. */
const FIND = statement(
  'sessions.find',
  {
    values: [text(), orNull(text())],
    row: { label: text(), partnerName: orNull(text()), expiresAt: orNull(time()) },
  },
  `SELECT k.label, p.name AS "partnerName", least(s.expires_at, k.expires_at) AS "expiresAt"
     FROM api_keys k LEFT JOIN partners p ON p.id = k.partner_id LEFT JOIN sessions s ON s.key_id = k.id AND s.id = $2 WHERE k.id = $1`,
);

/** Sessions, which a browser holds instead of a key. They expire, at the latest with the key that they were created with. */
@Injectable()
export class SessionService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  /** @param scopes subset of the key's @param seconds lifetime, unless its key expires earlier */
  async create(caller: Caller, scopes: readonly Scope[], seconds: number): Promise<CreatedSession> {
    const secret = newKeySecret(this.settings.environment);
    return this.store.transaction(async () => {
      // The lock serialises the creation of sessions of one key.
      const key = await this.store
        .repository(ApiKey)
        .findOneOrFail({ where: { id: caller.keyId }, lock: { mode: 'for_no_key_update' } });
      const now = this.clock.wall();
      const end = new Date(now.getTime() + seconds * 1000);
      const expiresAt = key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end;
      const id = newId('session', now);
      await this.store.query(END_OLDEST, [caller.keyId, SESSIONS_PER_KEY - 1]);
      await this.store.repository(Session).insert({
        id,
        keyId: caller.keyId,
        secretHash: digestOf(secret),
        scopes: [...scopes],
        createdAt: now,
        expiresAt,
      });
      return { ...(await this.current({ ...caller, sessionId: id, scopes })), secret };
    });
  }

  async current({ keyId, sessionId, scopes, partnerId }: Caller): Promise<SignedIn> {
    const [keyAndSession] = await this.store.query(FIND, [keyId, sessionId]);
    return { id: sessionId ?? keyId, ...keyAndSession!, scopes, partnerId };
  }

  /** The session is refused on every replica once this resolves. */
  async end(sessionId: string): Promise<void> {
    await this.store.repository(Session).delete({ id: sessionId });
  }

  async prune(): Promise<number> {
    const expiresAt = LessThan(addHours(this.clock.wall(), -RETENTION_HOURS));
    return (await this.store.repository(Session).delete({ expiresAt })).affected ?? 0;
  }
}

/**
 * Scopes of a session: the requested ones; by default those that read, and all of a key that has none of these.
 * @throws DomainError `validation_failed` for scopes that the key lacks
 */
export function sessionScopes(
  key: readonly Scope[],
  requested: readonly Scope[] | undefined,
): readonly Scope[] {
  if (requested === undefined) {
    const reading = key.filter((scope) => PARTNER_KEY_SCOPES.includes(scope));
    return reading.length > 0 ? reading : [...key];
  }
  const wrong = requested.findIndex((scope) => !key.includes(scope));
  if (wrong >= 0) throw invalid(`scopes[${wrong}]`, `must be among those of the key: ${key.join(', ')}`);
  return requested;
}
