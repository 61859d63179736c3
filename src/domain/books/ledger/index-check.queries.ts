import {
  bool,
  double,
  json,
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
  marketId: text(),
  vaultId: text(),
  hour: time(),
  apy: orNull(double()),
  index: whole(),
  factor: whole(),
  /** Whether the market may have forgotten hours before the next one, or recorded it before it began. */
  isLoose: bool(),
};

/** The next $4 hours of vaults, by market and vault. $5 hours after which the market of an account forgets. */
export const PAGE_OF_HOURS = statement(
  'ledger.page_of_hours',
  { values: [text(), text(), moment(), rowCount(), double()], row: HOUR },
  `SELECT s.market_id AS "marketId", s.vault_id AS "vaultId", s.hour, s.apy, s.share_index AS index, s.factor,
          coalesce(s.hour < m.begun_hour OR (m.owner_id IS NOT NULL AND s.hour <= m.ticked_hour - $5 * interval '1 hour'), false) AS "isLoose"
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

/**
 * Hours $3 of vaults $2 of markets $1; an index of null: the hour is not there. $4 hours after which the market of an account forgets. A lateral join looks
 * each hour up by all of its key, also where the planner knows nothing of the tables.
 */
export const FIND_HOURS_OF_ENTRIES = statement(
  'ledger.find_hours_of_entries',
  {
    values: [listOf(text()), listOf(text()), listOf(time()), double()],
    row: {
      marketId: text(),
      vaultId: text(),
      hour: time(),
      index: orNull(whole()),
      factor: orNull(whole()),
      /** The two that were observed last. */
      apys: json<number[]>(),
      /** Whether the market has forgotten the hour, or not reached it. */
      isBeyond: bool(),
      /** Whether the vault has no hour before it. */
      isBeforeAll: bool(),
    },
  },
  `SELECT asked.market AS "marketId", asked.vault AS "vaultId", asked.hour, s.share_index AS index, s.factor,
          (SELECT coalesce(json_agg(apy), '[]') FROM (SELECT apy FROM snapshots
             WHERE market_id = asked.market AND vault_id = asked.vault AND hour <= asked.hour AND apy IS NOT NULL ORDER BY hour DESC LIMIT 2) AS newest) AS apys,
          s.hour IS NULL AND coalesce(
            asked.hour > m.ticked_hour OR (m.owner_id IS NOT NULL AND asked.hour < m.ticked_hour - $4 * interval '1 hour'), false) AS "isBeyond",
          s.hour IS NULL AND NOT EXISTS (
            SELECT FROM snapshots WHERE market_id = asked.market AND vault_id = asked.vault AND hour < asked.hour) AS "isBeforeAll"
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS asked(market, vault, hour)
     LEFT JOIN markets m ON m.id = asked.market
     LEFT JOIN LATERAL (
       SELECT * FROM snapshots WHERE market_id = asked.market AND vault_id = asked.vault AND hour = asked.hour LIMIT 1) AS s ON true`,
);
