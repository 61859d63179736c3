import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stringify } from 'safe-stable-stringify';
import { Settings } from '../../config/settings.js';
import { ClaimsInHand, inProgress } from '../../domain/idempotency/claims-in-hand.js';
import {
  type Answered,
  type Claim,
  type Earlier,
  IdempotencyService,
  replayed,
} from '../../domain/idempotency/idempotency.service.js';
import { Store } from '../../domain/store/store.js';
import {
  type Effect,
  type Halves,
  type Surroundings,
  TransactionEffect,
  type TwoHalvesEffect,
} from './effect.js';
import type { Exchange } from './exchange.js';
import { IDEMPOTENCY_KEY } from './field-rules.js';
import { HttpError } from '../answer/http-error.js';

/** Envelope: renders an effect's data as the text of its answer. */
type Envelope = (data: object) => string;

/** Idempotency: with an `Idempotency-Key`, an effect happens once and its answer is replayed byte for byte; without one, it just happens. */
@Injectable()
export class Once {
  private readonly inHand: ClaimsInHand;

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly store: Store,
    { constants }: Settings,
  ) {
    const { waitMs, waitingPerKey, waitingPerCaller } = constants.idempotency;
    this.inHand = new ClaimsInHand({
      waitMs,
      perClaim: waitingPerKey,
      perCaller: waitingPerCaller,
    });
  }

  /** @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded` */
  carryOut(exchange: Exchange, effect: Effect<object>, envelope: Envelope): Promise<Answered> {
    if (effect instanceof TransactionEffect) return this.inTransaction(exchange, effect, envelope);
    return this.inTwoHalves(exchange, effect, envelope);
  }

  private async inTransaction(
    exchange: Exchange,
    { work, surroundings }: TransactionEffect<object>,
    envelope: Envelope,
  ): Promise<Answered> {
    const effect = async (): Promise<string> => envelope(await work(exchange));
    return this.surrounded(exchange, surroundings, async (claim) =>
      claim
        ? this.idempotency.once(claim, partnerOf(exchange), effect)
        : { text: await effect(), replayed: false },
    );
  }

  /** @param transaction null only where another transaction holds the claim */
  private async surrounded(
    exchange: Exchange,
    { before, around = (transaction) => transaction() }: Surroundings,
    transaction: (claim: Claim | null) => Promise<Answered | null>,
  ): Promise<Answered> {
    const claim = claimOf(exchange);
    const work = async (): Promise<Answered | null> => {
      await before?.();
      return around(() => transaction(claim), goneOf(exchange));
    };
    if (!claim) return (await work())!;
    return this.first(exchange, claim, async (earlier) => replayed(earlier), work);
  }

  /** The claim commits first, so a crash leaves a record and never a second effect. */
  private async inTwoHalves(
    exchange: Exchange,
    { halves }: TwoHalvesEffect<object>,
    envelope: Envelope,
  ): Promise<Answered> {
    const claim = claimOf(exchange);
    const finish = async (subjectId: string | null, isRetry: boolean): Promise<Answered> => {
      const answer = subjectId && (await halves.answer(subjectId));
      if (!answer) throw inProgress();
      const text = envelope(answer);
      if (claim) await this.idempotency.answer(claim, Buffer.from(text));
      return { text, replayed: isRetry };
    };
    if (!claim) {
      return halves.inPlace(async () => {
        const subjectId = await this.store.transaction(() => halves.begin());
        await halves.carryOut(exchange);
        return finish(subjectId, false);
      });
    }
    const resume = (earlier: Earlier): Promise<Answered> =>
      earlier.answer ? Promise.resolve(replayed(earlier)) : finish(earlier.subjectId, true);
    const bothHalves = async (): Promise<Answered | null> => {
      const begun = await this.begin(exchange, claim, halves);
      if (begun === null) return null;
      if (begun.earlier) return resume(begun.earlier);
      await halves.carryOut(exchange);
      return finish(begun.subjectId, false);
    };
    return this.first(exchange, claim, resume, () => halves.inPlace(bothHalves));
  }

  /** @returns the stored answer, or the id of the effect that has begun; null when another transaction holds the claim */
  private begin(
    exchange: Exchange,
    claim: Claim,
    halves: Halves<object>,
  ): Promise<{ earlier: Earlier } | { earlier: null; subjectId: string } | null> {
    return this.store.transaction(async () => {
      const earlier = await this.idempotency.claim(claim);
      if (earlier === 'held') return null;
      if (earlier) return { earlier };
      const subjectId = await halves.begin();
      await this.idempotency.remember(claim, subjectId);
      await this.idempotency.requireRoom(partnerOf(exchange));
      return { earlier, subjectId };
    });
  }

  /**
   * Answers as the first request with this claim, or after it. While another request holds the claim, here or in another process, this one waits
   * without a database connection. Only a few duplicates may wait; the others are refused at once.
   * @param replay answers from what is stored
   * @param work null: another request holds the claim
   */
  private async first(
    exchange: Exchange,
    claim: Claim,
    replay: (earlier: Earlier) => Promise<Answered>,
    work: () => Promise<Answered | null>,
  ): Promise<Answered> {
    for (const wait = this.inHand.patience(claim, goneOf(exchange)); ; await wait()) {
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

/** An authenticated request always has a visit. */
const goneOf = ({ request }: Exchange): AbortSignal => request.visit!.gone;

const partnerOf = ({ request }: Exchange): string | null => request.caller?.partnerId ?? null;

/** @throws HttpError `validation_failed` for a key that is not 1 to 255 printable ASCII characters */
function claimOf({ request }: Exchange): Claim | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new HttpError('validation_failed', 'The request is not valid; see details.', {
      details: [{ field: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
    });
  }
  // Fingerprint of a request: its path and content, without field order and white space.
  const content = Buffer.from(`${request.path}\n${stringify(request.query)}\n${stringify(request.body)}`);
  const { keyId, partnerId } = request.caller!;
  const access = request.plan!.access;
  // Credentials are a replay for their own key only: they may do whatever that key may, and another key of the partner may have fewer rights.
  const isKeysOwn = access !== 'public' && access.session === false;
  return {
    // Claims belong to the partner and not to its key, so that retries are recognised after a key was replaced.
    scope: isKeysOwn ? keyId : (partnerId ?? keyId),
    keyId,
    route: `${request.method} ${(request.route as { path: string }).path}`,
    key,
    content,
    fingerprint: hash('sha256', content, 'buffer'),
  };
}
