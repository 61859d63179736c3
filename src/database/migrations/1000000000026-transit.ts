import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves out of a vault that pays out late: two legs, and positions in transit between them. And an index on the settled entries of a user. */
export class Transit1000000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The long index build first: it blocks writers only, and the rest, which blocks readers too, takes a moment.
    await runner.query(LEDGER);
    await runner.query(MOVES);
    await runner.query(POSITIONS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * leg: 1 leaves the vault; 2, for a vault that pays out late, continues from cash at arrives_hour. evicts: the source vault must be left, so the move
 * goes before others.
 */
const MOVES = `
ALTER TABLE moves
  ADD COLUMN leg smallint NOT NULL DEFAULT 1 CHECK (leg IN (1, 2)),
  ADD COLUMN evicts boolean NOT NULL DEFAULT false,
  ADD COLUMN arrives_hour timestamptz(3),
  ADD CHECK ((leg = 2) = (arrives_hour IS NOT NULL)),
  DROP CONSTRAINT moves_pkey,
  ADD PRIMARY KEY (decision_id, leg);`;

/** transit_id: decision by which the funds left a vault that pays out late, while they are in transit. */
const POSITIONS = `
ALTER TABLE positions
  ADD COLUMN transit_id text COLLATE "C",
  ADD CHECK (transit_id IS NULL OR status = 'active');
CREATE INDEX positions_in_transit ON positions (market_id, transit_id, id) WHERE transit_id IS NOT NULL;`;

/** For the verifier: byte order, which does not depend on the database's locale. */
const LEDGER = `
CREATE INDEX ledger_by_place ON ledger_entries (user_id, asset COLLATE "C", revenue_place, id) WHERE revenue_place IS NOT NULL;`;
