import { ORIGIN, STATE } from '../markets/market.queries.js';
import { statement } from '../store/statement.js';

/** The columns of a `ShownRow`. Whole numbers arrive as texts. */
const SHOWN = `p.id, p.user_id AS "userId", p.asset, p.origin_vault_id AS "originVaultId", p.status, p.shares, p.deposited,
  p.withdrawn, p.costs, p.opened_at AS "openedAt", p.active_at AS "activeAt", p.closed_at AS "closedAt",
  p.market_id AS "marketId", market.ticked_hour AS "tickedHour", market.hours_ahead AS "hoursAhead", ${ORIGIN}, ${STATE}`;

/** What a position is worth is its market's to say. */
const IN_ITS_MARKET = `JOIN markets market ON market.id = p.market_id
     JOIN vault_states state ON state.market_id = p.market_id AND state.vault_id = p.vault_id`;

/** $2: the partner whose it must be, or null. */
export const FIND_POSITION = statement(
  'positions.find_position',
  `SELECT ${SHOWN}
     FROM positions p
     ${IN_ITS_MARKET}
    WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)`,
);

export const FIND_USER_OF = statement(
  'positions.find_user_of',
  `SELECT user_id AS "userId" FROM positions WHERE id = $1 AND partner_id = $2`,
);

/**
 * A page, newest first: a walk down one index, so each way to it is a statement of its own. $1/$2 time and id to go on after; the first page begins
 * after infinity. $3 asset or null, $4 status or null, $5 rows.
 */
const list = (name: string, whose: string) =>
  statement(
    `positions.${name}`,
    `SELECT ${SHOWN}
     FROM (SELECT * FROM positions
            WHERE ${whose}(opened_at, id) < ($1, $2) AND ($3::text IS NULL OR asset = $3) AND ($4::text IS NULL OR status = $4)
            ORDER BY opened_at DESC, id DESC
            LIMIT $5) AS p
     ${IN_ITS_MARKET}
    ORDER BY p.opened_at DESC, p.id DESC`,
  );

export const LIST_ALL = list('list_all', '');
/** $6 partner. */
export const LIST_OF_PARTNER = list('list_of_partner', 'partner_id = $6 AND ');
/** $6 user; $7: the partner whose user it must be, or null. No position is read of another's: to ask costs what it costs for nobody's. */
export const LIST_OF_USER = list(
  'list_of_user',
  'user_id = $6 AND ($7::text IS NULL OR EXISTS (SELECT FROM users WHERE id = $6 AND partner_id = $7)) AND ',
);
