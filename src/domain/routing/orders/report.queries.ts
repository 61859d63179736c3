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
 * Value that the reports of key $3 may deviate by a part of: the values $2 of positions $1 that leave vaults, except for funds that counted
 * since $4. Deposits that may be invented do not count: those that the chain contradicts and, unless it confirms them, those that the key reported, or
 * that the key or an unknown one allocated, or another key since $4.
 */
export const FIND_BOUND_VALUE = statement(
  'reports.find_bound_value',
  { values: [listOf(text()), listOf(whole()), text(), time()], row: { value: whole() } },
  `SELECT coalesce(sum(value), 0) AS value
     FROM unnest($1::text[], $2::numeric[]) AS reported(id, value) JOIN positions p USING (id)
     LEFT JOIN LATERAL (
       SELECT status, reported_by FROM settlements WHERE position_id = p.id AND recorded_at = p.opened_at
        UNION ALL
       SELECT status, reported_by FROM settlements WHERE deposit_id = p.deposit_id AND recorded_at = p.opened_at LIMIT 1) AS deposit ON true
    WHERE NOT EXISTS (
            SELECT FROM ledger_entries e JOIN move_orders o ON o.decision_id = e.decision_id AND e.at BETWEEN o.redeemed_at AND coalesce(o.redeemed_until, o.redeemed_at)
             WHERE e.position_id = p.id AND e.type = 'rebalance' AND e.at > $4 AND o.redeemed_by = $3 AND o.bound_value IS DISTINCT FROM 0)
      AND CASE coalesce(deposit.status, 'unchecked') WHEN 'confirmed' THEN true
            WHEN 'mismatch' THEN false WHEN 'not_found' THEN false
            ELSE deposit.reported_by IS DISTINCT FROM $3
             AND NOT EXISTS (SELECT FROM move_orders r WHERE r.position_id = p.id AND (coalesce(r.settled_by, $3) = $3 OR r.settled_at > $4)) END`,
);

/**
 * Average funds of partner $1 in asset $2 on its closed days since $3, or its funds now where no day is closed yet, less deposits that key $4 may have
 * invented. The lateral joins look settlements up, where EXISTS might read them all.
 */
export const FIND_FUNDS = statement(
  'reports.find_funds',
  { values: [text(), text(), time(), text()], row: { funds: whole() } },
  `SELECT trunc(greatest(coalesce(
            (SELECT avg(deposits - withdrawals + accrued - costs) FROM daily_closings WHERE partner_id = $1 AND asset = $2 AND day >= $3),
            (SELECT sum(deposited - withdrawn + accrued - costs) FROM positions WHERE partner_id = $1 AND asset = $2 AND closed_at IS NULL), 0)
          - coalesce((SELECT sum(p.deposited - p.withdrawn + p.accrued - p.costs) FROM positions p
             WHERE p.partner_id = $1 AND p.asset = $2 AND p.closed_at IS NULL AND p.id IN (
               SELECT coalesce(d.id, s.position_id) FROM settlements s LEFT JOIN positions d ON d.deposit_id = s.deposit_id
                WHERE s.reported_by = $4 AND s.partner_id = $1 AND s.asset = $2 AND s.status <> 'confirmed'
                UNION
               SELECT r.position_id FROM move_orders r JOIN positions d ON d.id = r.position_id
                 LEFT JOIN LATERAL (SELECT status FROM settlements s WHERE s.position_id = r.position_id AND s.recorded_at = r.requested_at LIMIT 1) AS own ON true
                 LEFT JOIN LATERAL (SELECT status FROM settlements s WHERE s.deposit_id = d.deposit_id LIMIT 1) AS shared ON true
                WHERE r.settled_by = $4 AND r.asset = $2 AND r.partner_id = $1 AND coalesce(own.status, shared.status, '') <> 'confirmed')), 0), 0)) AS funds`,
);

/** What a report deviates by: a gain beyond fraction $10 waits outside the books, so that it does not count. */
const deviation = (amount: string, value: string): string =>
  `CASE WHEN ${amount} > ${value} + trunc(${value} * $10) THEN 0 ELSE abs(${amount} - ${value}) END`;
const REDEEMED = `coalesce(${deviation('o.redeemed_amount', 'o.redeemed_value')}, 0)`;
const SETTLED = deviation('o.settled_amount', 'o.settled_value');
/** All of a report counts while any of its transactions is not confirmed: what it deviates by may be in that one, however small that is. */
const unconfirmed = (step: 'redeemed' | 'settled'): string =>
  `(SELECT bool_and(c.status = 'confirmed') FROM report_checks c WHERE c.order_id = o.id AND c.step = '${step}') IS NOT TRUE`;
/** A move may deviate by its expected cost, over both of its reports, whoever makes them. */
const beyondCost = (size: string, before: string, expected: string): string =>
  `greatest(${size} + ${before} - ${expected}, 0) - greatest(${before} - ${expected}, 0)`;

/**
 * Sums over the reports of key $1 on moves and withdrawals of asset $2, and the present report: on $4, of partner $5, with value $6, deviation $7 and
 * expected cost $8. `moved`: value of which a fraction is the bound of a day, since $3. `ofDay`: what they deviate by beyond expected costs since then,
 * where no chain confirms it; `ofMonth`: the same of the partner since $9; `inAll`: with what a chain confirmed. `added`: that of the present report.
 */
export const SUM_DEVIATIONS = statement(
  'reports.sum_deviations',
  {
    values: [
      ...([text(), text(), time(), text(), text(), whole(), whole(), whole(), time(), numeric()] as const),
    ],
    row: { moved: whole(), ofDay: whole(), ofMonth: whole(), inAll: whole(), added: whole() },
  },
  `SELECT coalesce(sum(value) FILTER (WHERE at > $3), 0) AS moved, coalesce(sum(beyond) FILTER (WHERE at > $3 AND counts), 0) AS "ofDay",
          coalesce(sum(beyond) FILTER (WHERE partner_id = $5 AND counts), 0) AS "ofMonth",
          coalesce(sum(beyond) FILTER (WHERE partner_id = $5), 0) AS "inAll", coalesce(sum(beyond) FILTER (WHERE at = 'infinity'), 0) AS added
     FROM (SELECT o.partner_id, o.redeemed_at AS at, coalesce(o.bound_value, o.redeemed_value) AS value, ${beyondCost(REDEEMED, '0', 'o.expected_cost')} AS beyond,
                  ${unconfirmed('redeemed')} AS counts
             FROM move_orders o WHERE o.redeemed_by = $1 AND o.asset = $2 AND o.redeemed_at > $9
           UNION ALL
           SELECT o.partner_id, o.settled_at, 0, ${beyondCost(SETTLED, REDEEMED, 'o.expected_cost')}, ${unconfirmed('settled')}
             FROM move_orders o WHERE o.settled_by = $1 AND o.asset = $2 AND o.settled_at > $9
           UNION ALL
           SELECT partner_id, paid_at, bound_value, cost, true FROM withdrawals WHERE paid_by = $1 AND asset = $2 AND paid_at > $9
           UNION ALL
           SELECT $5, 'infinity', $6::numeric, ${beyondCost('$7::numeric', 'earlier.size', '$8::numeric')}, true
             FROM (SELECT coalesce((SELECT ${REDEEMED} FROM move_orders o WHERE o.id = $4), 0) AS size) AS earlier) AS reports`,
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
