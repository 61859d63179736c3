import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { invalid } from '../domain-error.js';
import { newId } from '../identifier.js';
import { Batches, removedBy } from '../store/batches.js';
import { bytes, integer, listOf, orNull, rowCount, text, time } from '../store/column.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import { addHours } from '../vaults/hour.js';
import type { Caller } from './authenticator.js';
import { digestOf, newKeySecret } from './key-secret.js';
import { PARTNER_KEY_SCOPES, type Scope } from './scope.js';

/** The longest that a session lasts, seconds. */
export const MOST_SECONDS = 43_200;
/** Sessions that a key has; of more the oldest end. */
const MOST_OF_A_KEY = 20;
/** How long what has ended is remembered: until then it is told that it expired. */
const KEPT_HOURS = 24;

/** Who calls, as it is told: a session, or a key. */
export interface SignedIn {
  /** Of the session, or of the key. */
  id: string;
  label: string;
  scopes: readonly Scope[];
  partnerId: string | null;
  expiresAt: Date | null;
}

/** A session with its full secret, which exists in memory only, once. */
export type CreatedSession = SignedIn & { secret: string };

const KEY = { label: text(), expiresAt: orNull(time()) };

/** Sessions of one key are made one after the other. */
const LOCK_KEY = statement(
  'sessions.lock_key',
  { values: [text()], row: KEY },
  `SELECT label, expires_at AS "expiresAt" FROM api_keys WHERE id = $1 FOR NO KEY UPDATE`,
);

/** All but the newest $2 of a key. */
const END_OLDEST = statement(
  'sessions.end_oldest',
  { values: [text(), integer()], row: {} },
  `DELETE FROM sessions WHERE id IN
     (SELECT id FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2::int)`,
);

const INSERT = statement(
  'sessions.insert',
  { values: [text(), text(), bytes(), listOf(text()), time(), time()], row: {} },
  `INSERT INTO sessions (id, key_id, secret_hash, scopes, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Of a key, and of its session $2, if there is one. */
const FIND = statement(
  'sessions.find',
  { values: [text(), orNull(text())], row: KEY },
  `SELECT k.label, least(s.expires_at, k.expires_at) AS "expiresAt"
     FROM api_keys k LEFT JOIN sessions s ON s.key_id = k.id AND s.id = $2 WHERE k.id = $1`,
);

const DELETE = statement(
  'sessions.delete',
  { values: [text()], row: {} },
  `DELETE FROM sessions WHERE id = $1`,
);

const PRUNE = statement(
  'sessions.prune',
  { values: [time(), rowCount()], row: { removed: integer() } },
  `WITH gone AS (DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) RETURNING 1)
   SELECT count(*)::int AS removed FROM gone`,
);

/** Sessions: what a browser holds in place of a key. They end by themselves, and at the latest with the key that they were made with. */
@Injectable()
export class SessionService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * @param caller whose key it is made with
   * @param scopes of the key's own
   * @param seconds that it lasts, where its key does not end before
   */
  async create(caller: Caller, scopes: readonly Scope[], seconds: number): Promise<CreatedSession> {
    const secret = newKeySecret(this.settings.environment);
    return this.store.transaction(async () => {
      const [key] = await this.store.query(LOCK_KEY, [caller.keyId]);
      const now = this.clock.wall();
      const end = new Date(now.getTime() + seconds * 1000);
      const expiresAt = key!.expiresAt !== null && key!.expiresAt < end ? key!.expiresAt : end;
      const id = newId('session', now);
      await this.store.query(END_OLDEST, [caller.keyId, MOST_OF_A_KEY - 1]);
      await this.store.query(INSERT, [id, caller.keyId, digestOf(secret), [...scopes], now, expiresAt]);
      return { id, label: key!.label, scopes, partnerId: caller.partnerId, expiresAt, secret };
    });
  }

  async current({ keyId, sessionId, scopes, partnerId }: Caller): Promise<SignedIn> {
    const [found] = await this.store.query(FIND, [keyId, sessionId]);
    return { id: sessionId ?? keyId, ...found!, scopes, partnerId };
  }

  /** It is refused everywhere from the moment this resolves. */
  async end(sessionId: string): Promise<void> {
    await this.store.query(DELETE, [sessionId]);
  }

  /** Removes what ended a day ago. @returns how many there were */
  async prune(): Promise<number> {
    const before = addHours(this.clock.wall(), -KEPT_HOURS);
    return new Batches().run((rows) => removedBy(this.store, PRUNE, [before, rows]));
  }
}

/**
 * What a session may do: what was asked for, else what reads.
 *
 * @throws DomainError `validation_failed` for what its key may not, and where the key may not read and nothing was asked for
 */
export function sessionScopes(key: readonly Scope[], asked: readonly Scope[] | undefined): readonly Scope[] {
  const scopes = asked ?? key.filter((scope) => PARTNER_KEY_SCOPES.includes(scope));
  if (scopes.length === 0)
    throw invalid('scopes', `is required: the key has neither read nor partner:read, but ${key.join(', ')}`);
  if (!scopes.every((scope) => key.includes(scope)))
    throw invalid('scopes', `must be among those of the key: ${key.join(', ')}`);
  return scopes;
}
