import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Yield engine: market data (signals, regimes, blended points), positions with their books, the ledger, decisions and the moves that carry them out.
 * Amounts are micro-units, shares have 18 decimals, indexes a scale of 1e18: all whole numbers.
 */
export class YieldEngine1000000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MARKETS);
    await runner.query(TERMS);
    await runner.query(DECISIONS);
    await runner.query(POSITIONS);
    await runner.query(BOOKS);
    await runner.query(LEDGER);
    await runner.query('SELECT prepare_ledger(now())');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const MARKETS = `
-- routed_hour: the newest hour that routing has judged, once.
ALTER TABLE markets ADD COLUMN routed_hour timestamptz(3);

-- Signals of each vault at the newest hour. Rates are fractions.
CREATE TABLE signals (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  vault_id text COLLATE "C" NOT NULL,
  hour timestamptz(3) NOT NULL,
  apy double precision,
  mean_apy double precision,
  volatility double precision,
  trend double precision,
  forecast_apy double precision,
  risk_adjusted_apy double precision,
  insufficient_history boolean NOT NULL,
  observations int NOT NULL,
  PRIMARY KEY (market_id, vault_id)
);

-- asset '*' is the series over all assets. candidate: different label read in the latest hours, and their number.
CREATE TABLE regimes (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  asset text NOT NULL,
  hour timestamptz(3) NOT NULL,
  regime text NOT NULL,
  candidate text,
  candidate_hours int NOT NULL,
  apy double precision,
  trend double precision,
  significance double precision,
  volatility double precision,
  change_ratio double precision,
  observations int NOT NULL,
  PRIMARY KEY (market_id, asset)
);

-- Market series: apy over the active vaults, weighted by their own TVL, null when none was observed; vaults: number of contributing vaults.
CREATE TABLE blended_points (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  asset text NOT NULL,
  hour timestamptz(3) NOT NULL,
  apy double precision,
  tvl numeric(40, 0),
  vaults int NOT NULL CHECK (vaults >= 0),
  PRIMARY KEY (market_id, asset, hour)
);
CREATE TRIGGER blended_points_are_final BEFORE UPDATE ON blended_points FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE yield_thresholds (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  asset text NOT NULL,
  level double precision NOT NULL,
  armed_above boolean NOT NULL,
  armed_below boolean NOT NULL,
  PRIMARY KEY (market_id, asset, level)
);
`;

/** Terms of partners (share) and campaigns (multiplier) by their beginning: settlements look them up, so that changes never apply retroactively. */
const TERMS = `
CREATE TABLE partner_terms (
  partner_id text COLLATE "C" NOT NULL REFERENCES partners,
  from_at timestamptz(3) NOT NULL,
  revenue_share_bps int NOT NULL CHECK (revenue_share_bps BETWEEN 0 AND 10000),
  PRIMARY KEY (partner_id, from_at)
);
CREATE INDEX partner_terms_by_time ON partner_terms (from_at);
INSERT INTO partner_terms SELECT id, created_at, revenue_share_bps FROM partners;

CREATE TABLE campaign_terms (
  campaign_id text COLLATE "C" NOT NULL REFERENCES campaigns,
  from_at timestamptz(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  multiplier_hundredths int NOT NULL CHECK (multiplier_hundredths BETWEEN 100 AND 1000),
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3),
  PRIMARY KEY (campaign_id, from_at)
);
INSERT INTO campaign_terms SELECT id, created_at, status, multiplier_hundredths, starts_at, ends_at FROM campaigns;
`;

