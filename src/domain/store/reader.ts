import { Injectable } from '@nestjs/common';
import { DomainError } from '../domain-error.js';
import { isOutage } from './outage.js';
import { Standby } from './standby.js';
import type { AnswerOf, Statement, StatementShape, TypedStatement, ValuesOf } from './statement.js';
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
  ) {}

  /** Runs a named prepared statement that only reads. */
  query<Shape extends StatementShape>(
    statement: TypedStatement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<AnswerOf<Shape>[]>;
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  async query(
    { name, text }: Statement | TypedStatement<StatementShape>,
    values: readonly unknown[] = [],
  ): Promise<unknown[]> {
    const { pool } = this.standby;
    const ask = { name, text, values: [...values] };
    if (pool && (await this.standby.mayServe())) {
      try {
        const { rows } = await this.store.inShare(() => pool.query(ask));
        this.counts.standby++;
        return rows as unknown[];
      } catch (error) {
        // Its tenant's share is used up, and would be at the database, too.
        if (error instanceof DomainError) throw error;
        if (isOutage(error)) this.standby.rest();
        // Down, starting, behind a migration: the database knows. What is wrong with the statement itself it says, too.
      }
    }
    this.counts.primary++;
    return this.store.query({ name, text }, values);
  }
}
