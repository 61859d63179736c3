import { Inject, Injectable } from '@nestjs/common';
import { Pool, type QueryResult } from 'pg';
import { DomainError } from '../domain-error.js';
import { isOutage } from './outage.js';
import type { AnswerOf, Statement, StatementShape, ValuesOf } from './statement.js';
import { Trace } from '../trace.js';
import { Store } from './store.js';

/** How long a replica that failed is let alone, so that not every report waits for it. */
const REST_MS = 10_000;

/**
 * The way to the database for reports, which may be a little behind: a read replica where one is set, else the database itself, and that too while the
 * replica does not answer. Nothing that a write depends on is read here.
 */
@Injectable()
export class Reader {
  private restsUntil = -Infinity;

  constructor(
    private readonly store: Store,
    /** null: there is no replica. */
    @Inject(Pool) private readonly replica: Pool | null,
    private readonly trace: Trace,
  ) {}

  /** Runs a named prepared statement that only reads. */
  async query<Shape extends StatementShape>(
    statement: Statement<Shape>,
    values: ValuesOf<Shape>,
  ): Promise<AnswerOf<Shape>[]> {
    const { replica } = this;
    const { name, text } = statement;
    if (!replica || performance.now() < this.restsUntil) return this.store.query(statement, values);
    try {
      const ask = { name, text, values: [...values] };
      const answer = (): Promise<QueryResult> => this.store.inShare(() => replica.query(ask));
      return (await this.trace.record('statement', name, answer)).rows as AnswerOf<Shape>[];
    } catch (error) {
      // Its tenant's share is used up, and would be at the database, too.
      if (error instanceof DomainError) throw error;
      if (isOutage(error)) this.restsUntil = performance.now() + REST_MS;
      // Down, starting, behind a migration: the database knows. What is wrong with the statement itself it says, too.
      return this.store.query(statement, values);
    }
  }
}
