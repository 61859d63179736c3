import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Positions, and the sums over them. Amounts are micro-units, shares have 18 decimals: all whole numbers. */
export class Books1100000000002 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [POSITIONS, BOOKS, STATEMENTS]) await runner.query(sql);
  }
}

/** HOT updates: the statement of a day changes every open position, and a new row version without room in its page is written to all its indexes. */
const POSITIONS = `
-- No foreign keys to market, partner and campaign: every deposit would lock their rows, and concurrent deposits the same ones. Shares, never
-- balances. Book value is deposited - withdrawn + accrued - costs; yield since accrued_at is not posted yet. Of a voided deposit only what was
-- withdrawn remains. settled_lending and settled_hold: uplift over a baseline that was settled by withdrawals. capital_moment: sum of each change of
-- the principal times its time in milliseconds since 1970. The other moments are the same with point time. slot: slot of its book rows. transit_id:
-- decision by which the funds left a vault that pays out late, or were received, while they are in transit. deposit_id: deposit that was split into
-- several positions.
CREATE TABLE positions (
  id text COLLATE "C" PRIMARY KEY,
  market_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  asset text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'closed')),
  vault_id text COLLATE "C" NOT NULL,
  origin_vault_id text COLLATE "C",
  lending_vault_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
  shares numeric(60, 0) NOT NULL CHECK (shares >= 0),
  lending_shares numeric(60, 0) NOT NULL CHECK (lending_shares >= 0),
  hold_shares numeric(60, 0) NOT NULL CHECK (hold_shares >= 0),
  deposited numeric(40, 0) NOT NULL CHECK (deposited >= 0),
  withdrawn numeric(40, 0) NOT NULL CHECK (withdrawn >= 0),
  accrued numeric(40, 0) NOT NULL,
  costs numeric(40, 0) NOT NULL CHECK (costs >= 0),
  settled_lending numeric(40, 0) NOT NULL,
  settled_hold numeric(40, 0) NOT NULL,
  withdrawals int NOT NULL CHECK (withdrawals >= 0),
  campaign_id text COLLATE "C",
  campaign_moment numeric NOT NULL,
  plain_moment numeric NOT NULL,
  capital_moment numeric NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  active_at timestamptz(3),
  closed_at timestamptz(3),
  accrued_at timestamptz(3) NOT NULL,
  transit_id text COLLATE "C",
  deposit_id text COLLATE "C",
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((status = 'closed') = (shares = 0)),
  CHECK ((origin_vault_id IS NULL) = (active_at IS NULL)),
  CHECK (status = 'closed' OR (status = 'pending') = (origin_vault_id IS NULL)),
  CHECK (deposited - withdrawn + accrued - costs >= 0),
  CHECK (status <> 'closed' OR deposited - withdrawn + accrued - costs = 0),
  CONSTRAINT positions_in_transit_are_open CHECK (transit_id IS NULL OR status <> 'closed')
) WITH (fillfactor = 50);
CREATE INDEX positions_by_time ON positions (opened_at, id);
CREATE INDEX positions_by_partner ON positions (partner_id, opened_at, id);
CREATE INDEX positions_by_user ON positions (user_id, opened_at, id);
CREATE INDEX positions_in_vault ON positions (partner_id, vault_id, id) WHERE closed_at IS NULL;
-- A partial move takes the largest first.
CREATE INDEX positions_by_size ON positions (partner_id, vault_id, shares DESC, id) WHERE status <> 'closed';
CREATE INDEX positions_open_of_user ON positions (user_id, asset, vault_id) WHERE closed_at IS NULL;
CREATE INDEX positions_open ON positions (market_id, id) WHERE closed_at IS NULL;
CREATE INDEX positions_of_deposit ON positions (deposit_id) WHERE deposit_id IS NOT NULL;
CREATE INDEX positions_in_transit ON positions (market_id, transit_id, id) WHERE transit_id IS NOT NULL;

-- Revenue of a user in one asset, over all positions: carried losses, and sums by terms. settled: number of settled entries, each of which has a
-- sequence number in the ledger. settled_at: when the newest of them had its effect; a later one has it no earlier.
CREATE TABLE revenue_accounts (
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  asset text NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  settled bigint NOT NULL DEFAULT 0 CHECK (settled >= 0),
  settled_at timestamptz(3),
  carried_loss numeric(40, 0) NOT NULL DEFAULT 0 CHECK (carried_loss >= 0),
  sums jsonb NOT NULL DEFAULT '[]',
  total_fee numeric(40, 0) NOT NULL DEFAULT 0 CHECK (total_fee >= 0),
  total_partner numeric(40, 0) NOT NULL DEFAULT 0 CHECK (total_partner >= 0 AND total_partner <= total_fee),
  PRIMARY KEY (user_id, asset)
) WITH (fillfactor = 80);
CREATE INDEX revenue_accounts_by_partner ON revenue_accounts (partner_id);
`;

/**
 * Sums that are updated in the transactions of their positions, so that reports never read positions. 16 slots against hot rows. No checks, because a
 * change is inserted before it conflicts with the row that it adds to; the positions have them.
 */
