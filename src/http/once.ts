import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stringify } from 'safe-stable-stringify';
import {
  type Claim,
  type Earlier,
  IdempotencyService,
  inProgress,
} from '../domain/idempotency/idempotency.service.js';
import { StorageQuota } from '../domain/store/storage-quota.js';
import { Store } from '../domain/store/store.js';
import type { Exchange } from './exchange.js';
import { HttpError } from './http-error.js';

/** A JSON text that is an answer already. */
type Answer = string;

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

/** What the first half left, now or before. */
type Begun = { earlier: Earlier; subjectId?: never } | { subjectId: string; earlier?: never };

/** Honours `Idempotency-Key`: with one, an effect happens once and its answer is repeated byte for byte; without, it just happens. */
@Injectable()
export class Once {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly store: Store,
    private readonly quota: StorageQuota,
  ) {}

  /**
   * @param effect runs in one transaction with the claim and the stored answer
   * @param before runs first, outside the transaction, unless the answer is known already: checks that take their time
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded`
   */
  async run(
    exchange: Exchange,
    effect: () => Promise<object>,
    before?: () => Promise<void>,
  ): Promise<Answer> {
    const claim = claimOf(exchange);
    const known = claim && (await this.idempotency.find(claim));
    if (known) return this.replay(exchange, known);
    await before?.();
    if (!claim) return send(exchange, JSON.stringify(await effect()));
    return this.store.transaction(async () => {
      const earlier = await this.idempotency.claim(claim);
      if (earlier) return this.replay(exchange, earlier);
      const body = JSON.stringify(await effect());
      await this.idempotency.answer(claim, Buffer.from(body));
      await this.requireRoom(exchange);
      return send(exchange, body);
    });
  }

  /** The same for an effect that leaves the database: its claim commits first, so a crash leaves a record and no second effect. */
  async runInTwoHalves(exchange: Exchange, effect: TwoHalves): Promise<Answer> {
    const claim = claimOf(exchange);
    const known = claim && (await this.idempotency.find(claim));
    const begun = known ? { earlier: known } : await this.inPlace(exchange, claim, effect);
    if (begun.earlier?.answer) return this.replay(exchange, begun.earlier);
    const subjectId = begun.earlier ? begun.earlier.subjectId : begun.subjectId;
    const answer = subjectId && (await effect.answer(subjectId));
    if (!answer) throw inProgress();
    const body = JSON.stringify(answer);
    if (claim) await this.idempotency.answer(claim, Buffer.from(body));
    return send(exchange, body, begun.earlier !== undefined);
  }

  private async inPlace(exchange: Exchange, claim: Claim | null, effect: TwoHalves): Promise<Begun> {
    try {
      return await effect.inPlace(async () => {
        const begun = await this.begin(exchange, claim, effect);
        if (!begun.earlier) await effect.carryOut();
        return begun;
      });
    } catch (error) {
      // Its duplicate may have got a place meanwhile.
      const isRefused = error instanceof HttpError && error.code === 'rate_limited';
      const earlier = isRefused && claim ? await this.idempotency.find(claim) : null;
      if (!earlier) throw error;
      return { earlier };
    }
  }

  private begin(exchange: Exchange, claim: Claim | null, effect: TwoHalves): Promise<Begun> {
    return this.store.transaction(async () => {
      const earlier = claim && (await this.idempotency.claim(claim));
      if (earlier) return { earlier };
      const subjectId = await effect.begin();
      if (claim) await this.idempotency.remember(claim, subjectId);
      if (claim) await this.requireRoom(exchange);
      return { subjectId };
    });
  }

  /** For the claim and its answer, which are kept for a day. */
  private async requireRoom({ request }: Exchange): Promise<void> {
    const partnerId = request.caller?.partnerId;
    if (partnerId) await this.quota.requireRoom(partnerId, ['traffic']);
  }

  private replay(exchange: Exchange, { answer }: Earlier): Answer {
    if (!answer) throw inProgress();
    return send(exchange, answer.toString(), true);
  }
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
  const content = `${request.path}\n${stringify(request.query)}\n${stringify(request.body)}`;
  return {
    keyId: request.caller!.keyId,
    route: `${request.method} ${(request.route as { path: string }).path}`,
    key,
    fingerprint: createHash('sha256').update(content).digest(),
  };
}
