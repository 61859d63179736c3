import { VAULT_IN_MARKET, VAULT_IN_MARKET_COLUMNS } from '../../markets/hours/market.queries.js';
import {
  type Column,
  columnsOf,
  integer,
  moment,
  numeric,
  orNull,
  rowCount,
  type RowOf,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { PositionStatus } from './position.js';

const OWN = {
  id: text(),
  marketId: text(),
  userId: text(),
  asset: text(),
  originVaultId: orNull(text()),
  status: text<PositionStatus>(),
  depositId: orNull(text()),
  shares: numeric(),
  deposited: numeric(),
  withdrawn: numeric(),
  costs: numeric(),
  openedAt: time(),
  activeAt: orNull(time()),
  closedAt: orNull(time()),
};
const MARKET = { tickedHour: time(), hoursAhead: integer() };
const SHOWN = { ...OWN, ...MARKET, ...VAULT_IN_MARKET };
export type ShownPositionRow = RowOf<typeof SHOWN>;
const COLUMNS = `${columnsOf(OWN, 'p')}, ${columnsOf(MARKET, 'market')}, ${VAULT_IN_MARKET_COLUMNS}`;

/** The market's state decides what a position is worth. */
const IN_ITS_MARKET = `JOIN markets market ON market.id = p.market_id
     JOIN vault_states state ON state.market_id = p.market_id AND state.vault_id = p.vault_id`;

export const FIND_POSITION = statement(
  'positions.find_position',
  { values: [text(), orNull(text())], row: SHOWN },
  `SELECT ${COLUMNS}
     FROM positions p
     ${IN_ITS_MARKET}
    WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)`,
);

export const FIND_USER_OF = statement(
  'positions.find_user_of',
  { values: [text(), text()], row: { userId: text() } },
  `SELECT user_id AS "userId" FROM positions WHERE id = $1 AND partner_id = $2`,
);

/**
 * Page, newest first: a walk along one index, so each filter has a statement of its own. $1/$2 keyset position (time, id; infinity for the first
 * page), $3 asset or null, $4 status or null, $5 rows.
 */
const list = <const More extends readonly Column<unknown>[]>(name: string, more: More, owner: string) =>
  statement(
    `positions.${name}`,
    {
      values: [moment(), text(), orNull(text()), orNull(text<PositionStatus>()), rowCount(), ...more],
      row: SHOWN,
    },
    `SELECT ${COLUMNS}
     FROM (SELECT * FROM positions
            WHERE ${owner}(opened_at, id) < ($1, $2) AND ($3::text IS NULL OR asset = $3) AND ($4::text IS NULL OR status = $4)
            ORDER BY opened_at DESC, id DESC
            LIMIT $5) AS p
     ${IN_ITS_MARKET}
    ORDER BY p.opened_at DESC, p.id DESC`,
  );

export const LIST_ALL = list('list_all', [], '');
export const LIST_OF_PARTNER = list('list_of_partner', [text()], 'partner_id = $6 AND ');
/**
 * $6 user; $7: the partner that the user must belong to, or null. For another partner's user no position is read, so the timing is that of an unknown
 * one.
 */
export const LIST_OF_USER = list(
  'list_of_user',
  [text(), orNull(text())],
  'user_id = $6 AND ($7::text IS NULL OR EXISTS (SELECT FROM users WHERE id = $6 AND partner_id = $7)) AND ',
);
