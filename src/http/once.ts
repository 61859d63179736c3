import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stringify } from 'safe-stable-stringify';
import { Settings } from '../config/settings.js';
import { ClaimsInHand, inProgress } from '../domain/idempotency/claims-in-hand.js';
import { type Claim, type Earlier, IdempotencyService } from '../domain/idempotency/idempotency.service.js';
import { StorageQuota } from '../domain/store/storage-quota.js';
import { Store } from '../domain/store/store.js';
import type { Exchange } from './exchange.js';
import { HttpError } from './http-error.js';

/** A JSON text that is an answer already. */
type Answer = string;

/** What an effect asks for besides its transaction. None of it happens where the answer is known already, or an earlier request is under way. */
export interface Surroundings {
  /** Runs first, outside the transaction: checks that take their time. */
  before?: () => Promise<void>;
  /** Runs the transaction when its time has come, perhaps several times: turns, waits. */
  around?: <T>(transaction: () => Promise<T>) => Promise<T>;
}

/** An effect in two halves: claimed in the database, then carried out outside it, and recorded. */
export interface TwoHalves {
  /**
   * Runs both halves, where there is a place for them. Whoever asks for what was begun before needs none.
   *
   * @throws HttpError `rate_limited`, with nothing stored
   */
  inPlace<T>(halves: () => Promise<T>): Promise<T>;
  /** In the transaction of the claim. @returns the id under which a retry finds what was begun */
  begin(): Promise<string>;
  /** Outside any transaction. */
  carryOut(): Promise<void>;
  /** The body to answer with, or null while the effect is still under way. */
  answer(subjectId: string): Promise<object | null>;
}

/** Honours `Idempotency-Key`: with one, an effect happens once and its answer is repeated byte for byte; without, it just happens. */
@Injectable()
export class Once {
  private readonly inHand: ClaimsInHand;

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly store: Store,
    private readonly quota: StorageQuota,
    { constants }: Settings,
  ) {
    const { wait_ms, waiting_per_key, waiting_per_caller } = constants.idempotency;
    this.inHand = new ClaimsInHand({
      waitMs: wait_ms,
      perClaim: waiting_per_key,
      perCaller: waiting_per_caller,
    });
  }

  /**
   * @param effect runs in one transaction with the claim and the stored answer
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded`
   */
  async run(
    exchange: Exchange,
    effect: () => Promise<object>,
    { before, around = (transaction) => transaction() }: Surroundings = {},
  ): Promise<Answer> {
    const claim = claimOf(exchange);
    if (!claim) {
      await before?.();
      return send(exchange, JSON.stringify(await around(effect)));
    }
    const replay = async (earlier: Earlier): Promise<Answer> => replayed(exchange, earlier);
    return this.first(exchange, claim, replay, async () => {
      await before?.();
      return around(() =>
        this.store.transaction(async () => {
          const earlier = await this.idempotency.claim(claim);
          if (earlier === 'held') return null;
          if (earlier) return replay(earlier);
          const body = JSON.stringify(await effect());
          await this.idempotency.answer(claim, Buffer.from(body));
          await this.requireRoom(exchange);
          return send(exchange, body);
        }),
      );
    });
  }

  /** The same for an effect that leaves the database: its claim commits first, so a crash leaves a record and no second effect. */
  async runInTwoHalves(exchange: Exchange, effect: TwoHalves): Promise<Answer> {
    const claim = claimOf(exchange);
    const finish = async (subjectId: string | null, isRetry: boolean): Promise<Answer> => {
      const answer = subjectId && (await effect.answer(subjectId));
      if (!answer) throw inProgress();
      const body = JSON.stringify(answer);
      if (claim) await this.idempotency.answer(claim, Buffer.from(body));
      return send(exchange, body, isRetry);
    };
    if (!claim) {
      return effect.inPlace(async () => {
        const subjectId = await this.store.transaction(() => effect.begin());
        await effect.carryOut();
        return finish(subjectId, false);
      });
    }
    const resume = (earlier: Earlier): Promise<Answer> =>
      earlier.answer ? Promise.resolve(replayed(exchange, earlier)) : finish(earlier.subjectId, true);
    const bothHalves = async (): Promise<Answer | null> => {
      const begun = await this.store.transaction(async () => {
        const earlier = await this.idempotency.claim(claim);
        if (earlier === 'held') return null;
        if (earlier) return { earlier };
        const subjectId = await effect.begin();
        await this.idempotency.remember(claim, subjectId);
        await this.requireRoom(exchange);
        return { subjectId };
      });
      if (begun === null) return null;
      if (begun.earlier) return resume(begun.earlier);
      await effect.carryOut();
      return finish(begun.subjectId, false);
    };
    return this.first(exchange, claim, resume, () => effect.inPlace(bothHalves));
  }

  /** For the claim and its answer, which are kept for a day. */
  private async requireRoom({ request }: Exchange): Promise<void> {
    const partnerId = request.caller?.partnerId;
    if (partnerId) await this.quota.requireRoom(partnerId, ['traffic']);
  }

  /**
   * Answers as the first request with a claim, or after it. While another one has the claim in hand, here or in another process, this one waits
   * without a connection: of many duplicates a few do, and the others are refused at once.
   *
   * @param replay answers with what is known
   * @param work null: it met somebody who has the claim in hand
   */
  private async first(
    { gone }: Exchange,
    claim: Claim,
    replay: (earlier: Earlier) => Promise<Answer>,
    work: () => Promise<Answer | null>,
  ): Promise<Answer> {
    for (const wait = this.inHand.patience(claim, gone); ; await wait()) {
      if (this.inHand.isHeld(claim)) continue;
      const { held, earlier } = await this.idempotency.look(claim);
      if (earlier) return replay(earlier);
      const letGo = held ? null : this.inHand.take(claim);
      if (!letGo) continue;
      try {
        const answer = await work();
        if (answer !== null) return answer;
      } finally {
        letGo();
      }
    }
  }
}

function replayed(exchange: Exchange, { answer }: Earlier): Answer {
  if (!answer) throw inProgress();
  return send(exchange, answer.toString(), true);
}

function send({ response }: Exchange, body: Answer, replayed = false): Answer {
  response.type('application/json');
  if (replayed) response.set('Idempotency-Replayed', 'true');
  return body;
}

/** @throws HttpError `validation_failed` for a key that is not 1 to 255 visible ASCII characters */
function claimOf({ request }: Exchange): Claim | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new HttpError('validation_failed', 'The request is not valid; see details.', {
      details: [{ field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  }
  // Field order and white space do not make another request; the target does.
  const content = Buffer.from(`${request.path}\n${stringify(request.query)}\n${stringify(request.body)}`);
  const { keyId, partnerId } = request.caller!;
  return {
    // A key that is replaced takes nothing away: its partner's retries are known by those that come after it.
    scope: partnerId ?? keyId,
    keyId,
    route: `${request.method} ${(request.route as { path: string }).path}`,
    key,
    content,
    fingerprint: createHash('sha256').update(content).digest(),
  };
}
