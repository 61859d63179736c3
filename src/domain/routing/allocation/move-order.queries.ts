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

/** Limit on the positions of one order, the largest first, because one report books them in one transaction. */
const POSITIONS = 10_000;

/** Whether a position is at the place where its order expects it: one that was withdrawn, and restored since, no longer belongs to the order. */
const IS_THERE = `p.closed_at IS NULL AND CASE o.status WHEN 'arriving' THEN p.transit_id = o.decision_id
          ELSE p.vault_id = o.from_vault_id AND p.transit_id IS NULL END`;

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

/** Positions of new orders ($1, JSON): the one of a deposit, or those of the decision; for a partial move, the largest that fit into its room together. */
export const INSERT_POSITIONS = statement(
  'orders.insert_positions',
  { values: [json<string>()], row: {} },
  `INSERT INTO move_order_positions (order_id, position_id)
   SELECT new.id, found.id
     FROM json_to_recordset($1) AS new(id text, "partnerId" text, "positionId" text, "fromVaultId" text, room numeric, "requestedAt" timestamptz)
    CROSS JOIN LATERAL (
      SELECT new."positionId" AS id WHERE new."positionId" IS NOT NULL
      UNION ALL
      SELECT id FROM (SELECT id, sum(shares) OVER (ORDER BY shares DESC, id) AS together
                        FROM (SELECT p.id, p.shares FROM positions p
                               WHERE new."positionId" IS NULL AND p.partner_id = new."partnerId" AND p.vault_id = new."fromVaultId" AND p.status <> 'closed'
                                 AND p.transit_id IS NULL AND p.opened_at <= new."requestedAt" AND (new.room IS NULL OR p.shares <= new.room)
                               ORDER BY p.shares DESC, p.id LIMIT ${POSITIONS}) AS largest) AS summed
       WHERE new.room IS NULL OR together <= new.room) AS found`,
);

export const SET_PAID = statement(
  'orders.set_paid',
  { values: [text(), json<string>()], row: {} },
  `UPDATE move_order_positions m SET cost = new.cost
     FROM json_to_recordset($2) AS new(id text, cost numeric) WHERE m.order_id = $1 AND m.position_id = new.id`,
);

/** $2 status, $3 time, $4 failure, $5 note, $6 positions and $7 amount when settled. The order's positions are known by its decision from now on, except for their parts of a gain that waits. */
export const END = statement(
  'orders.end',
  {
    values: [
      text(),
      text<OrderStatus>(),
      time(),
      orNull(text<OrderFailure>()),
      orNull(text()),
      orNull(integer()),
      orNull(numeric()),
    ],
    row: {},
  },
  `WITH let_go AS (DELETE FROM move_order_positions WHERE order_id = $1 AND waiting = 0)
   UPDATE move_orders SET status = $2, ended_at = $3, failure = $4, note = $5, positions = coalesce($6, positions), amount = coalesce($7, amount) WHERE id = $1`,
);

/**
 * Stores the promise of a settled move for its outcome: in proportion to the moved amount, with a horizon that begins now. A move into cash has no
 * promise that depends on its hour.
 */
export const KEEP_OUTCOME = statement(
  'orders.keep_outcome',
  { values: [text(), time(), numeric()], row: {} },
  `INSERT INTO moves (decision_id, leg, market_id, partner_id, asset, from_vault_id, to_vault_id, decided_at, moved, amount, cost, amount_moved, cost_taken,
          promised, due_hour, evicts, arrives_hour, done_at)
   SELECT o.decision_id, 2, o.market_id, o.partner_id, o.asset, o.from_vault_id, o.to_vault_id, o.requested_at, o.positions, moved.value, o.expected_cost,
          moved.value, o.cost - o.gain, CASE WHEN moved.value < $3 THEN floor(o.promised * moved.value / $3) ELSE o.promised END,
          CASE WHEN o.promised IS NULL THEN NULL ELSE $2::timestamptz + make_interval(hours => o.horizon_hours) END, o.urgent, $2, o.ended_at
     FROM move_orders o
    CROSS JOIN LATERAL (SELECT coalesce(o.settled_value, o.redeemed_value) AS value) AS moved
    WHERE o.id = $1`,
);

export const COUNT = statement(
  'orders.count',
  { values: [], row: { status: text<OrderStatus>(), orders: integer(), oldest: time() } },
  `SELECT status, count(*)::int AS orders, min(requested_at) AS oldest FROM move_orders GROUP BY status`,
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
            SELECT FROM ledger_entries e JOIN move_orders o ON o.decision_id = e.decision_id AND o.redeemed_at = e.at
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

/** Stores the gain of order $1 that waits for review since $2, and the parts of its positions ($3, JSON). */
export const STORE_GAIN = statement(
  'reports.keep_gain',
  { values: [text(), time(), numeric(), json<string>()], row: {} },
  `WITH parts AS (
     UPDATE move_order_positions m SET waiting = new.waiting
       FROM json_to_recordset($4) AS new(id text, waiting numeric) WHERE m.order_id = $1 AND m.position_id = new.id)
   UPDATE move_orders SET review_status = 'pending_review', review_since = $2, review_gain = $3 WHERE id = $1`,
);

/** $2 status, $3 booked part, $4 time, $5 note; $6: the order has ended, so that its positions are known by its decision from now on. */
export const END_REVIEW = statement(
  'reports.end_review',
  { values: [text(), text<ReviewStatus>(), numeric(), time(), orNull(text()), bool()], row: {} },
  `WITH let_go AS (DELETE FROM move_order_positions WHERE order_id = $1 AND $6),
        parts AS (UPDATE move_order_positions SET waiting = 0 WHERE order_id = $1 AND NOT $6 AND waiting > 0)
   UPDATE move_orders SET review_status = $2, review_booked = $3, gain = gain + $3, reviewed_at = $4, review_note = $5 WHERE id = $1`,
);
