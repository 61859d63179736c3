import type { Exchange } from './exchange.js';

/** Hooks around an effect's transaction. None of them runs when the answer is already stored, or an earlier request is in progress. */
export interface Surroundings {
  /** Runs first, outside the transaction: slow checks such as DNS. */
  before?: () => Promise<void>;
  /**
   * Runs the transaction, and may delay or repeat it: waits for a slot, retries.
   * @param gone aborted when the caller has disconnected
   */
  around?: <T>(transaction: () => Promise<T>, gone: AbortSignal) => Promise<T>;
}

/** Effect within one transaction: with an `Idempotency-Key`, its claim and its answer are stored in the same transaction. */
export class TransactionEffect<Data extends object> {
  constructor(
    readonly work: (exchange: Exchange) => Promise<Data>,
    readonly surroundings: Surroundings,
  ) {}
}

/** Effect outside the database, in two halves: claimed in a transaction, then carried out and recorded. */
export interface Halves<Data extends object> {
  /**
   * Runs both halves once a slot is free. A retry of an effect that has begun needs no slot.
   * @throws HttpError `rate_limited`, with nothing stored
   */
  inPlace<T>(halves: () => Promise<T>): Promise<T>;
  /**
   * Runs in the transaction of the claim.
   * @returns the id under which a retry finds this effect
   */
  begin(): Promise<string>;
  /** Carries the effect out, outside any transaction. */
  carryOut(exchange: Exchange): Promise<void>;
  /** The answer; null while the effect is in progress. */
  answer(subjectId: string): Promise<Data | null>;
}

export class TwoHalvesEffect<Data extends object> {
  constructor(readonly halves: Halves<Data>) {}
}

/** Effect of a POST whose input is valid. `Answers` executes it, once an `Idempotency-Key`. */
export type Effect<Data extends object> = TransactionEffect<Data> | TwoHalvesEffect<Data>;

export const isEffect = (result: unknown): result is Effect<object> =>
  [TransactionEffect, TwoHalvesEffect].some((kind) => result instanceof kind);

/** @param work may run several times, because a transaction is retried: it must have no effect outside the database */
export const effect = <Data extends object>(
  work: (exchange: Exchange) => Promise<Data>,
  surroundings: Surroundings = {},
): Effect<Data> => new TransactionEffect(work, surroundings);

export const effectInTwoHalves = <Data extends object>(halves: Halves<Data>): Effect<Data> =>
  new TwoHalvesEffect(halves);
