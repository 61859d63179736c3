import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../domain-error.js';
import { Batches } from '../store/batches.js';
import { Cipher } from '../store/cipher.js';
import { bool, bytes, columnsOf, double, integer, orNull, rowCount, text } from '../store/column.js';
import { statement } from '../store/statement.js';
import { StorageLimit } from '../store/storage-limit.js';
import { Store } from '../store/store.js';

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
/** `keyId` is null when there is no row. */
const KEPT = {
  keyId: orNull(text()),
  fingerprint: bytes(),
  answer: orNull(bytes()),
  packed: orNull(bytes()),
  subjectId: orNull(text()),
};

const LOOK = statement(
  'idempotency.look',
  { values: [...NAME, integer()], row: { held: bool(), ...KEPT } },
  `SELECT turn.held, ${columnsOf(KEPT, 'c')}
     FROM (SELECT NOT pg_try_advisory_xact_lock_shared(${LOCK}) AS held) AS turn
     LEFT JOIN idempotency_claims c
       ON c.scope = $1 AND c.route = $2 AND c.key = $3 AND c.claimed_at > clock_timestamp() - $4::int * interval '1 hour'`,
);

/** Never waits. Replaces an expired claim. */
const CLAIM = statement(
  'idempotency.claim',
  { values: [...NAME, integer(), text(), bytes()], row: { free: bool(), made: bool() } },
  `WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${LOCK}) AS free), made AS (
     INSERT INTO idempotency_claims AS c (scope, route, key, key_id, fingerprint, claimed_at)
     SELECT $1, $2, $3, $5, $6, clock_timestamp() FROM turn WHERE free
     ON CONFLICT (scope, route, key) DO UPDATE
        SET key_id = excluded.key_id, fingerprint = excluded.fingerprint, answer = NULL, packed = NULL, subject_id = NULL,
            claimed_at = excluded.claimed_at
      WHERE c.claimed_at <= clock_timestamp() - $4::int * interval '1 hour'
     RETURNING c.key)
   SELECT free, EXISTS (SELECT FROM made) AS made FROM turn`,
);

/** The answer is sealed for the key that obtained it. */
const ANSWER = statement(
  'idempotency.answer',
  { values: [...NAME, orNull(bytes()), orNull(bytes()), text()], row: {} },
  `UPDATE idempotency_claims SET answer = $4, packed = $5, key_id = $6 WHERE scope = $1 AND route = $2 AND key = $3`,
);

const SUBJECT = statement(
  'idempotency.subject',
  { values: [...NAME, text()], row: {} },
  `UPDATE idempotency_claims SET subject_id = $4 WHERE scope = $1 AND route = $2 AND key = $3`,
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
      await this.answer(claim, Buffer.from(text));
      return { text, replayed: false };
    });
  }

  /** For a claim and its answer, which are kept for a day. @throws DomainError `quota_exceeded` */
  requireRoom(partnerId: string | null): void {
    if (partnerId !== null) this.storageLimit.requireRoom(partnerId, ['traffic']);
  }

  /** @returns null: there is no earlier claim @throws DomainError `idempotency_in_progress`, `idempotency_key_reused` */
  async look(claim: Claim): Promise<EarlierClaim | null> {
    const { held, earlier } = await this.find(claim);
    if (held && !earlier) throw inProgress();
    return earlier;
  }

  /** Claims inside the caller's transaction, without waiting. @returns null when the claim is ours @throws DomainError as `look` */
  async claim(claim: Claim): Promise<EarlierClaim | null> {
    const { scope, route, key, keyId, fingerprint } = claim;
    const [row] = await this.store.query(CLAIM, [scope, route, key, this.keptHours, keyId, fingerprint]);
    if (!row!.free) throw inProgress();
    return row!.made ? null : (await this.find(claim)).earlier;
  }

  /** Stores the answer, encrypted because it may contain a secret. A large one is compressed, so that mostly what is not in the request remains. */
  async answer(claim: Claim, body: Buffer): Promise<void> {
    const { scope, route, key, keyId } = claim;
    const isLarge = body.length > PLAIN_BYTES;
    const sealed = this.cipher.encrypt(isLarge ? pack(body, claim.content) : body, sealContext(keyId, claim));
    await this.store.pipeline(ANSWER, [
      scope,
      route,
      key,
      isLarge ? null : sealed,
      isLarge ? sealed : null,
      keyId,
    ]);
  }

  /** Records what the first half of an effect created, so that a retry after a crash finds it. */
  async remember({ scope, route, key }: Claim, subjectId: string): Promise<void> {
    await this.store.pipeline(SUBJECT, [scope, route, key, subjectId]);
  }

  prune(batches = new Batches()): Promise<number> {
    return batches.run((rows) => this.store.change(PRUNE, [this.keptHours, rows]));
  }

  private async find(claim: Claim): Promise<{ held: boolean; earlier: EarlierClaim | null }> {
    const { scope, route, key } = claim;
    const [row] = await this.store.query(LOOK, [scope, route, key, this.keptHours]);
    const { held, keyId, fingerprint, answer, packed, subjectId } = row!;
    if (keyId === null) return { held, earlier: null };
    if (!fingerprint.equals(claim.fingerprint)) {
      throw new DomainError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Send a new key for a new request.',
      );
    }
    const context = sealContext(keyId, claim);
    const open = (sealed: Buffer | null): Buffer | null => sealed && this.cipher.decrypt(sealed, context);
    const unsealed = open(packed);
    return {
      held,
      earlier: { answer: unsealed ? unpack(unsealed, claim.content) : open(answer), subjectId },
    };
  }

  private get keptHours(): number {
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
