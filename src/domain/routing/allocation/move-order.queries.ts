import { WEIGHED, withinPage } from '../../kernel/store/page.js';
import {
  bool,
  columnsOf,
  integer,
  json,
  listOf,
  moment,
  numeric,
  orNull,
  recordOf,
  rowCount,
  text,
  time,
  nothing,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { type OrderFailure, type OrderStatus, type ReviewStatus, StoredOrder } from './move-order.js';

const ORDER = recordOf(StoredOrder);

/** What a move cost, less its gain; without one that was booked by a review, which is no part of the move's promise. */
export const paidBy = (order: string): string =>
  `(${order}.cost - ${order}.gain + coalesce(${order}.review_booked, 0))`;

/**
 * Whether a position is at the place where its order expects it: one that was withdrawn, and restored since, no longer belongs to the order. Between
 * the parts of a redemption some have left.
 */
const IS_THERE = `p.closed_at IS NULL AND (p.transit_id = o.decision_id
            OR (o.status <> 'arriving' AND p.transit_id IS NULL AND p.vault_id = o.from_vault_id))`;

export const LOCK_OPEN = statement(
  'orders.lock_open',
  { values: [text()], row: { ...ORDER, held: bool() } },
  `SELECT ${columnsOf(ORDER, 'o')}, EXISTS (SELECT FROM move_order_positions m JOIN positions p ON p.id = m.position_id WHERE m.order_id = o.id AND ${IS_THERE}) AS held
     FROM move_orders o WHERE o.market_id = $1 AND o.ended_at IS NULL ORDER BY o.id FOR UPDATE OF o`,
);

/** Locks the positions of orders $1, by their revenue accounts. */
export const LOCK_POSITIONS = statement(
  'orders.lock_positions',
  { values: [listOf(text())], row: {} },
  `SELECT FROM revenue_accounts a
    WHERE EXISTS (SELECT FROM move_order_positions m JOIN positions p ON p.id = m.position_id
                   WHERE m.order_id = ANY($1) AND p.user_id = a.user_id AND p.asset = a.asset)
    ORDER BY a.user_id, a.asset FOR NO KEY UPDATE`,
);

/** Locks the books of partners $1, and the funds of market $2 in vaults $3. */
export const LOCK_BOOKS = statement(
  'orders.lock_books',
  { values: [listOf(text()), text(), listOf(text())], row: {} },
  `WITH heads AS MATERIALIZED (SELECT FROM ledger_heads WHERE partner_id = ANY($1) ORDER BY partner_id FOR NO KEY UPDATE)
   SELECT FROM vault_shares WHERE market_id = $2 AND vault_id = ANY($3) AND (SELECT count(*) FROM heads) >= 0
    ORDER BY market_id COLLATE "C", vault_id COLLATE "C", slot FOR NO KEY UPDATE`,
);

/** $2: the owning partner, or null for any. */
export const FIND_POSITION = statement(
  'orders.find_position',
  { values: [text(), orNull(text())], row: { id: text() } },
  `SELECT id FROM positions WHERE id = $1 AND ($2::text IS NULL OR partner_id = $2)`,
);

/**
 * Positions of new orders ($1, JSON), in the order in which they are booked: the one of a deposit, or those of the decision by id; for a partial move,
 * the largest that fit into its room together.
 */
export const INSERT_POSITIONS = statement(
  'orders.insert_positions',
  { values: [json<string>()], row: {} },
  `INSERT INTO move_order_positions (order_id, position_id, place)
   SELECT new.id, placed.id, placed.place
     FROM json_to_recordset($1) AS new(id text, "partnerId" text, "positionId" text, "fromVaultId" text, room numeric, "requestedAt" timestamptz)
    CROSS JOIN LATERAL (
      SELECT new."positionId" AS id, 1 AS place WHERE new."positionId" IS NOT NULL
      UNION ALL
      SELECT id, place
        FROM (SELECT p.id, row_number() OVER sizes AS place, sum(p.shares) OVER sizes AS together
                FROM positions p
               WHERE new."positionId" IS NULL AND p.partner_id = new."partnerId" AND p.vault_id = new."fromVaultId" AND p.status <> 'closed'
                 AND p.transit_id IS NULL AND p.opened_at <= new."requestedAt" AND (new.room IS NULL OR p.shares <= new.room)
              WINDOW sizes AS (ORDER BY CASE WHEN new.room IS NOT NULL THEN p.shares END DESC, p.id)) AS summed
       WHERE new.room IS NULL OR together <= new.room) AS placed`,
);

/** Open positions of order $1 in vault $2, in transit by decision $3 or, for null, at rest, and their values at index $4, each rounded down. */
export const FIND_VALUES = statement(
  'orders.find_values',
  { values: [text(), text(), orNull(text()), whole()], row: { id: text(), value: whole() } },
  `SELECT p.id, div(p.shares * $4, 1e30) AS value
     FROM move_order_positions m JOIN positions p ON p.id = m.position_id
    WHERE m.order_id = $1 AND p.vault_id = $2 AND p.transit_id IS NOT DISTINCT FROM $3 AND p.closed_at IS NULL ORDER BY m.place`,
);

export const SET_PAID = statement(
  'orders.set_paid',
  { values: [text(), json<string>()], row: {} },
  `UPDATE move_order_positions m SET cost = new.cost
     FROM json_to_recordset($2) AS new(id text, cost numeric) WHERE m.order_id = $1 AND m.position_id = new.id`,
);

/** The order's positions are known by its decision from now on, except for their parts of a gain that waits. */
const RELEASED = 'WITH released AS (DELETE FROM move_order_positions WHERE order_id = $1 AND waiting = 0)';

/** $2 time, $3 failure, $4 note. */
export const FAIL = statement(
  'orders.fail',
  { values: [text(), time(), text<OrderFailure>(), orNull(text())], row: {} },
  `${RELEASED} UPDATE move_orders SET status = 'failed', ended_at = $2, failure = $3, note = $4, booking = NULL WHERE id = $1`,
);

/**
 * $2 time, $3 hour, $4 positions and $5 amount that arrived; $6: value of what moved, null: as booked. The promise is in proportion to that value, and
 * its horizon begins with the arrival.
 */
export const SETTLE = statement(
  'orders.settle',
  { values: [text(), time(), time(), orNull(integer()), whole(), orNull(whole())], row: {} },
  `${RELEASED}
   UPDATE move_orders o
      SET status = 'settled', ended_at = $2, booking = NULL, positions = coalesce($4, positions), amount = $5, moved_value = moved.value,
          promised = CASE WHEN moved.value < o.amount THEN floor(promised * moved.value / o.amount) ELSE promised END,
          arrives_hour = greatest(arrives_hour, $3),
          due_hour = CASE WHEN promised IS NOT NULL THEN greatest(arrives_hour, $3) + make_interval(hours => horizon_hours) END
     FROM (SELECT coalesce($6, settled_value, redeemed_value) AS value FROM move_orders WHERE id = $1) AS moved
    WHERE o.id = $1`,
);

/** All have left ($2: hour of the last one): the amount in transit and its arrival are known. */
export const DEPART = statement(
  'orders.depart',
  { values: [text(), time()], row: {} },
  `UPDATE move_orders o
      SET status = 'arriving', booking = NULL, amount = redeemed_amount, arrives_hour = arrives_hour + greatest($2::timestamptz - d.hour, interval '0'),
          promised = CASE WHEN redeemed_value < amount THEN floor(promised * redeemed_value / amount) ELSE promised END
     FROM decisions d WHERE o.id = $1 AND d.id = o.decision_id`,
);

/**
 * Open orders with something to do, urgent ones first, then the oldest: those of the server, except for funds whose hour of arrival has not come, and
 * those with a report that is not booked to its end.
 */
export const FIND_DUE = statement(
  'orders.find_due',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM move_orders
    WHERE market_id = $1 AND ended_at IS NULL
      AND (booking IS NOT NULL OR (arrives_hour IS NOT NULL
             AND (status <> 'arriving' OR arrives_hour <= (SELECT ticked_hour FROM markets WHERE id = $1))))
    ORDER BY urgent AND status <> 'arriving' DESC, decision_id`,
);

/** Orders of market $1 between two parts of a step. */
export const FIND_INTERRUPTED = statement(
  'orders.find_interrupted',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM move_orders WHERE market_id = $1 AND booking IS NOT NULL ORDER BY urgent DESC, decision_id`,
);

/** Hour of the next work on moves: at once for funds that can leave, at their arrival for funds in transit, at the due hour for an outcome. */
export const FIND_WAKING = statement(
  'orders.find_waking',
  { values: [text()], row: { wakesAt: orNull(time()) } },
  `SELECT least((SELECT min(CASE status WHEN 'arriving' THEN arrives_hour ELSE requested_at END) FROM move_orders WHERE market_id = $1 AND ended_at IS NULL),
                (SELECT min(due_hour) FROM move_orders WHERE market_id = $1 AND realised_hour IS NULL AND due_hour IS NOT NULL)) AS "wakesAt"`,
);

/** Limit on outcomes of one hour. */
const OUTCOMES = 1_000;

/**
 * Outcomes of moves whose horizon has ended, over staying: their amount by the growth of a share in either vault between the two hours, less the
 * cost. Cash is constant. Funds in transit earn from their arrival on. A move whose hours are no longer stored has no outcome.
 */
export const RECORD_OUTCOMES = statement(
  'orders.record_outcomes',
  { values: [text()], row: { moves: integer(), promised: whole(), realised: whole() } },
  `WITH due AS (
     SELECT id, decision_id, market_id, due_hour, arrives_hour FROM move_orders
      WHERE market_id = $1 AND realised_hour IS NULL AND due_hour <= (SELECT ticked_hour FROM markets WHERE id = $1) ORDER BY due_hour LIMIT ${OUTCOMES} FOR UPDATE SKIP LOCKED
   ), grown AS (
     SELECT due.id, side.name, after.share_index / before.share_index AS ratio
       FROM due JOIN decisions d ON d.id = decision_id
      CROSS JOIN LATERAL (VALUES ('from', d.from_vault_id, d.hour), ('to', d.to_vault_id, due.arrives_hour)) AS side(name, vault_id, hour)
       JOIN snapshots before ON before.market_id = due.market_id AND before.vault_id = side.vault_id AND before.hour = side.hour
       JOIN snapshots after ON after.market_id = due.market_id AND after.vault_id = side.vault_id AND after.hour = due.due_hour
   ), recorded AS (
     UPDATE move_orders o
        SET realised_hour = o.due_hour,
            realised = floor(o.moved_value * ((SELECT ratio FROM grown g WHERE g.id = o.id AND name = 'to') - (SELECT ratio FROM grown g WHERE g.id = o.id AND name = 'from')))
                         - ${paidBy('o')}
       FROM due WHERE o.id = due.id
     RETURNING o.promised, o.realised
   )
   SELECT count(*)::int AS moves, coalesce(sum(promised), 0) AS promised, coalesce(sum(realised), 0) AS realised
     FROM recorded WHERE realised IS NOT NULL`,
);

export const COUNT = statement(
  'orders.count',
  { values: [text()], row: { status: text<OrderStatus>(), orders: integer(), oldest: time() } },
  `SELECT status, count(*)::int AS orders, min(requested_at) AS oldest FROM move_orders WHERE market_id = $1 GROUP BY status`,
);

/** Orders of a market at indexes $1 (JSON by vault): the positions of an open order are valued one by one, each rounded down. */
const { positions: _positions, amount: _amount, ...OWN } = ORDER;
const shown = (page: string): string =>
  `SELECT ${columnsOf(OWN, 'o')}, CASE WHEN o.ended_at IS NULL THEN worth.positions ELSE o.positions END AS positions,
          CASE WHEN o.ended_at IS NULL THEN worth.amount ELSE o.amount END AS amount, 1200 + coalesce(octet_length(o.note), 0) AS bytes
     FROM (${page}) AS o
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS positions, coalesce(sum(div(p.shares * i.index, 1e30)), 0) AS amount
        FROM move_order_positions m
        JOIN positions p ON p.id = m.position_id AND ${IS_THERE}
        JOIN json_to_recordset($1) AS i("vaultId" text, index numeric) ON i."vaultId" = p.vault_id
       WHERE m.order_id = o.id) AS worth`;

const SHOWN = { ...ORDER, bytes: integer() };

/** $2: the order; $3: only of this partner; null: of any. */
export const FIND_ORDER = statement(
  'orders.find_order',
  { values: [json<string>(), text(), orNull(text())], row: SHOWN },
  shown('SELECT * FROM move_orders WHERE id = $2 AND ($3::text IS NULL OR partner_id = $3)'),
);

/** Orders of the batch of order $2, by id; it alone where it has none. */
export const FIND_OF_BATCH = statement(
  'orders.find_of_batch',
  { values: [json<string>(), text()], row: SHOWN },
  `${shown('SELECT * FROM move_orders WHERE id = $2 OR batch_id = (SELECT batch_id FROM move_orders WHERE id = $2)')} ORDER BY o.id`,
);

/**
 * Page, newest first, planned for its filters, each of which walks an index of its own; null: any. $2/$3 keyset position (time, id; infinity for the
 * first page), $4 partner, $5 rows, $6 status, $7 status of the review, $8 position.
 */
export const LIST = statement(
  'orders.list',
  {
    values: [
      json<string>(),
      moment(),
      text(),
      orNull(text()),
      rowCount(),
      orNull(text<OrderStatus>()),
      orNull(text<ReviewStatus>()),
      orNull(text()),
    ],
    row: { ...SHOWN, ...WEIGHED },
    isPlannedAnew: true,
  },
  withinPage(
    `${shown(
      `SELECT * FROM move_orders WHERE (requested_at, id) < ($2, $3) AND ($4::text IS NULL OR partner_id = $4) AND ($6::text IS NULL OR status = $6)
          AND ($7::text IS NULL OR review_status = $7) AND ($8::text IS NULL OR position_id = $8)
        ORDER BY requested_at DESC, id DESC LIMIT $5`,
    )} ORDER BY o.requested_at DESC, o.id DESC`,
    '"requestedAt" DESC, id DESC',
  ),
);

/** Lock until commit that serialises the deviating reports of a key in an asset. */
export const LOCK_DEVIATIONS = statement(
  'reports.lock_deviations',
  { values: [text(), text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('reports ' || $1 || ' ' || $2, 0))`,
);

/**
 * Part of the values $2 of positions $1 that bounds reports of key $3: without what it redeemed since $4. Where $5, they leave a vault, and raise the
 * bound of its other reports: then without deposits that may be invented, which the chain contradicts, or has not confirmed and an executor allocated:
 * this key, nobody known, or another key since $4.
 */
export const FIND_BOUND_VALUE = statement(
  'reports.find_bound_value',
  { values: [listOf(text()), listOf(whole()), text(), time(), bool()], row: { value: whole() } },
  `SELECT coalesce(sum(value), 0) AS value
     FROM unnest($1::text[], $2::numeric[]) AS reported(id, value) JOIN positions p USING (id)
     LEFT JOIN LATERAL (
       SELECT status FROM settlements WHERE position_id = p.id AND recorded_at = p.opened_at
        UNION ALL
       SELECT status FROM settlements WHERE deposit_id = p.deposit_id AND recorded_at = p.opened_at LIMIT 1) AS deposit ON true
    WHERE NOT EXISTS (
            SELECT FROM ledger_entries e JOIN move_orders o ON o.decision_id = e.decision_id AND e.at BETWEEN o.redeemed_at AND coalesce(o.redeemed_until, o.redeemed_at)
             WHERE e.position_id = p.id AND e.type = 'rebalance' AND e.at > $4 AND o.redeemed_by = $3)
      AND (NOT $5::boolean OR CASE coalesce(deposit.status, 'unchecked') WHEN 'confirmed' THEN true
            WHEN 'mismatch' THEN false WHEN 'not_found' THEN false
            ELSE NOT EXISTS (SELECT FROM move_orders r WHERE r.position_id = p.id AND (coalesce(r.settled_by, $3) = $3 OR r.settled_at > $4)) END)`,
);

/**
 * Reports of key $1 on moves of asset $2 since $3, and the one on move $4 that adds $5 to the bound, deviates by $6 and may by $7 for itself: what the
 * bound is a fraction $8 of, the deviations from the books, and those that a move may have for itself. That is its expected cost and, of funds that
 * the key did not redeem since, the same fraction.
 */
export const SUM_DEVIATIONS = statement(
  'reports.sum_deviations',
  {
    values: [text(), text(), time(), text(), whole(), whole(), whole(), numeric()],
    row: { moved: whole(), deviated: whole(), allowed: whole() },
  },
  `SELECT sum(value) AS moved, sum(size) AS deviated, sum(least(size, allowed)) AS allowed
     FROM (SELECT id, sum(value) AS value, sum(size) AS size, sum(allowed) AS allowed
             FROM (SELECT id, coalesce(bound_value, redeemed_value) AS value, abs(redeemed_amount - redeemed_value) AS size, expected_cost AS allowed
                     FROM move_orders WHERE redeemed_by = $1 AND asset = $2 AND redeemed_at > $3
                   UNION ALL
                   SELECT id, 0, abs(settled_amount - settled_value),
                          CASE WHEN redeemed_at IS NULL THEN expected_cost + trunc(coalesce(bound_value, settled_value) * $8)
                               WHEN redeemed_by = $1 AND redeemed_at > $3 THEN 0 ELSE trunc(settled_value * $8) END
                     FROM move_orders WHERE settled_by = $1 AND asset = $2 AND settled_at > $3
                   UNION ALL
                   SELECT $4, $5::numeric, $6::numeric, $7::numeric) AS reports
            GROUP BY id) AS moves`,
);

/** Adds $3 to the gain of order $1 that waits for review since $2, in parts of its positions ($4, JSON). */
export const STORE_GAIN = statement(
  'reports.keep_gain',
  { values: [text(), time(), numeric(), json<string>()], row: {} },
  `WITH parts AS (
     UPDATE move_order_positions m SET waiting = new.waiting
       FROM json_to_recordset($4) AS new(id text, waiting numeric) WHERE m.order_id = $1 AND m.position_id = new.id)
   UPDATE move_orders SET review_status = 'pending_review', review_since = coalesce(review_since, $2), review_gain = coalesce(review_gain, 0) + $3 WHERE id = $1`,
);

/** $2 status, $3 booked part, $4 time, $5 note; $6: the order has ended, so that its positions are known by its decision from now on. */
export const END_REVIEW = statement(
  'reports.end_review',
  { values: [text(), text<ReviewStatus>(), numeric(), time(), orNull(text()), bool()], row: {} },
  `WITH let_go AS (DELETE FROM move_order_positions WHERE order_id = $1 AND $6),
        parts AS (UPDATE move_order_positions SET waiting = 0 WHERE order_id = $1 AND NOT $6 AND waiting > 0)
   UPDATE move_orders SET review_status = $2, review_booked = $3, gain = gain + $3, reviewed_at = $4, review_note = $5 WHERE id = $1`,
);
