import { WEIGHED, limitPage } from '../../kernel/store/page.js';
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
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { isReserved } from './routing.queries.js';
import { type OrderFailure, type OrderStatus, type ReviewStatus, StoredOrder } from './move-order.js';

const ORDER = recordOf(StoredOrder);

/**
 * Whether a position is where its order expects it. One that was withdrawn, and restored since, no longer belongs to the order. Between the parts of
 * a redemption, some have left.
 */
const IS_IN_PLACE = `p.closed_at IS NULL AND (p.transit_id = o.decision_id
            OR (o.status <> 'arriving' AND p.transit_id IS NULL AND p.vault_id = o.from_vault_id))`;

export const LOCK_OPEN = statement(
  'orders.lock_open',
  { values: [text()], row: { ...ORDER, held: bool() } },
  `SELECT ${columnsOf(ORDER, 'o')}, EXISTS (SELECT FROM move_order_positions m JOIN positions p ON p.id = m.position_id WHERE m.order_id = o.id AND ${IS_IN_PLACE}) AS held
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
 * the largest that fit into its room together. What a withdrawal reserves stays.
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
                 AND p.transit_id IS NULL AND NOT ${isReserved('p.id')} AND p.opened_at <= new."requestedAt" AND (new.room IS NULL OR p.shares <= new.room)
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

/** The decision identifies the order's positions from now on. Only their parts of a gain that waits are kept. */
const RELEASED = 'WITH released AS (DELETE FROM move_order_positions WHERE order_id = $1 AND waiting = 0)';

/** Costs of an order that change with its step; null: as they are. */
const setCosts = (expected: string, exit: string): string =>
  `expected_cost = coalesce(${expected}, expected_cost), exit_cost = coalesce(${exit}, exit_cost)`;

/** $2 time, $3 failure, $4 note. */
export const FAIL = statement(
  'orders.fail',
  { values: [text(), time(), text<OrderFailure>(), orNull(text())], row: {} },
  `${RELEASED} UPDATE move_orders SET status = 'failed', ended_at = $2, failure = $3, note = $4, booking = NULL WHERE id = $1`,
);

/**
 * $2 time, $3 hour, $4 positions and $5 amount that arrived; $6: value of what moved, null: as booked. The promise is in proportion to that value, and
 * its horizon begins with the arrival. $7 and $8: costs.
 */
export const SETTLE = statement(
  'orders.settle',
  {
    values: [
      ...([text(), time(), time(), orNull(integer()), whole(), orNull(whole())] as const),
      ...([orNull(numeric()), orNull(numeric())] as const),
    ],
    row: {},
  },
  `${RELEASED}
   UPDATE move_orders o
      SET status = 'settled', ended_at = $2, booking = NULL, positions = coalesce($4, positions), amount = $5, moved_value = moved.value, ${setCosts('$7', '$8')},
          promised = CASE WHEN moved.value < o.amount THEN floor(promised * moved.value / o.amount) ELSE promised END,
          arrives_hour = greatest(arrives_hour, $3),
          due_hour = CASE WHEN promised IS NOT NULL THEN greatest(arrives_hour, $3) + make_interval(hours => horizon_hours) END
     FROM (SELECT coalesce($6, settled_value, redeemed_value) AS value FROM move_orders WHERE id = $1) AS moved
    WHERE o.id = $1`,
);

/** Ends a redemption ($2: hour of its last part): the amount in transit and its arrival are known. $3 and $4: costs. */
export const DEPART = statement(
  'orders.depart',
  { values: [text(), time(), orNull(numeric()), orNull(numeric())], row: {} },
  `UPDATE move_orders o
      SET status = 'arriving', booking = NULL, ${setCosts('$3', '$4')}, amount = redeemed_amount, arrives_hour = arrives_hour + greatest($2::timestamptz - d.hour, interval '0'),
          promised = CASE WHEN redeemed_value < amount THEN floor(promised * redeemed_value / amount) ELSE promised END
     FROM decisions d WHERE o.id = $1 AND d.id = o.decision_id`,
);

/**
 * Open orders that are due, urgent ones first, then the oldest: those of the server, unless their funds are to arrive later, and those whose report
 * is only booked in part.
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

export const COUNT = statement(
  'orders.count',
  { values: [text()], row: { status: text<OrderStatus>(), orders: integer(), oldest: time() } },
  `SELECT status, count(*)::int AS orders, min(requested_at) AS oldest FROM move_orders WHERE market_id = $1 GROUP BY status`,
);

/** Orders of a market at indexes $1 (JSON by vault): the positions of an open order are valued one by one, each rounded down. */
const { positions: _positions, amount: _amount, ...STORED } = ORDER;
const shown = (page: string): string =>
  `SELECT ${columnsOf(STORED, 'o')}, CASE WHEN o.ended_at IS NULL THEN worth.positions ELSE o.positions END AS positions,
          CASE WHEN o.ended_at IS NULL THEN worth.amount ELSE o.amount END AS amount, 1200 + coalesce(octet_length(o.note), 0) + named.bytes AS bytes
     FROM (${page}) AS o
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS positions, coalesce(sum(div(p.shares * i.index, 1e30)), 0) AS amount
        FROM move_order_positions m
        JOIN positions p ON p.id = m.position_id AND ${IS_IN_PLACE}
        JOIN json_to_recordset($1) AS i("vaultId" text, index numeric) ON i."vaultId" = p.vault_id
       WHERE m.order_id = o.id) AS worth
    CROSS JOIN LATERAL (
      SELECT 450 * greatest(count(*)::int - 2, 0) AS bytes FROM report_checks c WHERE c.order_id = o.id) AS named`;

const SHOWN = { ...ORDER, bytes: integer() };

/** $2: the order; $3: only of this partner; null: of any. */
export const FIND_ORDER = statement(
  'orders.find_order',
  { values: [json<string>(), text(), orNull(text())], row: SHOWN },
  shown('SELECT * FROM move_orders WHERE id = $2 AND ($3::text IS NULL OR partner_id = $3)'),
);

/** Orders of the batch of order $2, by id; the order alone if it has none. */
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
  limitPage(
    `${shown(
      `SELECT * FROM move_orders WHERE (requested_at, id) < ($2, $3) AND ($4::text IS NULL OR partner_id = $4) AND ($6::text IS NULL OR status = $6)
          AND ($7::text IS NULL OR review_status = $7) AND ($8::text IS NULL OR position_id = $8)
        ORDER BY requested_at DESC, id DESC LIMIT $5`,
    )} ORDER BY o.requested_at DESC, o.id DESC`,
    '"requestedAt" DESC, id DESC',
  ),
);
