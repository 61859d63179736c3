import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cost, promise and outcome of moves; partial moves of the largest positions first; and losses of a vault within a day. */
export class Routing1000000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE signals ADD COLUMN index_change double precision, ADD COLUMN tvl_change double precision',
    );
    await runner.query(MOVES);
    await runner.query(POSITIONS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * amount: amount to move, cost: its cost, promised: expected gain after the horizon less the cost; micro-units. Null in rows from replicas of the
 * older version. room: for a partial move, the shares that may still move; its positions go largest first, after after_shares and after_id. due_hour:
 * when the outcome is known.
 */
const MOVES = `
ALTER TABLE moves
  ADD COLUMN amount numeric(40, 0) CHECK (amount > 0),
  ADD COLUMN cost numeric(40, 0) CHECK (cost >= 0),
  ADD COLUMN room numeric(60, 0) CHECK (room >= 0),
  ADD COLUMN after_shares numeric(60, 0),
  ADD COLUMN promised numeric(40, 0),
  ADD COLUMN due_hour timestamptz(3),
  ADD COLUMN realised numeric(40, 0),
  ADD COLUMN realised_hour timestamptz(3);
CREATE INDEX moves_due ON moves (market_id, due_hour) WHERE realised_hour IS NULL AND due_hour IS NOT NULL;`;

/** Positions of a partner in a vault, the largest first. */
const POSITIONS = `
CREATE INDEX positions_by_size ON positions (partner_id, vault_id, shares DESC, id) WHERE status <> 'closed';`;
