import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** The ledger: entries that alone determine every position, book and sum, and its partitions by month. */
export class Ledger1100000000003 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [LEDGER, PARTITIONS, CHECKPOINT]) await runner.query(sql);
    await runner.query('SELECT prepare_ledger(now())');
  }
}

const LEDGER = `
-- share_index: index of the vault; from_index: of the vault that a rebalance left; lending_index and hold_index: of the baselines that a deposit or
-- withdrawal was applied to. The bps are the terms that an accrual was settled at; revenue_place: sequence number in the revenue account of its user
-- and asset; user_value: the user's value before a withdrawal that took part of a carried loss with it. voids: hash of the transfer that an entry
-- reverses. With these columns the entries alone determine every position, book and sum. at: when an entry has its effect; recorded_at: when it was
-- booked, which never lies before. fee, partner_revenue and carried_loss: what the entry added to these figures of its revenue account.
CREATE TABLE ledger_entries (
  id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  type text NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'rebalance', 'yield_accrual')),
  partner_id text COLLATE "C" NOT NULL,
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
  fee numeric(40, 0) NOT NULL DEFAULT 0,
  partner_revenue numeric(40, 0) NOT NULL DEFAULT 0,
  carried_loss numeric(40, 0) NOT NULL DEFAULT 0,
  decision_id text COLLATE "C",
  tx_hash text COLLATE "C",
  voids text COLLATE "C",
  PRIMARY KEY (at, id),
  CHECK (amount > 0 OR (type = 'yield_accrual' AND amount <> 0)),
  CHECK ((type = 'rebalance') = (from_vault_id IS NOT NULL)),
  CHECK ((type = 'rebalance') = (from_index IS NOT NULL)),
  CHECK ((type IN ('deposit', 'withdrawal')) = (lending_index IS NOT NULL AND hold_index IS NOT NULL)),
  CHECK ((type = 'yield_accrual') = (fee_bps IS NOT NULL AND share_bps IS NOT NULL)),
  CHECK (type = 'rebalance' OR cost = 0),
  CHECK ((revenue_place IS NOT NULL) = (type = 'yield_accrual' OR cost > 0 OR user_value IS NOT NULL)),
  CHECK (type = 'withdrawal' OR user_value IS NULL),
  CHECK (recorded_at >= at),
  CHECK (revenue_place IS NOT NULL OR (fee = 0 AND partner_revenue = 0 AND carried_loss = 0))
) PARTITION BY RANGE (at);
-- Pages run by booking. Ids begin with the time of booking, so that a partner's sort by it.
CREATE INDEX ledger_by_user ON ledger_entries (user_id, id);
CREATE INDEX ledger_by_partner ON ledger_entries (partner_id, id);
CREATE INDEX ledger_by_position ON ledger_entries (position_id, at, id);
CREATE INDEX ledger_decisions_by_user ON ledger_entries (user_id, decision_id) WHERE decision_id IS NOT NULL;
CREATE INDEX ledger_decisions_by_position ON ledger_entries (position_id, decision_id) WHERE decision_id IS NOT NULL;
-- Entries that change more of a position than what it accrued.
CREATE INDEX ledger_changes ON ledger_entries (position_id, at, id)
  WHERE type <> 'yield_accrual' OR decision_id IS NOT NULL OR voids IS NOT NULL;
-- For the verifier: byte order, which does not depend on the database's locale.
CREATE INDEX ledger_by_place ON ledger_entries (user_id, asset COLLATE "C", revenue_place, id) WHERE revenue_place IS NOT NULL;
-- Who may delete an entry stands with the accounts.
CREATE TRIGGER ledger_is_final BEFORE UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Newest booking of each partner, and the end of its newest closed day. Whoever books takes the row until commit, so that a partner's entries become visible in the order of their ids.
CREATE TABLE ledger_heads (
  partner_id text COLLATE "C" PRIMARY KEY,
  recorded_at timestamptz(3) NOT NULL,
  closed_until timestamptz(3) NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);

-- Refuses what is dated in a closed day, as a conflict: the transaction is repeated, and dated anew.
CREATE FUNCTION booked_after(recorded_at timestamptz, at timestamptz, closed_until timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF at >= closed_until THEN RETURN recorded_at; END IF;
  RAISE EXCEPTION 'The day of % is closed.', at USING ERRCODE = 'serialization_failure';
END $$;

-- An id with the time of booking in place of its own time: 48 bits, in 10 digits of base32 behind the prefix.
CREATE FUNCTION booked_id(id text, recorded_at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT left(id, 4) || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
           ((round(date_part('epoch', recorded_at) * 1000)::bigint >> shift) & 31)::int + 1, 1), '' ORDER BY shift DESC) || substr(id, 15)
    FROM generate_series(0, 45, 5) AS shift
$$;
`;

