import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Drops the verifier's checkpoints: it now replays the ledger from the first entry. */
export class NoCheckpoints1200000000060 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_CHECKPOINTS);
  }
}

const DROP_CHECKPOINTS = `
DROP TABLE checked_positions, checked_accounts, checked_shares, checked_totals, checked_revenue, checked_points, checked_vaults, checked_moves;
-- seventh: part of the partners that a run covered; null: all. is_full is read by processes of the version before alone.
ALTER TABLE ledger_checks DROP COLUMN seal, ALTER COLUMN is_full SET DEFAULT true, ADD COLUMN seventh int CHECK (seventh BETWEEN 0 AND 6);
`;
