import {
  columnsOf,
  integer,
  jsonb,
  listOf,
  moment,
  orNull,
  rowCount,
  text,
  time,
} from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';
import { POSITION } from '../books/positions/position.js';
import { COLUMNS } from '../books/positions/position-store.queries.js';
import { ADDED, CHANGE, REPLAYED } from '../books/ledger/ledger.queries.js';
import { isOfSeventh } from '../books/ledger/partner-sevenths.js';
import { type ClosedBooks, SUMS } from './closing.queries.js';

/** The next $2 partners of seventh $3, by id. `closedUntil` is set only if it differs from the end of the partner's newest closing. */
export const PAGE_OF_PARTNERS = statement(
  'closings.page_of_partners',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: { partnerId: text(), closedUntil: orNull(text()), closed: orNull(text()) },
  },
  `SELECT p.id AS "partnerId", CASE WHEN h.closed_until IS DISTINCT FROM newest.closed THEN coalesce(h.closed_until::text, 'no moment') END AS "closedUntil",
          newest.closed::text AS closed
     FROM (SELECT id FROM partners WHERE id > $1 AND ${isOfSeventh('id', '$3')} ORDER BY id LIMIT $2) AS p
     LEFT JOIN ledger_heads h ON h.partner_id = p.id
    CROSS JOIN LATERAL (
      SELECT coalesce(max(day) + interval '24 hours', CASE WHEN h.partner_id IS NOT NULL THEN '-infinity'::timestamptz END) AS closed
        FROM closed_books WHERE partner_id = p.id) AS newest
    ORDER BY p.id`,
);

/** Days of a market whose closings were written. */
export const FIND_CLOSED_DAYS = statement(
  'closings.find_closed_days',
  { values: [text()], row: { dayEnd: time() } },
  `SELECT day_end AS "dayEnd" FROM statements WHERE market_id = $1 AND closed_at IS NOT NULL ORDER BY day_end`,
);

/** The next $4 positions of partner $1. */
export const PAGE_OF_POSITIONS = statement(
  'closings.page_of_positions',
  { values: [text(), moment(), text(), rowCount()], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p WHERE partner_id = $1 AND (opened_at, id) > ($2, $3) ORDER BY opened_at, id LIMIT $4`,
);

/** The next $5 changes of positions $1, by position, time and id. */
export const PAGE_OF_CHANGES = statement(
  'closings.page_of_changes',
  { values: [listOf(text()), text(), moment(), text(), rowCount()], row: REPLAYED },
  `SELECT ${columnsOf(REPLAYED)} FROM ledger_entries
    WHERE position_id = ANY($1) AND (position_id, at, id) > ($2, $3, $4) AND ${CHANGE} ORDER BY position_id, at, id LIMIT $5`,
);

/** The next $3 stored days of a partner after day $2, with their closings by asset and their books; null: the day has none. */
export const PAGE_OF_DAYS = statement(
  'closings.page_of_days',
  {
    values: [text(), moment(), rowCount()],
    row: {
      day: time(),
      closings: jsonb<({ asset: string } & Record<keyof typeof SUMS, string>)[]>(),
      books: jsonb<ClosedBooks | null>(),
    },
  },
  `SELECT day, (SELECT coalesce(jsonb_agg(jsonb_build_object('asset', c.asset, ${Object.keys(SUMS)
    .map((name) => `'${name}', c.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}::text`)
    .join(', ')})), '[]') FROM daily_closings c WHERE c.partner_id = $1 AND c.day = days.day) AS closings,
          (SELECT b.books FROM closed_books b WHERE b.partner_id = $1 AND b.day = days.day) AS books
     FROM (SELECT day FROM closed_books WHERE partner_id = $1 AND day > $2
            UNION
           SELECT day FROM daily_closings WHERE partner_id = $1 AND day > $2 ORDER BY day LIMIT $3) AS days
    ORDER BY day`,
);

/** Sums of a closing that are sums of entries. */
const CLOSED = Object.keys(ADDED);

/**
 * Closings that are not the sums of the entries of the partner's users up to their moment, dated before it or accruals of that midnight itself; and those
 * whose books for reports have other sums; of partner $1. The last row stands for `more` others.
 */
export const FIND_CLOSING_DIFFERENCES = statement(
  'ledger.find_closing_differences',
  { values: [text()], row: { subject: text(), problem: text(), more: integer() } },
  `WITH entered AS (
     SELECT e.partner_id, e.asset, date_trunc('day', CASE WHEN ${CHANGE} THEN e.at ELSE e.at - interval '1 millisecond' END, 'UTC') AS day,
            ${Object.entries(ADDED)
              .map(([name, added]) => `${added} AS ${name}`)
              .join(', ')}
       FROM ledger_entries e JOIN users u ON u.id = e.user_id AND u.partner_id = e.partner_id WHERE e.partner_id = $1
   ), days AS (
     SELECT partner_id, asset, day, ${CLOSED.map((name) => `sum(${name}) AS ${name}`).join(', ')}, false AS closed
       FROM entered GROUP BY partner_id, asset, day
     UNION ALL
     SELECT c.partner_id, c.asset, c.day, ${CLOSED.map(() => '0').join(', ')}, true FROM daily_closings c WHERE c.partner_id = $1
   ), summed AS (
     SELECT partner_id, asset, day, closed, ${CLOSED.map((name) => `sum(${name}) OVER w AS ${name}`).join(', ')}
       FROM days WINDOW w AS (PARTITION BY partner_id, asset ORDER BY day, closed)
   ), differences AS (
   SELECT format('daily_closings %s %s %s', s.partner_id, s.asset, to_char(s.day AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS subject,
          format('says %s, but according to the ledger it is %s', is_said, should) AS problem
     FROM summed s JOIN daily_closings c USING (partner_id, asset, day)
    CROSS JOIN LATERAL (SELECT ROW(${CLOSED.map((name) => `c.${name}`).join(', ')})::text AS is_said,
                               ROW(${CLOSED.map((name) => `s.${name}`).join(', ')})::text AS should) AS both_of
    WHERE s.closed AND is_said <> should
   UNION ALL
   SELECT format('closed_books %s %s %s', c.partner_id, c.asset, to_char(c.day AT TIME ZONE 'UTC', 'YYYY-MM-DD')), format('says %s, the closing is %s', is_said, should)
     FROM daily_closings c LEFT JOIN closed_books b USING (partner_id, day)
    CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT coalesce((SELECT (sums ->> name)::numeric FROM jsonb_array_elements(books -> 'totals' || (books -> 'revenue')) AS sums
                                     WHERE sums ->> 'asset' = c.asset AND sums ? name), 0)
                     FROM unnest('{deposited,withdrawn,accrued,costs,settledLending,settledHold,fee,partnerRevenue,carriedLoss}'::text[]) AS name)::text AS is_said,
             ARRAY[c.deposits, c.withdrawals, c.accrued, c.costs, c.settled_lending, c.settled_hold, c.fee, c.partner_revenue, c.carried_loss]::text AS should
    ) AS both_of
    WHERE c.partner_id = $1 AND is_said <> should
   )
   SELECT subject, problem, (CASE WHEN row_number() OVER (ORDER BY subject) = 1000 THEN count(*) OVER () - 1000 ELSE 0 END)::int AS more
     FROM differences ORDER BY subject LIMIT 1000`,
);
