import {
  bool,
  json,
  listOf,
  nothing,
  numeric,
  orNull,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { ReviewStatus } from '../allocation/move-order.js';

/** Serialises the deviating reports of key $1 in asset $2 by a lock until commit. */
export const LOCK_DEVIATIONS = statement(
  'reports.lock_deviations',
  { values: [text(), text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('reports ' || $1 || ' ' || $2, 0))`,
);

/**
 * Value that counts towards the reporting limit of key $3: the values $2 of positions $1, except funds the key itself redeemed since $4. $5: the report
 * is a redemption, which raises the limit for the key's other reports; so possibly fake deposits are excluded too: those the chain contradicts, and
 * unconfirmed ones allocated by this key or an unknown one, or by another key since $4.
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
 * Sums over the reports of key $1 on moves and withdrawals of asset $2 since $3, and the present report: on $4, with value $5, deviation $6 and allowance $7.
 * `moved`: value of which fraction $8 is the limit. `deviated`: deviations from the books. `allowed`: deviations within each move's own allowance, which
 * is its expected cost and, for funds that the key did not redeem since $3, the same fraction of their value.
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
                   SELECT id, bound_value, cost, 0 FROM withdrawals WHERE paid_by = $1 AND asset = $2 AND paid_at > $3
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

/** $2 status, $3 booked part, $4 time, $5 note; $6: the order has ended, so that its decision identifies its positions from now on. */
export const END_REVIEW = statement(
  'reports.end_review',
  { values: [text(), text<ReviewStatus>(), numeric(), time(), orNull(text()), bool()], row: {} },
  `WITH let_go AS (DELETE FROM move_order_positions WHERE order_id = $1 AND $6),
        parts AS (UPDATE move_order_positions SET waiting = 0 WHERE order_id = $1 AND NOT $6 AND waiting > 0)
   UPDATE move_orders SET review_status = $2, review_booked = $3, gain = gain + $3, reviewed_at = $4, review_note = $5 WHERE id = $1`,
);
