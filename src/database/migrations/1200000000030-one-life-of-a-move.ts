import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Moves that the server executes are orders too: their legs become orders, and their table goes. */
export class OneLifeOfAMove1200000000030 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ORDERS, POSITIONS, OUTCOMES, LEGS, PLACES, INDEXES, VIEW]) await runner.query(sql);
  }
}

/**
 * exit_cost: part of expected_cost that leaving a vault with an exit delay costs; null: its funds are not cash in between. arrives_hour: hour in which
 * the server brings the funds to their target, or in which they arrived; null: an executor has not reported it. redeemed_until, settled_until: time of
 * the last part of a step, which is booked in parts; null: the first was the last. redeemed_withdrawn, settled_withdrawn: value that was withdrawn between
 * the report and its last part; null: none. booking: what is left of a step between two parts. moved_value:
 * value of what moved before the cost of the last step, by which the promise is scaled. due_hour: when the outcome is known. Micro-units.
 */
const ORDERS = `
ALTER TABLE move_orders
  ADD COLUMN exit_cost numeric(40, 0) CHECK (exit_cost BETWEEN 0 AND expected_cost),
  ADD COLUMN arrives_hour timestamptz(3),
  ADD COLUMN redeemed_until timestamptz(3) CHECK (redeemed_until > redeemed_at),
  ADD COLUMN settled_until timestamptz(3) CHECK (settled_until > settled_at),
  ADD COLUMN redeemed_withdrawn numeric(40, 0) CHECK (redeemed_withdrawn > 0),
  ADD COLUMN settled_withdrawn numeric(40, 0) CHECK (settled_withdrawn > 0),
  ADD COLUMN booking jsonb,
  ADD COLUMN moved_value numeric(40, 0),
  ADD COLUMN due_hour timestamptz(3),
  ADD COLUMN realised numeric(40, 0),
  ADD COLUMN realised_hour timestamptz(3);
DO $$
DECLARE
  hashes text;
BEGIN
  FOR hashes IN SELECT conname FROM pg_constraint WHERE conrelid = 'move_orders'::regclass AND pg_get_constraintdef(oid) LIKE '%tx_hash IS NULL%' LOOP
    EXECUTE format('ALTER TABLE move_orders DROP CONSTRAINT %I', hashes);
  END LOOP;
END $$;
-- The server's own steps have neither key nor hash.
ALTER TABLE move_orders
  ADD CONSTRAINT move_orders_redeemed CHECK ((redeemed_at IS NULL) = (redeemed_amount IS NULL) AND (redeemed_by IS NULL OR redeemed_tx_hash IS NOT NULL)),
  ADD CONSTRAINT move_orders_settled CHECK ((settled_at IS NULL) = (settled_amount IS NULL) AND (settled_by IS NULL OR settled_tx_hash IS NOT NULL)),
  ADD CONSTRAINT move_orders_booking CHECK (booking IS NULL OR ended_at IS NULL);
`;

/** place: in the order in which an order's positions are booked. */
const POSITIONS = `
ALTER TABLE move_order_positions ADD COLUMN place int;
UPDATE move_order_positions m SET place = ranked.place
  FROM (SELECT order_id, position_id, row_number() OVER (PARTITION BY order_id ORDER BY position_id) AS place FROM move_order_positions) AS ranked
 WHERE m.order_id = ranked.order_id AND m.position_id = ranked.position_id;
ALTER TABLE move_order_positions ALTER COLUMN place SET NOT NULL, DROP CONSTRAINT move_order_positions_pkey, ADD PRIMARY KEY (order_id, place);
`;

/** Outcomes of moves that executors reported. */
const OUTCOMES = `
UPDATE move_orders o
   SET promised = m.promised, moved_value = m.amount_moved, arrives_hour = m.arrives_hour, due_hour = m.due_hour, realised = m.realised,
       realised_hour = m.realised_hour
  FROM moves m WHERE m.decision_id = o.decision_id;
`;

/**
 * Legs of moves that the server executed. A decision has one, or two where its vault pays out late: "one" leaves the vault, "two" goes on from cash.
 * last: the leg that brings the funds to their target.
 */
