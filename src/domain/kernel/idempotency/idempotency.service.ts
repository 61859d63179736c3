import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../domain-error.js';
import { Batches } from '../store/batches.js';
import { Cipher } from '../store/cipher.js';
import { bool, bytes, double, integer, orNull, rowCount, type RowOf, text } from '../store/column.js';
import { statement } from '../store/statement.js';
import { StorageLimit } from '../store/storage-limit.js';
import { Store } from '../store/store.js';
import { pipelined } from '../store/transaction.js';

interface ClaimName {
  scope: string;
  route: string;
  key: string;
}

/** Claim of work that happens once. `scope`: the partner, whichever of its keys is used; for a key without a partner, the key. */
export interface Claim extends ClaimName {
  keyId: string;
  content: Buffer;
  /** Digest of the content: the same key with another one is refused. */
  fingerprint: Buffer;
}

/** Earlier claim. `answer` is null while the second half of its effect is not recorded. */
export interface EarlierClaim {
  answer: Buffer | null;
  /** Id of what the first half created, for an effect in two halves. */
  subjectId: string | null;
}

/** Text of an answer, and whether it is replayed from an earlier request. */
interface AnswerText {
  text: string;
  replayed: boolean;
}

/** Size from which an answer is compressed. */
const PLAIN_BYTES = 2_048;
/** Advisory lock held by the transaction that makes a claim, until its end: duplicates can test it without queueing on a connection. */
const LOCK = `hashtextextended('claim of ' || current_schema() || '.' || $1 || ' ' || $2 || ' ' || $3, 0)`;

const NAME = [text(), text(), text()] as const;
const STORED_CLAIM = {
  keyId: text(),
  fingerprint: bytes(),
  answer: orNull(bytes()),
  packed: orNull(bytes()),
  subjectId: orNull(text()),
  isExpired: bool(),
};
const CLAIM_COLUMNS = `c.key_id AS "keyId", c.fingerprint, c.answer, c.packed, c.subject_id AS "subjectId", c.claimed_at <= clock_timestamp() - $4::int * interval '1 hour' AS "isExpired"`;
const OF_CLAIM = `c.scope = $1 AND c.route = $2 AND c.key = $3`;

/** Whether another transaction has the claim's lock, and the claim if it is made. */
const LOOK = statement(
  'idempotency.look',
  { values: [...NAME, integer()], row: { isLocked: bool() }, joined: STORED_CLAIM },
  `SELECT turn."isLocked", ${CLAIM_COLUMNS}
     FROM (SELECT NOT pg_try_advisory_xact_lock_shared(${LOCK}) AS "isLocked") AS turn LEFT JOIN idempotency_claims c ON ${OF_CLAIM}`,
);

/** Takes the lock until the end of the transaction. Never waits. */
const TAKE = statement(
  'idempotency.take',
  { values: [...NAME], row: { isTaken: bool() } },
  `SELECT pg_try_advisory_xact_lock(${LOCK}) AS "isTaken"`,
);

const DROP = statement(
  'idempotency.drop',
  { values: [...NAME], row: {} },
  `DELETE FROM idempotency_claims WHERE scope = $1 AND route = $2 AND key = $3`,
);

/** The one write of a claim. */
const INSERT = statement(
  'idempotency.insert',
  {
    values: [...NAME, text(), bytes(), orNull(bytes()), orNull(bytes()), orNull(text())],
    row: {},
  },
  `INSERT INTO idempotency_claims (scope, route, key, key_id, fingerprint, answer, packed, subject_id, claimed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())`,
);

/** Answer of an effect in two halves. It is sealed for the key that obtained it. */
const ANSWER = statement(
  'idempotency.answer',
  { values: [...NAME, orNull(bytes()), orNull(bytes()), text()], row: {} },
  `UPDATE idempotency_claims SET answer = $4, packed = $5, key_id = $6 WHERE scope = $1 AND route = $2 AND key = $3`,
);

const PRUNE = statement(
  'idempotency.prune',
  { values: [double(), rowCount()], row: {} },
  `WITH aged AS MATERIALIZED (
     SELECT scope, route, key FROM idempotency_claims
      WHERE claimed_at <= clock_timestamp() - $1 * interval '1 hour'
      ORDER BY claimed_at LIMIT $2
        FOR UPDATE SKIP LOCKED
   )
   DELETE FROM idempotency_claims c USING aged
    WHERE c.scope = aged.scope AND c.route = aged.route AND c.key = aged.key`,
);