const DECISIONS = `
-- record is the whole decision with its inputs, enough to repeat it. json, not jsonb, to keep the order of its fields.
CREATE TABLE decisions (
  id text COLLATE "C" PRIMARY KEY,
  market_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('route', 'rebalance', 'hold')),
  asset text NOT NULL,
  user_id text COLLATE "C",
  position_id text COLLATE "C",
  positions int NOT NULL CHECK (positions >= 0),
  from_vault_id text COLLATE "C",
  to_vault_id text COLLATE "C",
  hour timestamptz(3) NOT NULL,
  record json NOT NULL,
  at timestamptz(3) NOT NULL
);
CREATE INDEX decisions_by_partner ON decisions (partner_id, at, id);
CREATE INDEX decisions_by_hour ON decisions (market_id, hour) WHERE kind <> 'route';
CREATE TRIGGER decisions_are_final BEFORE UPDATE OR DELETE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decisions_stay BEFORE TRUNCATE ON decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Move in progress: position by position in the order of ids, up to after_id so far. amount_moved and cost_taken: amount moved and cost charged so
-- far.
CREATE TABLE moves (
  decision_id text COLLATE "C" PRIMARY KEY REFERENCES decisions,
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  from_vault_id text COLLATE "C" NOT NULL,
  to_vault_id text COLLATE "C" NOT NULL,
  decided_at timestamptz(3) NOT NULL,
  after_id text COLLATE "C" NOT NULL DEFAULT '',
  moved int NOT NULL DEFAULT 0,
  amount_moved numeric(40, 0) NOT NULL DEFAULT 0,
  cost_taken numeric(40, 0) NOT NULL DEFAULT 0,
  done_at timestamptz(3)
);
CREATE INDEX moves_open ON moves (market_id, decision_id) WHERE done_at IS NULL;
`;

const POSITIONS = `
-- No foreign keys to market, partner and campaign: every deposit would lock their rows, and concurrent deposits the same ones. Shares, never
-- balances. Book value is deposited - withdrawn + accrued - costs; yield since accrued_at is not posted yet. settled_lending and settled_hold: uplift
-- over a baseline that was settled by withdrawals. capital_moment: sum of each change of the principal times its time in milliseconds since 1970. The
-- other moments are the same with point time. slot: slot of its book rows.
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
  deposited numeric(40, 0) NOT NULL CHECK (deposited > 0),
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
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((status = 'closed') = (shares = 0)),
  CHECK ((origin_vault_id IS NULL) = (active_at IS NULL)),
  CHECK (status = 'closed' OR (status = 'pending') = (origin_vault_id IS NULL)),
  CHECK (deposited - withdrawn + accrued - costs >= 0),
  CHECK (status <> 'closed' OR deposited - withdrawn + accrued - costs = 0)
) WITH (fillfactor = 80);
CREATE INDEX positions_by_time ON positions (opened_at, id);
CREATE INDEX positions_by_partner ON positions (partner_id, opened_at, id);
CREATE INDEX positions_by_user ON positions (user_id, opened_at, id);
CREATE INDEX positions_in_vault ON positions (partner_id, vault_id, id) WHERE closed_at IS NULL;
CREATE INDEX positions_open_of_user ON positions (user_id, asset, vault_id) WHERE closed_at IS NULL;
CREATE INDEX positions_open ON positions (market_id, id) WHERE closed_at IS NULL;

-- Revenue of a user in one asset, over all positions: carried losses, and sums by terms. settled: number of settled entries, each of which has a
-- sequence number in the ledger.
CREATE TABLE revenue_accounts (
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  asset text NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  settled bigint NOT NULL DEFAULT 0 CHECK (settled >= 0),
  carried_loss numeric(40, 0) NOT NULL DEFAULT 0 CHECK (carried_loss >= 0),
  sums jsonb NOT NULL DEFAULT '[]',
  total_fee numeric(40, 0) NOT NULL DEFAULT 0 CHECK (total_fee >= 0),
  total_partner numeric(40, 0) NOT NULL DEFAULT 0 CHECK (total_partner >= 0 AND total_partner <= total_fee),
  PRIMARY KEY (user_id, asset)
) WITH (fillfactor = 80);
CREATE INDEX revenue_accounts_by_partner ON revenue_accounts (partner_id);

-- A transfer on a chain is recorded once.
CREATE TABLE settlements (
  tx_hash text COLLATE "C" PRIMARY KEY CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  position_id text COLLATE "C" NOT NULL,
  recorded_at timestamptz(3) NOT NULL
);

-- Statement of a UTC day: posted position by position, in the order of ids, up to after_id so far.
CREATE TABLE statements (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  day_end timestamptz(3) NOT NULL CHECK (date_trunc('day', day_end, 'UTC') = day_end),
  after_id text COLLATE "C" NOT NULL DEFAULT '',
  posted bigint NOT NULL DEFAULT 0,
  done_at timestamptz(3),
  PRIMARY KEY (market_id, day_end)
);
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
INSERT INTO book_users SELECT partner_id, 0, count(*) FROM users GROUP BY partner_id;

-- Holdings of the service in a vault, over all partners.
CREATE TABLE vault_shares (
  market_id text COLLATE "C" NOT NULL,
  vault_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  shares numeric(60, 0) NOT NULL,
  PRIMARY KEY (market_id, vault_id, slot)
) WITH (fillfactor = 50);
`;

