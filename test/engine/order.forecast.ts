import type { Constants } from '../../src/config/constants.js';
import type { OrderReport } from '../support/executor.js';
import type { ExpectedHolding } from './held.js';
import type { KnownOrder } from './order.rows.js';
import type { Outcome } from './outcome.js';

/** What a report does. */
export interface Forecast {
  /** Orders that change where it is accepted; none: it changes nothing. */
  orders: readonly TrackedOrder[];
  /** Possible answers; where there is one, it is certain. */
  outcomes: readonly Outcome[];
}

/** Order and its positions. */
export interface TrackedOrder extends KnownOrder {
  positionIds: readonly string[];
}

/** What a forecast depends on beside the orders. */
export interface Circumstances {
  constants: Constants['routing'];
  /** Whether the key has reported nothing yet, so that no other deviation counts. */
  isFresh: boolean;
}

export const idleOf = (asset: string): string => `vlt_idle_${asset.toLowerCase()}`;
export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

/** Whether an amount is more than a fraction of another. */
export const isBeyond = (amount: bigint, of: bigint, fraction: number): boolean =>
  amount * 1_000_000n > of * BigInt(Math.round(fraction * 1e6));

/** Open positions of an order at the place where its next report finds them. */
export const worthOf = (order: TrackedOrder, held: ReadonlyMap<string, ExpectedHolding>): ExpectedHolding[] =>
  order.positionIds
    .map((id) => held.get(id)!)
    .filter(({ status, vaultId, transitId }) => {
      if (status === 'closed') return false;
      return order.status === 'arriving'
        ? transitId === order.decisionId
        : vaultId === order.fromVaultId && transitId === null;
    });

const valueOf = (order: TrackedOrder, held: ReadonlyMap<string, ExpectedHolding>): bigint =>
  sumOf(worthOf(order, held).map(({ value }) => value));

const nothing = (said: Outcome): Forecast => ({ orders: [], outcomes: [said] });

/** @param all orders of the model, the oldest first; those of others are unknown */
export function forecastOf(
  all: readonly TrackedOrder[],
  report: OrderReport,
  held: ReadonlyMap<string, ExpectedHolding>,
  circumstances: Circumstances,
): Forecast {
  const { id, partnerId, positionId, batch, step } = report;
  const named = all.find((order) =>
    step === 'allocated' ? order.positionId !== null && order.positionId === positionId : order.id === id,
  );
  if (!named || (partnerId !== null && partnerId !== named.partnerId)) return nothing('not_found');
  const isBatch = batch && named.batchId !== null;
  const orders = isBatch ? all.filter(({ batchId }) => batchId === named.batchId) : [named];
  if (step === 'taken') return ofTaken(orders);
  if (step === 'failed') return ofFailed(orders, report);
  return ofArrival(orders, step === 'redeemed' ? step : 'settled', report, held, circumstances);
}

function ofTaken(orders: readonly TrackedOrder[]): Forecast {
  const free = orders.filter(({ isEnded, takenBy }) => !isEnded && takenBy === null);
  if (free.length > 0) return { orders: free, outcomes: ['done'] };
  return nothing(orders[0]!.isEnded ? 'move_not_open' : 'move_already_reported');
}

function ofFailed(orders: readonly TrackedOrder[], { note }: OrderReport): Forecast {
  const open = orders.filter(({ isEnded }) => !isEnded);
  if (open.length > 0) return { orders: open, outcomes: ['done'] };
  if (orders.some((order) => order.failure === 'reported' && order.note === note)) return nothing('done');
  return nothing(orders[0]!.failure === 'reported' ? 'move_already_reported' : 'move_not_open');
}

function ofArrival(
  orders: readonly TrackedOrder[],
  step: 'redeemed' | 'settled',
  report: OrderReport,
  held: ReadonlyMap<string, ExpectedHolding>,
  circumstances: Circumstances,
): Forecast {
  const { amount } = report;
  const txHash = report.txHash.toLowerCase();
  const made = orders.map((order) => order[step]).filter((one) => one?.txHash === txHash);
  if (made.length > 0 && sumOf(made.map((one) => one!.amount)) === amount) return nothing('done');
  const isCash = (order: TrackedOrder): boolean =>
    order.status === 'arriving' || order.fromVaultId === idleOf(order.asset);
  const isDue = (order: TrackedOrder): boolean =>
    !order.isEnded && (step === 'redeemed' ? order.status !== 'arriving' : isCash(order));
  const due = orders.filter(isDue);
  const [first] = due.length > 0 ? due : orders;
  const known = first![step];
  if (known)
    return nothing(known.txHash === txHash && known.amount === amount ? 'done' : 'move_already_reported');
  if (first!.isEnded || isCash(first!) !== (step === 'settled')) return nothing('move_not_open');
  // An order of a batch that was wholly withdrawn ends beside the others.
  const worth = due.length > 1 ? due.filter((order) => valueOf(order, held) > 0n) : due;
  if (worth.length === 0 || worth.some((order) => worthOf(order, held).length === 0))
    return nothing('move_not_open');
  return { orders: worth, outcomes: byAmount(worth, report, held, circumstances) };
}

/** The answers that an amount may have: the sum of a key's deviations has suites of its own. */
function byAmount(
  orders: readonly TrackedOrder[],
  { amount, step }: OrderReport,
  held: ReadonlyMap<string, ExpectedHolding>,
  { constants, isFresh }: Circumstances,
): readonly Outcome[] {
  const value = sumOf(orders.map((order) => valueOf(order, held)));
  const more = amount > value ? amount - value : 0n;
  const less = amount < value ? value - amount : 0n;
  // A vault may have filled up, or the partner's policy may forbid it: deposits are asked again.
  const refusals: Outcome[] = step === 'allocated' ? ['vault_refused'] : [];
  if (more + less === 0n) return ['done', ...refusals];
  const [first] = orders as [TrackedOrder];
  const isOne = orders.length === 1;
  const isRefused = isBeyond(more + less, value, constants.maxReportDeviation);
  const waitsAgain = isBeyond(more, value, constants.maxUnreviewedGain) && first.review !== null;
  if (isOne && (isRefused || waitsAgain)) return ['amount_out_of_bounds', ...refusals];
  const isExpected = less <= first.expectedCost && more === 0n && first.redeemed === null;
  if (isOne && isFresh && isExpected && less * 3n < value) return ['done', ...refusals];
  return ['done', 'amount_out_of_bounds', ...refusals];
}
