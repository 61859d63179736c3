import {
  arrayOf,
  double,
  integer,
  json,
  jsonb,
  long,
  numeric,
  orNull,
  rowCount,
  small,
  text,
  time,
} from '../../kernel/store/column.js';
import { bookedBy } from './position-store.queries.js';
import { statement } from '../../kernel/store/statement.js';
import type { RevenueAccountRow } from './settled-revenue.js';

/** Milliseconds since 1970: as numbers, times are written and read in a fraction of the time. */
const millis = (column: string): string => `round(date_part('epoch', ${column}) * 1000)`;

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
 * The next $3 open positions of a market after id $2, and what their accruals are settled by: the terms of their partners, oldest first, and the
 * revenue accounts of their users. Positions and accounts are locked until commit: positions before accounts, and both in one order, so that writers
 * cannot deadlock. One row, with columns as the text of arrays: the driver's work on thousands of rows would take longer than the arithmetic on them.
 * Times are milliseconds since 1970.
 */
export const LOCK_NEXT = statement(
  'statements.lock_next',
  {
    values: [text(), text(), rowCount()],
    row: {
      ids: orNull(text()),
      partnerIds: orNull(text()),
      userIds: orNull(text()),
      assets: orNull(text()),
      vaultIds: orNull(text()),
      slots: orNull(text()),
      shares: orNull(text()),
      deposited: orNull(text()),
      withdrawn: orNull(text()),
      costs: orNull(text()),
      accrued: orNull(text()),
      accruedAt: orNull(text()),
      accountUserIds: orNull(text()),
      accountAssets: orNull(text()),
      accountPartnerIds: orNull(text()),
      settled: orNull(text()),
      settledAt: orNull(text()),
      carriedLosses: orNull(text()),
      sums: orNull(json<RevenueAccountRow['sums'][]>()),
      totalFees: orNull(text()),
      totalPartners: orNull(text()),
      termsPartnerIds: orNull(text()),
      termsFromAt: orNull(text()),
      termsFeeBps: orNull(text()),
      termsShareBps: orNull(text()),
    },
  },
  `WITH next AS MATERIALIZED (
     SELECT id, partner_id, user_id, asset, vault_id, slot, shares, deposited, withdrawn, costs, accrued, accrued_at
       FROM positions WHERE market_id = $1 AND closed_at IS NULL AND id > $2 ORDER BY id LIMIT $3 FOR NO KEY UPDATE
   ), accounts AS MATERIALIZED (
     SELECT a.user_id, a.asset, a.partner_id, a.settled, a.settled_at, a.carried_loss, a.sums, a.total_fee, a.total_partner
       FROM (SELECT DISTINCT user_id, asset FROM next) AS own JOIN revenue_accounts a ON a.user_id = own.user_id AND a.asset = own.asset
      ORDER BY a.user_id, a.asset FOR NO KEY UPDATE OF a
   ), terms AS (
     SELECT t.partner_id, t.from_at, t.performance_fee_bps, t.revenue_share_bps
       FROM (SELECT DISTINCT partner_id FROM next) AS own JOIN partner_terms t ON t.partner_id = own.partner_id
      ORDER BY t.partner_id, t.from_at
   )
   SELECT * FROM
     (SELECT array_agg(id)::text AS ids, array_agg(partner_id)::text AS "partnerIds", array_agg(user_id)::text AS "userIds",
             array_agg(asset)::text AS assets, array_agg(vault_id)::text AS "vaultIds", array_agg(slot)::text AS slots, array_agg(shares)::text AS shares,
             array_agg(deposited)::text AS deposited, array_agg(withdrawn)::text AS withdrawn, array_agg(costs)::text AS costs,
             array_agg(accrued)::text AS accrued, array_agg(${millis('accrued_at')})::text AS "accruedAt" FROM next) AS p,
     (SELECT array_agg(user_id)::text AS "accountUserIds", array_agg(asset)::text AS "accountAssets", array_agg(partner_id)::text AS "accountPartnerIds",
             array_agg(settled)::text AS settled, array_agg(${millis('settled_at')})::text AS "settledAt", array_agg(carried_loss)::text AS "carriedLosses", json_agg(sums) AS sums,
             array_agg(total_fee)::text AS "totalFees", array_agg(total_partner)::text AS "totalPartners" FROM accounts) AS a,
     (SELECT array_agg(partner_id)::text AS "termsPartnerIds", array_agg(${millis('from_at')})::text AS "termsFromAt",
             array_agg(performance_fee_bps)::text AS "termsFeeBps", array_agg(revenue_share_bps)::text AS "termsShareBps" FROM terms) AS t`,
);

/**
 * Accruals of a part of a batch, each of a position that it is the only change of, and the revenue accounts that they settled, as lists of columns: JSON
 * of whole rows, written and parsed again, costs more than the rows. Parameters: 1 to 13 positions, each with its entry of that moment, whose id is
 * NULL where there is none; 14 to 20 revenue accounts, `sums` is an array of lists; 21 and 22 partners and the moment of booking.
 */
