import {
  arrayOf,
  double,
  integer,
  json,
  long,
  numeric,
  orNull,
  rowCount,
  small,
  text,
  time,
} from '../store/column.js';
import { statement } from '../store/statement.js';

/** Newest hour of a market, and its newest statement. */
export const FIND_NEWEST = statement(
  'statements.find_newest',
  { values: [text()], row: { tickedHour: orNull(time()), dayEnd: orNull(time()), doneAt: orNull(time()) } },
  `SELECT m.ticked_hour AS "tickedHour", s.day_end AS "dayEnd", s.done_at AS "doneAt"
     FROM markets m
     LEFT JOIN LATERAL (SELECT day_end, done_at FROM statements WHERE market_id = m.id ORDER BY day_end DESC LIMIT 1) s ON true
    WHERE m.id = $1`,
);

/** Creation of a market's oldest open position, before which nothing was held; ids sort by time. */
export const FIND_OLDEST_OPEN = statement(
  'statements.find_oldest_open',
  { values: [text()], row: { openedAt: time() } },
  `SELECT opened_at AS "openedAt" FROM positions WHERE market_id = $1 AND closed_at IS NULL ORDER BY id LIMIT 1`,
);

export const BEGIN = statement(
  'statements.begin',
  { values: [text(), time()], row: {} },
  `INSERT INTO statements (market_id, day_end) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);

/** Lock by which one process at a time posts statements. */
export const LOCK = statement(
  'statements.lock',
  { values: [text(), time()], row: { afterId: text(), doneAt: orNull(time()) } },
  `SELECT after_id AS "afterId", done_at AS "doneAt" FROM statements WHERE market_id = $1 AND day_end = $2 FOR UPDATE`,
);

/**
 * Has the rest of the transaction join lists to rows by index. How long a list is, is not known to the planner: it read all positions and all
 * accounts for each batch, where that seemed cheaper than a look at 2,000.
 */
export const JOIN_BY_INDEX = statement(
  'statements.join_by_index',
  { values: [], row: { hash: text(), merge: text() } },
  `SELECT set_config('enable_hashjoin', 'off', true) AS hash, set_config('enable_mergejoin', 'off', true) AS merge`,
);

/**
 * Accruals of a part of a batch, the only change of positions that this statement stores, as lists of columns: JSON of whole positions, written and
 * parsed again, costs more than the rows. Parameters: 1 to 3 positions, 4 to 15 entries, 16 to 22 revenue accounts; `sums` is an array of lists.
 */
export const POST = statement(
  'statements.post',
  {
    values: [
      time(),
      arrayOf(text()),
      arrayOf(numeric()),
      arrayOf(text()),
      arrayOf(time()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(numeric()),
      arrayOf(double()),
      arrayOf(numeric()),
      arrayOf(integer()),
      arrayOf(integer()),
      arrayOf(long()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(long()),
      arrayOf(numeric()),
      json<string>(),
      arrayOf(numeric()),
      arrayOf(numeric()),
    ],
    row: {},
  },
  `WITH changed AS (
     UPDATE positions p SET accrued = new.accrued, accrued_at = $1
       FROM unnest($2::text[], $3::numeric[]) AS new(id, accrued)
      WHERE p.id = new.id
   ), entered AS (
     INSERT INTO ledger_entries (type, cost, id, at, user_id, position_id, asset, vault_id, amount, apy, share_index, fee_bps, share_bps, revenue_place)
     SELECT 'yield_accrual', 0, *
       FROM unnest($4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::numeric[], $11::float8[], $12::numeric[], $13::int[],
                   $14::int[], $15::bigint[])
   )
   UPDATE revenue_accounts a
      SET settled = new.settled, carried_loss = new.carried_loss, sums = new.sums, total_fee = new.total_fee, total_partner = new.total_partner
     FROM ROWS FROM (unnest($16::text[], $17::text[], $18::bigint[], $19::numeric[], $21::numeric[], $22::numeric[]), json_array_elements($20))
            AS new(user_id, asset, settled, carried_loss, total_fee, total_partner, sums)
    WHERE a.user_id = new.user_id AND a.asset = new.asset`,
);

/**
 * What a batch changes of the books, after all else that it writes: rows of the books are those that requests wait for. Parameters: 1 to 5 rows of
 * `book_totals`, 6 to 10 rows of `book_revenue`, written in the order of tables and keys of `positions.save`.
 */
export const ADD_TO_BOOKS = statement(
  'statements.add_to_books',
  {
    values: [
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(small()),
      arrayOf(numeric()),
      arrayOf(time()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(small()),
      arrayOf(numeric()),
      arrayOf(numeric()),
    ],
    row: {},
  },
  `WITH totals AS (
     INSERT INTO book_totals AS t (partner_id, asset, slot, accrued, first_at, deposited, withdrawn, deposits, withdrawals, costs, settled_lending,
            settled_hold, principal, capital_moment, opened, closed)
     SELECT *, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM unnest($1::text[], $2::text[], $3::smallint[], $4::numeric[], $5::timestamptz[]) AS new(partner_id, asset, slot, accrued, first_at)
      ORDER BY partner_id COLLATE "C", asset, slot
     ON CONFLICT (partner_id, asset, slot) DO UPDATE SET accrued = t.accrued + excluded.accrued
   )
   INSERT INTO book_revenue AS t (partner_id, asset, slot, fee, partner_revenue)
   SELECT *
     FROM unnest($6::text[], $7::text[], $8::smallint[], $9::numeric[], $10::numeric[]) AS new(partner_id, asset, slot, fee, partner_revenue)
    ORDER BY partner_id COLLATE "C", asset, slot
   ON CONFLICT (partner_id, asset, slot) DO UPDATE
      SET fee = t.fee + excluded.fee, partner_revenue = t.partner_revenue + excluded.partner_revenue`,
);

export const ADVANCE = statement(
  'statements.advance',
  { values: [text(), time(), orNull(text()), rowCount(), orNull(time())], row: {} },
  `UPDATE statements SET after_id = coalesce($3, after_id), posted = posted + $4, done_at = $5 WHERE market_id = $1 AND day_end = $2`,
);
