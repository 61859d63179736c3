import { bool, json, nothing, numeric, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { ReviewStatus } from '../allocation/move-order.js';

/** Lock until commit that serialises the deviating reports of a key in an asset. */
export const LOCK_DEVIATIONS = statement(
  'reports.lock_deviations',
  { values: [text(), text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('reports ' || $1 || ' ' || $2, 0))`,
);

/**
 * Reports of key $1 on moves of asset $2 since $3: the amounts by the books, the deviations from them, and the expected costs of the moves, each counted with
 * the first report on its move.
 */
export const SUM_DEVIATIONS = statement(
  'reports.sum_deviations',
  {
    values: [text(), text(), time()],
    row: { moved: numeric(), deviated: numeric(), expectedCost: numeric() },
  },
  `SELECT coalesce(sum(value), 0) AS moved, coalesce(sum(abs(amount - value)), 0) AS deviated, coalesce(sum(cost), 0) AS "expectedCost"
     FROM (SELECT redeemed_value AS value, redeemed_amount AS amount, expected_cost AS cost
             FROM move_orders WHERE redeemed_by = $1 AND asset = $2 AND redeemed_at > $3
           UNION ALL
           SELECT settled_value, settled_amount, CASE WHEN redeemed_at IS NULL THEN expected_cost ELSE 0 END
             FROM move_orders WHERE settled_by = $1 AND asset = $2 AND settled_at > $3) AS reports`,
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
