import { hash } from 'node:crypto';
import { type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { stringify } from 'safe-stable-stringify';
import { type Claim, IdempotencyService } from '../../domain/kernel/idempotency/idempotency.service.js';
import { Store } from '../../domain/kernel/store/store.js';
import { AuditLog } from '../../domain/tenants/audit/audit-log.js';
import { goneSignal } from '../access/caller.js';
import { ruleOf } from '../access/route.guards.js';
import { ANSWER, type DeclaredAnswer, envelopeOf, StoredAnswer } from '../answer/envelope.js';
import { HttpError } from '../answer/http-error.js';
import { IDEMPOTENCY_KEY } from './field-rules.js';
import { actOf } from './recorded.decorator.js';
import { type OnceRequest, replayOf, type TwoSteps, TwoStepWork } from './two-step-work.js';

/** Hooks around the transaction of an operation. None of them runs when the answer is already stored, or the first request is still in progress. */
export interface TransactionHooks {
  /** Runs first, outside the transaction: slow checks such as DNS. */
  before?: () => Promise<void>;
  /** Runs the transaction, and may delay or repeat it: waits for a slot, retries. @param gone aborted when the caller has disconnected */
  around?: <T>(transaction: () => Promise<T>, gone: AbortSignal) => Promise<T>;
}

/** Runs an operation once per `Idempotency-Key`, and answers a retry with the stored answer, byte for byte. Without a key it just runs. */
export interface Once<Data extends object> {
  /**
   * Runs work in one transaction with its claim and its stored answer.
   * @param work may run several times, because a transaction is retried: it must have no effect outside the database
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded`
   */
  (work: () => Promise<Data>, hooks?: TransactionHooks): Promise<Data>;
  /** Claims first and performs after the commit, so that a crash leaves a record and never a second effect. @throws as the other */
  inTwoSteps(steps: TwoSteps<Data>): Promise<Data>;
}

/**
 * Makes the `Once` of a request. The claim, the work, its entry in the audit log and the stored answer share one transaction, so that none exists
 * without the others. A duplicate of a request in progress is refused at once; a later one gets the stored answer.
 */
@Injectable()
export class IdempotencyPipe implements PipeTransform<ExecutionContext, Once<object>> {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly store: Store,
    private readonly audit: AuditLog,
    private readonly twoStepWork: TwoStepWork,
    private readonly reflector: Reflector,
  ) {}

  transform(context: ExecutionContext): Once<object> {
    const once = async (work: () => Promise<object>, hooks: TransactionHooks = {}): Promise<object> =>
      this.inTransaction(this.onceRequest(context), work, hooks, context.switchToHttp().getResponse());
    const inTwoSteps = async (steps: TwoSteps<object>): Promise<object> =>
      this.twoStepWork.run(this.onceRequest(context), steps);
    return Object.assign(once, { inTwoSteps });
  }

  private async inTransaction(
    { claim, partnerId, act, textOf }: OnceRequest,
    work: () => Promise<object>,
    { before, around }: TransactionHooks,
    response: Response,
  ): Promise<object> {
    const run = async (): Promise<string> => textOf(await this.audit.record(act, work));
    const transaction = async (): Promise<StoredAnswer> => {
      if (!claim) return new StoredAnswer(await this.store.transaction(run), false);
      const { text, replayed } = await this.idempotency.once(claim, partnerId, run);
      return new StoredAnswer(text, replayed);
    };
    if (claim && (before ?? around)) {
      const { answer } = (await this.idempotency.look(claim)) ?? {};
      if (answer) return replayOf(answer);
    }
    await before?.();
    return around ? around(transaction, goneSignal(response)) : transaction();
  }

  /** @throws HttpError `validation_failed` for a key that is not 1 to 255 printable ASCII characters */
  private onceRequest(context: ExecutionContext): OnceRequest {
    const request = context.switchToHttp().getRequest<Request>();
    const { object } = this.reflector.get<DeclaredAnswer>(ANSWER, context.getHandler());
    return {
      claim: this.claimOf(context, request),
      partnerId: request.caller!.partnerId,
      act: actOf(this.reflector, context),
      textOf: (data) => envelopeOf(object, data),
    };
  }

  private claimOf(context: ExecutionContext, request: Request): Claim | null {
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
    const access = ruleOf(this.reflector, context);
    // An answer with credentials is replayed to its own key only: another key of the partner may have fewer rights.
    const isKeyScoped = access !== 'public' && access.session === false;
    return {
      // Claims belong to the partner and not to its key, so that retries are recognised after a key was replaced.
      scope: isKeyScoped ? keyId : (partnerId ?? keyId),
      keyId,
      route: `${request.method} ${(request.route as { path: string }).path}`,
      key,
      content,
      fingerprint: hash('sha256', content, 'buffer'),
    };
  }
}
