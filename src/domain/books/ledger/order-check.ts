import type { RowFrom } from '../../kernel/store/statement.js';
import type { PAGE_OF_ORDERS } from './order-check.queries.js';
import { type ReportDifference, textOf } from './verification.js';

export type ReportedOrder = RowFrom<typeof PAGE_OF_ORDERS>;

/** An order against the ledger: the reported payout and arrival equal the decision's entries, to the micro-unit, and its status what was reported. */
export function checkOrder(
  order: ReportedOrder,
  isCash: (vaultId: string) => boolean,
  differs: ReportDifference,
): void {
  const { id, decisionId, status, fromVaultId, toVaultId, decidedFrom, decidedTo } = order;
  const compare = (what: string, is: bigint, should: bigint, source = 'the ledger'): void => {
    if (is !== should) differs(id, `${what} is ${is}, but according to ${source} it is ${should}`);
  };
  const [redeemed, settled] = [
    split(order.redeemedAmount, order.redeemedValue),
    split(order.settledAmount, order.settledValue),
  ];
  // The report has the whole amount, the ledger what is booked of it.
  if (!order.isReportBooked) {
    compare('what was redeemed', redeemed.amount - (order.redeemedWithdrawn ?? 0n), order.cashMoved);
    compare('what was settled', settled.amount - (order.settledWithdrawn ?? 0n), order.vaultMoved);
  }
  compare('its cost', order.cost, order.costMoved);
  compare('its gain', order.gain, order.gainMoved);
  if (!order.isBooked && order.expectedMoved !== null)
    compare('its expected cost', order.expectedCost, order.expectedMoved);
  const unbooked = (order.reviewGain ?? 0n) - (order.reviewBooked ?? 0n);
  const waits = 'what waits of its gain';
  if (!order.isReportBooked)
    compare(waits, unbooked, redeemed.gain + settled.gain - order.gainMoved, 'its reports');
  const pending = order.reviewStatus === 'pending_review' ? unbooked : 0n;
  compare(waits, pending, order.waiting, 'its positions');
  if (toVaultId !== decidedTo || (fromVaultId !== decidedFrom && !isCash(fromVaultId)))
    differs(
      id,
      `is from ${fromVaultId} to ${toVaultId}, but its decision from ${textOf(decidedFrom)} to ${textOf(decidedTo)}`,
    );
  if (order.decidedFor !== null) differs(id, `is of another partner than its decision, ${order.decidedFor}`);
  if (order.strangerId !== null)
    differs(id, `is in the batch of ${order.strangerId}, which moves other funds or at another hour`);
  const reached = possibleStatuses(order, isCash);
  if (status !== 'arriving' && !order.isBooked && order.isInTransit)
    differs(id, `is ${status}, but positions are in transit by ${decisionId}`);
  else if (status !== 'failed' && !reached.includes(status))
    differs(id, `is ${status}, but was ${reached[0]!}`);
}

/** Statuses that an order may have by its reports. */
function possibleStatuses(
  { positionId, toVaultId, redeemedAmount, settledAmount, isBooked, isLate }: ReportedOrder,
  isCash: (vaultId: string) => boolean,
): string[] {
  if (isBooked) return ['redeeming', 'arriving'];
  if (isLate && redeemedAmount !== null && isCash(toVaultId)) return ['arriving', 'settled'];
  if (settledAmount !== null || (redeemedAmount !== null && isCash(toVaultId))) return ['settled'];
  if (redeemedAmount !== null) return ['arriving'];
  return positionId === null ? ['requested', 'redeeming'] : ['arriving'];
}

/** Reported amount up to the expected value, and the gain beyond it. */
function split(amount: bigint | null, value: bigint | null): { amount: bigint; gain: bigint } {
  const [reported, expected] = [amount ?? 0n, value ?? 0n];
  return reported > expected
    ? { amount: expected, gain: reported - expected }
    : { amount: reported, gain: 0n };
}
