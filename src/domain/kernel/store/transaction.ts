import { setImmediate as turn } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isConflict, isOutage, isRefusedHere, isSilence, isStale } from './outage.js';

/** Clause of START TRANSACTION; empty: the database's default, READ COMMITTED. */
export type TransactionMode = '' | `ISOLATION LEVEL REPEATABLE READ, READ ${'ONLY' | 'WRITE'}`;

/**
 * Reason to retry: `conflict` is a serialization failure, a deadlock or a stale statement, which each connection may have; `connection` means that the connection broke, or was unusable, before COMMIT
 * was sent.
 */
type Repeatable = 'conflict' | 'connection';

/** One attempt at a transaction, on its own connection. */
export class Transaction {
  /** Callbacks to run after the commit. */
  readonly afterwards: (() => void)[] = [];
  private client: PoolClient | null = null;
  private ended = false;
  private failure: Repeatable | null = null;
  /** Statements that COMMIT waits for. */
  private readonly pending: Promise<unknown>[] = [];

  constructor(private readonly runner: QueryRunner) {}

  /** @throws Error when the transaction has ended: a late write would be kept although the rest may be rolled back */
  get manager(): EntityManager {
    this.requireOpen();
    return this.runner.manager;
  }

  /**
   * Connection of the transaction, synchronously: statements sent on it one after another are executed in that order.
   * @throws Error when the transaction has ended
   */
  get connection(): PoolClient {
    this.requireOpen();
    return this.client!;
  }

  /** Reason for which a retry may succeed, when nothing of this attempt was kept; otherwise null. */
  get repeatable(): Repeatable | null {
    return this.failure;
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
      this.join(connection.query(`START TRANSACTION ${mode}`.trimEnd()));
      // TypeORM's own `startTransaction` would wait for the answer. It joins a transaction that it takes for active.
      (this.runner as { isTransactionActive: boolean }).isTransactionActive = true;
      const result = await work();
      this.ended = true;
      committing = true;
      const [{ command }] = await pipelined([connection.query('COMMIT'), ...this.pending]);
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
      const undone = broken && !committing && isOutage(error) && !isSilence(error);
      this.failure = isConflict(error) || isStale(error) ? 'conflict' : undone ? 'connection' : null;
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

/**
 * Sends a statement for each part of many items: while the database works on one, the process prepares the next.
 * @param send sends the statement of a part; `from` is the place of its first item
 * @returns the statements, to be awaited by `pipelined`, which throws what failed
 */
export async function inParts<T>(
  items: readonly T[],
  size: number,
  send: (part: readonly T[], from: number) => Promise<unknown>,
): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < items.length; from += size) {
    // A statement leaves in the turn after that in which it was asked for.
    if (from > 0) await turn();
    const answer = send(items.slice(from, from + size), from);
    answer.catch(() => undefined);
    sent.push(answer);
  }
  return sent;
}
