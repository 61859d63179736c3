import {
  bool,
  columnsOf,
  integer,
  json,
  listOf,
  moment,
  orNull,
  recordOf,
  rowCount,
  type RowOf,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import type { EntryType } from '../../books/positions/position.js';
import { isOfSeventh } from '../../books/ledger/partner-sevenths.js';
import { statement } from '../../kernel/store/statement.js';
import { SettlementRecord, type SettlementStatus } from './settlement.js';

/** Condition: contradicted by its chain and unresolved; the same as in the index `settlements_unresolved`. */
const UNRESOLVED = `status IN ('mismatch', 'not_found') AND resolution IS NULL`;

/** Unresolved settlements of a position: of its own transfers, its split deposit, and payments of withdrawals that it has a part in. */
export const unresolvedOf = (positionId: string, depositId: string): string =>
  `SELECT id FROM settlements WHERE position_id = ${positionId} AND ${UNRESOLVED}
     UNION ALL
     SELECT id FROM settlements WHERE deposit_id = ${depositId} AND ${UNRESOLVED}
     UNION ALL
     SELECT s.id FROM withdrawal_parts w JOIN settlements s ON s.withdrawal_id = w.withdrawal_id WHERE w.position_id = ${positionId} AND ${UNRESOLVED}
     LIMIT 1`;

/**
 * Records a transfer with its position, once, unless another transfer of the position is contradicted and unresolved. Waits for a concurrent record
 * of the same transfer. `recorded` null: it is recorded already, or `blocking` names the other one. $8: split deposit of the position; $9: the same
 * when the transfer is of all of it. $10: withdrawal that it pays, of whose positions the caller has looked for contradictions. $11: key
 * that reports it.
 */
export const RECORD = statement(
  'settlements.record',
  {
    values: [
      ...([text(), text(), time(), text(), text(), text()] as const),
      ...([orNull(text()), orNull(text()), orNull(text()), orNull(text()), orNull(text())] as const),
    ],
    row: { recorded: orNull(text()), blocking: orNull(text()) },
  },
  `WITH blocking AS (
     ${unresolvedOf('$2', '$8')}
   ), recorded AS (
     INSERT INTO settlements (tx_hash, position_id, recorded_at, id, partner_id, asset, chain, due_at, deposit_id, withdrawal_id, reported_by)
     SELECT $1, $2, $3, $4, $5, $6, $7, $3, $9, $10, $11 WHERE NOT EXISTS (SELECT FROM blocking)
     ON CONFLICT (tx_hash) DO NOTHING RETURNING id
   )
   SELECT (SELECT id FROM recorded) AS recorded, (SELECT id FROM blocking) AS blocking`,
);

const {
  txHash: _,
  voidedTxHash: __,
  recordedAt: ___,
  dueAt: ____,
  foundAmount: _____,
  ...STORED
} = recordOf(SettlementRecord);
const { id, status, reason, block, checkedAt, resolution, chain, asset } = STORED;
const WITHOUT_POSITION = { id, status, reason, block, checkedAt, resolution, chain, asset };
const SHOWN = { ...WITHOUT_POSITION, positionId: STORED.positionId };
export type ShownSettlementRow = RowOf<typeof SHOWN> & { txHash: string };
/** Reported amounts come from the ledger. */
const SETTLEMENT = {
  ...STORED,
  userId: text(),
  type: text<Extract<EntryType, 'deposit' | 'withdrawal'>>(),
  amount: whole(),
  txHash: text(),
  foundAmount: orNull(whole()),
  reportedAt: time(),
};
export type SettlementRow = RowOf<typeof SETTLEMENT>;
const COLUMNS = `${columnsOf(STORED, 's')}, p.user_id AS "userId", e.type, e.amount, coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash",
  trunc(s.found_amount) AS "foundAmount", s.recorded_at AS "reportedAt"`;

/** Positions whose entries settlement s is about. */
const POSITIONS = `CASE WHEN s.withdrawal_id IS NOT NULL THEN ARRAY(SELECT w.position_id FROM withdrawal_parts w WHERE w.withdrawal_id = s.withdrawal_id)
             WHEN s.deposit_id IS NOT NULL THEN ARRAY(SELECT d.id FROM positions d WHERE d.deposit_id = s.deposit_id) ELSE ARRAY[s.position_id] END`;

/**
 * The lateral join makes the lookup run once per row. `>= AND <=` instead of `=` keeps the planner from using the index on `at` alone, in which all of a
 * day's accruals share one timestamp.
 */
const WITH_ENTRY = `CROSS JOIN LATERAL (
      SELECT partner_id, user_id FROM positions WHERE id = s.position_id LIMIT 1) AS p
    CROSS JOIN LATERAL (
      SELECT min(type) AS type, sum(amount) AS amount FROM ledger_entries
       WHERE position_id = ANY(${POSITIONS})
          AND at >= s.recorded_at AND at <= s.recorded_at AND tx_hash = coalesce(s.tx_hash, s.voided_tx_hash)
       HAVING count(*) > 0) AS e`;

export const FIND = statement(
  'settlements.find',
  { values: [text(), orNull(text())], row: SETTLEMENT },
  `SELECT ${COLUMNS} FROM settlements s ${WITH_ENTRY} WHERE s.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)`,
);

/** The next $2 settlements by id, with the amount of their entries; null: they have none. */
export const PAGE_TO_VERIFY = statement(
  'settlements.page_to_verify',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: {
      id,
      status,
      reason,
      block,
      checkedAt,
      resolution,
      chain,
      dueAt: orNull(time()),
      foundAmount: orNull(whole()),
      amount: orNull(whole()),
    },
  },
  `SELECT ${columnsOf({ id, status, reason, block, checkedAt, resolution, chain }, 's')}, s.due_at AS "dueAt", trunc(s.found_amount) AS "foundAmount",
          (SELECT sum(amount) FROM ledger_entries
            WHERE position_id = ANY(${POSITIONS})
              AND at >= s.recorded_at AND at <= s.recorded_at AND tx_hash = coalesce(s.tx_hash, s.voided_tx_hash)) AS amount
     FROM (SELECT * FROM settlements WHERE id > $1 AND ${isOfSeventh('partner_id', '$3')} ORDER BY id LIMIT $2) AS s ORDER BY s.id`,
);

