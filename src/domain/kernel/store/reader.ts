import { Injectable } from '@nestjs/common';
import type { QueryResult } from 'pg';
import { DomainError } from '../domain-error.js';
import { Trace } from '../trace.js';
import { isOutage } from './outage.js';
import { Standby } from './standby.js';
import type { AnswerOf, Statement, StatementShape, ValuesOf } from './statement.js';
import { Store } from './store.js';

/**
 * Connection for reports, which may lag a little: the standby where one is configured; the primary otherwise, and also while the standby does not
 * answer, lags too far, or misses what the reader just wrote. Nothing that a write depends on is read here.
 */
@Injectable()
export class Reader {
  /** Statements of reports, by the server that answered. */
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
        const answer = (): Promise<QueryResult> => this.store.connected(() => pool.query(ask));
        const { rows } = await this.trace.record('statement', name, answer);
        this.counts.standby++;
        return rows as AnswerOf<Shape>[];
      } catch (error) {
        // The tenant's share of connections is used up, on the primary too.
        if (error instanceof DomainError) throw error;
        if (isOutage(error)) this.standby.rest(error);
        // The standby is down, starting, or behind a migration: the primary answers instead, and also reports errors of the statement itself.
      }
    }
    this.counts.primary++;
    return this.store.query(statement, values);
  }
}
