import { statement } from '../store/statement.js';

export const FIND_TICKED_HOUR = statement(
  'markets.find_ticked_hour',
  `SELECT ticked_hour AS "tickedHour" FROM markets WHERE id = $1`,
);

/** Makes the market when it is new, and locks it until commit: ticks of one market run one after another. */
export const LOCK_MARKET = statement(
  'markets.lock_market',
  `INSERT INTO markets (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id
   RETURNING ticked_hour AS "tickedHour"`,
);

export const SET_TICKED_HOUR = statement(
  'markets.set_ticked_hour',
  `UPDATE markets SET ticked_hour = $2 WHERE id = $1`,
);

export const FIND_STATES = statement(
  'markets.find_states',
  `SELECT vault_id AS "vaultId", share_index AS index, last_apy AS "lastApy", last_tvl AS "lastTvl", observed_hour AS "observedHour",
          simulated
     FROM vault_states WHERE market_id = $1`,
);

export const SAVE_STATES = statement(
  'markets.save_states',
  `INSERT INTO vault_states (market_id, vault_id, share_index, last_apy, last_tvl, observed_hour, simulated)
   SELECT $1, * FROM unnest($2::text[], $3::numeric[], $4::float8[], $5::numeric[], $6::timestamptz[], $7::float8[])
   ON CONFLICT (market_id, vault_id) DO UPDATE
      SET share_index = excluded.share_index, last_apy = excluded.last_apy, last_tvl = excluded.last_tvl,
          observed_hour = excluded.observed_hour, simulated = excluded.simulated`,
);

/** Never rewritten: an hour that is there stays as it is. */
export const APPEND_SNAPSHOTS = statement(
  'markets.append_snapshots',
  `INSERT INTO snapshots (market_id, vault_id, hour, apy, tvl, share_index)
   SELECT $1, * FROM unnest($2::text[], $3::timestamptz[], $4::float8[], $5::numeric[], $6::numeric[])
   ON CONFLICT DO NOTHING`,
);
