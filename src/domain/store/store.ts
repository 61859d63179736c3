import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import type { Statement } from './statement.js';

/** Serialization failure, deadlock: PostgreSQL asks for the whole transaction again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/**
 * The way to the database for all of the domain. What runs inside `transaction` joins it, wherever it is called from, so that an edge can put
 * a domain call, its idempotency claim and its stored answer into one transaction without the domain knowing.
 */
@Injectable()
export class Store {
  private readonly current = new AsyncLocalStorage<EntityManager>();

  constructor(private readonly source: DataSource) {}

  /** The running transaction's manager, or one that commits each statement by itself. */
  get manager(): EntityManager {
    return this.current.getStore() ?? this.source.manager;
  }

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /**
   * Runs `work` in a transaction (READ COMMITTED), joining one that is already open. An outermost one is tried again, up to three times, when
   * PostgreSQL reports a serialization failure or a deadlock; `work` must therefore have no effect outside the database.
   */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const open = this.current.getStore();
    if (open) return work(open);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.source.transaction((manager) => this.current.run(manager, () => work(manager)));
      } catch (error) {
        if (attempt === ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }

  /** Runs `work` on one moment of the database: whatever others commit meanwhile, its statements do not see. It changes nothing. */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return this.current.run(manager, work);
    });
  }

  /** Runs a named prepared statement on the transaction's connection, or on one of the pool. */
  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const runner = this.current.getStore()?.queryRunner;
    const connection: Pool | PoolClient = runner
      ? ((await runner.connect()) as PoolClient)
      : (this.source.driver as unknown as { master: Pool }).master;
    const result = await connection.query({ ...statement, values: [...values] });
    return result.rows as Row[];
  }
}
