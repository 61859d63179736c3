import {
  bool,
  columnOf,
  columnsOf,
  integer,
  json,
  listOf,
  orNull,
  rowCount,
  rowsIn,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { POSITION } from '../positions/position.js';
import { REVENUE_ACCOUNT } from '../positions/position-store.queries.js';
import {
  ACCOUNT_COLUMNS,
  CHECKED_BOOKS,
  hashOf,
  positionsOf,
  STORED_POSITION,
} from './ledger-verifier.queries.js';
import { BOOK_KINDS, BOOK_TABLES } from '../positions/books.js';

const POSITION_COLUMNS = Object.keys(POSITION).map(columnOf);
const REVENUE_COLUMNS = Object.keys(REVENUE_ACCOUNT).map(columnOf);
/** What a run has read of the entries of a position: their number and the sum of their hashes, up to the last one. */
const COVERED = { entries: rowCount(), lastAt: time(), lastId: text(), digest: whole() };
const COVERED_COLUMNS = Object.keys(COVERED).map(columnOf);
const listed = (columns: readonly string[], of: string): string =>
  columns.map((name) => `${of}.${name}`).join(', ');
const replaced = (columns: readonly string[]): string =>
  columns.map((name) => `${name} = excluded.${name}`).join(', ');
const differs = (columns: readonly string[], a: string, b: string): string =>
  `ROW(${listed(columns, a)}) IS DISTINCT FROM ROW(${listed(columns, b)})`;

/** Lock of a run: one at a time. Pages are joined by index: the planner does not know how few rows a page has, and read whole tables for each. */
export const LOCK_CHECKPOINT = statement(
  'ledger.lock_checkpoint',
  { values: [], row: { isFree: bool(), hash: text(), merge: text() } },
  `SELECT pg_try_advisory_xact_lock(hashtextextended('checkpoint of ' || current_schema(), 0)) AS "isFree",
          set_config('enable_hashjoin', 'off', true) AS hash, set_config('enable_mergejoin', 'off', true) AS merge`,
);

/** Run that left the present checkpoint. */
export const FIND_CHECKPOINT = statement(
  'ledger.find_checkpoint',
  { values: [], row: { number: integer(), seal: text() } },
  `SELECT number, seal FROM ledger_checks WHERE seal IS NOT NULL ORDER BY number DESC LIMIT 1`,
);

export const FIND_LAST_CHECK = statement(
  'ledger.find_last_check',
  {
    values: [],
    row: { verifiedAt: time(), isFull: bool(), entries: rowCount(), differences: integer() },
  },
  `SELECT verified_at AS "verifiedAt", is_full AS "isFull", entries, differences FROM ledger_checks ORDER BY number DESC LIMIT 1`,
);

/** $4 seal; null: differences were found. */
export const RECORD_CHECK = statement(
  'ledger.record_check',
  { values: [bool(), rowCount(), integer(), orNull(text())], row: {} },
  `INSERT INTO ledger_checks (is_full, entries, differences, seal) VALUES ($1, $2, $3, $4)`,
);

export const SEAL_POSITIONS = statement(
  'ledger.seal_positions',
  { values: [text(), rowCount()], row: { digest: whole(), rows: integer(), last: orNull(text()) } },
  `SELECT coalesce(sum(${hashOf('record_send(c)')}), 0) AS digest, count(*)::int AS rows, max(id) AS last
     FROM (SELECT * FROM checked_positions WHERE id > $1 ORDER BY id LIMIT $2) AS c`,
);
export const SEAL_ACCOUNTS = statement(
  'ledger.seal_accounts',
  { values: [text(), rowCount()], row: { digest: whole(), rows: integer(), last: orNull(text()) } },
  `SELECT coalesce(sum(${hashOf('record_send(c)')}), 0) AS digest, count(DISTINCT user_id)::int AS rows, max(user_id) AS last
     FROM checked_accounts c
    WHERE user_id = ANY(ARRAY(SELECT DISTINCT user_id FROM checked_accounts WHERE user_id > $1 ORDER BY user_id LIMIT $2))`,
);
export const SEAL_SUMS = statement(
  'ledger.seal_sums',
  { values: [], row: { digest: whole() } },
  `SELECT coalesce(sum(digest), 0) AS digest FROM (
     ${[...Object.values(CHECKED_BOOKS), 'checked_moves'].map((table) => `SELECT ${hashOf(`'${table}'::bytea || record_send(c)`)} AS digest FROM ${table} c`).join('\n     UNION ALL ')}) AS sums`,
);

/** Partners, and their markets, whose covered positions were forgotten with their account. */
export const FIND_FORGOTTEN = statement(
  'ledger.find_forgotten',
  { values: [], row: { partnerId: text(), marketId: text() } },
  `SELECT DISTINCT partner_id AS "partnerId", market_id AS "marketId" FROM checked_positions c
    WHERE NOT EXISTS (SELECT FROM positions p WHERE p.id = c.id)
      AND NOT EXISTS (SELECT FROM markets m WHERE m.id = c.market_id AND m.owner_id IS NULL)`,
);
/** $1 partners, $2 their markets. */
export const FORGET_CHECKED = ['checked_positions', 'checked_accounts', ...Object.values(CHECKED_BOOKS)].map(
  (table) =>
    statement(
      `ledger.forget_${table}`,
      { values: [listOf(text()), listOf(text())], row: {} },
      `DELETE FROM ${table} WHERE ${table === 'checked_vaults' ? 'market_id = ANY($2) AND cardinality($1::text[]) > 0' : 'partner_id = ANY($1) AND cardinality($2::text[]) > 0'}`,
    ),
);

/** What is covered and no longer there, up to $1; the last one stands for `more` others. */
export const FIND_GONE = statement(
  'ledger.find_gone',
  { values: [rowCount()], row: { subject: text(), more: integer() } },
  `SELECT subject, (CASE WHEN row_number() OVER () = $1 THEN count(*) OVER () - $1 ELSE 0 END)::int AS more
     FROM (SELECT c.id AS subject FROM checked_positions c WHERE NOT EXISTS (SELECT FROM positions p WHERE p.id = c.id)
           UNION ALL
           SELECT 'revenue_accounts ' || c.user_id || ' ' || c.asset FROM checked_accounts c
            WHERE NOT EXISTS (SELECT FROM revenue_accounts a WHERE a.user_id = c.user_id AND a.asset = c.asset)) AS gone
    LIMIT $1`,
);

/** The next $2 positions that changed, or have entries, since they were covered. */
export const PAGE_OF_CHANGED = statement(
  'ledger.page_of_changed',
  { values: [text(), rowCount()], row: STORED_POSITION },
  positionsOf(`SELECT p.* FROM positions p LEFT JOIN checked_positions c ON c.id = p.id
       WHERE p.id > $1 AND (c.id IS NULL OR ${differs(POSITION_COLUMNS, 'p', 'c')} OR EXISTS (
         SELECT FROM ledger_entries e WHERE e.position_id = c.id AND e.at >= c.last_at AND (e.at, e.id) > (c.last_at, c.last_id)))
       ORDER BY p.id LIMIT $2`),
);
export const FIND_CHECKED = statement(
  'ledger.find_checked',
  { values: [listOf(text())], row: { ...POSITION, ...COVERED } },
  `SELECT ${columnsOf({ ...POSITION, ...COVERED })} FROM checked_positions WHERE id = ANY($1)`,
);
/** Copies positions, with what was read of their entries. */
export const COVER_POSITIONS = statement(
  'ledger.cover_positions',
  { values: [json<string>()], row: {} },
  `INSERT INTO checked_positions AS c (${[...POSITION_COLUMNS, ...COVERED_COLUMNS].join(', ')})
   SELECT ${listed(POSITION_COLUMNS, 'p')}, ${Object.keys(COVERED)
     .map((name) => `new."${name}"`)
     .join(', ')}
     FROM ${rowsIn('$1', { id: text(), ...COVERED })} JOIN positions p ON p.id = new.id
   ON CONFLICT (id) DO UPDATE SET ${replaced([...POSITION_COLUMNS, ...COVERED_COLUMNS])}
    WHERE ${differs([...POSITION_COLUMNS, ...COVERED_COLUMNS], 'c', 'excluded')}`,
);

/** The next $3 revenue accounts that changed, or have settled entries, since they were covered; by user and asset. */
export const PAGE_OF_CHANGED_ACCOUNTS = statement(
  'ledger.page_of_changed_accounts',
  { values: [text(), text(), rowCount()], row: REVENUE_ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS}
     FROM revenue_accounts a LEFT JOIN checked_accounts c ON c.user_id = a.user_id AND c.asset = a.asset
    WHERE (a.user_id, a.asset COLLATE "C") > ($1, $2) AND (c.user_id IS NULL OR ${differs(REVENUE_COLUMNS, 'a', 'c')} OR EXISTS (
            SELECT FROM ledger_entries e
             WHERE e.revenue_place IS NOT NULL AND e.user_id = c.user_id AND e.asset COLLATE "C" = c.asset AND e.revenue_place > c.settled))
    ORDER BY a.user_id, a.asset COLLATE "C" LIMIT $3`,
);
export const FIND_CHECKED_ACCOUNTS = statement(
  'ledger.find_checked_accounts',
  { values: [listOf(text())], row: REVENUE_ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS} FROM checked_accounts a WHERE user_id = ANY($1)`,
);
export const COVER_ACCOUNTS = statement(
  'ledger.cover_accounts',
  { values: [listOf(text()), listOf(text())], row: {} },
  `INSERT INTO checked_accounts AS c (${REVENUE_COLUMNS.join(', ')})
   SELECT ${listed(REVENUE_COLUMNS, 'a')}
     FROM unnest($1::text[], $2::text[]) AS verified(of, of_asset) JOIN revenue_accounts a ON a.user_id = of AND a.asset = of_asset
   ON CONFLICT (user_id, asset) DO UPDATE SET ${replaced(REVENUE_COLUMNS)}
    WHERE ${differs(REVENUE_COLUMNS, 'c', 'excluded')}`,
);

/** Copies of the books: all rows, of which there are few. */
export const COVER_BOOKS = BOOK_KINDS.flatMap((kind) => [
  statement(
    `ledger.empty_${CHECKED_BOOKS[kind]}`,
    { values: [], row: {} },
    `DELETE FROM ${CHECKED_BOOKS[kind]}`,
  ),
  statement(
    `ledger.cover_${BOOK_TABLES[kind].table}`,
    { values: [], row: {} },
    `INSERT INTO ${CHECKED_BOOKS[kind]} SELECT * FROM ${BOOK_TABLES[kind].table}`,
  ),
]);
