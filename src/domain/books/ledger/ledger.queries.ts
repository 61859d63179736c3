import {
  columnsOf,
  double,
  moment,
  numeric,
  orNull,
  rowCount,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { EntryType } from '../positions/position.js';

/** Entry of a user's ledger; whole numbers are text. */
const ENTRY = {
  id: text(),
  at: time(),
  type: text<EntryType>(),
  positionId: text(),
  asset: text(),
  vaultId: text(),
  fromVaultId: orNull(text()),
  amount: numeric(),
  cost: numeric(),
  apy: orNull(double()),
  decisionId: orNull(text()),
  txHash: orNull(text()),
  voids: orNull(text()),
};

/**
 * $1 user, $2 partner, $3/$4 keyset position (time, id; infinity for the first page), $5 rows. A user without entries gives one row of nulls, an
 * unknown user no row. The bound on `at` alone lets the planner skip partitions of later months.
 */
export const LIST_ENTRIES_OF_USER = statement(
  'positions.list_entries_of_user',
  { values: [text(), text(), moment(), text(), rowCount()], row: { userId: text() }, joined: ENTRY },
  `SELECT u.id AS "userId", ${columnsOf(ENTRY, 'e')}
     FROM users u
     LEFT JOIN LATERAL (
       SELECT * FROM ledger_entries
        WHERE user_id = $1 AND at <= $3 AND (at, id) < ($3, $4)
        ORDER BY at DESC, id DESC
        LIMIT $5) AS e ON true
    WHERE u.id = $1 AND u.partner_id = $2
    ORDER BY e.at DESC, e.id DESC`,
);
