import {
  type Column,
  columnOf,
  columnsOf,
  integer,
  long,
  numeric,
  orNull,
  rowCount,
  small,
  text,
  whole,
} from '../../kernel/store/column.js';
import { type Statement, statement } from '../../kernel/store/statement.js';
import { BOOK_KINDS, BOOK_TABLES, type BookKind } from '../positions/books.js';
import { isOfSeventh } from './partner-sevenths.js';

/** Partners whose stored number of users differs from their users. */
export const FIND_MISCOUNTED_USERS = statement(
  'ledger.find_miscounted_users',
  { values: [], row: { partnerId: text(), kept: numeric(), there: long() } },
  `SELECT partner_id AS "partnerId", coalesce(kept.users, 0) AS kept, coalesce(there.users, 0) AS there
     FROM (SELECT partner_id, sum(users) AS users FROM book_users GROUP BY partner_id) AS kept
     FULL JOIN (SELECT partner_id, count(*) AS users FROM users GROUP BY partner_id) AS there USING (partner_id)
    WHERE coalesce(kept.users, 0) <> coalesce(there.users, 0)`,
);

/** Rows of a book by key, of those of partners all or a seventh. The values are its keys to continue after, a number of rows, and the seventh. */
export const PAGE_OF_BOOK = Object.fromEntries(
  BOOK_KINDS.map((kind) => {
    const { table, keys, sums, more } = BOOK_TABLES[kind];
    const row = { ...keys, ...sums, ...more };
    const key = Object.keys(keys).map(columnOf).join(', ');
    const after = Object.keys(keys).map((_, index) => `$${index + 1}`);
    const [limit, seventh] = [`$${after.length + 1}`, `$${after.length + 2}`];
    // A vault is of all partners.
    const [values, isOf] =
      'partnerId' in keys
        ? ([[orNull(integer())], `AND ${isOfSeventh('partner_id', seventh)}`] as const)
        : ([[], ''] as const);
    return [
      kind,
      statement(
        `ledger.page_of_${table}`,
        { values: [...Object.values<Column<unknown>>(keys), rowCount(), ...values], row },
        `SELECT ${columnsOf(row)} FROM ${table} WHERE (${key}) > (${after.join(', ')}) ${isOf} ORDER BY ${key} LIMIT ${limit}`,
      ),
    ];
  }),
) as unknown as Record<BookKind, Statement>;

/** Shares in the vaults that positions of the other sevenths have, as stored. */
export const SUM_OTHER_VAULTS = statement(
  'ledger.sum_other_vaults',
  { values: [integer()], row: { marketId: text(), vaultId: text(), slot: small(), shares: whole() } },
  `SELECT market_id AS "marketId", vault_id AS "vaultId", slot, sum(shares) AS shares FROM positions
    WHERE NOT ${isOfSeventh('partner_id', '$1')} GROUP BY market_id, vault_id, slot`,
);
