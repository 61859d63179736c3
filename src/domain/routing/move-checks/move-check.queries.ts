import {
  bool,
  columnsOf,
  integer,
  json,
  listOf,
  orNull,
  recordOf,
  rowCount,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { isOfSeventh } from '../../books/ledger/partner-sevenths.js';
import { statement } from '../../kernel/store/statement.js';
import type { SettlementStatus } from '../settlements/settlement.js';
import { isReserved } from '../allocation/routing.queries.js';
import { type CheckedStep, MoveCheck } from './move-check.js';

const CHECK = recordOf(MoveCheck);

/** A check is not repeated once it is final, unless its transaction serves another report. $1 chain, $2 hashes, $3 now. */
export const CHECK_AGAIN = statement(
  'report_checks.check_again',
  { values: [orNull(text()), listOf(text()), time()], row: {} },
  `UPDATE report_checks SET due_at = $3 WHERE tx_hash = ANY($2) AND chain = $1 AND resolution IS NULL AND due_at IS NULL`,
);

/** A report of key $1 that the chain contradicts, unless it is by one of transactions $2 as well, and of order $3 or its batch. */
export const FIND_BLOCKING = statement(
  'report_checks.find_blocking',
  {
    values: [text(), listOf(text()), orNull(text())],
    row: { orderId: text(), step: text<CheckedStep>() },
  },
  `SELECT c.order_id AS "orderId", c.step FROM report_checks c JOIN move_orders o ON o.id = c.order_id
    WHERE c.key_id = $1 AND c.status IN ('mismatch', 'not_found') AND c.resolution IS NULL
      AND (c.tx_hash = ANY($2) AND (o.id = $3 OR o.batch_id = (SELECT batch_id FROM move_orders WHERE id = $3))) IS NOT TRUE
    ORDER BY c.order_id LIMIT 1`,
);

/** Reports that the chain contradicts and nobody has resolved, by status. */
export const COUNT_UNRESOLVED = statement(
  'report_checks.count_unresolved',
  { values: [], row: { status: text<'mismatch' | 'not_found'>(), count: rowCount() } },
  `SELECT status, count(DISTINCT (order_id, step)) AS count FROM report_checks WHERE status IN ('mismatch', 'not_found') AND resolution IS NULL GROUP BY status`,
);

export const FIND_OF_ORDERS = statement(
  'report_checks.find_of_orders',
  { values: [listOf(text())], row: CHECK },
  `SELECT ${columnsOf(CHECK)} FROM report_checks WHERE order_id = ANY($1) ORDER BY order_id, step, place`,
);

const DUE = { ...CHECK, amount: whole() };

/**
 * Leases due checks of a chain: the oldest of each partner, up to $4, in round-robin order of partners, $5 in all, until $6. $1 chain, $2 assets and $7
 * vaults that can be checked there, $3 now; $8 partners with accounts there, null: all.
 */
export const TAKE_DUE = statement(
  'report_checks.take_due',
  {
    values: [
      text(),
      listOf(text()),
      time(),
      rowCount(),
      rowCount(),
      time(),
      listOf(text()),
      orNull(listOf(text())),
    ],
    row: DUE,
  },
  `WITH due AS (
     SELECT oldest.*, row_number() OVER (PARTITION BY p.id ORDER BY oldest.due_at, oldest.order_id, oldest.step, oldest.tx_hash) AS turn
       FROM partners p
      CROSS JOIN unnest($2::text[]) AS held(asset)
      CROSS JOIN LATERAL (
        SELECT order_id, step, tx_hash, due_at FROM report_checks
         WHERE chain = $1 AND asset = held.asset AND partner_id = p.id AND vault_id = ANY($7) AND due_at <= $3 ORDER BY due_at LIMIT $4) AS oldest
      WHERE $8::text[] IS NULL OR p.id = ANY($8)
   ), next AS (
     SELECT order_id, step, tx_hash FROM due WHERE turn <= $4 ORDER BY turn, due_at, order_id, step, tx_hash LIMIT $5
   ), taken AS (
     UPDATE report_checks c SET due_at = $6 FROM next
      WHERE c.order_id = next.order_id AND c.step = next.step AND c.tx_hash = next.tx_hash AND c.due_at <= $3
     RETURNING c.*
   )
   SELECT ${columnsOf(DUE, 'c')} FROM taken c ORDER BY c.tx_hash, c.asset, c.order_id, c.step`,
);

/** Reports that transactions $2 of chain $1 serve, except for those that were voided. */
export const FIND_OF_TRANSACTIONS = statement(
  'report_checks.find_of_transactions',
  {
    values: [text(), listOf(text())],
    row: {
      txHash: text(),
      asset: text(),
      partnerId: text(),
      orderId: text(),
      step: text<CheckedStep>(),
      vaultId: text(),
      amount: whole(),
      isConfirmed: bool(),
    },
  },
  `SELECT tx_hash AS "txHash", asset, partner_id AS "partnerId", order_id AS "orderId", step, vault_id AS "vaultId", amount, status = 'confirmed' AS "isConfirmed"
     FROM report_checks WHERE chain = $1 AND tx_hash = ANY($2) AND resolution IS DISTINCT FROM 'void' ORDER BY order_id, step`,
);

/** What transactions $1 pay out, or bring to the accounts as a deposit that was received: signed amounts, and parts of a withdrawal by vault. */
export const FIND_TRANSFERS = statement(
  'report_checks.find_transfers',
  {
    values: [listOf(text())],
    row: {
      txHash: text(),
      asset: text(),
      partnerId: text(),
      amount: whole(),
      parts: orNull(json<Record<string, string>>()),
    },
  },
  `SELECT s.tx_hash AS "txHash", s.asset, s.partner_id AS "partnerId", CASE WHEN entered.type = 'deposit' THEN entered.amount ELSE -entered.amount END AS amount,
          (SELECT json_object_agg(vault_id, paid) FROM (
             SELECT vault_id, sum(amount - cost)::text AS paid FROM withdrawal_parts w WHERE w.withdrawal_id = s.withdrawal_id AND amount > 0 GROUP BY vault_id) AS part) AS parts
     FROM settlements s
    CROSS JOIN LATERAL (
      SELECT min(e.type) AS type, sum(e.amount) AS amount FROM ledger_entries e
       WHERE e.position_id = ANY(CASE WHEN s.withdrawal_id IS NOT NULL THEN ARRAY(SELECT w.position_id FROM withdrawal_parts w WHERE w.withdrawal_id = s.withdrawal_id)
               WHEN s.deposit_id IS NOT NULL THEN ARRAY(SELECT d.id FROM positions d WHERE d.deposit_id = s.deposit_id) ELSE ARRAY[s.position_id] END)
         AND e.at >= s.recorded_at AND e.at <= s.recorded_at AND e.tx_hash = s.tx_hash
      HAVING count(*) > 0) AS entered
    WHERE s.tx_hash = ANY($1)
      AND (entered.type = 'withdrawal' OR EXISTS (SELECT FROM move_orders o WHERE o.position_id = s.position_id AND o.requested_at = s.recorded_at))`,
);

/** Stores findings, except for checks resolved meanwhile. Returns the previous status of each. $1 findings, $2 now. */
export const STORE_FINDINGS = statement(
  'report_checks.store_findings',
  {
    values: [json<string>(), time()],
    row: {
      orderId: text(),
      step: text<CheckedStep>(),
      txHash: text(),
      before: text<SettlementStatus>(),
      status: text<SettlementStatus>(),
    },
  },
  `WITH found AS (
     SELECT * FROM json_to_recordset($1) AS f("orderId" text, step text, "txHash" text, status text, reason text, block bigint, "foundAmount" numeric, "dueAt" timestamptz)
   ), before AS (
     SELECT c.order_id, c.step, c.tx_hash, c.status FROM report_checks c
      WHERE (c.order_id, c.step, c.tx_hash) IN (SELECT "orderId", step, "txHash" FROM found) AND c.resolution IS NULL
      ORDER BY c.order_id, c.step, c.tx_hash FOR NO KEY UPDATE
   )
   UPDATE report_checks c
      SET status = found.status, reason = found.reason, block = found.block, found_amount = found."foundAmount", checked_at = $2, due_at = found."dueAt"
     FROM found JOIN before ON before.order_id = found."orderId" AND before.step = found.step AND before.tx_hash = found."txHash"
    WHERE c.order_id = found."orderId" AND c.step = found.step AND c.tx_hash = found."txHash"
   RETURNING c.order_id AS "orderId", c.step, c.tx_hash AS "txHash", before.status AS before, c.status`,
);

/** $1 orders, $2 steps and $3 hashes, element by element; $4 when they are due again. */
export const PUT_OFF = statement(
  'report_checks.put_off',
  { values: [listOf(text()), listOf(text()), listOf(text()), time()], row: {} },
  `UPDATE report_checks c SET due_at = $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS put(order_id, step, tx_hash)
    WHERE c.order_id = put.order_id AND c.step = put.step AND c.tx_hash = put.tx_hash AND c.due_at IS NOT NULL`,
);

/**
 * Positions of partner $5 in asset $6 that a step of decision $1 moved into vault $4 between $2 and $3, with what it cost and gained each, what they have earned since, and
 * whether anything but yield was booked to them since, is reserved of them, or an executor moves them.
 */
export const FIND_MOVED = statement(
  'report_checks.find_moved',
  {
    values: [text(), time(), time(), text(), text(), text()],
    row: {
      positionId: text(),
      amount: whole(),
      cost: whole(),
      gain: whole(),
      earned: whole(),
      isChanged: bool(),
    },
  },
  `SELECT m.position_id AS "positionId", m.amount, m.cost, since.gain, since.earned,
          since."isChanged" OR ${isReserved('m.position_id')}
            OR EXISTS (SELECT FROM move_order_positions other JOIN move_orders o ON o.id = other.order_id
                        WHERE other.position_id = m.position_id AND o.decision_id <> $1 AND o.ended_at IS NULL AND o.taken_at IS NOT NULL) AS "isChanged"
     FROM positions p
    CROSS JOIN LATERAL (
      SELECT p.id AS position_id, max(e.at) AS at, sum(e.amount) AS amount, sum(e.cost) AS cost FROM ledger_entries e
       WHERE e.position_id = p.id AND e.decision_id = $1 AND e.at BETWEEN $2 AND $3 AND e.type = 'rebalance' AND e.vault_id = $4
      HAVING count(*) > 0) AS m
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount) FILTER (WHERE e.decision_id = $1 AND e.type <> 'rebalance' AND e.at = m.at), 0) AS gain,
             coalesce(sum(e.amount) FILTER (WHERE e.type = 'yield_accrual' AND e.decision_id IS NULL AND e.at > m.at), 0) AS earned,
             coalesce(bool_or((e.type <> 'yield_accrual' OR e.decision_id IS NOT NULL OR e.voids IS NOT NULL) AND e.at > m.at), false) AS "isChanged"
        FROM ledger_entries e WHERE e.position_id = m.position_id AND e.at >= m.at) AS since
    WHERE p.partner_id = $5 AND p.asset = $6
    ORDER BY p.id`,
);

/** Ends order $1, whose report was voided at $2 with note $3: no outcome is measured. */
export const VOID_ORDER = statement(
  'report_checks.void_order',
  { values: [text(), time(), text()], row: {} },
  `WITH released AS (DELETE FROM move_order_positions WHERE order_id = $1 AND waiting = 0)
   UPDATE move_orders
      SET status = 'failed', failure = CASE WHEN status = 'failed' THEN failure ELSE 'voided' END, note = CASE WHEN status = 'failed' THEN note ELSE $3 END,
          ended_at = coalesce(ended_at, $2), due_hour = NULL
    WHERE id = $1`,
);

/**
 * The next $2 checks by order, step and hash of seventh $3 of the partners, with what the report and the entries of the resolution say, and all transactions
 * of the report: their sum, the last one, whether the chain contradicts any, and whether they were resolved together.
 */
export const PAGE_TO_VERIFY = statement(
  'report_checks.page_to_verify',
  {
    values: [text(), rowCount(), orNull(integer()), text(), text()],
    row: {
      ...CHECK,
      amount: whole(),
      foundAmount: orNull(whole()),
      booked: orNull(whole()),
      reported: orNull(whole()),
      reportedHash: orNull(text()),
      entered: whole(),
      total: whole(),
      lastHash: text(),
      isContradicted: bool(),
      isResolvedAsOne: bool(),
    },
  },
  `SELECT ${columnsOf(CHECK, 'c')}, CASE c.step WHEN 'redeemed' THEN o.redeemed_amount ELSE o.settled_amount END AS reported,
          CASE c.step WHEN 'redeemed' THEN o.redeemed_tx_hash ELSE o.settled_tx_hash END AS "reportedHash",
          CASE WHEN c.resolved_at IS NULL THEN 0 ELSE coalesce((SELECT sum(CASE WHEN e.type = 'rebalance' THEN -e.cost ELSE e.amount END) FROM ledger_entries e
             WHERE e.at >= c.resolved_at AND e.at <= c.resolved_at AND e.partner_id = c.partner_id
               AND ((e.type = 'rebalance' AND e.decision_id IS NULL) OR (e.type <> 'rebalance' AND e.decision_id = o.decision_id))
               AND EXISTS (SELECT FROM ledger_entries m WHERE m.position_id = e.position_id AND m.decision_id = o.decision_id AND m.type = 'rebalance')), 0) END AS entered,
          report.*
     FROM (SELECT * FROM report_checks WHERE (order_id, step, tx_hash) > ($1, $4, $5) AND ${isOfSeventh('partner_id', '$3')} ORDER BY order_id, step, tx_hash LIMIT $2) AS c
     JOIN move_orders o ON o.id = c.order_id
    CROSS JOIN LATERAL (
      SELECT sum(r.amount) AS total, (array_agg(r.tx_hash ORDER BY r.place DESC))[1] AS "lastHash",
             bool_or(r.status IN ('mismatch', 'not_found')) AS "isContradicted",
             count(DISTINCT (r.resolution, r.note, r.resolved_at, r.booked)) = 1 AS "isResolvedAsOne"
        FROM report_checks r WHERE r.order_id = c.order_id AND r.step = c.step) AS report
    ORDER BY c.order_id, c.step, c.tx_hash`,
);
