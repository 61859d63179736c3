import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Statement } from './statement.js';
import { Store } from './store.js';

/** SQLSTATEs that say nothing against the statement: connection, resources, cancelled by recovery, shutting down. */
const NOT_THE_STATEMENT = /^(08|53|57|40001)/;

/**
 * The way to the database for reports, which may be a little behind: a read replica where one is set, else the database itself, and that too while the
 * replica does not answer. Nothing that a write depends on is read here.
 */
@Injectable()
export class Reader {
  constructor(
    private readonly store: Store,
    /** null: there is no replica. */
    @Inject(Pool) private readonly replica: Pool | null,
  ) {}

  /** Runs a named prepared statement that only reads. */
  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.replica) return this.store.query<Row>(statement, values);
    try {
      return (await this.replica.query({ ...statement, values: [...values] })).rows as Row[];
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (/^[0-9A-Z]{5}$/.test(code) && !NOT_THE_STATEMENT.test(code)) throw error;
      return this.store.query<Row>(statement, values);
    }
  }
}
