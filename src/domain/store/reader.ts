import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Statement } from './statement.js';
import { Store } from './store.js';

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
    } catch {
      // Down, starting, behind a migration: the database knows. What is wrong with the statement itself it says, too.
      return this.store.query<Row>(statement, values);
    }
  }
}
