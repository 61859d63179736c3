import type { Engine } from '../support/engine.js';

interface Step {
  txHash: string;
  amount: bigint;
  /** The amount that the books expected. */
  value: bigint;
}

/** Order as the model knows it. Micro-units. */
export interface KnownOrder {
  readonly id: string;
  readonly partnerId: string;
  readonly decisionId: string;
  readonly batchId: string | null;
  /** Position of a received deposit. */
  readonly positionId: string | null;
  readonly asset: string;
  readonly fromVaultId: string;
  readonly toVaultId: string;
  readonly urgent: boolean;
  expectedCost: bigint;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  status: string;
  failure: string | null;
  note: string | null;
  takenBy: string | null;
  redeemed: Step | null;
  settled: Step | null;
  cost: bigint;
  gain: bigint;
  review: { status: string; gain: bigint; booked: bigint | null } | null;
  /** Of a settled order: the moved positions and what arrived. */
  outcome: { positions: number; amount: bigint } | null;
  isEnded: boolean;
}

const step = (name: 'redeemed' | 'settled'): string =>
  `CASE WHEN ${name}_at IS NOT NULL THEN ARRAY[${name}_tx_hash, ${name}_amount::text, ${name}_value::text] END AS ${name}`;

const ORDERS = `
SELECT id, partner_id AS "partnerId", decision_id AS "decisionId", batch_id AS "batchId", position_id AS "positionId", asset,
       from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId", urgent, expected_cost AS "expectedCost", requested_at AS "requestedAt",
       expires_at AS "expiresAt", status, failure, note, taken_by AS "takenBy", ${step('redeemed')}, ${step('settled')}, cost, gain,
       CASE WHEN review_status IS NOT NULL THEN ARRAY[review_status, review_gain::text, review_booked::text] END AS review,
       CASE WHEN status = 'settled' THEN ARRAY[positions::text, amount::text] END AS outcome, ended_at IS NOT NULL AS "isEnded"
  FROM move_orders WHERE partner_id = ANY($1) ORDER BY id`;

type Row = Record<string, any>;

const stepOf = (row: string[] | null): Step | null =>
  row && { txHash: row[0]!, amount: BigInt(row[1]!), value: BigInt(row[2]!) };

/** Orders of partners, the oldest first. */
export async function ordersOf(engine: Engine, partnerIds: readonly string[]): Promise<KnownOrder[]> {
  const rows = await engine.sql<Row>(ORDERS, [partnerIds]);
  return rows.map(({ redeemed, settled, review, outcome, expectedCost, cost, gain, ...row }) => ({
    ...(row as KnownOrder),
    expectedCost: BigInt(expectedCost),
    cost: BigInt(cost),
    gain: BigInt(gain),
    redeemed: stepOf(redeemed),
    settled: stepOf(settled),
    review: review && {
      status: review[0],
      gain: BigInt(review[1]),
      booked: review[2] === null ? null : BigInt(review[2]),
    },
    outcome: outcome && { positions: Number(outcome[0]), amount: BigInt(outcome[1]) },
  }));
}

/** Positions of each order that has not ended, or whose gain waits. */
export async function positionsOf(
  engine: Engine,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await engine.sql<{ id: string; positions: string[] }>(
    'SELECT order_id AS id, array_agg(position_id ORDER BY position_id) AS positions FROM move_order_positions WHERE order_id = ANY($1) GROUP BY 1',
    [orderIds],
  );
  return new Map(rows.map(({ id, positions }) => [id, positions]));
}

/** Parts of an order's gain that waits, by position. */
export async function waitingOf(engine: Engine, orderId: string): Promise<Map<string, bigint>> {
  const rows = await engine.sql<{ id: string; waiting: string }>(
    'SELECT position_id AS id, waiting FROM move_order_positions WHERE order_id = $1 AND waiting > 0',
    [orderId],
  );
  return new Map(rows.map(({ id, waiting }) => [id, BigInt(waiting)]));
}

/**
 * Rules that orders, entries, positions and events of partners $1 obey together. $2: moves are reported, and an event follows the arrival alone; otherwise it
 * also follows the way into cash.
 */
