import {
  bool,
  columnsOf,
  integer,
  listOf,
  orNull,
  recordOf,
  rowCount,
  text,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { isReserved } from '../allocation/routing.queries.js';
import { StoredOrder } from '../allocation/move-order.js';
import { unresolvedOf } from '../settlements/settlement.queries.js';

/** Locks the positions of user $1 in asset $2, by their revenue account. */
export const LOCK_ACCOUNT = statement(
  'withdrawals.lock_account',
  { values: [text(), text()], row: { userId: text() } },
  `SELECT user_id AS "userId" FROM revenue_accounts WHERE user_id = $1 AND asset = $2 FOR NO KEY UPDATE`,
);

const RESERVED = { reserved: whole(), isReservedWhole: bool() };
/** What open withdrawals reserve of position p: their amounts, and whether one has the rest. @param before parameter; NULL: of all, else of those before it */
const withReserved = (before: string): string => `CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount) FILTER (WHERE NOT is_whole), 0) AS reserved, coalesce(bool_or(is_whole), false) AS "isReservedWhole"
        FROM withdrawal_parts w WHERE w.position_id = p.id AND w.is_reserved AND (${before}::text IS NULL OR w.withdrawal_id < ${before})) AS others`;

/** The next open positions of user $1 in asset $2: by their vaults' place in $3, then the oldest; what a move has in transit is last; $4 rows. `open`: how many there are. */
export const FIND_SOURCES = statement(
  'withdrawals.find_sources',
  {
    values: [text(), text(), listOf(text()), rowCount()],
    row: { id: text(), vaultId: text(), shares: whole(), open: integer(), ...RESERVED },
  },
  `SELECT p.id, p.vault_id AS "vaultId", p.shares, p.open, others.*
     FROM (SELECT p.*, (count(*) OVER ())::int AS open FROM positions p LEFT JOIN unnest($3::text[]) WITH ORDINALITY AS vault(id, place) ON vault.id = p.vault_id
            WHERE p.user_id = $1 AND p.asset = $2 AND p.closed_at IS NULL
            ORDER BY p.transit_id IS NOT NULL, vault.place, p.opened_at, p.id LIMIT $4) AS p
     LEFT JOIN unnest($3::text[]) WITH ORDINALITY AS vault(id, place) ON vault.id = p.vault_id
    ${withReserved('NULL')}
    ORDER BY p.transit_id IS NOT NULL, vault.place, p.opened_at, p.id`,
);

/** What open withdrawals reserve of positions $1; of $2: only those before it. */
export const FIND_RESERVED = statement(
  'withdrawals.find_reserved',
  { values: [listOf(text()), orNull(text())], row: { id: text(), ...RESERVED } },
  `SELECT p.id, others.* FROM unnest($1::text[]) AS p(id) ${withReserved('$2')}`,
);

const ORDER = recordOf(StoredOrder);

/** Open orders of partner $1 that may have positions of user $2 in asset $3, locked until commit. */
export const LOCK_ORDERS = statement(
  'withdrawals.lock_orders',
  { values: [text(), text(), text()], row: ORDER },
  `SELECT ${columnsOf(ORDER, 'o')} FROM move_orders o
    WHERE o.partner_id = $1 AND o.asset = $3 AND o.ended_at IS NULL
      AND EXISTS (SELECT FROM positions p WHERE p.user_id = $2 AND p.asset = $3 AND p.closed_at IS NULL
                     AND (p.transit_id = o.decision_id OR p.vault_id = o.from_vault_id))
    ORDER BY o.id FOR UPDATE OF o`,
);

/** Of orders $1, those that have positions of $2. */
export const FIND_ORDERED = statement(
  'withdrawals.find_ordered',
  { values: [listOf(text()), listOf(text())], row: { orderId: text() } },
  `SELECT DISTINCT order_id AS "orderId" FROM move_order_positions WHERE order_id = ANY($1) AND position_id = ANY($2)`,
);

/** Takes positions $2 out of order $1, with their part of its expected cost. `positions`: how many are left. */
export const LEAVE_ORDER = statement(
  'withdrawals.leave_order',
  { values: [text(), listOf(text())], row: { positions: integer() } },
  `WITH held AS MATERIALIZED (
     SELECT count(*) FILTER (WHERE m.position_id <> ALL($2))::int AS positions, coalesce(sum(p.shares) FILTER (WHERE m.position_id <> ALL($2)), 0) AS remaining,
            sum(p.shares) AS shares
       FROM move_order_positions m JOIN positions p ON p.id = m.position_id WHERE m.order_id = $1
   ), gone AS (DELETE FROM move_order_positions WHERE order_id = $1 AND position_id = ANY($2))
   UPDATE move_orders SET expected_cost = trunc(expected_cost * held.remaining / greatest(held.shares, 1)) FROM held WHERE id = $1
   RETURNING held.positions`,
);

/** Positions of orders $1 that open withdrawals reserve. */
export const FIND_RESERVED_IN_ORDERS = statement(
  'withdrawals.find_reserved_in_orders',
  { values: [listOf(text())], row: { orderId: text(), positionIds: listOf(text()) } },
  `SELECT m.order_id AS "orderId", array_agg(m.position_id) AS "positionIds" FROM move_order_positions m
    WHERE m.order_id = ANY($1) AND ${isReserved('m.position_id')}
    GROUP BY m.order_id`,
);

/** An unresolved settlement that contradicts a transfer of positions $1. */
export const FIND_CONTRADICTED = statement(
  'withdrawals.find_contradicted',
  { values: [listOf(text())], row: { id: text() } },
  `SELECT contradicted.id FROM positions p CROSS JOIN LATERAL (${unresolvedOf('p.id', 'p.deposit_id')}) AS contradicted
    WHERE p.id = ANY($1) LIMIT 1`,
);
