import type { RowFrom } from '../../kernel/store/statement.js';
import type { PAGE_OF_ORDERS } from './ledger-verifier.queries.js';
import type { Differs } from './verification.js';

export type ReportedOrder = RowFrom<typeof PAGE_OF_ORDERS>;

/** An order against the ledger: the reported payout and arrival equal the decision's entries, to the micro-unit, and its status what was reported. */
export function checkOrder(order: ReportedOrder, differs: Differs): void {
  const { id, decisionId, status } = order;
  const compare = (what: string, is: bigint, should: bigint, source = 'the ledger'): void => {
    if (is !== should) differs(id, `${what} is ${is}, by ${source} it is ${should}`);
  };
  const [redeemed, settled] = [
    split(order.redeemedAmount, order.redeemedValue),
    split(order.settledAmount, order.settledValue),
  ];
  compare('what was redeemed', redeemed.amount, order.cashMoved);
  compare('what was settled', settled.amount, order.vaultMoved);
  compare('its cost', order.cost, order.costMoved);
  compare('its gain', order.gain, order.gainMoved);
  const unbooked = (order.reviewGain ?? 0n) - (order.reviewBooked ?? 0n);
  const waits = 'what waits of its gain';
  compare(waits, unbooked, redeemed.gain + settled.gain - order.gainMoved, 'its reports');
  const pending = order.reviewStatus === 'pending_review' ? unbooked : 0n;
  compare(waits, pending, order.waiting, 'its positions');
  if (status !== 'arriving' && order.isInTransit)
    differs(id, `is ${status}, and positions are in transit by ${decisionId}`);
}

/** Reported amount up to the expected value, and the gain beyond it. */
function split(amount: bigint | null, value: bigint | null): { amount: bigint; gain: bigint } {
  const [reported, expected] = [amount ?? 0n, value ?? 0n];
  return reported > expected
    ? { amount: expected, gain: reported - expected }
    : { amount: reported, gain: 0n };
}