const LEGS = `
INSERT INTO move_orders (id, decision_id, market_id, partner_id, asset, from_vault_id, to_vault_id, reason, urgent, status, positions, amount, expected_cost,
       exit_cost, promised, horizon_hours, requested_at, expires_at, taken_at, arrives_hour, due_hour, realised, realised_hour, moved_value, cost,
       redeemed_at, redeemed_until, redeemed_amount, redeemed_value, settled_at, settled_until, settled_amount, settled_value, ended_at, failure, note, booking)
SELECT 'mov' || substr(one.decision_id, 4), one.decision_id, one.market_id, one.partner_id, one.asset, one.from_vault_id, last.to_vault_id,
       d.record->>'reason', one.evicts,
       CASE WHEN last.done_at IS NOT NULL THEN CASE WHEN last.moved > 0 OR last.amount_moved > 0 THEN 'settled' ELSE 'failed' END
            WHEN one.done_at IS NOT NULL THEN 'arriving' WHEN one.moved > 0 THEN 'redeeming' ELSE 'requested' END,
       CASE WHEN last.done_at IS NULL THEN d.positions ELSE last.moved END,
       CASE WHEN last.done_at IS NULL THEN last.amount ELSE greatest(last.amount_moved - last.cost_taken, 1) END,
       one.cost + coalesce(two.cost, 0), CASE WHEN two.decision_id IS NOT NULL THEN one.cost END, last.promised,
       greatest((d.record->'expectedUplift'->>'horizonDays')::int * 24, 1), one.decided_at, one.decided_at + interval '1 day',
       CASE WHEN one.moved > 0 OR one.done_at IS NOT NULL THEN one.decided_at END, coalesce(two.arrives_hour, d.hour),
       CASE WHEN last.done_at IS NOT NULL THEN last.due_hour END, last.realised, last.realised_hour,
       CASE WHEN last.done_at IS NOT NULL THEN last.amount_moved END, one.cost_taken + coalesce(two.cost_taken, 0),
       out.at, CASE WHEN out.at < one.done_at THEN one.done_at END, out.amount, out.value,
       home.at, CASE WHEN home.at < last.done_at THEN last.done_at END, home.amount, home.value,
       last.done_at, CASE WHEN last.done_at IS NOT NULL AND last.moved = 0 AND last.amount_moved = 0 THEN 'empty' END, NULL,
       CASE WHEN last.done_at IS NULL THEN (
         SELECT jsonb_build_object('place', 0, 'positions', leg.moved, 'arrived', (leg.amount_moved - leg.cost_taken)::text, 'amount', (leg.amount - leg.amount_moved)::text,
                  'cost', (leg.cost - leg.cost_taken)::text, 'gain', '0', 'waits', '0')
           FROM moves leg WHERE leg.decision_id = one.decision_id AND leg.moved > 0 AND leg.done_at IS NULL ORDER BY leg.leg DESC LIMIT 1) END
  FROM moves one
  JOIN decisions d ON d.id = one.decision_id
  LEFT JOIN moves two ON two.decision_id = one.decision_id AND two.leg = 2
  JOIN moves last ON last.decision_id = one.decision_id AND last.leg = coalesce(two.leg, 1)
 CROSS JOIN LATERAL (
   SELECT CASE WHEN reached THEN one.decided_at END AS at, CASE WHEN reached THEN one.amount_moved - one.cost_taken END AS amount,
          CASE WHEN reached THEN one.amount_moved END AS value
     FROM (SELECT two.decision_id IS NOT NULL AND one.amount_moved > one.cost_taken AS reached) AS late) AS out
 CROSS JOIN LATERAL (
   SELECT CASE WHEN reached THEN CASE WHEN last.leg = 2 THEN last.arrives_hour ELSE one.decided_at END END AS at,
          CASE WHEN reached THEN last.amount_moved - last.cost_taken END AS amount, CASE WHEN reached THEN last.amount_moved END AS value
     FROM (SELECT last.from_vault_id <> last.to_vault_id AND last.amount_moved > last.cost_taken AS reached) AS arrival) AS home
 WHERE one.leg = 1 AND NOT EXISTS (SELECT FROM move_orders o WHERE o.decision_id = one.decision_id);
`;

/** Positions of open orders that were legs: those in transit, and those that have not left, in the order in which they would have. */
const PLACES = `
INSERT INTO move_order_positions (order_id, position_id, place)
SELECT o.id, p.id, row_number() OVER (PARTITION BY o.id ORDER BY CASE WHEN one.room IS NOT NULL AND o.status <> 'arriving' THEN p.shares END DESC, p.id)
  FROM move_orders o
  JOIN moves one ON one.decision_id = o.decision_id AND one.leg = 1
  JOIN positions p ON p.market_id = o.market_id AND p.partner_id = o.partner_id AND p.closed_at IS NULL AND (
         p.transit_id = o.decision_id
      OR p.transit_id IS NULL AND o.status <> 'arriving' AND p.vault_id = o.from_vault_id AND p.opened_at <= o.requested_at
         AND (one.room IS NULL AND p.id > one.after_id
           OR one.room IS NOT NULL AND p.shares <= one.room AND (p.shares, one.after_id) < (one.after_shares, p.id)))
 WHERE o.ended_at IS NULL AND NOT EXISTS (SELECT FROM move_order_positions m WHERE m.order_id = o.id);
-- Of a partial move, the largest that fit together into what remains of it.
DELETE FROM move_order_positions m USING (
  SELECT m.order_id, m.position_id, sum(CASE WHEN p.transit_id IS NULL THEN p.shares END) OVER (PARTITION BY m.order_id ORDER BY m.place) > one.room AS is_beyond
    FROM move_order_positions m
    JOIN positions p ON p.id = m.position_id
    JOIN move_orders o ON o.id = m.order_id AND o.status <> 'arriving'
    JOIN moves one ON one.decision_id = o.decision_id AND one.leg = 1 AND one.room IS NOT NULL) AS summed
 WHERE summed.is_beyond AND m.order_id = summed.order_id AND m.position_id = summed.position_id;
`;

const INDEXES = `
CREATE INDEX move_orders_due ON move_orders (market_id, due_hour) WHERE realised_hour IS NULL AND due_hour IS NOT NULL;
CREATE INDEX move_orders_interrupted ON move_orders (market_id) WHERE booking IS NOT NULL;
CREATE INDEX move_orders_outcomes ON move_orders (decision_id) WHERE realised_hour IS NOT NULL;
`;

/** Processes of the version before read outcomes here until they are replaced. They cannot write, so that none of them moves funds beside the orders. */
const VIEW = `
DROP TABLE moves;
CREATE VIEW moves AS
SELECT decision_id, 2::smallint AS leg, market_id, partner_id, asset, from_vault_id, to_vault_id, requested_at AS decided_at, ended_at AS done_at,
       urgent AS evicts, arrives_hour, promised, due_hour, realised, realised_hour
  FROM move_orders WHERE position_id IS NULL AND ended_at IS NOT NULL;
`;