const RULES = `
WITH moved AS (
  SELECT e.position_id, e.decision_id, e.vault_id, d.to_vault_id = e.vault_id AS arrived, count(*) AS entries, sum(e.cost) AS cost, sum(e.amount + coalesce(more.amount, 0)) AS amount
    FROM ledger_entries e JOIN decisions d ON d.id = e.decision_id
    LEFT JOIN LATERAL (SELECT sum(g.amount) AS amount FROM ledger_entries g
                        WHERE g.position_id = e.position_id AND g.decision_id = e.decision_id AND g.at = e.at AND g.type <> 'rebalance') AS more ON true
   WHERE e.type = 'rebalance' AND e.partner_id = ANY($1) GROUP BY 1, 2, 3, 4
), raised AS (
  SELECT envelope #>> '{data,id}' AS position_id, envelope #>> '{data,decision_id}' AS decision_id, envelope #>> '{data,vault_id}' AS vault_id, type,
         coalesce(envelope #>> '{data,amount_exact}', envelope #>> '{data,amount}')::numeric * 1e6 AS amount,
         coalesce(envelope #>> '{data,cost_exact}', envelope #>> '{data,cost}')::numeric * 1e6 AS cost
    FROM events WHERE partner_id = ANY($1) AND type IN ('position.rebalanced', 'position.active')
), told AS (
  SELECT m.*, count(r.type) AS events, min(r.type) AS type, min(r.amount) AS said, min(r.cost) AS said_cost,
         CASE WHEN $2 THEN (SELECT sum(cost) FROM moved o WHERE o.position_id = m.position_id AND o.decision_id = m.decision_id) ELSE m.cost END AS paid
    FROM moved m LEFT JOIN raised r USING (position_id, decision_id, vault_id) GROUP BY m.position_id, m.decision_id, m.vault_id, m.arrived, m.entries, m.cost, m.amount
)
SELECT format('%s: moved to %s by %s in %s entries, which %s events say', position_id, vault_id, decision_id, entries, events) AS trouble
  FROM told WHERE entries <> 1 OR events <> CASE WHEN arrived OR NOT $2 THEN 1 ELSE 0 END
UNION ALL
SELECT format('%s: %s of %s says %s at a cost of %s, its entries %s and %s', position_id, type, decision_id, said, said_cost, amount, paid)
  FROM told WHERE type = 'position.rebalanced' AND (said <> amount OR said_cost <> paid)
UNION ALL
SELECT format('%s: %s of %s in %s, where no entry brought it', r.position_id, r.type, r.decision_id, r.vault_id)
  FROM raised r WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.position_id = r.position_id AND e.decision_id = r.decision_id AND e.vault_id = r.vault_id
                                     AND e.type = CASE WHEN r.type = 'position.active' AND NOT EXISTS (SELECT FROM moved m WHERE m.decision_id = r.decision_id) THEN 'deposit' ELSE 'rebalance' END)
UNION ALL
SELECT format('%s: became active at %s, which %s events say', p.id, p.active_at, count(r.type))
  FROM positions p LEFT JOIN raised r ON r.position_id = p.id AND r.type = 'position.active' WHERE p.partner_id = ANY($1)
 GROUP BY p.id, p.active_at HAVING count(r.type) <> CASE WHEN p.active_at IS NULL THEN 0 ELSE 1 END
UNION ALL
SELECT format('%s: in transit by %s, which no open order is of', p.id, p.transit_id)
  FROM positions p WHERE $2 AND p.partner_id = ANY($1) AND p.transit_id IS NOT NULL
   AND NOT EXISTS (SELECT FROM move_orders o WHERE o.decision_id = p.transit_id AND o.status = 'arriving' AND o.partner_id = p.partner_id)
UNION ALL
SELECT format('%s: not taken in time at %s, and still %s', o.id, o.expires_at, o.status)
  FROM move_orders o JOIN markets m ON m.id = o.market_id
 WHERE $2 AND o.partner_id = ANY($1) AND o.ended_at IS NULL AND o.taken_at IS NULL AND o.expires_at <= m.routed_hour
UNION ALL
SELECT format('%s: of %s positions worth %s, its entries are of %s worth %s', o.id, o.positions, o.amount, coalesce(sum(m.entries), 0), coalesce(sum(m.amount), 0))
  FROM move_orders o LEFT JOIN moved m ON m.decision_id = o.decision_id AND m.arrived WHERE $2 AND o.partner_id = ANY($1) AND o.status = 'settled'
 GROUP BY o.id, o.positions, o.amount
HAVING o.positions <> coalesce(sum(m.entries), 0) OR o.amount <> coalesce(sum(m.amount), 0)`;

/** @returns a sentence for each rule that the moves of partners break */
export async function moveTroubles(engine: Engine, partnerIds: readonly string[]): Promise<string[]> {
  const isReported = engine.settings.settlement === 'reported';
  const rows = await engine.sql<{ trouble: string }>(RULES, [partnerIds, isReported]);
  return rows.map(({ trouble }) => trouble);
}
