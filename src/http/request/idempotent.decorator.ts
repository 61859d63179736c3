import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { stringify } from 'safe-stable-stringify';
import {
  type Claim,
  type EarlierClaim,
  IdempotencyService,
  inProgress,
} from '../../domain/kernel/idempotency/idempotency.service.js';
import { Store } from '../../domain/kernel/store/store.js';
import { AuditLog, type Act } from '../../domain/tenants/audit/audit-log.js';
import { RECORDED, CHANGES, type Changes } from '../access/access.js';
import { ruleOf } from '../access/auth.guard.js';
import { ANSWER, type DeclaredAnswer, envelopeOf, StoredAnswer } from '../answer/envelope.js';
import { HttpError } from '../answer/http-error.js';
import { goneSignal } from '../limits/limit.guard.js';
import { IDEMPOTENCY_KEY } from './field-rules.js';
import { callerAddress } from '../limits/failed-authentication.limit.js';

/** Hooks around the transaction of an operation. None of them runs when the answer is already stored, or the first request is still in progress. */
export interface TransactionHooks {
  /** Runs first, outside the transaction: slow checks such as DNS. */
  before?: () => Promise<void>;
  /** Runs the transaction, and may delay or repeat it: waits for a slot, retries. @param gone aborted when the caller has disconnected */
  around?: <T>(transaction: () => Promise<T>, gone: AbortSignal) => Promise<T>;
}

/** Work outside the database, in two steps: claimed in a transaction, then performed and recorded. */
interface TwoSteps<Data extends object> {
  /** Runs both steps once a slot is free. A retry of work that has begun needs no slot. */
  around<T>(steps: () => Promise<T>): Promise<T>;
  /** Runs in the transaction of the claim. @returns the id under which a retry finds this work */
  begin(): Promise<string>;
  /** Performs the work, outside any transaction. */
  perform(): Promise<void>;
  /** The answer; null while the work is in progress. */
  read(id: string): Promise<Data | null>;
}

/** Runs an operation once an `Idempotency-Key`, and answers a retry with the stored answer, byte for byte. Without a key it just runs. */
export interface Once<Data extends object> {
  /**
   * Runs work in one transaction with its claim and its stored answer.
   * @param work may run several times, because a transaction is retried: it must have no effect outside the database
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, `quota_exceeded`
   */
  (work: () => Promise<Data>, surroundings?: TransactionHooks): Promise<Data>;
  /** Claims first and performs after the commit, so that a crash leaves a record and never a second effect. @throws as the other */
  inTwoSteps(steps: TwoSteps<Data>): Promise<Data>;
}

const IDEMPOTENT = 'vaultline:idempotent';

/** Parameter of a handler, made of its context by a pipe. */
const ofContext = createParamDecorator((_: unknown, context: ExecutionContext) => context);

/** Parameter of a POST's handler: its `Once`. The input is valid by then. */
export const Idempotent = (): ParameterDecorator => (target, name, index) => {
  for (const mark of [IDEMPOTENT, RECORDED]) Reflect.defineMetadata(mark, true, target, name!);
  ofContext(IdempotencyPipe)(target, name, index);
};

/** Whether a handler takes `Once`; known to decorators of the method. */
export const isIdempotent = (target: object, name: string): boolean =>
  Reflect.hasMetadata(IDEMPOTENT, target, name);

/**
 * Makes the `Once` of a request. The claim, the work, its entry in the audit log and the stored answer share one transaction, so that none exists without the others. A duplicate
 * of a request in progress is refused at once; a later one gets the stored answer.
 */
