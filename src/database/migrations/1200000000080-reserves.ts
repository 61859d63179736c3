import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** What custody accounts hold, hourly, against the books. */
export class Reserves1200000000080 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [RESERVES, TAKEN, ALERTS]) await runner.query(sql);
  }
}

/**
 * vault_id: cash is in the asset's idle vault. chain null: cash of several chains, or of none that is known. block, block_at: the finalized block that was
 * read; of several chains only the oldest time. books: at that time. chain_holds null: not known, for the reason. in_flight: what executors had taken and
 * not reported. Micro-units.
 */
const RESERVES = `
CREATE TABLE reserves (
  hour timestamptz(3) NOT NULL CHECK (date_trunc('hour', hour, 'UTC') = hour),
  vault_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  chain text,
  read_at timestamptz(3) NOT NULL,
  block bigint,
  block_at timestamptz(3) CHECK (block IS NULL OR block_at IS NOT NULL),
  custody_accounts text[] NOT NULL,
  books numeric(40, 0) NOT NULL,
  chain_holds numeric(40, 0) CHECK (chain_holds >= 0),
  in_flight numeric(40, 0) NOT NULL CHECK (in_flight >= 0),
  reason text CHECK ((reason IS NULL) = (chain_holds IS NOT NULL)),
  PRIMARY KEY (hour, vault_id)
);
CREATE INDEX reserves_by_vault ON reserves (vault_id, hour);
CREATE TRIGGER reserves_are_final BEFORE UPDATE ON reserves FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserves_stay BEFORE TRUNCATE ON reserves FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const TAKEN = `
CREATE INDEX move_orders_taken ON move_orders (taken_at) WHERE taken_by IS NOT NULL;
CREATE INDEX withdrawals_taken ON withdrawals (taken_at) WHERE taken_by IS NOT NULL;
`;

const ALERTS = `
ALTER TABLE alerts
  DROP CONSTRAINT alerts_kind_check,
  ADD CONSTRAINT alerts_kind_check CHECK (kind IN ('vault_evicted', 'vault_silent', 'tick_late', 'reserves_short', 'reserves_over'));
`;
