import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import { Settings } from '../../../config/settings.js';
import { Trace } from '../trace.js';
import { isConflict, isDiskFull, isOutage, isRefusedHere, isSilence, isStale } from './outage.js';
import type { AnswerOf, Statement, StatementShape, ValuesOf } from './statement.js';

const ATTEMPTS = 4;
/** Longest pause before the second attempt; it doubles with each further one. */
const PAUSE_MS = 20;

/**
 * Database access of the whole domain. Code inside `transaction` joins it, wherever it is called from, so that the HTTP layer can put a domain call,
 * its idempotency claim and its stored answer into one transaction, unknown to the domain.
 */
@Injectable()
export class Store {
  /** Jitter of a pause, 0 to 1, so that two transactions in conflict do not meet again. */
  chance: () => number = Math.random;
  private readonly current = new AsyncLocalStorage<Transaction>();
  /** Whether a statement has failed for a full disk; until `StorageWatch` could write again. */
  isFull = false;
  private readonly isNamed: boolean;

  constructor(
    private readonly source: DataSource,
    private readonly trace: Trace,
    { database }: Settings,
  ) {
    this.isNamed = database.pooling !== 'transaction';
  }

  /** An entity's repository: in the current transaction, or else each statement by itself. */
  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return (this.current.getStore()?.manager ?? this.source.manager).getRepository(entity);
  }

  /**
   * Runs `work` in a transaction (READ COMMITTED), or joins the current one. The outermost one is retried up to three times after a serialization
   * failure or deadlock, and once when its connection broke before COMMIT was sent; `work` must therefore have no effect outside the database.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return work();
    let reconnected = false;
    for (let attempt = 1; ; attempt++) {
      const transaction = new Transaction(this.source.createQueryRunner());
      try {
        const result = await this.within(transaction, '', work);
        for (const afterwards of transaction.afterwards) afterwards();
        return result;
      } catch (error) {
        const { repeatable } = transaction;
        if (repeatable === null || attempt === ATTEMPTS || (repeatable === 'connection' && reconnected))
          throw error;
        reconnected ||= repeatable === 'connection';
      }
      await sleep(this.chance() * PAUSE_MS * 2 ** (attempt - 1));
    }
  }

  /** Runs `work` after the commit of the current transaction; at once without one, and never after a rollback. */
  onceKept(work: () => void): void {
    const open = this.current.getStore();
    if (open) open.afterwards.push(work);
    else work();
  }

  /** Runs `work` on a snapshot (REPEATABLE READ): it does not see commits of others meanwhile, and by default changes nothing. */
  async snapshot<T>(work: () => Promise<T>, access: 'ONLY' | 'WRITE' = 'ONLY'): Promise<T> {
    const transaction = new Transaction(this.source.createQueryRunner());
    return this.within(transaction, `ISOLATION LEVEL REPEATABLE READ, READ ${access}`, work);
  }

  /** Runs a query whose result is not needed. In a transaction it is sent together with what follows, up to COMMIT, which waits for it. */
  async pipeline<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<void> {
    const open = this.current.getStore();
    const asked = this.query(statement, values);
    if (open) open.join(asked);
    else await asked;
  }

  /** Runs a named prepared statement on the transaction's connection, or on one of the pool. */
  async query<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<AnswerOf<Shape>[]> {
    const result = await this.ask(statement, values);
    const rows = result.rows as Record<string, unknown>[];
    // A result that became old would keep its rows, and they the next result's, until a full garbage collection.
    result.rows = [];
    for (const [column, read] of statement.reads)
      for (const row of rows) if (row[column] !== null) row[column] = read(row[column] as string);
    return rows as AnswerOf<Shape>[];
  }

  /** The same. @returns how many rows it changed */
  async change<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<number> {
    return (await this.ask(statement, values)).rowCount!;
  }

  private ask({ name, text, shape }: Statement, values: readonly unknown[]): Promise<QueryResult> {
    // A pooler that keeps no named statements may give each transaction another connection.
    const ask = { ...(this.isNamed && !shape.isPlannedAnew && { name }), text, values: [...values] };
    const open = this.current.getStore();
    const sent = (): Promise<QueryResult> => (open ? open.send(ask) : this.onPool(ask));
    return this.trace.recorder === null ? sent() : this.trace.record('statement', name, sent);
  }

  /** Runs a statement on a connection of the pool, and on others where it was refused for the connection's state. */
  async onPool(ask: QueryConfig): Promise<QueryResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.pool.query(ask);
      } catch (error) {
        this.isFull ||= isDiskFull(error);
        if (!isRefusedHere(error) || attempt === (isStale(error) ? ATTEMPTS : 2)) throw error;
      }
    }
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  private async within<T>(
    transaction: Transaction,
    mode: TransactionMode,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await transaction.run(mode, () => this.current.run(transaction, work));
    } catch (error) {
      this.isFull ||= isDiskFull(error);
      throw error;
    }
  }
}

/** Clause of START TRANSACTION; empty: the database's default, READ COMMITTED. */
type TransactionMode = '' | `ISOLATION LEVEL REPEATABLE READ, READ ${'ONLY' | 'WRITE'}`;

/** Reason to retry. `conflict`: a serialization failure, a deadlock or a stale statement. `connection`: it broke before COMMIT was sent. */
type Repeatable = 'conflict' | 'connection';

/** One attempt at a transaction, on its own connection. */
class Transaction {
  /** Callbacks to run after the commit. */
  readonly afterwards: (() => void)[] = [];
  private client: PoolClient | null = null;
  private ended = false;
  /** Reason for which a retry may succeed, when nothing of this attempt was kept; otherwise null. */
  repeatable: Repeatable | null = null;
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
    return this.client!.query(ask);
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
      const undone = broken && !committing && isOutage(error) && !isSilence(error);
      this.repeatable = isConflict(error) || isStale(error) ? 'conflict' : undone ? 'connection' : null;
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
