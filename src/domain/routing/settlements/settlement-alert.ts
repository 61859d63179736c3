import type { Alert } from '../../outbound/alerts/alert.js';
import { formatAmount } from '../../kernel/money.js';
import {
  CONTRADICTED,
  type Resolution,
  type Settlement,
  type SettlementReason,
  type SettlementStatus,
} from './settlement.js';

/** The settlement before the change. */
type AlertedSettlement = Pick<
  Settlement,
  'id' | 'positionId' | 'type' | 'asset' | 'amount' | 'status' | 'checkedAt' | 'reportedAt'
>;

const WHY: Partial<Record<SettlementReason, string>> = {
  transaction_failed: 'its transaction failed',
  no_transfer: 'its transaction moves nothing of the asset',
  wrong_wallet: "its transaction moves nothing from or to the user's wallets",
  wrong_amount: 'its transaction moves another amount',
};

/** Alert about a changed status; null: none. A new contradiction begins a new alert. */
export function alertOfChange(
  settlement: AlertedSettlement,
  { status, reason }: { status: SettlementStatus; reason: SettlementReason | null },
  at: Date,
): Alert | null {
  const since = sinceOf(settlement, at);
  if (CONTRADICTED.includes(status)) {
    const why = status === 'not_found' ? 'no block has its transaction' : (WHY[reason!] ?? reason);
    return alertFor(
      settlement,
      `is not what the chain says: ${why}`,
      sinceOf({ ...settlement, status, checkedAt: at }, at),
      null,
    );
  }
  return CONTRADICTED.includes(settlement.status)
    ? alertFor(settlement, `is not contradicted any more: it is ${status}`, since, at)
    : null;
}

export const alertOfResolved = (settlement: AlertedSettlement, resolution: Resolution, at: Date): Alert =>
  alertFor(settlement, `was resolved, by ${resolution}`, sinceOf(settlement, at), at);

/** `not_found` counts from the report, a mismatch from its detection, after which it is not checked again. */
const sinceOf = ({ status, reportedAt, checkedAt }: AlertedSettlement, at: Date): Date =>
  status === 'not_found' ? reportedAt : status === 'mismatch' && checkedAt !== null ? checkedAt : at;

const alertFor = (
  { id, positionId, type, asset, amount }: AlertedSettlement,
  what: string,
  since: Date,
  until: Date | null,
): Alert => ({
  kind: 'settlement_mismatch',
  message: `The ${type} of ${formatAmount(amount)} ${asset} of position ${positionId} ${what}. Its settlement is ${id}.`,
  since,
  until,
  settlementId: id,
});
