import type { Exchange } from './exchange.js';

/** What an effect asks for besides its transaction. None of it happens where the answer is known already, or an earlier request is under way. */
export interface Surroundings {
  /** Runs first, outside the transaction: checks that take their time. */
  before?: () => Promise<void>;
  /**
   * Runs the transaction when its time has come, perhaps several times: turns, waits.
   *
   * @param gone aborted when nobody waits for the answer any more
   */
  around?: <T>(transaction: () => Promise<T>, gone: AbortSignal) => Promise<T>;
}

/** An effect that is a transaction: with an `Idempotency-Key`, its claim and its answer are stored in the same one. */
export class TransactionEffect<Data extends object> {
  constructor(
    readonly work: (exchange: Exchange) => Promise<Data>,
    readonly surroundings: Surroundings,
  ) {}
}

/** An effect that leaves the database: claimed in it, then carried out outside, and recorded. */
export interface Halves<Data extends object> {
  /**
   * Runs both halves, where there is a place for them. Whoever asks for what was begun before needs none.
   *
   * @throws HttpError `rate_limited`, with nothing stored
   */
  inPlace<T>(halves: () => Promise<T>): Promise<T>;
  /** In the transaction of the claim. @returns the id under which a retry finds what was begun */
  begin(): Promise<string>;
  /** Outside any transaction. */
  carryOut(exchange: Exchange): Promise<void>;
  /** What is answered, or null while the effect is still under way. */
  answer(subjectId: string): Promise<Data | null>;
}

export class TwoHalvesEffect<Data extends object> {
  constructor(readonly halves: Halves<Data>) {}
}

/** What a POST asks for, once its input is known to be right: `Answers` carries it out, once a key. */
export type Effect<Data extends object> = TransactionEffect<Data> | TwoHalvesEffect<Data>;

/** @param work may run several times: it has no effect outside the database */
export const effect = <Data extends object>(
  work: (exchange: Exchange) => Promise<Data>,
  surroundings: Surroundings = {},
): Effect<Data> => new TransactionEffect(work, surroundings);

export const effectInTwoHalves = <Data extends object>(halves: Halves<Data>): Effect<Data> =>
  new TwoHalvesEffect(halves);
