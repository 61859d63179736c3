import { columnsOf, double, integer, listOf, orNull, text, time, whole } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { RECENT } from '../vaults/recent.js';
import { ORIGIN, STATE, VAULT_IN_MARKET_COLUMNS } from './market.queries.js';

const LOOKED = {
  row: { marketId: text(), tickedHour: orNull(time()), hoursAhead: integer(), ...ORIGIN },
  joined: {
    ...STATE,
    earlierApy: orNull(double()),
    expectedApy: orNull(double()),
    riskAdjustedApy: orNull(double()),
    ...RECENT,
    shares: whole(),
    ownShares: whole(),
  },
} as const;

/**
 * Newest state of a market: a row for each of its vaults; one of nulls when it has none; no row when it does not exist. Snapshots are read only of a
 * vault whose newest observation has no APY, and there only back to the last one that has: over the hours of an outage, and a day of prices after it.
 * @param ownShares SQL of a partner's shares, which are summed separately
 * @param isIt SQL of the market or markets
 */
const look = (ownShares: string, isIt = 'market.id = $1'): string => `
   SELECT market.id AS "marketId", market.ticked_hour AS "tickedHour", market.hours_ahead AS "hoursAhead", ${VAULT_IN_MARKET_COLUMNS},
          CASE WHEN state.last_apy IS NULL AND state.observed_hour IS NOT NULL THEN (
            SELECT apy FROM snapshots AS seen
             WHERE seen.market_id = state.market_id AND seen.vault_id = state.vault_id AND apy IS NOT NULL
             ORDER BY hour DESC LIMIT 1) END AS "earlierApy",
          signal.expected_apy AS "expectedApy", signal.risk_adjusted_apy AS "riskAdjustedApy",
          ${columnsOf(RECENT, 'signal')},
          (SELECT coalesce(sum(held.shares), 0) FROM vault_shares AS held
            WHERE held.market_id = state.market_id AND held.vault_id = state.vault_id) AS shares,
          ${ownShares} AS "ownShares"
     FROM markets AS market
     LEFT JOIN vault_states AS state ON state.market_id = market.id
     LEFT JOIN signals AS signal ON signal.market_id = market.id AND signal.vault_id = state.vault_id
    WHERE ${isIt}`;

const sharesOf = (partnerId: string): string => `(SELECT coalesce(sum(own.shares), 0) FROM book_shares AS own
            WHERE own.book = 'routed' AND own.partner_id = ${partnerId} AND own.market_id = state.market_id AND own.vault_id = state.vault_id)`;

/** Separate statement: with a partner that may be null, PostgreSQL would make a new plan each time, which takes longer than the query. */
export const LOOK = statement('markets.look', { values: [text()], ...LOOKED }, look('0::numeric'));

/** Markets $1. */
export const LOOK_AT_ALL = statement(
  'markets.look_at_all',
  { values: [listOf(text())], ...LOOKED },
  look('0::numeric', 'market.id = ANY($1)'),
);

export const LOOK_OF_PARTNER = statement(
  'markets.look_of_partner',
  { values: [text(), text()], ...LOOKED },
  look(sharesOf('$2')),
);

export const LOOK_OF_USER = statement(
  'markets.look_of_user',
  { values: [text(), text()], ...LOOKED },
  look(sharesOf('(SELECT partner_id FROM users WHERE users.id = $2)')),
);
