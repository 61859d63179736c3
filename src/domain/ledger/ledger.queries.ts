import { columnsOf, double, moment, numeric, orNull, rowCount, text, time } from '../store/column.js';
import { statement } from '../store/statement.js';
import type { EntryType } from '../positions/position.js';

/** An entry of a user's ledger: whole numbers come as texts. */
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
 * $1 user, $2 partner, $3/$4 time and id to go on after (the first page: infinity), $5 rows. A user without entries is one row of nulls, an unknown
 * one is none. The bound on `at` alone spares the partitions of later months.
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
