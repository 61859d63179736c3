import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/**
 * A report may name several transactions, each with a check of its own. place: of the transaction in its report; a process of before names one, which is
 * the first. amount, found_amount: of that transaction. The transactions of a step are resolved together; booked: with all of them.
 */
export class TransactionsOfReports1200000000100 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report_checks
        ADD COLUMN place smallint NOT NULL DEFAULT 1 CHECK (place > 0),
        DROP CONSTRAINT report_checks_pkey,
        ADD PRIMARY KEY (order_id, step, tx_hash)`);
  }
}
