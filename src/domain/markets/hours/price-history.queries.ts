import { double, json, listOf, numeric, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** Known hours of each vault's own contract since $3. Parameters: vault ids, their contracts, the hour. */
export const FIND_KNOWN_HOURS = statement(
  'markets.find_known_price_hours',
  { values: [listOf(text()), listOf(text()), time()], row: { vaultId: text(), hour: time() } },
  `SELECT vault_id AS "vaultId", hour FROM share_prices JOIN unnest($1::text[], $2::text[]) AS asked(id, origin) ON vault_id = asked.id AND source = asked.origin
    WHERE hour >= $3`,
);

/**
 * Prices before the market's first hour $4, for vaults whose snapshots begin there, hour by hour, oldest first. Parameters: market, vault ids, their
 * contracts, the hour.
 */
export const FIND_BEFORE_BEGINNING = statement(
  'markets.find_prices_before_beginning',
  {
    values: [text(), listOf(text()), listOf(text()), time()],
    row: {
      vaultId: text(),
      hour: time(),
      source: text(),
      price: numeric(),
      tvl: orNull(numeric()),
      assets: orNull(numeric()),
      liquidity: orNull(numeric()),
      blockNumber: numeric(),
      blockHash: text(),
      blockAt: time(),
    },
  },
  `SELECT known.vault_id AS "vaultId", known.hour, known.source, known.price, known.tvl, known.assets, known.liquidity, known.block_number AS "blockNumber",
          known.block_hash AS "blockHash", known.block_at AS "blockAt"
     FROM share_prices AS known JOIN unnest($2::text[], $3::text[]) AS asked(id, origin) ON known.vault_id = asked.id AND known.source = asked.origin
    WHERE known.hour < $4
      AND NOT EXISTS (SELECT FROM snapshots AS earlier WHERE earlier.market_id = $1 AND earlier.vault_id = known.vault_id AND earlier.hour < $4)
    ORDER BY known.vault_id, known.hour`,
);

/** Each vault's index at the market's first hour $3, and the yields observed since, oldest first. Parameters: market, vault ids, the hour. */
export const FIND_SINCE_BEGINNING = statement(
  'markets.find_snapshots_since_beginning',
  {
    values: [text(), listOf(text()), time()],
    row: { vaultId: text(), index: numeric(), apys: json<number[]>() },
  },
  `SELECT vault_id AS "vaultId", (array_agg(share_index ORDER BY hour))[1] AS index,
          coalesce(json_agg(apy ORDER BY hour) FILTER (WHERE apy IS NOT NULL), '[]') AS apys
     FROM snapshots WHERE market_id = $1 AND vault_id = ANY($2) AND hour >= $3 GROUP BY vault_id`,
);

export const SAVE_AVERAGES = statement(
  'markets.save_averages',
  { values: [text(), listOf(text()), listOf(double()), listOf(double())], row: {} },
  `UPDATE vault_states AS state SET recent_apy = new.recent, long_apy = new.long
     FROM unnest($2::text[], $3::float8[], $4::float8[]) AS new(id, recent, long)
    WHERE state.market_id = $1 AND state.vault_id = new.id`,
);
