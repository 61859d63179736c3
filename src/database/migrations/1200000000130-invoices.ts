import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Invoices of the fees of closed months. */
export class Invoices1200000000130 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [INVOICES, ENTRIES, STATEMENTS]) await runner.query(sql);
  }
}

/** Fee of a partner's closed month in an asset, micro-units: the difference of two closings. month: its first moment. */
const INVOICES = `
CREATE TABLE invoices (
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  month timestamptz(3) NOT NULL CHECK (date_trunc('month', month, 'UTC') = month),
  asset text NOT NULL,
  fee numeric(40, 0) NOT NULL,
  partner_revenue numeric(40, 0) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (partner_id, asset, month),
  CHECK (fee <> 0 OR partner_revenue <> 0)
);
CREATE INDEX invoices_by_month ON invoices (partner_id, month, id);
CREATE TRIGGER invoices_are_final BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_stay BEFORE TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_are_kept BEFORE DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_deletion('partner_id');
`;

/** The entry of the journal that ends an invoice; an invoice without one is open. Ids and booking times are in one order with the partner's ledger. */
const ENTRIES = `
CREATE TABLE invoice_entries (
  id text COLLATE "C" PRIMARY KEY,
  invoice_id text COLLATE "C" NOT NULL UNIQUE REFERENCES invoices,
  partner_id text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('paid', 'void')),
  reference text NOT NULL,
  at timestamptz(3) NOT NULL,
  recorded_at timestamptz(3) NOT NULL CHECK (recorded_at >= at)
);
CREATE INDEX invoice_entries_by_partner ON invoice_entries (partner_id, id);
CREATE TRIGGER invoice_entries_are_final BEFORE UPDATE ON invoice_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_entries_stay BEFORE TRUNCATE ON invoice_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_entries_are_kept BEFORE DELETE ON invoice_entries FOR EACH ROW EXECUTE FUNCTION refuse_deletion('partner_id');
`;

/** invoiced_at: when the invoices of the months up to the day were written: with its closings, or later, where an older version wrote these. */
const STATEMENTS = 'ALTER TABLE statements ADD COLUMN invoiced_at timestamptz(3)';
