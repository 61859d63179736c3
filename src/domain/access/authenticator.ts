import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { bool, bytes, integer, listOf, moment, orNull, type RowOf, text, time } from '../store/column.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import { Tenancy } from '../store/tenancy.js';
import { TurnBatch } from '../store/turn-batch.js';
import { environmentOf, digestOf } from './key-secret.js';
import { KnownKeys } from './known-keys.js';
import type { Scope } from './scope.js';

/** Who calls. `partnerId` is null for a key that is not bound. */
export interface Caller {
  /** Of a session: the key that it was made with. */
  keyId: string;
  scopes: readonly Scope[];
  partnerId: string | null;
  /** null: the key itself calls. */
  sessionId: string | null;
}

export type Refusal = 'invalid_api_key' | 'expired_api_key' | 'wrong_environment';
type Unknown = Exclude<Refusal, 'wrong_environment'>;

const CALLER = {
  keyId: text(),
  scopes: listOf(text<Scope>()),
  partnerId: orNull(text()),
  sessionId: orNull(text()),
  expired: bool(),
};
type FoundCaller = RowOf<typeof CALLER>;

/**
 * Of keys and sessions; a session ends with its key at the latest. $2: now.
 *
 * @param secret condition on `secret_hash` of the table with that alias
 * @param columns of that table, before those of the caller
 */
const callers = (secret: (table: string) => string, columns = (_table: string): string => ''): string =>
  `SELECT ${columns('k')}k.id AS "keyId", k.scopes, k.partner_id AS "partnerId", NULL AS "sessionId", coalesce(k.expires_at <= $2, false) AS expired
     FROM api_keys k WHERE ${secret('k')} AND k.revoked_at IS NULL
   UNION ALL
   SELECT ${columns('s')}k.id, s.scopes, k.partner_id, s.id, least(s.expires_at, k.expires_at) <= $2
     FROM sessions s JOIN api_keys k ON k.id = s.key_id WHERE ${secret('s')} AND k.revoked_at IS NULL`;

/** By unique indexes, of keys and of sessions; no cache stands before it, so a revoked key is refused at once on every replica, with its sessions. */
const FIND_KEY = statement(
  'access.find_key',
  { values: [bytes(), time()], row: CALLER },
  callers((table) => `${table}.secret_hash = $1`),
);

/** The same for several that came in one turn of the event loop. */
const FIND_KEYS = statement(
  'access.find_keys',
  { values: [listOf(bytes()), time()], row: { digest: bytes(), ...CALLER } },
  callers(
    (table) => `${table}.secret_hash = ANY($1::bytea[])`,
    (table) => `${table}.secret_hash AS digest, `,
  ),
);

/** Beginnings of digests ($3 bytes), one behind the other: of so many keys one value is read many times as fast as rows. */
const FIND_ACTIVE = statement(
  'access.find_active',
  { values: [moment(), integer(), integer()], row: { hints: bytes() } },
  `SELECT coalesce(string_agg(hint, ''::bytea), ''::bytea) AS hints
     FROM (SELECT substring(secret_hash FROM 1 FOR $3) AS hint
             FROM (SELECT secret_hash, last_used_at FROM api_keys WHERE revoked_at IS NULL AND created_at > $1
                   UNION ALL SELECT secret_hash, created_at FROM sessions WHERE created_at > $1) AS known
            ORDER BY last_used_at DESC NULLS LAST LIMIT $2::int) AS active`,
);

/** A key that is used in the second of its creation was used when it was created, also by a replica whose clock is behind. */
const TOUCH_KEYS = statement(
  'access.touch_keys',
  { values: [listOf(text()), listOf(time())], row: {} },
  `UPDATE api_keys SET last_used_at = greatest(used.at, created_at)
     FROM unnest($1::text[], $2::timestamptz[]) AS used(id, at)
    WHERE api_keys.id = used.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`,
);

const SECOND_MS = 1_000;
/** Keys that one statement looks up. */
const MOST_LOOKUPS = 100;

/** Tells who holds a key, and remembers when each was last used. */
@Injectable()
export class Authenticator {
  /** Key id -> start of the second of its last use, not yet written: however busy a key is, it costs one row version a flush. */
  private used = new Map<string, number>();

  /** Keys whose attempt is worth a question, whatever else comes from their address. */
  readonly known: KnownKeys;

  /** Of callers who are nobody yet, so they count for no tenant. */
  private readonly lookups: TurnBatch<Buffer, FoundCaller | undefined>;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    tenancy: Tenancy,
  ) {
    this.lookups = new TurnBatch((digests) => tenancy.begin(() => this.lookUp(digests)), MOST_LOOKUPS);
    this.known = new KnownKeys(async (since, most, length) => {
      const [row] = await store.query(FIND_ACTIVE, [since ?? '-infinity', most, length]);
      return row!.hints;
    }, clock);
  }

  /** What is told from the secret alone, without a question to the database; null: it may be a key of this deployment. */
  judge(secret: string): Refusal | null {
    const environment = environmentOf(secret);
    if (environment === null) return 'invalid_api_key';
    return environment === this.settings.environment ? null : 'wrong_environment';
  }

  /**
   * One statement for a key that looks right, none for any other.
   *
   * What its time tells is nothing worth having. The checksum is no secret: it is judged first, and who fails it could have computed so. The rest
   * is looked up by its SHA-256, of which nobody can choose the beginning, so how far the index was read says nothing of keys that there are. A
   * revoked key costs the same statement as one that never was, and reading its row on top: whoever measures that holds all of that key already.
   */
  async authenticate(secret: string): Promise<Caller | Refusal> {
    return this.judge(secret) ?? this.find(digestOf(secret));
  }

  /**
   * The same for a key that was judged, together with those that come in the same turn of the event loop.
   *
   * @param digest of its secret
   */
  async find(digest: Buffer): Promise<Caller | Unknown> {
    return this.recorded(await this.lookups.ask(digest));
  }

  /** The same, for itself: of a tenant that is known, in its share of the connections. */
  async findAgain(digest: Buffer): Promise<Caller | Unknown> {
    const [caller] = await this.store.query(FIND_KEY, [digest, this.clock.wall()]);
    return this.recorded(caller);
  }

  private recorded(found: FoundCaller | undefined): Caller | Unknown {
    if (!found) return 'invalid_api_key';
    const { expired, ...caller } = found;
    if (expired) return 'expired_api_key';
    this.used.set(caller.keyId, Math.floor(this.clock.now().getTime() / SECOND_MS) * SECOND_MS);
    return caller;
  }

  private async lookUp(digests: readonly Buffer[]): Promise<(FoundCaller | undefined)[]> {
    const now = this.clock.wall();
    if (digests.length === 1) return this.store.query(FIND_KEY, [digests[0]!, now]);
    const rows = await this.store.query(FIND_KEYS, [[...digests], now]);
    const found = new Map(rows.map(({ digest, ...caller }) => [digest.toString('latin1'), caller]));
    return digests.map((digest) => found.get(digest.toString('latin1')));
  }

  /** Writes the uses since the last call, in one statement. Called on a timer and at shutdown; a failed write is kept for the next. */
  async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const batch = this.used;
    this.used = new Map();
    try {
      await this.store.query(TOUCH_KEYS, [[...batch.keys()], [...batch.values()].map((at) => new Date(at))]);
    } catch (error) {
      this.used = new Map([...batch, ...this.used]);
      throw error;
    }
  }
}
