import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Markets: the hours of their vaults, what signals and regimes make of them, and share prices on chains. Indexes have a scale of 1e18. */
export class Markets1100000000001 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MARKETS, VAULTS, SIGNALS, SERIES, PRICES]) await runner.query(sql);
  }
}

/**
 * ticked_hour: the newest hour. routed_hour: the newest hour that routing has evaluated, once. owner_id: partner that has the market to itself; null:
 * shared. seed null: the market's id is the seed. begun_hour: hour from which the random draws are counted.
 */
const MARKETS = `
CREATE TABLE markets (
  id text COLLATE "C" PRIMARY KEY,
  ticked_hour timestamptz(3) CHECK (date_trunc('hour', ticked_hour, 'UTC') = ticked_hour),
  routed_hour timestamptz(3),
  owner_id text COLLATE "C" REFERENCES partners,
  seed text CHECK (char_length(seed) BETWEEN 1 AND 64),
  hours_ahead int NOT NULL DEFAULT 0 CHECK (hours_ahead >= 0),
  scenario text CHECK (scenario IN ('calm', 'rising', 'falling', 'volatile', 'outage', 'loss', 'run', 'failing')),
  scenario_from timestamptz(3),
  begun_hour timestamptz(3) CHECK (date_trunc('hour', begun_hour, 'UTC') = begun_hour),
  booked_hour timestamptz(3),
  CHECK (owner_id IS NOT NULL OR (hours_ahead = 0 AND seed IS NULL AND scenario IS NULL)),
  CHECK ((scenario IS NULL) = (scenario_from IS NULL))
);
CREATE INDEX markets_by_owner ON markets (owner_id) WHERE owner_id IS NOT NULL;
`;

/** factor: growth of a vault's index within an hour, fixed when the hour begins: scale 1e18, 0 while the index rests. */
const VAULTS = `
-- Newest state of each vault; its path is in the snapshots. last_apy: last observation and its hour; recent_apy, long_apy: averages of observed ones;
-- simulated: place of a simulated vault on its path. price: last observed share price on a chain. A single price gives no
-- yield, so an hour may be observed without one. quarantined_until: the vault takes no new funds before that. doubted_since: hour since which its readings wait to be
-- confirmed. base_fees: of its chain, in the last 24 observed hours, wei.
CREATE TABLE vault_states (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  vault_id text COLLATE "C" NOT NULL,
  share_index numeric(60, 0) NOT NULL CHECK (share_index > 0),
  last_apy double precision,
  last_tvl numeric(40, 0) CHECK (last_tvl >= 0),
  last_assets numeric(40, 0) CHECK (last_assets >= 0),
  last_liquidity numeric(40, 0) CHECK (last_liquidity >= 0),
  observed_hour timestamptz(3),
  simulated json,
  recent_apy double precision,
  long_apy double precision,
  factor numeric(40, 0) NOT NULL DEFAULT 0,
  price_source text COLLATE "C",
  price numeric(78, 0) CHECK (price >= 0),
  price_target numeric(60, 0) CHECK (price_target > 0),
  price_block numeric(20, 0),
  price_at timestamptz(3),
  week_apy double precision,
  other_apy double precision,
  base_fees json,
  doubted_since timestamptz(3),
  quarantined_until timestamptz(3),
  quarantine_reason text CHECK ((quarantine_reason IS NULL) = (quarantined_until IS NULL)),
  PRIMARY KEY (market_id, vault_id),
  CHECK (last_apy IS NULL OR observed_hour IS NOT NULL),
  CHECK ((recent_apy IS NULL) = (long_apy IS NULL)),
  CHECK (num_nonnulls(price_source, price, price_target, price_block, price_at) IN (0, 5))
);

-- apy is null when the feed had no data for the hour: missing data are never 0. tvl: as the feed counts it; assets: all deposits; liquidity: part of
-- them that can be withdrawn. reward_apy: of tokens that are claimed apart and never accrue.
CREATE TABLE snapshots (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  vault_id text COLLATE "C" NOT NULL,
  hour timestamptz(3) NOT NULL CHECK (date_trunc('hour', hour, 'UTC') = hour),
  apy double precision,
  tvl numeric(40, 0) CHECK (tvl >= 0),
  assets numeric(40, 0) CHECK (assets >= 0),
  liquidity numeric(40, 0) CHECK (liquidity >= 0),
  share_index numeric(60, 0) NOT NULL CHECK (share_index > 0),
  factor numeric(40, 0) NOT NULL DEFAULT 0,
  risk_adjusted_apy double precision,
  reward_apy double precision CHECK (reward_apy >= 0),
  PRIMARY KEY (market_id, vault_id, hour)
);
CREATE TRIGGER snapshots_are_final BEFORE UPDATE ON snapshots FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

const SIGNALS = `
-- Signals of each vault at the newest hour. Rates are fractions. index_change: within a day; assets_change: from the median of a week;
-- high_liquidity, short_apy: highest and mean of 6 hours; three_day_lead: largest lead over the lending vault in 72 hours.
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
  expected_apy double precision,
  index_change double precision,
  assets_change double precision,
  high_liquidity numeric(40, 0),
  short_apy double precision,
  three_day_apy double precision,
  three_day_lead double precision,
  PRIMARY KEY (market_id, vault_id)
);

-- asset '*' is the series over all assets. candidate: different label read in the latest hours, and their number. observed_hour: the newest
-- observation behind the regime, whose age can be shown at any moment.
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
  observed_hour timestamptz(3),
  PRIMARY KEY (market_id, asset)
);
`;

const SERIES = `
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

/** Share prices by the hour in which they were the newest on the chain: of the deployment's own hours, and of earlier hours that were read later. */
const PRICES = `
CREATE TABLE share_prices (
  vault_id text COLLATE "C" NOT NULL,
  hour timestamptz(3) NOT NULL CHECK (date_trunc('hour', hour, 'UTC') = hour),
  source text COLLATE "C" NOT NULL,
  price numeric(78, 0) NOT NULL CHECK (price >= 0),
  tvl numeric(40, 0) CHECK (tvl >= 0),
  assets numeric(40, 0) CHECK (assets >= 0),
  liquidity numeric(40, 0) CHECK (liquidity >= 0),
  block_number numeric(20, 0) NOT NULL,
  block_hash text COLLATE "C" NOT NULL,
  block_at timestamptz(3) NOT NULL,
  PRIMARY KEY (vault_id, source, hour)
);
CREATE TRIGGER share_prices_are_final BEFORE UPDATE ON share_prices FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
