import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { IdempotencyPipe } from './idempotency.pipe.js';

/** Hooks around the transaction of an operation. None of them runs when the answer is already stored, or the first request is still in progress. */
export interface Surroundings {
  /** Runs first, outside the transaction: slow checks such as DNS. */
  before?: () => Promise<void>;
  /**
   * Runs the transaction, and may delay or repeat it: waits for a slot, retries.
   * @param gone aborted when the caller has disconnected
   */
  around?: <T>(transaction: () => Promise<T>, gone: AbortSignal) => Promise<T>;
}

/** Work outside the database, in two steps: claimed in a transaction, then performed and recorded. */
export interface TwoSteps<Data extends object> {
  /** Runs both steps once a slot is free. A retry of work that has begun needs no slot. */
  around<T>(steps: () => Promise<T>): Promise<T>;
  /**
   * Runs in the transaction of the claim.
   * @returns the id under which a retry finds this work
   */
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
  (work: () => Promise<Data>, surroundings?: Surroundings): Promise<Data>;
  /** Claims first and performs after the commit, so that a crash leaves a record and never a second effect. @throws as the other */
  inTwoSteps(steps: TwoSteps<Data>): Promise<Data>;
}

const IDEMPOTENT = 'vaultline:idempotent';

const idempotentCall = createParamDecorator((_: unknown, context: ExecutionContext) => context);

/** Parameter of a POST's handler: its `Once`. The input is valid by then. */
export const Idempotent = (): ParameterDecorator => (target, name, index) => {
  Reflect.defineMetadata(IDEMPOTENT, true, target, name!);
  idempotentCall(IdempotencyPipe)(target, name, index);
};

/** Whether a handler takes `Once`; known to decorators of the method. */
export const isIdempotent = (target: object, name: string): boolean =>
  Reflect.hasMetadata(IDEMPOTENT, target, name);
