import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { type DeploymentEnvironment, ENVIRONMENTS } from '../../../config/deployments.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import {
  bool,
  bytes,
  integer,
  listOf,
  moment,
  orNull,
  type RowOf,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import type { Scope } from './scope.js';

/** Authenticated caller. `partnerId` is null for a key without a partner. */
export interface Caller {
  keyId: string;
  label: string;
  scopes: readonly Scope[];
  partnerId: string | null;
  /** null: the key itself is used. */
  sessionId: string | null;
}

export type Refusal = 'invalid_api_key' | 'expired_api_key' | 'suspended_api_key' | 'wrong_environment';
type UnknownKey = Exclude<Refusal, 'wrong_environment'>;

const CALLER = {
  keyId: text(),
  label: text(),
  scopes: listOf(text<Scope>()),
  partnerId: orNull(text()),
  sessionId: orNull(text()),
  expired: bool(),
  suspended: bool(),
};
type FoundCaller = RowOf<typeof CALLER>;

/**
 * Valid keys and sessions by digest; a session ends with its key at the latest. $2: now. Without a cache in front, so that a revoked key is refused
 * at once.
 */
const FIND_KEYS = statement(
  'access.find_keys',
  { values: [listOf(bytes()), time()], row: { digest: bytes(), ...CALLER } },
  `SELECT k.secret_hash AS digest, k.id AS "keyId", k.label, k.scopes, k.partner_id AS "partnerId", NULL AS "sessionId",
          coalesce(k.expires_at <= $2, false) AS expired, k.suspended_at IS NOT NULL AS suspended
     FROM api_keys k WHERE k.secret_hash = ANY($1::bytea[]) AND k.revoked_at IS NULL
   UNION ALL
   SELECT s.secret_hash, k.id, k.label, s.scopes, k.partner_id, s.id, least(s.expires_at, k.expires_at) <= $2, k.suspended_at IS NOT NULL
     FROM sessions s JOIN api_keys k ON k.id = s.key_id WHERE s.secret_hash = ANY($1::bytea[]) AND k.revoked_at IS NULL`,
);

/** Prefixes of digests ($3 bytes each), concatenated: one value is read many times as fast as as many rows. */
const FIND_ACTIVE = statement(
  'access.find_active',
  { values: [moment(), integer(), integer()], row: { hints: bytes() } },
  `SELECT coalesce(string_agg(hint, ''::bytea), ''::bytea) AS hints
     FROM (SELECT substring(secret_hash FROM 1 FOR $3) AS hint
             FROM (SELECT secret_hash, last_used_at FROM api_keys WHERE revoked_at IS NULL AND created_at > $1
                   UNION ALL SELECT secret_hash, created_at FROM sessions WHERE created_at > $1) AS known
            ORDER BY last_used_at DESC NULLS LAST LIMIT $2::int) AS active`,
);

/**
 * The timestamp is at least the creation's: a key may be used in the second of its creation, by a replica whose clock is behind. It waits for no
 * key, so that it cannot deadlock with what changes several: a key that is locked is being changed, and is recorded with its next use.
 */
const TOUCH_KEYS = statement(
  'access.touch_keys',
  { values: [listOf(text()), listOf(time())], row: {} },
  `WITH free AS (SELECT id FROM api_keys WHERE id = ANY($1::text[]) FOR NO KEY UPDATE SKIP LOCKED)
   UPDATE api_keys SET last_used_at = greatest(used.at, created_at)
     FROM free JOIN unnest($1::text[], $2::timestamptz[]) AS used(id, at) USING (id)
    WHERE api_keys.id = free.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`,
);

const SECOND_MS = 1_000;
const MAX_LOOKUPS = 100;

/** Authentication by key or session, and the record of when each key was last used. */
@Injectable()
export class Authenticator {
  /** Start of the second of last use, by key id, not written yet: however busy a key is, it costs one row version a flush. */
  private used = new Map<string, number>();

  /** Batching alone: a cache would accept a revoked key. */
  private readonly lookups: DataLoader<Buffer, FoundCaller | undefined>;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {
    this.lookups = new DataLoader((digests) => this.lookUp(digests), {
      cache: false,
      maxBatchSize: MAX_LOOKUPS,
      // After the sockets that are read in this turn.
      batchScheduleFn: (lookUp) => setImmediate(lookUp),
    });
  }

