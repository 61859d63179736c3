import { READING, REGIME_STATE } from '../signals/regime.js';
import { SIGNAL } from '../signals/signal.js';
import type { Scenario } from '../simulation/simulated-market.js';
import { type Threshold, THRESHOLD } from '../signals/threshold.js';
import { RECENT } from '../vaults/recent.js';
import { POINT } from './market-series.js';
import type { QuarantineReason, SimulatedPlace } from '../vaults/vault-state.js';
import {
  columnsOf,
  double,
  insertOf,
  integer,
  json,
  listOf,
  numbers,
  orNull,
  type RowOf,
  text,
  time,
  upsertOf,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

export const STATE = {
  vaultId: text(),
  shareIndex: whole(),
  factor: whole(),
  lastApy: orNull(double()),
  lastTvl: orNull(whole()),
  lastAssets: orNull(whole()),
  lastLiquidity: orNull(whole()),
  observedHour: orNull(time()),
  recentApy: orNull(double()),
  longApy: orNull(double()),
  simulated: orNull(json<SimulatedPlace>()),
  // Price columns are all null when no price was seen; the yields may be null also beside a price.
  priceSource: orNull(text()),
  price: orNull(whole()),
  priceTarget: orNull(whole()),
  priceBlock: orNull(whole()),
  priceAt: orNull(time()),
  weekApy: orNull(double()),
  otherApy: orNull(double()),
  baseFees: orNull(numbers<number[]>()),
  doubtedSince: orNull(time()),
  // Both null, or neither.
  quarantinedUntil: orNull(time()),
  quarantineReason: orNull(text<QuarantineReason>()),
};
export type StateRow = RowOf<typeof STATE>;

const STATE_COLUMNS = columnsOf(STATE, 'state');

/** Where a market's simulated yields come from. */
export const ORIGIN = {
  /** null: the market's id is the seed. */
  seed: orNull(text()),
  /** The market's first hour; null: never ticked. */
  begunHour: orNull(time()),
  /** null: no scenario is active. */
  scenario: orNull(text<Scenario['name']>()),
  scenarioFrom: orNull(time()),
};

export const VAULT_IN_MARKET = { ...ORIGIN, ...STATE };
export const VAULT_IN_MARKET_COLUMNS = `${columnsOf(ORIGIN, 'market')}, ${STATE_COLUMNS}`;

const { scenario, scenarioFrom } = ORIGIN;
const REACHED = { tickedHour: orNull(time()), hoursAhead: integer(), scenario, scenarioFrom };
/** Newest hour of a market, hours by which its clock is ahead of the wall clock, and its scenario. */
export const FIND_REACHED = statement(
  'markets.find_reached',
  { values: [text()], row: REACHED },
  `SELECT ${columnsOf(REACHED)} FROM markets WHERE id = $1`,
);

/** Creates a market when it is new (owned by $2, or shared), and locks it until commit, which serialises its ticks. */
export const LOCK_MARKET = statement(
  'markets.lock_market',
  {
    values: [text(), orNull(text())],
    row: {
      tickedHour: orNull(time()),
      /** The newest hour in which a flow was dated ahead of the ticks; null: none. */
      bookedHour: orNull(time()),
      ...ORIGIN,
    },
  },
  `INSERT INTO markets AS market (id, owner_id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET id = excluded.id
   RETURNING market.ticked_hour AS "tickedHour", market.booked_hour AS "bookedHour",
             ${columnsOf(ORIGIN, 'market')}`,
);

/** Marks the hour of a flow dated beyond the hour after the newest. Locks the market until commit, so that a tick comes before it or sees it. */
export const MARK_BOOKED = statement(
  'markets.mark_booked',
  { values: [text(), time()], row: {} },
  `UPDATE markets SET booked_hour = greatest(booked_hour, $2::timestamptz) WHERE id = $1`,
);

export const SET_TICKED_HOUR = statement(
  'markets.set_ticked_hour',
  { values: [text(), time(), time()], row: {} },
  `UPDATE markets SET ticked_hour = $2, begun_hour = coalesce(begun_hour, $3) WHERE id = $1`,
);

export const END_QUARANTINE = statement(
  'markets.end_quarantine',
  { values: [text(), text()], row: {} },
  `UPDATE vault_states SET quarantined_until = NULL, quarantine_reason = NULL WHERE market_id = $1 AND vault_id = $2`,
);

export const FIND_STATES = statement(
  'markets.find_states',
  { values: [text()], row: STATE },
  `SELECT ${STATE_COLUMNS} FROM vault_states AS state WHERE market_id = $1`,
);

/** Vaults of a market that were never observed, with their first hour in it: hours that were prepended to the market do not count. */
export const FIND_UNOBSERVED = statement(
  'markets.find_unseen',
  { values: [text()], row: { vaultId: text(), since: time() } },
  `SELECT state.vault_id AS "vaultId", greatest(market.begun_hour, first.hour) AS since
     FROM vault_states AS state
     JOIN markets AS market ON market.id = state.market_id
    CROSS JOIN LATERAL (
       SELECT hour FROM snapshots WHERE market_id = state.market_id AND vault_id = state.vault_id ORDER BY hour LIMIT 1) AS first
    WHERE state.market_id = $1 AND state.observed_hour IS NULL`,
);

const OF_MARKET = { marketId: '$1' };

export const SAVE_STATES = statement(
  'markets.save_states',
  { values: [text(), json<string>()], row: {} },
  upsertOf('vault_states', STATE, ['marketId', 'vaultId'], '$2', OF_MARKET),
);

const SNAPSHOT = {
  vaultId: text(),
  hour: time(),
  apy: double(),
  tvl: whole(),
  assets: whole(),
  liquidity: whole(),
  shareIndex: whole(),
  factor: whole(),
  riskAdjustedApy: double(),
  rewardApy: double(),
};
/** Append-only: an existing hour stays as it is. */
export const APPEND_SNAPSHOTS = statement(
  'markets.append_snapshots',
  { values: [text(), json<string>()], row: {} },
  `${insertOf('snapshots', SNAPSHOT, '$2', OF_MARKET)} ON CONFLICT DO NOTHING`,
);

/** Hours since 1970, in the order of the values aggregated beside them: formatting and parsing timestamps would take longer than everything else. */
const HOURS = `string_agg((date_part('epoch', hour) / 3600)::int::text, ',')`;

/**
 * Recent hours of each vault: APYs with their hours, the hour of its very first snapshot, and the levels of its last day and its assets of a week,
 * oldest first; levels as text, which JSON keeps exact. One scan, since the vaults of an hour are stored together. Text and JSON, because hundreds of
 * values are parsed each hour. Parameters: market, vault ids, first and last hour, first hour of the day and of the week. `hours`: since 1970,
 * comma-separated in any order, and `apys` their values; all null without any.
 */
export const FIND_HISTORIES = statement(
  'markets.find_histories',
  {
    values: [text(), listOf(text()), time(), time(), time(), time()],
    row: {
      vaultId: text(),
      firstHour: orNull(time()),
      hours: orNull(text()),
      apys: orNull(numbers<number[]>()),
      levels: orNull(json<[string, string | null][]>()),
      assets: orNull(numbers()),
    },
  },
  `SELECT vault.id AS "vaultId", first.hour AS "firstHour", last.hours, last.apys, last.levels, last.assets
     FROM unnest($2::text[]) AS vault(id)
     LEFT JOIN LATERAL (SELECT hour FROM snapshots WHERE market_id = $1 AND vault_id = vault.id ORDER BY hour LIMIT 1) AS first ON true
     LEFT JOIN (
       SELECT vault_id, ${HOURS} FILTER (WHERE apy IS NOT NULL) AS hours, json_agg(apy) FILTER (WHERE apy IS NOT NULL) AS apys,
              json_agg(json_build_array(share_index::text, liquidity::text) ORDER BY hour) FILTER (WHERE hour >= $5) AS levels,
              json_agg(assets::float8 ORDER BY hour) FILTER (WHERE hour >= $6) AS assets
         FROM snapshots WHERE market_id = $1 AND vault_id = ANY($2) AND hour BETWEEN $3 AND $4
        GROUP BY vault_id
     ) AS last ON last.vault_id = vault.id`,
);

export const FIND_REGIMES = statement(
  'markets.find_regimes',
  {
    values: [text()],
    row: { asset: text(), ...REGIME_STATE },
  },
  `SELECT ${columnsOf({ asset: text(), ...REGIME_STATE })} FROM regimes WHERE market_id = $1`,
);

/** Market series of assets $2 in market $1: last known APY, thresholds, hour of the first point, and its hours from $3 to $4 as above. */
export const FIND_YIELDS = statement(
  'markets.find_yields',
  {
    values: [text(), listOf(text()), time(), time()],
    row: {
      asset: text(),
      apy: orNull(double()),
      firstHour: orNull(time()),
      hours: orNull(text()),
      apys: orNull(numbers()),
      tvls: orNull(json<(string | null)[]>()),
      vaults: orNull(numbers<number[]>()),
      thresholds: json<Threshold[]>(),
    },
  },
  `SELECT name AS asset, known.apy, first.hour AS "firstHour", last.hours, last.apys, last.tvls, last.vaults,
          (SELECT coalesce(json_agg(json_build_object('level', level, 'armedAbove', armed_above, 'armedBelow', armed_below)), '[]')
             FROM yield_thresholds AS kept WHERE kept.market_id = $1 AND kept.asset = name) AS thresholds
     FROM unnest($2::text[]) AS name
     LEFT JOIN LATERAL (SELECT apy FROM blended_points WHERE market_id = $1 AND asset = name AND apy IS NOT NULL ORDER BY hour DESC LIMIT 1) AS known ON true
     LEFT JOIN LATERAL (SELECT hour FROM blended_points WHERE market_id = $1 AND asset = name ORDER BY hour LIMIT 1) AS first ON true
    CROSS JOIN LATERAL (
       SELECT ${HOURS} AS hours, json_agg(apy) AS apys, json_agg(tvl::text) AS tvls, json_agg(vaults) AS vaults
         FROM blended_points WHERE market_id = $1 AND asset = name AND hour BETWEEN $3 AND $4
    ) AS last`,
);

export const SAVE_SIGNALS = statement(
  'markets.save_signals',
  { values: [text(), time(), json<string>()], row: {} },
  upsertOf('signals', { vaultId: text(), ...SIGNAL, ...RECENT }, ['marketId', 'vaultId'], '$3', {
    ...OF_MARKET,
    hour: '$2',
  }),
);

const REGIME = { asset: text(), ...READING, ...REGIME_STATE };
export const SAVE_REGIMES = statement(
  'markets.save_regimes',
  { values: [text(), time(), json<string>()], row: {} },
  upsertOf('regimes', REGIME, ['marketId', 'asset'], '$3', { ...OF_MARKET, hour: '$2' }),
);

/** Append-only, like snapshots. */
export const APPEND_POINTS = statement(
  'markets.append_points',
  { values: [text(), json<string>()], row: {} },
  `${insertOf('blended_points', POINT, '$2', OF_MARKET)} ON CONFLICT DO NOTHING`,
);

export const SAVE_THRESHOLDS = statement(
  'markets.save_thresholds',
  { values: [text(), json<string>()], row: {} },
  upsertOf(
    'yield_thresholds',
    { asset: text(), ...THRESHOLD },
    ['marketId', 'asset', 'level'],
    '$2',
    OF_MARKET,
  ),
);
