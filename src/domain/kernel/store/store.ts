import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { Settings } from '../../../config/settings.js';
import { Meter } from '../meter.js';
import { mapInTurns } from '../slices.js';
import { Trace } from '../trace.js';
import { isDiskFull, isRefusedHere, isStale } from './outage.js';
import { sendQuery, Transaction, type TransactionMode } from './transaction.js';
import type { AnswerOf, Statement, StatementShape, ValuesOf } from './statement.js';

const ATTEMPTS = 4;
/** Longest pause before the second attempt; it doubles with each further one. */
const PAUSE_MS = 20;
/** Pause after a broken connection, in addition: PostgreSQL keeps the locks of its session until it notices, and a claim would seem to be in progress. */
const ORPHANED_MS = 100;

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
    private readonly meter: Meter,
    { databasePooling }: Settings,
  ) {
    this.isNamed = databasePooling !== 'transaction';
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
        if (repeatable === 'connection') {
          reconnected = true;
          await sleep(ORPHANED_MS);
        }
      }
      await sleep(this.chance() * PAUSE_MS * 2 ** (attempt - 1));
    }
  }

  /** Runs `work` after the commit of the current transaction; at once without one, and never after a rollback. */
  afterCommit(work: () => void): void {
    const open = this.current.getStore();
    if (open) open.afterwards.push(work);
    else work();
  }

  /** Runs `work` on a snapshot (REPEATABLE READ): it does not see commits of others meanwhile, and changes nothing. */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    const transaction = new Transaction(this.source.createQueryRunner());
    return this.within(transaction, 'ISOLATION LEVEL REPEATABLE READ, READ ONLY', work);
  }

  /** Runs a query whose result is not needed. In a transaction it is sent together with what follows, up to COMMIT, which waits for it. */
  async pipeline<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<void> {
    const open = this.current.getStore();
    const result = this.query(statement, values);
    if (open) open.join(result);
    else await result;
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
    this.meter.read(rows.length);
    const { reads } = statement;
    if (reads.length > 0)
      await mapInTurns(rows, (row) => {
        for (const [column, read] of reads)
          if (row[column] !== null) row[column] = read(row[column] as string);
      });
    return rows as AnswerOf<Shape>[];
  }

  /** Runs a statement that writes. @returns how many rows it changed */
  async change<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<number> {
    return (await this.ask(statement, values)).rowCount!;
  }

  private ask({ name, text, shape }: Statement, values: readonly unknown[]): Promise<QueryResult> {
    // A pooler that keeps no named statements may give each transaction another connection.
    const isNamed = this.isNamed && !shape.isPlannedAnew;
    const ask = { text, values: [...values], ...(isNamed && { name }) };
    const open = this.current.getStore();
    const send = (): Promise<QueryResult> => (open ? open.send(ask) : this.queryPool(ask));
    return this.trace.recorder === null ? send() : this.trace.record('statement', name, send);
  }

  /** Runs a statement on a connection of the pool, and on others where it was refused for the connection's state. */
  async queryPool(ask: QueryConfig): Promise<QueryResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendQuery(this.pool, ask);
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
