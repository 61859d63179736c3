import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isConflict, isOutage, isSilence } from './outage.js';

/** null: the database's own, READ COMMITTED, without a statement that says so. */
type Isolation = 'REPEATABLE READ' | null;

/** PostgreSQL asked for it again; or the connection broke, or would not do, before COMMIT was sent. */
type Repeatable = 'conflict' | 'connection';

/** One attempt at a transaction, on a connection of its own. */
export class Transaction {
  /** What is to run once it is committed. */
  readonly afterwards: (() => void)[] = [];
  private client: PoolClient | null = null;
  private ended = false;
  private failure: Repeatable | null = null;

  constructor(private readonly runner: QueryRunner) {}

  /** @throws Error when the transaction has ended: what comes late would be kept although the rest may not be */
  get manager(): EntityManager {
    this.requireOpen();
    return this.runner.manager;
  }

  /** Its connection, at once: what is asked on it one behind the other is sent in that order. @throws Error when the transaction has ended */
  get connection(): PoolClient {
    this.requireOpen();
    return this.client!;
  }

  /** Why another attempt may fare better than this one did, where nothing of this one is kept for certain; else null. */
  get repeatable(): Repeatable | null {
    return this.failure;
  }

  /** Runs `work` from START TRANSACTION to COMMIT. @throws whatever went wrong, after it was rolled back */
  async run<T>(isolation: Isolation, work: () => Promise<T>): Promise<T> {
    const connection = (await this.runner.connect()) as PoolClient;
    this.client = connection;
    let committing = false;
    try {
      await this.runner.startTransaction(isolation ?? undefined);
      const result = await work();
      this.ended = true;
      committing = true;
      const { command } = await connection.query('COMMIT');
      // What COMMIT is answered with after a failure that somebody caught and kept to himself.
      if (command !== 'COMMIT') throw new Error('a statement of the transaction failed, and nobody said so');
      return result;
    } catch (error) {
      this.ended = true;
      const broken = await this.rollBack();
      // Once COMMIT was sent, whether it was heard is not known here.
      const undone = broken && !committing && isOutage(error) && !isSilence(error);
      this.failure = isConflict(error) ? 'conflict' : undone ? 'connection' : null;
      throw error;
    } finally {
      await this.runner.release();
    }
  }

  /** @returns whether the connection is no more */
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
