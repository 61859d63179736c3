import { json, listOf, numeric, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/**
 * Prices of each vault's own contract since a moment of block time, oldest first, as JSON, because some thousand values are parsed each hour.
 * Parameters: vault ids, their contracts, the moment.
 */
export const FIND_PRICES = statement(
  'markets.find_share_prices',
  {
    values: [listOf(text()), listOf(text()), time()],
    row: { vaultId: text(), points: json<[number, string][]>() },
  },
  `SELECT vault_id AS "vaultId", json_agg(json_build_array(floor(extract(epoch FROM block_at) * 1000), price::text) ORDER BY block_at, hour) AS points
     FROM share_prices JOIN unnest($1::text[], $2::text[]) AS asked(id, origin) ON vault_id = asked.id AND source = asked.origin
    WHERE block_at >= $3
    GROUP BY vault_id`,
);

export const APPEND_PRICES = statement(
  'markets.append_share_prices',
  {
    values: [
      listOf(text()),
      listOf(time()),
      listOf(text()),
      listOf(numeric()),
      listOf(orNull(numeric())),
      listOf(orNull(numeric())),
      listOf(orNull(numeric())),
      listOf(numeric()),
      listOf(text()),
      listOf(time()),
    ],
    row: {},
  },
  `INSERT INTO share_prices (vault_id, hour, source, price, tvl, assets, liquidity, block_number, block_hash, block_at)
   SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::text[],
                        $10::timestamptz[])
   ON CONFLICT DO NOTHING`,
);
