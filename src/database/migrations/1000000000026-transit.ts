import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves out of a vault that pays out late: two legs, and positions that are on the way between them. And a way to what was settled of a user, entry by entry. */
export class Transit1000000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The long build first: it stops writers alone, and what follows, which stops readers too, takes a moment.
    await runner.query(LEDGER);
    await runner.query(MOVES);
    await runner.query(POSITIONS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * leg: 1 leaves the vault; 2, of a vault that pays out late, goes on from cash, from arrives_hour on. evicts: the vault that is left is not to be kept, so that the
 * move goes before others.
 */
const MOVES = `
ALTER TABLE moves
  ADD COLUMN leg smallint NOT NULL DEFAULT 1 CHECK (leg IN (1, 2)),
  ADD COLUMN evicts boolean NOT NULL DEFAULT false,
  ADD COLUMN arrives_hour timestamptz(3),
  ADD CHECK ((leg = 2) = (arrives_hour IS NOT NULL)),
  DROP CONSTRAINT moves_pkey,
  ADD PRIMARY KEY (decision_id, leg);`;

/** transit_id: the decision by which its funds left a vault that pays out late, while they are on the way. */
const POSITIONS = `
ALTER TABLE positions
  ADD COLUMN transit_id text COLLATE "C",
  ADD CHECK (transit_id IS NULL OR status = 'active');
CREATE INDEX positions_in_transit ON positions (market_id, transit_id, id) WHERE transit_id IS NOT NULL;`;

/** For who verifies: by bytes, an order that does not hang on the database's locale. */
const LEDGER = `
CREATE INDEX ledger_by_place ON ledger_entries (user_id, asset COLLATE "C", revenue_place, id) WHERE revenue_place IS NOT NULL;`;
