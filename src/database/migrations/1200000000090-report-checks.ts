import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Reports of moves are looked up on their chain, and what is not confirmed is bounded by sum. */
export class ReportChecks1200000000090 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CHECKS, DEPOSITS, ORDERS]) await runner.query(sql);
  }
}

/**
 * Chain status of each report on a step of an order that has a hash; a transaction may serve several. vault_id: vault whose contract moved the funds.
 * chain: that of the vault; null: none. amount: as reported. found_amount: this order's part of what the chain moved. due_at: time of the next check;
 * null: never. resolution: of a contradicted one. booked: gain that was booked with it, or for a negative one, cost. Micro-units.
 */
const CHECKS = `
CREATE TABLE report_checks (
  order_id text COLLATE "C" NOT NULL REFERENCES move_orders,
  step text NOT NULL CHECK (step IN ('redeemed', 'settled')),
  partner_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  vault_id text COLLATE "C" NOT NULL,
  chain text,
  tx_hash text COLLATE "C" NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  amount numeric(40, 0) NOT NULL CHECK (amount > 0),
  recorded_at timestamptz(3) NOT NULL,
  status text NOT NULL DEFAULT 'unchecked' CHECK (status IN ('unchecked', 'seen', 'confirmed', 'mismatch', 'not_found')),
  reason text,
  block bigint,
  found_amount numeric(40, 0),
  checked_at timestamptz(3),
  due_at timestamptz(3),
  resolution text CHECK (resolution IN ('accept', 'void')),
  note text,
  resolved_at timestamptz(3),
  booked numeric(40, 0),
  PRIMARY KEY (order_id, step),
  CHECK ((resolution IS NULL) = (resolved_at IS NULL) AND (resolution IS NULL) = (note IS NULL) AND (resolution IS NULL) = (booked IS NULL)),
  CHECK (status NOT IN ('seen', 'confirmed', 'mismatch') OR block IS NOT NULL)
);
CREATE INDEX report_checks_due ON report_checks (chain, asset, partner_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX report_checks_of_transaction ON report_checks (tx_hash);
CREATE INDEX report_checks_unresolved ON report_checks (key_id) WHERE status IN ('mismatch', 'not_found') AND resolution IS NULL;
CREATE INDEX report_checks_resolved ON report_checks (partner_id, resolved_at) WHERE resolved_at IS NOT NULL;
`;

/** reported_by: key that reported the transfer; null: before this column. */
const DEPOSITS = `
ALTER TABLE settlements ADD COLUMN reported_by text COLLATE "C";
CREATE INDEX settlements_reported_by ON settlements (reported_by, partner_id, asset) WHERE reported_by IS NOT NULL AND status <> 'confirmed';
`;

/** voided: a report was taken back, because the chain contradicts it. The index finds expected costs beside those that were booked. */
const ORDERS = `
ALTER TABLE move_orders
  DROP CONSTRAINT move_orders_failure_check,
  ADD CONSTRAINT move_orders_failure_check CHECK (failure IN ('lapsed', 'reported', 'refused', 'superseded', 'empty', 'voided'));
CREATE INDEX move_orders_by_report ON move_orders (partner_id, coalesce(redeemed_at, settled_at)) WHERE coalesce(redeemed_at, settled_at) IS NOT NULL;
`;
