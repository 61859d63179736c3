import { Injectable } from '@nestjs/common';
import type { QueryResult } from 'pg';
import { DomainError } from '../domain-error.js';
import { Trace } from '../trace.js';
import { isOutage } from './outage.js';
import { Standby } from './standby.js';
import type { AnswerOf, Statement, StatementShape, ValuesOf } from './statement.js';
import { Store } from './store.js';

/**
 * The way to the database for reports, which may be a little behind: a standby where one is set, else the database itself, and that too while the
 * standby does not answer, is too far behind, or has yet to hear of what its reader just did. Nothing that a write depends on is read here.
 */
@Injectable()
export class Reader {
  /** Statements of reports, by who answered them. */
  readonly counts = { standby: 0, primary: 0 };

  constructor(
    private readonly store: Store,
    private readonly standby: Standby,
    private readonly trace: Trace,
  ) {}

  /** Runs a named prepared statement that only reads. */
  async query<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<AnswerOf<Shape>[]> {
    const { pool } = this.standby;
    const { name, text } = statement;
    const ask = { name, text, values: [...values] };
    if (pool && (await this.standby.mayServe())) {
      try {
        const answer = (): Promise<QueryResult> => this.store.inShare(() => pool.query(ask));
        const { rows } = await this.trace.record('statement', name, answer);
        this.counts.standby++;
        return rows as AnswerOf<Shape>[];
      } catch (error) {
        // Its tenant's share is used up, and would be at the database, too.
        if (error instanceof DomainError) throw error;
        if (isOutage(error)) this.standby.rest();
        // Down, starting, behind a migration: the database knows. What is wrong with the statement itself it says, too.
      }
    }
    this.counts.primary++;
    return this.store.query(statement, values);
  }
}