/**
 * Page, newest first, planned for its filters, each of which walks an index of its own; null: any. $1/$2 keyset position (time, id); $3 true: only
 * unresolved ones, $4 rows, $5 partner, $6 status, $7 position, also as a part of a split deposit or a withdrawal.
 */
export const LIST = statement(
  'settlements.list',
  {
    values: [
      moment(),
      text(),
      bool(),
      rowCount(),
      orNull(text()),
      orNull(text<SettlementStatus>()),
      orNull(text()),
    ],
    row: SETTLEMENT,
    isPlannedAnew: true,
  },
  `SELECT ${COLUMNS}
     FROM (SELECT * FROM settlements
            WHERE (recorded_at, id) < ($1, $2) AND (NOT $3::boolean OR resolution IS NULL) AND ($5::text IS NULL OR partner_id = $5)
              AND ($6::text IS NULL OR status = $6)
              AND ($7::text IS NULL OR position_id = $7 OR deposit_id = (SELECT deposit_id FROM positions WHERE id = $7)
                   OR withdrawal_id = ANY(ARRAY(SELECT withdrawal_id FROM withdrawal_parts WHERE position_id = $7)))
            ORDER BY recorded_at DESC, id DESC
            LIMIT $4) AS s
     ${WITH_ENTRY}
    ORDER BY s.recorded_at DESC, s.id DESC`,
);

/** Settlements of the split deposit, and of the withdrawals, that a position is a part of. */
const sharedSettlements = (positionId: string): string =>
  `(SELECT s.* FROM positions part JOIN settlements s ON s.deposit_id = part.deposit_id WHERE part.id = ${positionId}
       UNION ALL
      SELECT s.* FROM withdrawal_parts part JOIN settlements s ON s.withdrawal_id = part.withdrawal_id
       WHERE part.position_id = ${positionId} AND s.position_id <> ${positionId}) AS whole`;

/** For each position, the settlement that blocks further transfers, or else the one of its latest transfer. */
export const FIND_OF_POSITIONS = statement(
  'settlements.find_of_positions',
  { values: [listOf(text())], row: { ...SHOWN, txHash: text() } },
  `SELECT ${columnsOf(WITHOUT_POSITION, 's')}, p.id AS "positionId", coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash"
     FROM unnest($1::text[]) AS p(id)
    CROSS JOIN LATERAL (
      (SELECT *, 0 AS place FROM settlements
        WHERE position_id = p.id AND ${UNRESOLVED} LIMIT 1)
      UNION ALL
      (SELECT *, CASE WHEN ${UNRESOLVED} THEN 0 ELSE 1 END AS place FROM ${sharedSettlements('p.id')} ORDER BY place, recorded_at DESC LIMIT 1)
      UNION ALL
      (SELECT *, 1 AS place FROM settlements WHERE position_id = p.id ORDER BY recorded_at DESC LIMIT 1)
      ORDER BY place, recorded_at DESC LIMIT 1) AS s`,
);

/** Settlements of the payments of withdrawals $1. */
export const FIND_OF_WITHDRAWALS = statement(
  'settlements.find_of_withdrawals',
  {
    values: [listOf(text())],
    row: { ...WITHOUT_POSITION, withdrawalId: text(), positionId: STORED.positionId, txHash: text() },
  },
  `SELECT ${columnsOf({ ...WITHOUT_POSITION, positionId: STORED.positionId }, 's')}, s.withdrawal_id AS "withdrawalId", coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash"
     FROM settlements s WHERE s.withdrawal_id = ANY($1)`,
);