const LEDGER = `
-- share_index: index of the vault; from_index: of the vault that a rebalance left; lending_index and hold_index: of the baselines that a deposit or
-- withdrawal was applied to. The bps are the terms that an accrual was settled at; revenue_place: sequence number in the revenue account of its user
-- and asset; user_value: the user's value before a withdrawal that took part of a carried loss with it. With these columns the entries alone
-- determine every position, book and sum.
CREATE TABLE ledger_entries (
  id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  type text NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'rebalance', 'yield_accrual')),
  user_id text COLLATE "C" NOT NULL,
  position_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  vault_id text COLLATE "C" NOT NULL,
  from_vault_id text COLLATE "C",
  amount numeric(40, 0) NOT NULL,
  cost numeric(40, 0) NOT NULL CHECK (cost >= 0),
  apy double precision,
  share_index numeric(60, 0) NOT NULL,
  from_index numeric(60, 0),
  lending_index numeric(60, 0),
  hold_index numeric(60, 0),
  fee_bps int,
  share_bps int,
  revenue_place bigint,
  user_value numeric(40, 0) CHECK (user_value >= amount),
  decision_id text COLLATE "C",
  tx_hash text COLLATE "C",
  PRIMARY KEY (at, id),
  CHECK (amount > 0 OR (type = 'yield_accrual' AND amount <> 0)),
  CHECK ((type = 'rebalance') = (from_vault_id IS NOT NULL)),
  CHECK ((type = 'rebalance') = (from_index IS NOT NULL)),
  CHECK ((type IN ('deposit', 'withdrawal')) = (lending_index IS NOT NULL AND hold_index IS NOT NULL)),
  CHECK ((type = 'yield_accrual') = (fee_bps IS NOT NULL AND share_bps IS NOT NULL)),
  CHECK (type = 'rebalance' OR cost = 0),
  CHECK ((revenue_place IS NOT NULL) = (type = 'yield_accrual' OR cost > 0 OR user_value IS NOT NULL)),
  CHECK (type = 'withdrawal' OR user_value IS NULL)
) PARTITION BY RANGE (at);
CREATE INDEX ledger_by_user ON ledger_entries (user_id, at, id);
CREATE INDEX ledger_by_position ON ledger_entries (position_id, at, id);
CREATE INDEX ledger_decisions_by_user ON ledger_entries (user_id, decision_id) WHERE decision_id IS NOT NULL;
CREATE INDEX ledger_decisions_by_position ON ledger_entries (position_id, decision_id) WHERE decision_id IS NOT NULL;
CREATE TRIGGER ledger_is_final BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Creates the partitions of a moment's month and of the next one. Attached instead of created in place, because entries are written meanwhile.
CREATE FUNCTION prepare_ledger(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamptz;
  partition text;
BEGIN
  FOR month IN SELECT date_trunc('month', moment, 'UTC') + n * interval '1 month' FROM generate_series(0, 1) AS n LOOP
    partition := 'ledger_entries_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    PERFORM pg_advisory_xact_lock(hashtext(current_schema() || '.ledger_entries'));
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
    EXECUTE format('ALTER TABLE ledger_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      partition, month, date_trunc('month', month, 'UTC') + interval '1 month');
  END LOOP;
END $$;
`;
