import type { Socket } from 'node:net';
import { type Pool, type PoolClient, Query, type QueryConfig, type QueryResult } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isConflict, isOutage, isRefusedHere, isSilence, isStale } from './outage.js';

/** Clause of START TRANSACTION; empty: the database's default, READ COMMITTED. */
export type TransactionMode = '' | 'ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** Reason to retry. `conflict`: a serialization failure, a deadlock or a stale statement. `connection`: it broke before COMMIT was sent. */
type RepeatableFailure = 'conflict' | 'connection';

/** One attempt at a transaction, on its own connection. */
export class Transaction {
  /** Callbacks to run after the commit. */
  readonly afterwards: (() => void)[] = [];
  private client: PoolClient | null = null;
  private ended = false;
  /** Reason for which a retry may succeed, when nothing of this attempt was kept; otherwise null. */
  repeatable: RepeatableFailure | null = null;
  /** Statements that COMMIT waits for. */
  private readonly pending: Promise<unknown>[] = [];

  constructor(private readonly runner: QueryRunner) {}

  /** @throws Error when the transaction has ended: a late write would be kept although the rest may be rolled back */
  get manager(): EntityManager {
    this.requireOpen();
    return this.runner.manager;
  }

  /** Sends a statement, in order. Those of a turn leave in one write: a tenth less CPU a transaction. @throws Error when the transaction has ended */
  send(ask: QueryConfig): Promise<QueryResult> {
    this.requireOpen();
    const { stream } = (this.client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return sendQuery(this.client!, ask);
  }

  /** Has COMMIT wait for a statement, whose failure undoes the transaction. */
  join(statement: Promise<unknown>): void {
    // COMMIT reports it; until then it is no unhandled rejection.
    statement.catch(() => undefined);
    this.pending.push(statement);
  }

  /**
   * Runs `work` from START TRANSACTION to COMMIT. The first statement does not wait for START TRANSACTION, nor COMMIT for what it is to keep.
   * @throws the original error, after the rollback
   */
  async run<T>(mode: TransactionMode, work: () => Promise<T>): Promise<T> {
    const connection = (await this.runner.connect()) as PoolClient;
    this.client = connection;
    let committing = false;
    try {
      this.join(this.send({ text: `START TRANSACTION ${mode}`.trimEnd() }));
      // TypeORM refuses locks outside of a transaction. Its own `startTransaction` waits for the answer: a fifth round trip beside the four of a deposit.
      (this.runner as { isTransactionActive: boolean }).isTransactionActive = true;
      const result = await work();
      const commit = this.send({ text: 'COMMIT' });
      this.ended = true;
      committing = true;
      const [{ command }] = await pipelined([commit, ...this.pending]);
      // COMMIT answers ROLLBACK when a statement failed and its error was swallowed.
      if (command !== 'COMMIT')
        throw new Error('a query of the transaction failed, and its error was swallowed');
      return result;
    } catch (thrown) {
      this.ended = true;
      // A query that was not awaited may be the cause of the error.
      const error: unknown = await pipelined([Promise.reject(thrown as Error), ...this.pending]).catch(
        (cause: unknown) => cause,
      );
      const refused = isRefusedHere(error);
      const broken = (await this.rollBack()) || refused;
      // A connection that only reads, or has stale statements, goes back to the pool closed.
      if (refused) void connection.end();
      // Once COMMIT was sent, its outcome is unknown here.
      const rolledBack = broken && !committing && isOutage(error) && !isSilence(error);
      this.repeatable = isConflict(error) || isStale(error) ? 'conflict' : rolledBack ? 'connection' : null;
      throw error;
    } finally {
      await this.runner.release();
    }
  }

  /** @returns whether the connection is gone */
  private rollBack(): Promise<boolean> {
    return this.runner.rollbackTransaction().then(
      () => false,
      () => true,
    );
  }

  private requireOpen(): void {
    if (this.ended) throw new Error('the transaction has ended already');
  }
}

/**
 * Sends a statement, as a `Query`: a plain object would be copied by its property descriptors, which took a fifth of the CPU of a statement.
 * @throws DatabaseError with the stack of the caller, instead of the socket's
 */
export async function sendQuery(by: Pool | PoolClient, ask: QueryConfig): Promise<QueryResult> {
  const query = Object.assign(new Query(ask.text, ask.values), ask) as unknown as string;
  try {
    return await new Promise((resolve, reject) =>
      by.query(query, (error: Error | undefined, result) => (error ? reject(error) : resolve(result))),
    );
  } catch (error) {
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

/** `in_failed_sql_transaction`: the statement came after one that failed. */
const REFUSED_BEHIND = '25P02';

type Answers<Works extends readonly Promise<unknown>[]> = {
  -readonly [Place in keyof Works]: Awaited<Works[Place]>;
};

/**
 * Awaits pipelined statements of one transaction: sent without waiting for each answer, they take one round trip, and run in order. When one fails,
 * PostgreSQL refuses the later ones.
 * @throws the original failure, and not the refusals after it, once all are answered
 */
export async function pipelined<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<Answers<Works>> {
  const answers = await Promise.allSettled(works);
  const failed = answers.filter((answer) => answer.status === 'rejected');
  // A statement sent late (it waited for an answer) may stand in the list before the one whose failure refused it.
  const cause =
    failed.find(({ reason }) => (reason as { code?: unknown }).code !== REFUSED_BEHIND) ?? failed[0];
  if (cause) throw cause.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as Answers<Works>;
}
