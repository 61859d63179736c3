import {
  columnsOf,
  insertOf,
  integer,
  json,
  jsonb,
  listOf,
  orNull,
  rowCount,
  text,
  time,
  whole,
} from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';
import type { StoredBooks } from './partner-book.js';

/** The oldest day whose statement is posted and whose closings are not written yet. */
export const FIND_DUE = statement(
  'closings.find_due',
  { values: [text()], row: { dayEnd: time() } },
  `SELECT day_end AS "dayEnd" FROM statements
    WHERE market_id = $1 AND closed_at IS NULL AND done_at IS NOT NULL ORDER BY day_end LIMIT 1`,
);

/** Partners with current or past holdings in a market, by id. $2 id to continue after, $3 rows. */
export const FIND_PARTNERS = statement(
  'closings.find_partners',
  { values: [text(), text(), integer()], row: { partnerId: text() } },
  `SELECT DISTINCT partner_id AS "partnerId" FROM book_shares
    WHERE market_id = $1 AND book = 'routed' AND partner_id > $2 ORDER BY partner_id LIMIT $3::int`,
);

/** Closes days of partners up to $2: takes their ledgers until commit, and nothing is booked in those days any more. */
export const LOCK_LEDGER_HEADS = statement(
  'closings.lock_ledgers',
  { values: [listOf(text()), time()], row: {} },
  `WITH held AS MATERIALIZED (SELECT partner_id FROM ledger_heads WHERE partner_id = ANY($1) ORDER BY partner_id FOR NO KEY UPDATE)
   UPDATE ledger_heads h SET closed_until = greatest(h.closed_until, $2) FROM held WHERE h.partner_id = held.partner_id`,
);

/** Sums of entries in micro-units. */
export const SUMS_OF_ENTRIES = {
  deposits: whole(),
  withdrawals: whole(),
  accrued: whole(),
  costs: whole(),
  fee: whole(),
  partnerRevenue: whole(),
  carriedLoss: whole(),
};
/** Sums since the beginning, micro-units; points in grains. */
export const SUMS = {
  ...SUMS_OF_ENTRIES,
  grains: whole(),
  lendingValue: whole(),
  holdValue: whole(),
  settledLending: whole(),
  settledHold: whole(),
};
export type ClosedSum = keyof typeof SUMS;
const CLOSING = { asset: text(), day: time(), ...SUMS };

export const INSERT = statement(
  'closings.insert',
  { values: [json<string>()], row: {} },
  `${insertOf('daily_closings', { partnerId: text(), ...CLOSING }, '$1')} ON CONFLICT DO NOTHING`,
);

/** Books of a closing, with quotes of the vaults in them. */
export interface ClosedBooks extends Omit<StoredBooks, 'performanceFeeBps' | 'revenueShareBps'> {
  quotes: Record<string, { index: string; apy: number | null }>;
}

export const INSERT_BOOKS = statement(
  'closings.insert_books',
  { values: [text(), time(), jsonb<string>()], row: {} },
  `INSERT INTO closed_books (partner_id, day, books) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
);

/** The newest closing up to day $2, and the end of the newest of all; terms before $3, or else the first ones. */
export const FIND_CLOSED_BOOKS = statement(
  'closings.find_closed_books',
  {
    values: [text(), time(), time()],
    row: {
      books: orNull(jsonb<ClosedBooks>()),
      closedUntil: orNull(time()),
      terms: json<Pick<StoredBooks, 'performanceFeeBps' | 'revenueShareBps'>>(),
    },
  },
  `SELECT (SELECT books FROM closed_books WHERE partner_id = $1 AND day <= $2 ORDER BY day DESC LIMIT 1) AS books,
          (SELECT json_build_object('performanceFeeBps', performance_fee_bps, 'revenueShareBps', revenue_share_bps)
             FROM partner_terms WHERE partner_id = $1
            ORDER BY from_at < $3 DESC, abs(extract(epoch FROM from_at - $3)) LIMIT 1) AS terms,
          (SELECT day + interval '24 hours' FROM closed_books WHERE partner_id = $1 ORDER BY day DESC LIMIT 1) AS "closedUntil"`,
);

export const CLOSE = statement(
  'closings.close',
  { values: [text(), time(), time()], row: {} },
  `UPDATE statements SET closed_at = $3, invoiced_at = $3 WHERE market_id = $1 AND day_end = $2 AND closed_at IS NULL`,
);

const READ_COLUMNS = columnsOf(CLOSING, 'c');

export const READ = statement(
  'closings.read',
  { values: [text(), listOf(text()), time(), time(), rowCount()], row: CLOSING },
  `SELECT ${READ_COLUMNS} FROM daily_closings c
    WHERE partner_id = $1 AND asset = ANY($2) AND day >= $3 AND day <= $4 ORDER BY day, asset LIMIT $5`,
);

/** The newest closings of a partner up to each of the days $2, in each of the assets $3. */
export const READ_NEWEST = statement(
  'closings.read_newest',
  { values: [text(), listOf(time()), listOf(text())], row: { upTo: time(), ...CLOSING } },
  `SELECT up_to AS "upTo", ${READ_COLUMNS} FROM unnest($2::timestamptz[]) AS days(up_to) CROSS JOIN unnest($3::text[]) AS asked(of)
    CROSS JOIN LATERAL (SELECT * FROM daily_closings WHERE partner_id = $1 AND asset = of AND day <= up_to ORDER BY day DESC LIMIT 1) AS c`,
);

export const FIND_SPAN = statement(
  'closings.find_span',
  { values: [text()], row: { first: orNull(time()), last: orNull(time()) } },
  `SELECT min(day) AS first, max(day) AS last FROM daily_closings WHERE partner_id = $1`,
);
