import {
  bool,
  double,
  integer,
  listOf,
  moment,
  orNull,
  rowCount,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

const HOUR = {
  ...{ marketId: text(), vaultId: text(), hour: time() },
  ...{ apy: orNull(double()), index: whole(), factor: whole() },
  /** Whether the market may have forgotten hours before the next one, or recorded it before it began. */
  isLoose: bool(),
};

/** The next $4 hours of vaults, by market and vault. $5 hours after which the market of an account forgets. */
export const PAGE_OF_HOURS = statement(
  'ledger.page_of_hours',
  { values: [text(), text(), moment(), rowCount(), double()], row: HOUR },
  `SELECT s.market_id AS "marketId", s.vault_id AS "vaultId", s.hour, s.apy, s.share_index AS index, s.factor,
          coalesce(s.hour < m.begun_hour OR (m.owner_id IS NOT NULL AND s.hour < m.ticked_hour - $5 * interval '1 hour'), false) AS "isLoose"
     FROM (SELECT * FROM snapshots WHERE (market_id, vault_id, hour) > ($1, $2, $3) ORDER BY market_id, vault_id, hour LIMIT $4) AS s
     JOIN markets m ON m.id = s.market_id
    ORDER BY s.market_id, s.vault_id, s.hour`,
);

/** Vaults that were followed by share prices, from which the growth of an hour does not follow here. */
export const FIND_PRICED = statement(
  'ledger.find_priced',
  { values: [], row: { vaultId: text() } },
  `SELECT DISTINCT vault_id AS "vaultId" FROM share_prices`,
);

/** Newest states of vaults that are not their newest hour; $1 vaults of the catalogue, which have the market's. */
export const FIND_STATE_DIFFERENCES = statement(
  'ledger.find_state_differences',
  {
    values: [listOf(text())],
    row: { marketId: text(), vaultId: text(), is: text(), should: orNull(text()) },
  },
  `SELECT v.market_id AS "marketId", v.vault_id AS "vaultId", concat_ws(' ', v.share_index, v.factor) AS is,
          concat_ws(' ', s.share_index, s.factor, CASE WHEN s.hour < m.ticked_hour THEN 'of an earlier hour' END) AS should
     FROM vault_states v JOIN markets m ON m.id = v.market_id
     LEFT JOIN LATERAL (SELECT * FROM snapshots WHERE market_id = v.market_id AND vault_id = v.vault_id ORDER BY hour DESC LIMIT 1) AS s ON true
    WHERE s.share_index IS DISTINCT FROM v.share_index OR s.factor IS DISTINCT FROM v.factor
       OR (v.vault_id = ANY($1) AND s.hour IS DISTINCT FROM m.ticked_hour)
    ORDER BY v.market_id, v.vault_id`,
);

/** Index within the hour of snapshot s, as in `yield-index.ts`. */
const GROWN = `s.share_index * s.factor * (round(date_part('epoch', used.at) * 1000)::numeric % 3600000)`;
const PER_HOUR = '3600000e18::numeric';
const WITHIN = `s.share_index + div(${GROWN}, ${PER_HOUR}) - CASE WHEN mod(${GROWN}, ${PER_HOUR}) < 0 THEN 1 ELSE 0 END`;

/**
 * Indexes of the next $4 entries by position, time and id, against the hours of their vaults: how many were compared, how many could not be, and those
 * that differ, with their expected index; null: the hour is not there. $5 as above. An APY is one of the two that were observed last. A lateral join
 * looks each hour up by all of its key, also where the planner knows nothing of the tables.
 */
export const PAGE_OF_INDEXES = statement(
  'ledger.page_of_indexes',
  {
    values: [text(), moment(), text(), rowCount(), double()],
    row: {
      /** The last of them. */
      ...{ positionId: text(), at: time(), id: text(), rows: integer() },
      ...{ ofPosition: orNull(text()), entryId: orNull(text()), what: orNull(text()) },
      ...{ is: orNull(text()), should: orNull(text()) },
      /** Indexes that were compared, and those of hours that the market has forgotten or not reached. */
      ...{ compared: integer(), uncompared: integer(), differences: integer() },
    },
  },
  `WITH page AS MATERIALIZED (
     SELECT * FROM ledger_entries WHERE (position_id, at, id) > ($1, $2, $3) ORDER BY position_id, at, id LIMIT $4
   ), used AS (
     SELECT e.id, e.position_id, e.at, e.apy, p.market_id, v.*, date_trunc('hour', e.at, 'UTC') AS hour
       FROM page e JOIN positions p ON p.id = e.position_id
      CROSS JOIN LATERAL (VALUES
        ('index', e.vault_id, e.share_index), ('index of the vault it left', e.from_vault_id, e.from_index),
        ('index of the lending baseline', p.lending_vault_id, e.lending_index),
        ('index of the hold baseline', CASE WHEN p.active_at <= e.at THEN p.origin_vault_id ELSE e.vault_id END, e.hold_index)
      ) AS v(what, vault_id, index)
      WHERE v.index IS NOT NULL
   ), found AS (
     SELECT used.*, ${WITHIN} AS should, s.hour IS NULL AS is_gone,
            used.hour > m.ticked_hour OR (m.owner_id IS NOT NULL AND used.hour < m.ticked_hour - $5 * interval '1 hour') AS is_beyond
       FROM used JOIN markets m ON m.id = used.market_id
       LEFT JOIN LATERAL (
         SELECT * FROM snapshots WHERE market_id = used.market_id AND vault_id = used.vault_id AND hour = used.hour LIMIT 1) AS s ON true
   ), known AS (
     -- A vault that had no hour yet has the index with which it begins.
     SELECT found.*, CASE WHEN is_gone AND NOT EXISTS (
              SELECT FROM snapshots s WHERE s.market_id = found.market_id AND s.vault_id = found.vault_id AND s.hour < found.hour) THEN 1e18 ELSE should END AS expected
       FROM found
   ), all_of AS (
     SELECT id, position_id, what, index::text AS is, trunc(expected)::text AS should FROM known WHERE NOT (is_gone AND is_beyond) AND index IS DISTINCT FROM expected
     UNION ALL
     SELECT id, position_id, 'apy', apy::text, array_to_string(seen.apys, ' or ') FROM known
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT s.apy FROM snapshots s
              WHERE s.market_id = known.market_id AND s.vault_id = known.vault_id AND s.hour <= known.hour AND s.apy IS NOT NULL
              ORDER BY s.hour DESC LIMIT 2) AS apys) AS seen
      WHERE what = 'index' AND NOT is_gone AND apy IS NOT NULL AND apy <> ALL(seen.apys)
   ), last AS (
     SELECT position_id, at, id, (SELECT count(*) FROM page)::int AS rows FROM page ORDER BY position_id DESC, at DESC, id DESC LIMIT 1
   )
   SELECT last.position_id AS "positionId", last.at, last.id, last.rows, d.position_id AS "ofPosition", d.id AS "entryId", d.what, d.is, d.should,
          (SELECT count(*) FILTER (WHERE NOT (is_gone AND is_beyond)) FROM known)::int AS compared,
          (SELECT count(*) FILTER (WHERE is_gone AND is_beyond) FROM known)::int AS uncompared,
          (SELECT count(*) FROM all_of)::int AS differences
     FROM last LEFT JOIN (SELECT * FROM all_of ORDER BY position_id, id LIMIT 100) AS d ON true`,
);
