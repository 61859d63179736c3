import { Injectable } from '@nestjs/common';
import {
  type Claim,
  type EarlierClaim,
  IdempotencyService,
  inProgress,
} from '../../domain/kernel/idempotency/idempotency.service.js';
import { Store } from '../../domain/kernel/store/store.js';
import { type Act, AuditLog } from '../../domain/tenants/audit/audit-log.js';
import { StoredAnswer } from '../answer/envelope.js';

/** Work outside the database, in two steps: claimed in a transaction, then performed and recorded. */
export interface TwoSteps<Data extends object> {
  /** Runs both steps once a slot is free. A retry of work that has begun needs no slot. */
  around<T>(steps: () => Promise<T>): Promise<T>;
  /** Runs in the transaction of the claim. @returns the id under which a retry finds this work */
  begin(): Promise<string>;
  /** Performs the work, outside any transaction. */
  perform(): Promise<void>;
  /** The answer; null while the work is in progress. */
  read(id: string): Promise<Data | null>;
}

/** A request that runs once per `Idempotency-Key`. */
export interface OnceRequest {
  /** Null without an `Idempotency-Key`: then the work just runs. */
  claim: Claim | null;
  partnerId: string | null;
  act: Act;
  /** Text of the answer with this data. */
  textOf: (data: object) => Promise<string>;
}

export const replayOf = (answer: Buffer): StoredAnswer => new StoredAnswer(answer.toString(), true);

/** Claims work and performs it after the commit, so that a crash leaves a record and never a second effect. */
@Injectable()
export class TwoStepWork {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly store: Store,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded` */
  async run(errand: OnceRequest, steps: TwoSteps<object>): Promise<StoredAnswer> {
    const { claim, textOf } = errand;
    const finish = async (id: string | null, replayed: boolean): Promise<StoredAnswer> => {
      const answer = id && (await steps.read(id));
      if (!answer) throw inProgress();
      const text = await textOf(answer);
      if (claim) await this.idempotency.answer(claim, Buffer.from(text));
      return new StoredAnswer(text, replayed);
    };
    const resume = (earlier: EarlierClaim): Promise<StoredAnswer> | StoredAnswer =>
      earlier.answer ? replayOf(earlier.answer) : finish(earlier.subjectId, true);
    const earlierClaim = claim && (await this.idempotency.look(claim));
    if (earlierClaim) return resume(earlierClaim);
    return steps.around(async () => {
      const { earlier, id } = await this.begin(errand, steps);
      if (earlier) return resume(earlier);
      await steps.perform();
      return finish(id, false);
    });
  }

  /** @returns the earlier claim, or the id of the work that has begun */
  private begin(
    { claim, partnerId, act }: OnceRequest,
    steps: TwoSteps<object>,
  ): Promise<{ earlier: EarlierClaim | null; id: string | null }> {
    return this.store.transaction(async () => {
      const begin = (): Promise<string> => this.audit.record(act, () => steps.begin());
      if (!claim) return { earlier: null, id: await begin() };
      const earlier = await this.idempotency.claim(claim);
      if (earlier) return { earlier, id: null };
      this.idempotency.requireRoom(partnerId);
      const id = await begin();
      await this.idempotency.remember(claim, id);
      return { earlier: null, id };
    });
  }
}
