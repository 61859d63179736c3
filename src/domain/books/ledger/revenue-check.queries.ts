import { columnsOf, integer, orNull, rowCount, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { ENTRY } from '../positions/position.js';
import { REVENUE_ACCOUNT } from '../positions/position-store.queries.js';
import { isOfSeventh } from './partner-sevenths.js';

const ACCOUNT_COLUMNS = columnsOf(REVENUE_ACCOUNT, 'a');

/** The next $3 revenue accounts of seventh $4 of the partners, by user and asset, in byte order like the entries settled in them. */
export const PAGE_OF_ACCOUNTS = statement(
  'ledger.page_of_accounts',
  { values: [text(), text(), rowCount(), orNull(integer())], row: REVENUE_ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS}
     FROM revenue_accounts a WHERE (user_id, asset COLLATE "C") > ($1, $2) AND ${isOfSeventh('partner_id', '$4')}
    ORDER BY user_id, asset COLLATE "C" LIMIT $3`,
);

const { at, type, amount, cost, feeBps, shareBps, userValue, voids, fee, partnerRevenue, carriedLoss } =
  ENTRY;
const LINE = {
  userId: text(),
  asset: text(),
  id: text(),
  place: integer(),
  at,
  type,
  amount,
  cost,
  feeBps,
  shareBps,
  userValue,
  voids,
  fee,
  partnerRevenue,
  carriedLoss,
};
const LINE_COLUMNS = columnsOf(LINE, 'e').replace('e.place', 'e.revenue_place::int AS place');

/** The next $7 settled entries by user, asset and sequence number; of accounts up to that of user $5 in asset $6, and of seventh $8 of the partners. */
export const PAGE_OF_SETTLED = statement(
  'ledger.page_of_settled',
  {
    values: [text(), text(), rowCount(), text(), text(), text(), rowCount(), orNull(integer())],
    row: LINE,
  },
  `SELECT ${LINE_COLUMNS} FROM ledger_entries e
    WHERE revenue_place IS NOT NULL AND (user_id, asset COLLATE "C", revenue_place, id) > ($1, $2, $3, $4) AND (user_id, asset COLLATE "C") <= ($5, $6)
      AND ${isOfSeventh('partner_id', '$8')}
    ORDER BY user_id, asset COLLATE "C", revenue_place, id LIMIT $7`,
);