/** Settlements of transfers: $1 positions, $2 moments and $3 hashes of their entries, element by element. */
export const FIND_OF_TRANSFERS = statement(
  'settlements.find_of_transfers',
  { values: [listOf(text()), listOf(time()), listOf(text())], row: { ...SHOWN, txHash: text() } },
  `SELECT ${columnsOf(WITHOUT_POSITION, 's')}, t.position_id AS "positionId", t.hash AS "txHash"
     FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS t(position_id, at, hash)
    CROSS JOIN LATERAL (
      SELECT * FROM settlements WHERE position_id = t.position_id AND recorded_at = t.at
      UNION ALL
      SELECT * FROM ${sharedSettlements('t.position_id')} WHERE position_id <> t.position_id) AS s
    WHERE coalesce(s.tx_hash, s.voided_tx_hash) = t.hash`,
);

/** A position's accruals, summed by the terms at which they were settled. */
export const SUM_ACCRUALS = statement(
  'settlements.sum_accruals',
  { values: [text()], row: { performanceFeeBps: integer(), partnerShareBps: integer(), amount: whole() } },
  `SELECT fee_bps AS "performanceFeeBps", share_bps AS "partnerShareBps", sum(amount) AS amount
     FROM ledger_entries WHERE position_id = $1 AND type = 'yield_accrual' GROUP BY fee_bps, share_bps ORDER BY fee_bps, share_bps`,
);

/** Recognised by the reversing entry. */
export const IS_DEPOSIT_VOIDED = statement(
  'settlements.is_deposit_voided',
  { values: [text()], row: { voided: bool() } },
  `SELECT EXISTS (SELECT FROM ledger_entries WHERE position_id = $1 AND type = 'withdrawal' AND voids IS NOT NULL) AS voided`,
);

/**
 * Leases due settlements of a chain: the oldest of each partner, up to $4, in round-robin order of partners, $5 in all, until $6. $1 chain, $2 assets
 * that can be checked there, $3 now.
 */
export const TAKE_DUE = statement(
  'settlements.take_due',
  {
    values: [text(), listOf(text()), time(), rowCount(), rowCount(), time()],
    row: { ...SETTLEMENT, wallets: listOf(text()) },
  },
  `WITH due AS (
     SELECT oldest.id, oldest.due_at, row_number() OVER (PARTITION BY p.id ORDER BY oldest.due_at, oldest.id) AS turn
       FROM partners p
      CROSS JOIN unnest($2::text[]) AS held(asset)
      CROSS JOIN LATERAL (
        SELECT id, due_at FROM settlements
         WHERE chain = $1 AND asset = held.asset AND partner_id = p.id AND due_at <= $3 ORDER BY due_at LIMIT $4) AS oldest
   ), taken AS (
     UPDATE settlements s SET due_at = $6
      WHERE s.id = ANY(ARRAY(SELECT id FROM due WHERE turn <= $4 ORDER BY turn, due_at, id LIMIT $5)) AND s.due_at <= $3
     RETURNING s.*
   )
   SELECT ${COLUMNS}, coalesce((SELECT ARRAY[w.wallet] FROM withdrawals w WHERE w.id = s.withdrawal_id AND w.wallet IS NOT NULL),
                               ARRAY(SELECT w.address FROM wallets w WHERE w.user_id = p.user_id)) AS wallets
     FROM taken s ${WITH_ENTRY}`,
);

/** Stores findings, except for settlements resolved meanwhile. Returns the previous status of each. $1 findings, $2 now. */
export const STORE_FINDINGS = statement(
  'settlements.store_findings',
  {
    values: [json<string>(), time()],
    row: { id: text(), before: text<SettlementStatus>(), status: text<SettlementStatus>() },
  },
  `WITH found AS (
     SELECT * FROM json_to_recordset($1) AS f(id text, status text, reason text, block bigint, "foundAmount" numeric, "dueAt" timestamptz)
   ), before AS (
     SELECT s.id, s.status FROM settlements s WHERE s.id IN (SELECT id FROM found) AND s.resolution IS NULL ORDER BY s.id FOR NO KEY UPDATE
   )
   UPDATE settlements s
      SET status = found.status, reason = found.reason, block = found.block, found_amount = found."foundAmount", checked_at = $2, due_at = found."dueAt"
     FROM found JOIN before USING (id)
    WHERE s.id = found.id
   RETURNING s.id, before.status AS before, s.status`,
);

export const PUT_OFF = statement(
  'settlements.put_off',
  { values: [listOf(text()), time()], row: {} },
  `UPDATE settlements SET due_at = $2 WHERE id = ANY($1) AND due_at IS NOT NULL`,
);

export const COUNT_UNRESOLVED = statement(
  'settlements.count_unresolved',
  { values: [], row: { status: text<'mismatch' | 'not_found'>(), count: integer() } },
  `SELECT status, count(*)::int AS count FROM settlements WHERE ${UNRESOLVED} GROUP BY status`,
);
