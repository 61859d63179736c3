import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { DomainError } from '../domain-error.js';
import { Batches, removedBy } from '../store/batches.js';
import { Cipher } from '../store/cipher.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';

/** What a caller asked to happen once. */
export interface Claim {
  /** The API key's id: two callers never share a key. */
  keyId: string;
  /** Method and route template. */
  route: string;
  /** The `Idempotency-Key` header. */
  key: string;
  /** Digest of target and body: the same key with another one is a mistake. */
  fingerprint: Buffer;
}

/** A claim that was made before. `answer` is null while its effect has two halves and the second is not recorded. */
export interface Earlier {
  answer: Buffer | null;
  /** What the first half made, where the effect has two halves. */
  subjectId: string | null;
}

interface Row {
  fingerprint: Buffer;
  answer: Buffer | null;
  subjectId: string | null;
}

const FIND = statement(
  'idempotency.find',
  `SELECT fingerprint, answer, subject_id AS "subjectId" FROM idempotency_claims
    WHERE key_id = $1 AND route = $2 AND key = $3 AND claimed_at > clock_timestamp() - $4 * interval '1 hour'`,
);

/** Waits for a concurrent claim of the same key to commit or roll back; takes over one that is out of date. */
const INSERT = statement(
  'idempotency.insert',
  `INSERT INTO idempotency_claims AS c (key_id, route, key, fingerprint, claimed_at)
   VALUES ($1, $2, $3, $5, clock_timestamp())
   ON CONFLICT (key_id, route, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, answer = NULL, subject_id = NULL, claimed_at = excluded.claimed_at
    WHERE c.claimed_at <= clock_timestamp() - $4 * interval '1 hour'
   RETURNING key`,
);

const ANSWER = statement(
  'idempotency.answer',
  `UPDATE idempotency_claims SET answer = $4 WHERE key_id = $1 AND route = $2 AND key = $3`,
);

const SUBJECT = statement(
  'idempotency.subject',
  `UPDATE idempotency_claims SET subject_id = $4 WHERE key_id = $1 AND route = $2 AND key = $3`,
);

/** Up to $2, oldest first. */
const PRUNE = statement(
  'idempotency.prune',
  `WITH aged AS MATERIALIZED (
     SELECT key_id, route, key FROM idempotency_claims
      WHERE claimed_at <= clock_timestamp() - $1 * interval '1 hour'
      ORDER BY claimed_at LIMIT $2
        FOR UPDATE SKIP LOCKED
   ), gone AS (
     DELETE FROM idempotency_claims c USING aged
      WHERE c.key_id = aged.key_id AND c.route = aged.route AND c.key = aged.key
     RETURNING c.key
   )
   SELECT count(*)::int AS removed FROM gone`,
);

const LOCK_NOT_AVAILABLE = '55P03';

/** Makes an effect happen once a key: claim, effect and stored answer share a transaction, so that none exists without the others. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly cipher: Cipher,
  ) {}

  /**
   * What is known of a claim; null when it is new.
   *
   * @throws DomainError `idempotency_key_reused`
   */
  async find(claim: Claim): Promise<Earlier | null> {
    const { keyId, route, key } = claim;
    const [row] = await this.store.query<Row>(FIND, [keyId, route, key, this.keptHours]);
    if (!row) return null;
    if (!row.fingerprint.equals(claim.fingerprint)) {
      throw new DomainError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Send a new key for a new request.',
      );
    }
    return {
      answer: row.answer && this.cipher.decrypt(row.answer, context(claim)),
      subjectId: row.subjectId,
    };
  }

  /**
   * Claims inside the caller's transaction. A concurrent holder is waited for, within bounds.
   *
   * @returns null when the claim is ours now, else what the holder left
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`
   */
  async claim(claim: Claim): Promise<Earlier | null> {
    const { keyId, route, key, fingerprint } = claim;
    const waitMs = this.settings.constants.idempotency.wait_ms;
    await this.store.manager.query(`SET LOCAL lock_timeout = ${waitMs === 0 ? 1 : waitMs}`);
    const inserted = await this.store
      .query(INSERT, [keyId, route, key, this.keptHours, fingerprint])
      .catch((error: Error & { code?: string }) => {
        throw error.code === LOCK_NOT_AVAILABLE ? inProgress() : error;
      });
    await this.store.manager.query('SET LOCAL lock_timeout TO DEFAULT');
    return inserted.length === 1 ? null : this.find(claim);
  }

  /** Stores the answer, encrypted: it may hold a secret. */
  async answer(claim: Claim, body: Buffer): Promise<void> {
    const sealed = this.cipher.encrypt(body, context(claim));
    await this.store.query(ANSWER, [claim.keyId, claim.route, claim.key, sealed]);
  }

  /** Remembers what the first half of an effect made, so that a retry after a crash finds it. */
  async remember(claim: Claim, subjectId: string): Promise<void> {
    await this.store.query(SUBJECT, [claim.keyId, claim.route, claim.key, subjectId]);
  }

  /** Forgets what is out of date: nobody is answered with it any more. @returns how many claims */
  prune(batches = new Batches()): Promise<number> {
    return batches.run((rows) => removedBy(this.store, PRUNE, [this.keptHours, rows]));
  }

  private get keptHours(): number {
    return this.settings.constants.idempotency.kept_hours;
  }
}

export const inProgress = (): DomainError =>
  new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still being processed. Try again in a moment.',
  );

const context = ({ keyId, route, key }: Claim): string => `${keyId} ${route} ${key}`;