/**
 * Partitions are created by one process at a time, and attached instead of created in place, because entries are written meanwhile. The lock is on a
 * relation: after waiting for it, a process sees what was created meanwhile, which an advisory lock does not ensure. It does not block writes.
 */
const PARTITIONS = `
CREATE FUNCTION has_table(name text) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace)
$$;

-- The partitions of a moment's month and of the next one; none where all entries share one.
CREATE FUNCTION prepare_ledger(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamptz;
  partition text;
BEGIN
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  FOR month IN SELECT date_trunc('month', moment, 'UTC') + n * interval '1 month' FROM generate_series(0, 1) AS n LOOP
    partition := 'ledger_entries_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
    CONTINUE WHEN has_table(partition);
    LOCK TABLE ledger_entries IN SHARE UPDATE EXCLUSIVE MODE;
    CONTINUE WHEN has_table(partition);
    EXECUTE format('CREATE TABLE %I (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
    EXECUTE format('ALTER TABLE ledger_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      partition, month, date_trunc('month', month, 'UTC') + interval '1 month');
  END LOOP;
END $$;

-- Where accounts have clocks of their own, a default partition takes all entries that no month's does. From then on no month is created: attaching
-- one would read the whole default partition while writes are blocked.
CREATE FUNCTION share_ledger() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  LOCK TABLE ledger_entries IN SHARE UPDATE EXCLUSIVE MODE;
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  CREATE TABLE ledger_entries_shared (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON ledger_entries_shared FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE ledger_entries ATTACH PARTITION ledger_entries_shared DEFAULT;
END $$;
`;

/**
 * Checkpoint of the verifier: everything as it was when it last followed from the ledger. A migration that changes one of the copied tables has to
 * empty all of these, so that the next run begins at the beginning.
 */
const CHECKPOINT = `
-- entries, last_at, last_id: the position's entries that are covered. digest: sum of their hashes.
CREATE TABLE checked_positions (
  LIKE positions,
  entries bigint NOT NULL,
  last_at timestamptz(3) NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  digest numeric NOT NULL,
  PRIMARY KEY (id)
) WITH (fillfactor = 50);
CREATE TABLE checked_accounts (LIKE revenue_accounts, PRIMARY KEY (user_id, asset)) WITH (fillfactor = 80);
CREATE TABLE checked_shares (LIKE book_shares, PRIMARY KEY (partner_id, asset, book, vault_id, slot));
CREATE TABLE checked_totals (LIKE book_totals, PRIMARY KEY (partner_id, asset, slot));
CREATE TABLE checked_revenue (LIKE book_revenue, PRIMARY KEY (partner_id, asset, slot));
CREATE TABLE checked_points (LIKE book_points, PRIMARY KEY (partner_id, asset, campaign_id, slot));
CREATE TABLE checked_vaults (LIKE vault_shares, PRIMARY KEY (market_id, vault_id, slot));
-- Sums of the entries of a decision that has an order.
CREATE TABLE checked_moves (
  decision_id text COLLATE "C" PRIMARY KEY,
  cash numeric(40, 0) NOT NULL,
  vault numeric(40, 0) NOT NULL,
  cost numeric(40, 0) NOT NULL,
  gain numeric(40, 0) NOT NULL
);

-- Runs of the verifier. entries: how many were read. seal: hash of the checkpoint that the run left; null: it found a difference, and left the one
-- before it as it was.
CREATE TABLE ledger_checks (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  verified_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  is_full boolean NOT NULL,
  entries bigint NOT NULL CHECK (entries >= 0),
  differences int NOT NULL CHECK (differences >= 0),
  seal text,
  CHECK ((seal IS NULL) = (differences > 0))
);
`;
