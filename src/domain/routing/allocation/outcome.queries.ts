import { integer, orNull, text, time, whole } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** Cost of a move less its gain. A gain that a review booked does not count, because it was not promised. */
export const netCostOf = (order: string): string =>
  `(${order}.cost - ${order}.gain + coalesce(${order}.review_booked, 0))`;

/** Time of the next work on moves: at once for funds that can leave, the arrival of funds in transit, or the due hour of an outcome. */
export const FIND_WAKING = statement(
  'orders.find_waking',
  { values: [text()], row: { wakesAt: orNull(time()) } },
  `SELECT least((SELECT min(CASE status WHEN 'arriving' THEN arrives_hour ELSE requested_at END) FROM move_orders WHERE market_id = $1 AND ended_at IS NULL),
                (SELECT min(due_hour) FROM move_orders WHERE market_id = $1 AND realised_hour IS NULL AND due_hour IS NOT NULL)) AS "wakesAt"`,
);

/** Limit on outcomes of one hour. */
const OUTCOMES = 1_000;

/**
 * Records the realised gain of moves whose horizon has ended: the moved amount times the difference in share growth between the new vault and the old
 * one, less the cost. Cash does not grow. Funds in transit earn from their arrival on. A move whose hours are no longer stored has no outcome.
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
                         - ${netCostOf('o')}
       FROM due WHERE o.id = due.id
     RETURNING o.promised, o.realised
   )
   SELECT count(*)::int AS moves, coalesce(sum(promised), 0) AS promised, coalesce(sum(realised), 0) AS realised
     FROM recorded WHERE realised IS NOT NULL`,
);