/** Idempotency: claim, effect and stored answer share a transaction, so that none exists without the others. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly cipher: Cipher,
    private readonly storageLimit: StorageLimit,
  ) {}

  /**
   * Runs work once: claim, work and stored answer in one transaction.
   * @param partnerId whose storage the claim and its answer take; null: nobody's
   * @param work runs in the transaction, perhaps several times; returns the text of its answer
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded`; what the work throws, with nothing stored
   */
  once(claim: Claim, partnerId: string | null, work: () => Promise<string>): Promise<AnswerText> {
    return this.store.transaction(async () => {
      const earlier = await this.claim(claim);
      if (earlier) return replayed(earlier);
      this.requireRoom(partnerId);
      const text = await work();
      const { keyId, fingerprint } = claim;
      const answer = this.sealed(claim, Buffer.from(text));
      await this.store.pipeline(INSERT, [...nameOf(claim), keyId, fingerprint, ...answer, null]);
      return { text, replayed: false };
    });
  }

  /** For a claim and its answer, which are kept for a day. @throws DomainError `quota_exceeded` */
  requireRoom(partnerId: string | null): void {
    if (partnerId !== null) this.storageLimit.requireRoom(partnerId, ['traffic']);
  }

  /** @returns null: there is no earlier claim @throws DomainError `idempotency_in_progress`, `idempotency_key_reused` */
  async look(claim: Claim): Promise<EarlierClaim | null> {
    const [row] = await this.store.query(LOOK, this.lookedUp(claim));
    if (row!.keyId !== null && !row!.isExpired) return this.earlier(claim, row!);
    if (row!.isLocked) throw inProgress();
    return null;
  }

  /**
   * Takes the claim for the caller's transaction, without waiting. One of ours is still to be written: by `once` or `remember`.
   * @returns null when the claim is ours
   * @throws DomainError as `look`
   */
  async claim(claim: Claim): Promise<EarlierClaim | null> {
    // Apart, so that the look has a snapshot of after the lock: no claim can be made between them.
    const [[turn], [row]] = await pipelined([
      this.store.query(TAKE, nameOf(claim)),
      this.store.query(LOOK, this.lookedUp(claim)),
    ]);
    if (row!.keyId !== null && !row!.isExpired) return this.earlier(claim, row!);
    if (!turn!.isTaken) throw inProgress();
    if (row!.keyId === null) return null;
    await this.store.pipeline(DROP, nameOf(claim));
    return null;
  }

  /** Stores the answer of an effect in two halves, whose claim is made. */
  async answer(claim: Claim, body: Buffer): Promise<void> {
    await this.store.pipeline(ANSWER, [...nameOf(claim), ...this.sealed(claim, body), claim.keyId]);
  }

  /** Makes the claim of an effect in two halves, with what the first half created, so that a retry after a crash finds it. */
  async remember(claim: Claim, subjectId: string): Promise<void> {
    const { keyId, fingerprint } = claim;
    await this.store.pipeline(INSERT, [...nameOf(claim), keyId, fingerprint, null, null, subjectId]);
  }

  prune(batches = new Batches()): Promise<number> {
    return batches.run((rows) => this.store.change(PRUNE, [this.retentionHours, rows]));
  }

  /** @throws DomainError `idempotency_key_reused` */
  private earlier(claim: Claim, row: RowOf<typeof STORED_CLAIM>): EarlierClaim {
    const { keyId, fingerprint, answer, packed, subjectId } = row;
    if (!fingerprint.equals(claim.fingerprint)) {
      throw new DomainError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Send a new key for a new request.',
      );
    }
    const context = sealContext(keyId, claim);
    const open = (sealed: Buffer | null): Buffer | null => sealed && this.cipher.decrypt(sealed, context);
    const unsealed = open(packed);
    return { answer: unsealed ? unpack(unsealed, claim.content) : open(answer), subjectId };
  }

  /** `answer` and `packed` of a row: encrypted because an answer may contain a secret. A large one is compressed, so that mostly what is not in the request remains. */
  private sealed(claim: Claim, body: Buffer): [answer: Buffer | null, packed: Buffer | null] {
    const context = sealContext(claim.keyId, claim);
    return body.length > PLAIN_BYTES
      ? [null, this.cipher.encrypt(pack(body, claim.content), context)]
      : [this.cipher.encrypt(body, context), null];
  }

  private lookedUp(claim: Claim): readonly [string, string, string, number] {
    return [...nameOf(claim), this.retentionHours];
  }

  private get retentionHours(): number {
    return this.settings.constants.idempotency.keptHours;
  }
}

export const inProgress = (): DomainError =>
  new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still being processed. Try again in a moment.',
  );

/** Replay of an earlier answer. @throws DomainError `idempotency_in_progress` while it is not stored */
function replayed({ answer }: EarlierClaim): AnswerText {
  if (!answer) throw inProgress();
  return { text: answer.toString(), replayed: true };
}

const nameOf = ({ scope, route, key }: ClaimName): readonly [string, string, string] => [scope, route, key];

/** Encryption context of a claim's stored answer. */
export const sealContext = (keyId: string, { route, key }: Pick<ClaimName, 'route' | 'key'>): string =>
  `${keyId} ${route} ${key}`;

/** Window of deflate. */
const WINDOW_BYTES = 32_768;

/** Compresses an answer with its request as the dictionary, which a retry carries too: text repeated from the request takes no storage. */
export function pack(answer: Buffer, content: Buffer): Buffer {
  return deflateRawSync(answer, { dictionary: dictionaryOf(content) });
}

/** @throws Error for other content than it was compressed with */
export function unpack(packed: Buffer, content: Buffer): Buffer {
  return inflateRawSync(packed, { dictionary: dictionaryOf(content) });
}

const dictionaryOf = (content: Buffer): Buffer => content.subarray(-WINDOW_BYTES);
