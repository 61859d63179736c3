import { ENTRY as BOOKED, POSITION } from '../positions/position.js';
import { CAMPAIGN_TERMS, CAMPAIGN_TERMS_COLUMNS } from '../positions/points.js';
import {
  bool,
  columnsOf,
  integer,
  json,
  listOf,
  moment,
  orNull,
  rowCount,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { REPLAYED } from './ledger.queries.js';
import { isOfSeventh } from './partner-sevenths.js';

/** The next $2 positions of seventh $3 of the partners, by id, each with its user's partner. */
export const PAGE_OF_POSITIONS = statement(
  'ledger.page_of_positions',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: { ...POSITION, usersPartnerId: orNull(text()) },
  },
  `SELECT ${columnsOf(POSITION, 'p')}, u.partner_id AS "usersPartnerId"
     FROM (SELECT * FROM positions WHERE id > $1 AND ${isOfSeventh('partner_id', '$3')} ORDER BY id LIMIT $2) AS p
     LEFT JOIN users u ON u.id = p.user_id ORDER BY p.id`,
);

/** Settlement of the transfer of entry e, which may be of a split deposit, or of a withdrawal by user. */
const OF_ENTRY = `(s.position_id = e.position_id OR s.deposit_id = (SELECT p.deposit_id FROM positions p WHERE p.id = e.position_id)
              OR s.withdrawal_id = ANY(ARRAY(SELECT w.withdrawal_id FROM withdrawal_parts w WHERE w.position_id = e.position_id)))`;

const ENTRY = {
  ...REPLAYED,
  apy: BOOKED.apy,
  recordedAt: time(),
  partnerId: text(),
  settledPositionId: orNull(text()),
  isVoided: orNull(bool()),
  decision: orNull(json<{ partnerId: string; asset: string; from: string | null; to: string | null }>()),
  strayOf: orNull(text()),
  isBorne: orNull(bool()),
};
/**
 * The entry, with: the position its transfer is recorded for; whether the transfer it reverses is voided; its decision; and, as `strayOf`, its order if
 * the entry's time matches none of that order's reports. isBorne: of a move without decision, whether it is the cost of a payment, or of
 * a contradicted report's resolution.
 */
const ENTRY_COLUMNS = `${columnsOf(REPLAYED, 'e')}, e.apy, e.recorded_at AS "recordedAt", e.partner_id AS "partnerId",
          CASE WHEN e.decision_id IS NOT NULL THEN (
            SELECT json_build_object('partnerId', d.partner_id, 'asset', d.asset, 'from', d.from_vault_id, 'to', d.to_vault_id)
              FROM decisions d WHERE d.id = e.decision_id) END AS decision,
          CASE WHEN e.decision_id IS NOT NULL THEN (
            SELECT o.id FROM move_orders o
             WHERE o.decision_id = e.decision_id AND NOT (e.type = 'deposit' AND e.at <= o.requested_at)
               AND (e.at BETWEEN o.redeemed_at AND coalesce(o.redeemed_until, o.redeemed_at) OR e.at BETWEEN o.settled_at AND coalesce(o.settled_until, o.settled_at)
                    OR e.at = o.reviewed_at OR EXISTS (SELECT FROM report_checks c WHERE c.order_id = o.id AND c.resolved_at = e.at)) IS NOT TRUE
          ) END AS "strayOf",
          CASE WHEN e.tx_hash IS NOT NULL THEN (SELECT e.position_id FROM settlements s
            WHERE ${OF_ENTRY} AND s.recorded_at = e.at AND coalesce(s.tx_hash, s.voided_tx_hash) = e.tx_hash) END AS "settledPositionId",
          CASE WHEN e.type = 'rebalance' AND e.decision_id IS NULL THEN EXISTS (
            SELECT FROM withdrawal_parts m JOIN withdrawals w ON w.id = m.withdrawal_id
             WHERE m.position_id = e.position_id AND w.paid_at = e.at AND m.cost = e.cost AND e.vault_id = e.from_vault_id)
            OR EXISTS (
            SELECT FROM report_checks c JOIN move_orders o ON o.id = c.order_id
             WHERE c.partner_id = e.partner_id AND c.resolved_at = e.at AND (c.resolution = 'void' OR e.vault_id = e.from_vault_id)
               AND EXISTS (SELECT FROM ledger_entries m WHERE m.position_id = e.position_id AND m.decision_id = o.decision_id AND m.type = 'rebalance')) END AS "isBorne",
          CASE WHEN e.voids IS NOT NULL THEN
            (SELECT true FROM settlements s WHERE ${OF_ENTRY} AND s.voided_tx_hash = e.voids LIMIT 1) END AS "isVoided"`;

/** The next $5 entries by position, time and id; of positions up to $4 and seventh $6 of the partners. */
export const PAGE_OF_ENTRIES = statement(
  'ledger.page_of_entries',
  { values: [text(), moment(), text(), text(), rowCount(), orNull(integer())], row: ENTRY },
  `SELECT ${ENTRY_COLUMNS} FROM ledger_entries e
    WHERE (position_id, at, id) > ($1, $2, $3) AND position_id <= $4 AND ${isOfSeventh('partner_id', '$6')}
    ORDER BY position_id, at, id LIMIT $5`,
);

export const FIND_TERMS_OF_CAMPAIGNS = statement(
  'ledger.find_terms_of_campaigns',
  { values: [listOf(text())], row: { campaignId: text(), ...CAMPAIGN_TERMS } },
  `SELECT campaign_id AS "campaignId", ${CAMPAIGN_TERMS_COLUMNS}
     FROM campaign_terms WHERE campaign_id = ANY($1) ORDER BY campaign_id, from_at`,
);

/** The next $2 recorded transfers, by id, and whether the entry of each exists; for a voided one, also the entry that reverses it. */
export const PAGE_OF_SETTLEMENTS = statement(
  'ledger.page_of_settlements',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: { id: text(), txHash: text(), positionId: text(), entered: bool(), takenBack: bool() },
  },
  `SELECT s.id, coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash", s.position_id AS "positionId",
          EXISTS (SELECT FROM ledger_entries
                   WHERE position_id = s.position_id AND at = s.recorded_at AND tx_hash = coalesce(s.tx_hash, s.voided_tx_hash)) AS entered,
          s.voided_tx_hash IS NULL OR EXISTS (SELECT FROM ledger_entries
            WHERE position_id = s.position_id AND at = s.resolved_at AND voids = s.voided_tx_hash AND type <> 'yield_accrual') AS "takenBack"
     FROM (SELECT * FROM settlements WHERE id > $1 AND ${isOfSeventh('partner_id', '$3')} ORDER BY id LIMIT $2) AS s ORDER BY s.id`,
);
