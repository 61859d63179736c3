import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Value of the funds of an order that bounds what reports of its executor may deviate by. */
export class BoundOfReports1200000000000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
  }
}

/**
 * bound_value: part of redeemed_value that bounds reports of redeemed_by for a day or, where nothing was redeemed, part of settled_value that bounds the
 * report itself, micro-units; null: all of it, as before this column.
 */
const COLUMN = 'ALTER TABLE move_orders ADD COLUMN bound_value numeric(40, 0)';
