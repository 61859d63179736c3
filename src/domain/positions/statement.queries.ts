import {
  double,
  integer,
  json,
  listOf,
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
 * Accruals of a batch, the only change of positions that this statement stores, as lists of columns: JSON of whole positions, written and parsed again, costs more than the rows.
 * Parameters: 1 to 3 positions, 4 to 15 entries, 16 to 22 revenue accounts, 23 to 27 rows of `book_totals`, 28 to 32 rows of `book_revenue`. Rows of the books are written in
 * the order of tables and keys of `positions.save`.
 */
export const POST = statement(
  'statements.post',
  {
    values: [
      time(),
      listOf(text()),
      listOf(numeric()),
      listOf(text()),
      listOf(time()),
      listOf(text()),
      listOf(text()),
      listOf(text()),
      listOf(text()),
      listOf(numeric()),
      listOf(orNull(double())),
      listOf(numeric()),
      listOf(integer()),
      listOf(integer()),
      listOf(long()),
      listOf(text()),
      listOf(text()),
      listOf(long()),
      listOf(numeric()),
      listOf(json<string>()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(text()),
      listOf(text()),
      listOf(small()),
      listOf(numeric()),
      listOf(time()),
      listOf(text()),
      listOf(text()),
      listOf(small()),
      listOf(numeric()),
      listOf(numeric()),
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
   ), settled AS (
     UPDATE revenue_accounts a
        SET settled = new.settled, carried_loss = new.carried_loss, sums = new.sums, total_fee = new.total_fee, total_partner = new.total_partner
       FROM unnest($16::text[], $17::text[], $18::bigint[], $19::numeric[], $20::json[], $21::numeric[], $22::numeric[])
            AS new(user_id, asset, settled, carried_loss, sums, total_fee, total_partner)
      WHERE a.user_id = new.user_id AND a.asset = new.asset
   ), totals AS (
     INSERT INTO book_totals AS t (partner_id, asset, slot, accrued, first_at, deposited, withdrawn, deposits, withdrawals, costs, settled_lending,
            settled_hold, principal, capital_moment, opened, closed)
     SELECT *, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM unnest($23::text[], $24::text[], $25::smallint[], $26::numeric[], $27::timestamptz[]) AS new(partner_id, asset, slot, accrued, first_at)
      ORDER BY partner_id COLLATE "C", asset, slot
     ON CONFLICT (partner_id, asset, slot) DO UPDATE SET accrued = t.accrued + excluded.accrued
   )
   INSERT INTO book_revenue AS t (partner_id, asset, slot, fee, partner_revenue)
   SELECT *
     FROM unnest($28::text[], $29::text[], $30::smallint[], $31::numeric[], $32::numeric[]) AS new(partner_id, asset, slot, fee, partner_revenue)
    ORDER BY partner_id COLLATE "C", asset, slot
   ON CONFLICT (partner_id, asset, slot) DO UPDATE
      SET fee = t.fee + excluded.fee, partner_revenue = t.partner_revenue + excluded.partner_revenue`,
);

export const ADVANCE = statement(
  'statements.advance',
  { values: [text(), time(), orNull(text()), rowCount(), orNull(time())], row: {} },
  `UPDATE statements SET after_id = coalesce($3, after_id), posted = posted + $4, done_at = $5 WHERE market_id = $1 AND day_end = $2`,
);