  /** Verdict from the secret alone, without a query; null: it may be a key of this deployment. */
  refusalOf(secret: string): Refusal | null {
    const environment = environmentOf(secret);
    if (environment === null) return 'invalid_api_key';
    return environment === this.settings.environment ? null : 'wrong_environment';
  }

  /**
   * One statement for a well-formed key, none for any other. Its timing reveals nothing useful: the checksum is no secret; keys are looked up by
   * SHA-256, whose prefix nobody can choose, so the depth of the index walk says nothing about existing keys; and a revoked key differs from an
   * unknown one only for a caller who has the whole key.
   */
  async authenticate(secret: string): Promise<Caller | Refusal> {
    return this.refusalOf(secret) ?? this.find(digestOf(secret));
  }

  /** Looks a checked key up, batched with others of the same turn of the event loop. @param digest of its secret */
  async find(digest: Buffer): Promise<Caller | UnknownKey> {
    const record = await this.lookups.load(digest);
    if (!record) return 'invalid_api_key';
    const { expired, suspended, ...caller } = record;
    if (expired) return 'expired_api_key';
    if (suspended) return 'suspended_api_key';
    this.used.set(caller.keyId, Math.floor(this.clock.now().getTime() / SECOND_MS) * SECOND_MS);
    return caller;
  }

  /** Concatenated digest prefixes of active keys, the most recently used first. @param since creation time; null: any */
  async activeHints(since: Date | null, maxKeys: number, bytes: number): Promise<Buffer> {
    const [row] = await this.store.query(FIND_ACTIVE, [since ?? '-infinity', maxKeys, bytes]);
    return row!.hints;
  }

  private async lookUp(digests: readonly Buffer[]): Promise<(FoundCaller | undefined)[]> {
    const rows = await this.store.query(FIND_KEYS, [[...digests], this.clock.wall()]);
    const callers = new Map(rows.map(({ digest, ...caller }) => [digest.toString('latin1'), caller]));
    return digests.map((digest) => callers.get(digest.toString('latin1')));
  }

  /** Writes the uses since the last call, in one statement. Called by a timer and at shutdown; uses of a failed write are kept for the next. */
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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(`^(vl|vlc)_(${ENVIRONMENTS.join('|')})_[0-9A-Za-z]{38}$`);

/** Prefix of a secret: `vl` for keys and sessions, `vlc` for one-time codes. */
type SecretKind = 'vl' | 'vlc';

/** New secret of a key or session: `vl_<environment>_`, 32 random base62 characters, and a checksum of 6. */
export const newKeySecret = (environment: DeploymentEnvironment): string => newSecret('vl', environment);

/** New one-time code: `vlc_<environment>_`, then as in a key. */
export const newSignInCode = (environment: DeploymentEnvironment): string => newSecret('vlc', environment);

function newSecret(kind: SecretKind, environment: DeploymentEnvironment): string {
  let random = '';
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      // 248 is the largest multiple of 62 that fits a byte: higher values would favour the first characters.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += ALPHABET[byte % 62];
    }
  }
  const body = `${kind}_${environment}_${random}`;
  return body + checksum(body);
}

/** Environment of a well-formed secret with a valid checksum, otherwise null: a mistyped key is recognised without a query. */
export function environmentOf(secret: string, kind: SecretKind = 'vl'): DeploymentEnvironment | null {
  const match = SHAPE.exec(secret);
  if (match?.[1] !== kind) return null;
  const body = secret.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(body) === secret.slice(-CHECKSUM_CHARACTERS) ? (match[2] as DeploymentEnvironment) : null;
}

/** Stored digest of a secret. Its 190 random bits need neither salt nor a slow hash. */
export const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Visible part of a secret, by which people recognise it: its first 12 characters. */
export const prefixOf = (secret: string): string => secret.slice(0, 12);

export const maskedSecret = (prefix: string): string => `${prefix}****`;

/** CRC32 of the preceding text, in base62, padded with zeros to six characters. */
function checksum(body: string): string {
  let remainder = crc32(body);
  let digits = '';
  for (let digit = 0; digit < CHECKSUM_CHARACTERS; digit++) {
    digits = ALPHABET[remainder % 62]! + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}
