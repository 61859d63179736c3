import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** What the package of a closed month says that no entry does, as it was when the month closed. */
export class ClosedMonths1200000000150 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MONTHS, RELEASES]) await runner.query(sql);
  }
}

/**
 * month: its first moment. closed_at: by the clock of the database. verification null: the ledger was never verified. audit_head: hash of the newest link.
 * reserves: readings of the vaults with funds of the partner, nearest to the end of the month. Months that closed before this table exists have no row.
 */
const MONTHS = `
CREATE TABLE closed_months (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  month timestamptz(3) NOT NULL CHECK (date_trunc('month', month, 'UTC') = month),
  closed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  partner_name text NOT NULL,
  version text NOT NULL,
  configuration jsonb NOT NULL,
  verification jsonb,
  audit_head text NOT NULL,
  reserves jsonb NOT NULL,
  PRIMARY KEY (partner_id, month)
);
CREATE TRIGGER closed_months_are_final BEFORE UPDATE ON closed_months FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER closed_months_stay BEFORE TRUNCATE ON closed_months FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER closed_months_are_kept BEFORE DELETE ON closed_months FOR EACH ROW EXECUTE FUNCTION refuse_deletion('partner_id');
`;

/** External ids that users had until an operator freed them. */
const RELEASES = `
CREATE TABLE released_external_ids (
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  released_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  external_id text NOT NULL,
  PRIMARY KEY (user_id, released_at)
);
`;