const BOOKS = `
-- since: when the row last became nonzero.
CREATE TABLE book_shares (
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  book text NOT NULL CHECK (book IN ('routed', 'lending', 'hold')),
  vault_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  market_id text COLLATE "C" NOT NULL,
  shares numeric(60, 0) NOT NULL,
  positions int NOT NULL,
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (partner_id, asset, book, vault_id, slot)
) WITH (fillfactor = 50);
CREATE INDEX book_shares_routed ON book_shares (market_id, partner_id, asset, vault_id) WHERE book = 'routed';

CREATE TABLE book_totals (
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  slot smallint NOT NULL,
  deposited numeric(40, 0) NOT NULL,
  withdrawn numeric(40, 0) NOT NULL,
  deposits bigint NOT NULL,
  withdrawals bigint NOT NULL,
  accrued numeric(40, 0) NOT NULL,
  costs numeric(40, 0) NOT NULL,
  settled_lending numeric(40, 0) NOT NULL,
  settled_hold numeric(40, 0) NOT NULL,
  principal numeric(40, 0) NOT NULL,
  capital_moment numeric NOT NULL,
  opened bigint NOT NULL,
  closed bigint NOT NULL,
  first_at timestamptz(3) NOT NULL,
  PRIMARY KEY (partner_id, asset, slot)
) WITH (fillfactor = 50);

-- Sums over the revenue accounts of a partner's users.
CREATE TABLE book_revenue (
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  slot smallint NOT NULL,
  fee numeric(40, 0) NOT NULL,
  partner_revenue numeric(40, 0) NOT NULL,
  carried_loss numeric(40, 0) NOT NULL,
  PRIMARY KEY (partner_id, asset, slot)
) WITH (fillfactor = 50);

-- campaign_id '': no campaign. principal: principal that earns points.
CREATE TABLE book_points (
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  campaign_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  principal numeric(40, 0) NOT NULL,
  campaign_moment numeric NOT NULL,
  plain_moment numeric NOT NULL,
  PRIMARY KEY (partner_id, asset, campaign_id, slot)
) WITH (fillfactor = 50);

-- Number of a partner's end-users.
CREATE TABLE book_users (
  partner_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  users bigint NOT NULL,
  PRIMARY KEY (partner_id, slot)
) WITH (fillfactor = 50);

-- Holdings of the service in a vault, over all partners.
CREATE TABLE vault_shares (
  market_id text COLLATE "C" NOT NULL,
  vault_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  shares numeric(60, 0) NOT NULL,
  PRIMARY KEY (market_id, vault_id, slot)
) WITH (fillfactor = 50);
`;

const STATEMENTS = `
-- Statement of a UTC day: posted position by position, in the order of ids, up to after_id so far. closed_at: when the day's closings were written,
-- or skipped.
CREATE TABLE statements (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  day_end timestamptz(3) NOT NULL CHECK (date_trunc('day', day_end, 'UTC') = day_end),
  after_id text COLLATE "C" NOT NULL DEFAULT '',
  posted bigint NOT NULL DEFAULT 0,
  done_at timestamptz(3),
  closed_at timestamptz(3),
  PRIMARY KEY (market_id, day_end)
);
CREATE INDEX statements_to_close ON statements (market_id, day_end) WHERE closed_at IS NULL;

-- A partner's books at the end of each day, before anything of the next: sums since the beginning. accrued, fee, partner_revenue and carried_loss are
-- those of the ledger's entries up to then. lending_value, hold_value: values of the baselines.
CREATE TABLE daily_closings (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  asset text NOT NULL,
  day timestamptz(3) NOT NULL CHECK (date_trunc('day', day, 'UTC') = day),
  deposits numeric(40, 0) NOT NULL,
  withdrawals numeric(40, 0) NOT NULL,
  accrued numeric(40, 0) NOT NULL,
  costs numeric(40, 0) NOT NULL,
  fee numeric(40, 0) NOT NULL,
  partner_revenue numeric(40, 0) NOT NULL,
  carried_loss numeric(40, 0) NOT NULL,
  grains numeric NOT NULL,
  lending_value numeric(40, 0) NOT NULL,
  hold_value numeric(40, 0) NOT NULL,
  settled_lending numeric(40, 0) NOT NULL,
  settled_hold numeric(40, 0) NOT NULL,
  PRIMARY KEY (partner_id, asset, day)
);
CREATE TRIGGER daily_closings_are_final BEFORE UPDATE ON daily_closings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER daily_closings_stay BEFORE TRUNCATE ON daily_closings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- All sums that the reports of a closing are made of, with the quotes of that moment.
CREATE TABLE closed_books (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  day timestamptz(3) NOT NULL,
  books jsonb NOT NULL,
  PRIMARY KEY (partner_id, day)
);
CREATE TRIGGER closed_books_are_final BEFORE UPDATE ON closed_books FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER closed_books_stay BEFORE TRUNCATE ON closed_books FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;
