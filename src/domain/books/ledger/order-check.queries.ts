import { bool, integer, listOf, orNull, rowCount, text, whole } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { isOfSeventh } from './partner-sevenths.js';

/** The next $2 orders, with their entries; $3 vaults that are cash, $4 seventh of the partners. */
export const PAGE_OF_ORDERS = statement(
  'ledger.page_of_orders',
  {
    values: [text(), rowCount(), listOf(text()), orNull(integer())],
    row: {
      id: text(),
      decisionId: text(),
      positionId: orNull(text()),
      fromVaultId: text(),
      toVaultId: text(),
      /** Vaults of its decision, and another order of its batch that has other vaults or another hour; null: there is none. */
      decidedFrom: orNull(text()),
      decidedTo: orNull(text()),
      strangerId: orNull(text()),
      /** Partner of the decision, where it is another one. */
      decidedFor: orNull(text()),
      /** Whether positions are in transit by it, and whether a step, or a step that an executor reported, is booked in part. */
      isInTransit: bool(),
      isBooked: bool(),
      isReportBooked: bool(),
      /** Whether its vault pays out late, so that the server's funds are in transit to cash, too. */
      isLate: bool(),
      /** Sums of its entries: what arrived in cash, and in another vault without gains. */
      cashMoved: whole(),
      vaultMoved: whole(),
      costMoved: whole(),
      gainMoved: whole(),
      expectedCost: whole(),
      /** Sum of its entries' parts of it; null: some are older than these parts. */
      expectedMoved: orNull(whole()),
      status: text(),
      /** Reported amounts, and those that the books expected. */
      redeemedAmount: orNull(whole()),
      redeemedValue: orNull(whole()),
      settledAmount: orNull(whole()),
      settledValue: orNull(whole()),
      /** Value withdrawn between a report and its last part. */
      redeemedWithdrawn: orNull(whole()),
      settledWithdrawn: orNull(whole()),
      cost: whole(),
      gain: whole(),
      reviewStatus: orNull(text()),
      reviewGain: orNull(whole()),
      reviewBooked: orNull(whole()),
      /** Parts of the gain that wait, of its positions. */
      waiting: whole(),
    },
  },
  `SELECT o.id, decision_id AS "decisionId", o.position_id AS "positionId", o.from_vault_id AS "fromVaultId", o.to_vault_id AS "toVaultId", d.from_vault_id AS "decidedFrom",
          d.to_vault_id AS "decidedTo", CASE WHEN d.partner_id <> o.partner_id THEN d.partner_id END AS "decidedFor", (SELECT b.id FROM move_orders b WHERE b.batch_id = o.batch_id
             AND (b.from_vault_id, b.to_vault_id, b.asset, date_trunc('hour', b.requested_at, 'UTC'))
              <> (o.from_vault_id, o.to_vault_id, o.asset, date_trunc('hour', o.requested_at, 'UTC')) LIMIT 1) AS "strangerId", status, redeemed_amount AS "redeemedAmount", redeemed_value AS "redeemedValue", settled_amount AS "settledAmount",
          settled_value AS "settledValue", redeemed_withdrawn AS "redeemedWithdrawn", settled_withdrawn AS "settledWithdrawn", cost, gain, expected_cost AS "expectedCost", review_status AS "reviewStatus", review_gain AS "reviewGain", review_booked AS "reviewBooked",
          (SELECT coalesce(sum(waiting), 0) FROM move_order_positions m WHERE m.order_id = o.id) AS waiting,
          EXISTS (SELECT FROM positions p WHERE p.market_id = o.market_id AND p.transit_id = o.decision_id) AS "isInTransit", booking IS NOT NULL AS "isBooked",
          booking IS NOT NULL AND arrives_hour IS NULL AS "isReportBooked", exit_cost IS NOT NULL AS "isLate", moved.*
     FROM (SELECT * FROM move_orders WHERE id > $1 AND ${isOfSeventh('partner_id', '$4')} ORDER BY id LIMIT $2) AS o
     LEFT JOIN decisions d ON d.id = o.decision_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount) FILTER (WHERE e.type = 'rebalance' AND e.vault_id = ANY($3)), 0) AS "cashMoved",
             coalesce(sum(e.amount) FILTER (WHERE e.type = 'rebalance' AND e.vault_id <> ALL($3)), 0) AS "vaultMoved",
             coalesce(sum(e.cost), 0) AS "costMoved",
             CASE WHEN bool_and(e.type <> 'rebalance' OR e.expected_cost IS NOT NULL) THEN sum(e.expected_cost) END AS "expectedMoved",
             coalesce(sum(e.amount) FILTER (WHERE e.type <> 'rebalance'), 0) AS "gainMoved"
        FROM ledger_entries e
       WHERE (e.at BETWEEN o.redeemed_at AND coalesce(o.redeemed_until, o.redeemed_at) OR e.at BETWEEN o.settled_at AND coalesce(o.settled_until, o.settled_at)
           OR e.at = o.reviewed_at) AND e.decision_id = o.decision_id) AS moved
    ORDER BY o.id`,
);