export const POST = statement(
  'statements.post',
  {
    values: [
      time(),
      arrayOf(text()),
      arrayOf(numeric()),
      arrayOf(text()),
      arrayOf(numeric()),
      arrayOf(double()),
      arrayOf(numeric()),
      arrayOf(integer()),
      arrayOf(integer()),
      arrayOf(long()),
      arrayOf(numeric()),
      arrayOf(numeric()),
      arrayOf(numeric()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(long()),
      arrayOf(numeric()),
      jsonb<string>(),
      arrayOf(numeric()),
      arrayOf(numeric()),
      arrayOf(text()),
      time(),
    ],
    row: {},
  },
  `WITH changed AS (
     UPDATE positions p SET accrued = due.accrued, accrued_at = $1
       FROM unnest($2::text[], $3::numeric[], $4::text[], $5::numeric[], $6::float8[], $7::numeric[], $8::int[], $9::int[], $10::bigint[],
                   $11::numeric[], $12::numeric[], $13::numeric[])
              AS due(position_id, accrued, id, amount, apy, share_index, fee_bps, share_bps, revenue_place, fee, partner_revenue, carried_loss)
      WHERE p.id = due.position_id
     RETURNING due.id, p.partner_id, p.user_id, p.id AS position_id, p.asset, p.vault_id, due.amount, due.apy, due.share_index, due.fee_bps,
               due.share_bps, due.revenue_place, due.fee, due.partner_revenue, due.carried_loss
   ), head AS (
     ${bookedBy('$22::timestamptz', '$1', 'SELECT unnest($21::text[])')}
   ), entered AS (
     INSERT INTO ledger_entries (type, cost, at, recorded_at, id, partner_id, user_id, position_id, asset, vault_id, amount, apy, share_index, fee_bps,
            share_bps, revenue_place, fee, partner_revenue, carried_loss)
     SELECT 'yield_accrual', 0, $1, recorded_at, booked_id(id, recorded_at), partner_id, user_id, position_id, asset, vault_id, amount, apy,
            share_index, fee_bps, share_bps, revenue_place, fee, partner_revenue, carried_loss
       FROM changed JOIN head USING (partner_id) WHERE id IS NOT NULL
   )
   UPDATE revenue_accounts a
      SET settled = new.settled, settled_at = $1, carried_loss = new.carried_loss, sums = new.sums, total_fee = new.total_fee, total_partner = new.total_partner
     FROM ROWS FROM (unnest($14::text[], $15::text[], $16::bigint[], $17::numeric[], $19::numeric[], $20::numeric[]), jsonb_array_elements($18))
            AS new(user_id, asset, settled, carried_loss, total_fee, total_partner, sums)
    WHERE a.user_id = new.user_id AND a.asset = new.asset`,
);

/** Entries of a part of a batch that are dated before its moment. Parameters: 1 to 16 entries; 17 and 18 partners and the moment of booking. */
export const POST_EARLIER = statement(
  'statements.post_earlier',
  {
    values: [
      arrayOf(text()),
      arrayOf(time()),
      arrayOf(text()),
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
      arrayOf(numeric()),
      arrayOf(numeric()),
      arrayOf(numeric()),
      arrayOf(text()),
      time(),
    ],
    row: {},
  },
  `WITH head AS (
     ${bookedBy('$18::timestamptz', '$18', 'SELECT unnest($17::text[])')}
   )
   INSERT INTO ledger_entries (type, cost, at, recorded_at, id, partner_id, user_id, position_id, asset, vault_id, amount, apy, share_index, fee_bps,
          share_bps, revenue_place, fee, partner_revenue, carried_loss)
   SELECT 'yield_accrual', 0, at, recorded_at, booked_id(id, recorded_at), partner_id, user_id, position_id, asset, vault_id, amount, apy, share_index,
          fee_bps, share_bps, revenue_place, fee, partner_revenue, carried_loss
     FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::float8[],
                 $10::numeric[], $11::int[], $12::int[], $13::bigint[], $14::numeric[], $15::numeric[], $16::numeric[])
            AS due(id, at, partner_id, user_id, position_id, asset, vault_id, amount, apy, share_index, fee_bps, share_bps, revenue_place, fee,
                   partner_revenue, carried_loss)
     JOIN head USING (partner_id)`,
);

/**
 * What a batch changes of the books, after all else that it writes: rows of the books are those that requests wait for. Parameters: 1 to 4 rows of
 * `book_totals`, which exist since their first position was opened; 5 to 10 rows of `book_revenue`. Both are written in the order of tables and keys of
 * `positions.save`.
 */
export const ADD_TO_BOOKS = statement(
  'statements.add_to_books',
  {
    values: [
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(small()),
      arrayOf(numeric()),
      arrayOf(text()),
      arrayOf(text()),
      arrayOf(small()),
      arrayOf(numeric()),
      arrayOf(numeric()),
      arrayOf(numeric()),
    ],
    row: {},
  },
  `WITH totals AS (
     UPDATE book_totals t SET accrued = t.accrued + due.accrued
       FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::numeric[]) AS due(partner_id, asset, slot, accrued)
              ORDER BY partner_id COLLATE "C", asset, slot) AS due
      WHERE t.partner_id = due.partner_id AND t.asset = due.asset AND t.slot = due.slot
   )
   INSERT INTO book_revenue AS t (partner_id, asset, slot, fee, partner_revenue, carried_loss)
   SELECT *
     FROM unnest($5::text[], $6::text[], $7::smallint[], $8::numeric[], $9::numeric[], $10::numeric[])
            AS new(partner_id, asset, slot, fee, partner_revenue, carried_loss)
    ORDER BY partner_id COLLATE "C", asset, slot
   ON CONFLICT (partner_id, asset, slot) DO UPDATE
      SET fee = t.fee + excluded.fee, partner_revenue = t.partner_revenue + excluded.partner_revenue,
          carried_loss = t.carried_loss + excluded.carried_loss`,
);

export const ADVANCE = statement(
  'statements.advance',
  { values: [text(), time(), orNull(text()), rowCount(), orNull(time())], row: {} },
  `UPDATE statements SET after_id = coalesce($3, after_id), posted = posted + $4, done_at = $5 WHERE market_id = $1 AND day_end = $2`,
);
