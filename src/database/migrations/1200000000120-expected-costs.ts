import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Entries of a move have their part of what its decision expected it to cost. */
export class ExpectedCosts1200000000120 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(EXPECTED_COST);
  }
}

/**
 * expected_cost: of an entry of a move, its part of the order's expected cost, by value: the parts of the first step add up to it, those of a second step are 0. null:
 * the entry is of no move, or older than the column. Micro-units. There is no check, which would read the whole ledger under a lock.
 */
const EXPECTED_COST = 'ALTER TABLE ledger_entries ADD COLUMN expected_cost numeric(40, 0)';
