import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a move costs, promises and brings, parts of a group that move largest first, and what a vault lost within a day. */
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
 * amount: what was to move, cost: what that takes from it, promised: what is to remain of its gain after the horizon; micro-units. Null in a row that a replica of
 * the version before writes. room: of a part, the shares that may still move; its positions go largest first, after after_shares and after_id. due_hour: when the
 * outcome is known.
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

/** Positions of a partner in a vault, largest first. */
const POSITIONS = `
CREATE INDEX positions_by_size ON positions (partner_id, vault_id, shares DESC, id) WHERE status <> 'closed';`;