@Injectable()
export class IdempotencyPipe implements PipeTransform<ExecutionContext, Once<object>> {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly store: Store,
    private readonly audit: AuditLog,
    private readonly reflector: Reflector,
  ) {}

  transform(context: ExecutionContext): Once<object> {
    const once = (work: () => Promise<object>, surroundings: TransactionHooks = {}): Promise<object> =>
      this.inTransaction(context, work, surroundings);
    return Object.assign(once, { inTwoSteps: (steps: TwoSteps<object>) => this.inTwoSteps(context, steps) });
  }

  private async inTransaction(
    context: ExecutionContext,
    work: () => Promise<object>,
    { before, around }: TransactionHooks,
  ): Promise<object> {
    const claim = this.claimOf(context);
    const act = actOf(this.reflector, context);
    const run = async (): Promise<string> => this.textOf(context, await this.audit.record(act, work));
    const transaction = async (): Promise<StoredAnswer> => {
      if (!claim) return new StoredAnswer(await this.store.transaction(run), false);
      const { text, replayed } = await this.idempotency.once(claim, partnerOf(context), run);
      return new StoredAnswer(text, replayed);
    };
    if (claim && (before ?? around)) {
      const { answer } = (await this.idempotency.look(claim)) ?? {};
      if (answer) return replayOf(answer);
    }
    await before?.();
    return around ? around(transaction, goneSignal(context.switchToHttp().getResponse())) : transaction();
  }

  private async inTwoSteps(context: ExecutionContext, steps: TwoSteps<object>): Promise<object> {
    const claim = this.claimOf(context);
    const finish = async (id: string | null, replayed: boolean): Promise<StoredAnswer> => {
      const answer = id && (await steps.read(id));
      if (!answer) throw inProgress();
      const text = await this.textOf(context, answer);
      if (claim) await this.idempotency.answer(claim, Buffer.from(text));
      return new StoredAnswer(text, replayed);
    };
    const resume = (earlier: EarlierClaim): Promise<StoredAnswer> | StoredAnswer =>
      earlier.answer ? replayOf(earlier.answer) : finish(earlier.subjectId, true);
    const known = claim && (await this.idempotency.look(claim));
    if (known) return resume(known);
    return steps.around(async () => {
      const { earlier, id } = await this.begin(context, claim, steps);
      if (earlier) return resume(earlier);
      await steps.perform();
      return finish(id, false);
    });
  }

  /** @returns the earlier claim, or the id of the work that has begun */
  private begin(
    context: ExecutionContext,
    claim: Claim | null,
    steps: TwoSteps<object>,
  ): Promise<{ earlier: EarlierClaim | null; id: string | null }> {
    return this.store.transaction(async () => {
      const begun = (): Promise<string> =>
        this.audit.record(actOf(this.reflector, context), () => steps.begin());
      if (!claim) return { earlier: null, id: await begun() };
      const earlier = await this.idempotency.claim(claim);
      if (earlier) return { earlier, id: null };
      this.idempotency.requireRoom(partnerOf(context));
      const id = await begun();
      await this.idempotency.remember(claim, id);
      return { earlier: null, id };
    });
  }

  private textOf(context: ExecutionContext, data: object): Promise<string> {
    const { object } = this.reflector.get<DeclaredAnswer>(ANSWER, context.getHandler());
    return envelopeOf(object, data);
  }

  /** @throws HttpError `validation_failed` for a key that is not 1 to 255 printable ASCII characters */
  private claimOf(context: ExecutionContext): Claim | null {
    const request = requestOf(context);
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
}

const requestOf = (context: ExecutionContext): Request => context.switchToHttp().getRequest();

const partnerOf = (context: ExecutionContext): string | null => requestOf(context).caller!.partnerId;

const replayOf = (answer: Buffer): StoredAnswer => new StoredAnswer(answer.toString(), true);

/** The change that a request asks for, as the audit log records it. */
function actOf(reflector: Reflector, context: ExecutionContext): Act {
  const request = context.switchToHttp().getRequest<Request>();
  const { keyId, label, partnerId, sessionId } = request.caller!;
  const changes = reflector.get<Changes | undefined>(CHANGES, context.getHandler());
  const subjects = Object.values(request.params).filter((value) => typeof value === 'string');
  // A one-time code is a secret.
  const { code: _, ...input } = (request.body ?? {}) as Record<string, unknown>;
  return {
    actor: { kind: sessionId === null ? 'key' : 'session', keyId, sessionId, label, partnerId },
    address: callerAddress(request),
    operation: context.getHandler().name,
    requestId: request.requestId,
    subjects:
      subjects.length > 0 || changes === undefined
        ? subjects
        : [changes === 'session' ? sessionId! : partnerId!],
    ...(changes === 'policy' && { policyOf: subjects[0] ?? partnerId! }),
    ...(changes === 'account' && { accountOf: partnerId! }),
    input,
  };
}

/** Runs the change of a request in a transaction with its entry in the audit log; a request that changes nothing has none. */
export type RecordedWork = <T>(work: () => Promise<T>) => Promise<T>;

@Injectable()
export class RecordingPipe implements PipeTransform<ExecutionContext, RecordedWork> {
  constructor(
    private readonly audit: AuditLog,
    private readonly reflector: Reflector,
  ) {}

  transform(context: ExecutionContext): RecordedWork {
    return (work) => this.audit.record({ ...actOf(this.reflector, context), setsFields: true }, work);
  }
}

/** Parameter of a PUT's, PATCH's or DELETE's handler: its `Recording`. A POST's `Once` records by itself. */
export const Recorded = (): ParameterDecorator => (target, name, index) => {
  Reflect.defineMetadata(RECORDED, true, target, name!);
  ofContext(RecordingPipe)(target, name, index);
};
