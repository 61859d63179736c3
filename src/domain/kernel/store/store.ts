import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { Settings } from '../../../config/settings.js';
import { isDiskFull, isOutage, isReadOnly, isRefusedHere, isSilence, isStale } from './outage.js';
import { type AnswerOf, type Statement, statement, type StatementShape, type ValuesOf } from './statement.js';
import { Trace } from '../trace.js';
import { Transaction, type TransactionMode } from './transaction.js';

/** Refused like any write where the database is read-only; it writes nothing, and takes no lock on a row. */
const PROBE = statement(
  'store.probe',
  { values: [], row: {} },
  'SELECT FROM replicas WHERE false FOR UPDATE',
);
/** A row of several pages, for which a file has to grow; an update may find room on a full disk. It is rolled back. */
const GROW = statement(
  'store.grow',
  { values: [], row: {} },
  `INSERT INTO replicas (id, name, role, version, sends, started_at, seen_at)
   SELECT gen_random_uuid(), '', '', '', jsonb_agg(gen_random_uuid()), clock_timestamp(), clock_timestamp() FROM generate_series(1, 1000)`,
);
const ATTEMPTS = 4;
/** Longest pause before the second attempt; it doubles with each further one. */
const PAUSE_MS = 20;

/** State of the database: it takes writes, it refuses them all, or it does not answer. */
export type DatabaseState = 'writable' | 'read_only' | 'disk_full' | 'unreachable';

/**
 * Database access of the whole domain. Code inside `transaction` joins it, wherever it is called from, so that the HTTP layer can put a domain call,
 * its idempotency claim and its stored answer into one transaction, unknown to the domain.
 */
@Injectable()
export class Store {
  /** Jitter of a pause, 0 to 1, so that two transactions in conflict do not meet again. */
  chance: () => number = Math.random;
  private readonly current = new AsyncLocalStorage<Transaction>();
  private isFull = false;
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
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const open = this.current.getStore();
    if (open) return work(open.manager);
    let reconnected = false;
    for (let attempt = 1; ; attempt++) {
      const transaction = new Transaction(this.source.createQueryRunner());
      try {
        const result = await this.connected(() =>
          this.within(transaction, '', () => work(transaction.manager)),
        );
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
    return this.connected(() =>
      this.within(transaction, `ISOLATION LEVEL REPEATABLE READ, READ ${access}`, work),
    );
  }

  /**
   * Runs a query whose result is not needed. In a transaction it is sent together with what follows, up to COMMIT, which waits for it.
   * @param values texts, bytes and times: what the driver cannot write would not undo the transaction
   */
  async settle<Shape extends StatementShape>(
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
    { name, text, shape }: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<AnswerOf<Shape>[]> {
    // A pooler that keeps no named statements may give each transaction another connection.
    const ask = { ...(this.isNamed && !shape.isPlannedAnew && { name }), text, values: [...values] };
    if (this.trace.recorder === null) return this.ask<AnswerOf<Shape>>(ask);
    return this.trace.record('statement', name, () => this.ask<AnswerOf<Shape>>(ask));
  }

  private async ask<Row>(ask: QueryConfig): Promise<Row[]> {
    const open = this.current.getStore();
    const result: QueryResult = await (open
      ? open.connection.query(ask)
      : this.connected(() => this.onPool(ask)));
    const { rows } = result;
    // A result that became old would keep its rows, and they the next result's, until a full garbage collection.
    result.rows = [];
    return rows as Row[];
  }

  /** The only way to a connection: `work` uses one at a time. In a transaction it is the transaction's own. A full disk is noted. */
  async connected<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return work();
    return work().catch((error: unknown) => {
      this.isFull ||= isDiskFull(error);
      throw error;
    });
  }

  /** State within about the given time. After a statement that failed for a full disk, a probe has to write before it is `writable` again. */
  async state(withinMs: number): Promise<DatabaseState> {
    // A connection that has not answered by then is discarded.
    const probe = { text: PROBE.text, query_timeout: withinMs } as QueryConfig;
    try {
      // A connection that broke while idle does not mean an outage.
      await this.onPool(probe).catch((error: unknown) => {
        if (!isOutage(error) || isSilence(error) || isReadOnly(error)) throw error;
        return this.pool.query(probe);
      });
      if (this.isFull) await this.grow();
      this.isFull = false;
      return 'writable';
    } catch (error) {
      if (isReadOnly(error)) return 'read_only';
      return isDiskFull(error) ? 'disk_full' : 'unreachable';
    }
  }

  private async grow(): Promise<void> {
    const undo = new Error('rolled back');
    await this.transaction(async () => {
      await this.query(GROW, []);
      throw undo;
    }).catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  }

  /** Runs a statement on a connection of the pool, and on others where it was refused for the connection's state. */
  private async onPool(ask: QueryConfig): Promise<QueryResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.pool.query(ask);
      } catch (error) {
        if (!isRefusedHere(error) || attempt === (isStale(error) ? ATTEMPTS : 2)) throw error;
      }
    }
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  private within<T>(transaction: Transaction, mode: TransactionMode, work: () => Promise<T>): Promise<T> {
    return transaction.run(mode, () => this.current.run(transaction, work));
  }
}
