import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isConflict, isOutage, isRefusedHere, isSilence, isStale } from './outage.js';
import { pipelined } from './pipelined.js';

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
   * What is sent from here until the event loop turns shares one write. Each write wakes the database's process: six a POST took a third of its CPU.
   */
  gather(): void {
    const { stream } = (this.client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
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
      this.gather();
      this.join(connection.query(`START TRANSACTION ${mode}`.trimEnd()));
      // TypeORM's own `startTransaction` would wait for the answer. It joins a transaction that it takes for active.
      (this.runner as { isTransactionActive: boolean }).isTransactionActive = true;
      const result = await work();
      this.ended = true;
      committing = true;
      const [{ command }] = await pipelined([connection.query('COMMIT'), ...this.pending]);
      // COMMIT answers ROLLBACK when a statement failed and its error was swallowed.
      if (command !== 'COMMIT') throw new Error('a statement of the transaction failed, and nobody said so');
      return result;
    } catch (thrown) {
      this.ended = true;
      // A statement that nobody awaited may be the cause of what was thrown.
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
    if (this.ended) throw new Error('the transaction that this belongs to has ended');
  }
}
