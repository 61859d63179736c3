import type { ChangedPosition } from '../../books/positions/position.store.js';
import type { PostedYield } from '../../books/positions/accruals.js';
import { costParts, gainParts } from '../../books/positions/cost-parts.js';
import type { PointTime } from '../../books/positions/points.js';
import type { Entry, Position, Quote } from '../../books/positions/position.js';
import { baselinesOf, positionRecord, type ShownVault } from '../../books/positions/quotes.js';
import { gain, topUp } from '../../books/positions/steps.js';
import { sum, toUnits } from '../../kernel/money.js';
import type { MarketView } from '../../markets/hours/market.service.js';
import type { NewEvent } from '../../outbound/webhooks/event.service.js';
import type { MoveBooking, MoveOrder } from '../allocation/move-order.js';

/** Cost, gain, waiting gain and expected cost of each position of a part, micro-units. */
export interface StepPart {
  costs: bigint[];
  gains: bigint[];
  waiting: bigint[];
  /** null: not known. */
  expected: bigint[] | null;
}

/**
 * Divides what remains of a step: a part bears it in proportion to its values, so that the size of parts does not matter. In the server's own step,
 * funds withdrawn since the decision bear nothing. An executor's report is a fact: its last part bears all that remains, and the yield since the
 * report, which did not arrive. What was expected to be paid is divided to the last micro-unit in either case.
 * @param values of the positions, micro-units
 */
export function divideStep(
  remaining: MoveBooking,
  values: readonly bigint[],
  { isLast, isReported }: { isLast: boolean; isReported: boolean },
): StepPart {
  const amount = BigInt(remaining.amount);
  const value = sum(values);
  // Each value is rounded down, hence the tolerance.
  const bearsAll = value + BigInt(values.length) >= amount || (isLast && isReported);
  const share = (whole: bigint): bigint => {
    if (bearsAll) return whole;
    const part = whole * value;
    return isLast ? (part + amount - 1n) / amount : part / amount;
  };
  const expected = remaining.expected === undefined ? null : BigInt(remaining.expected);
  const yieldSince = isLast && isReported && value > amount ? value - amount : 0n;
  return {
    costs: costParts(share(BigInt(remaining.cost)) + yieldSince, values),
    gains: gainParts(share(BigInt(remaining.gain)), values),
    waiting: gainParts(share(BigInt(remaining.waits)), values),
    expected: expected === null ? null : gainParts(isLast ? expected : share(expected), values),
  };
}

/** Booking of a step before its first part: by the executor's report or, for the server, by the decision. */
export function initialBooking(
  { amount, exitCost, expectedCost, redeemed, status }: MoveOrder,
  arrival: { expected: bigint; cost: bigint; gain: bigint; waits: bigint } | null,
): MoveBooking {
  const costOfServer = status === 'arriving' ? expectedCost - (exitCost ?? 0n) : (exitCost ?? expectedCost);
  return {
    place: 0,
    positions: 0,
    arrived: '0',
    amount: `${arrival?.expected ?? amount}`,
    cost: `${arrival?.cost ?? costOfServer}`,
    gain: `${arrival?.gain ?? 0n}`,
    waits: `${arrival?.waits ?? 0n}`,
    expected: `${redeemed === null ? expectedCost : 0n}`,
  };
}

/** What remains of a step after a part. @param moved positions, and what arrived of them */
export function bookingAfter(
  remaining: MoveBooking,
  { costs, gains, waiting, expected }: StepPart,
  values: readonly bigint[],
  moved: { place: number; positions: number; arrived: bigint },
): MoveBooking {
  const less = (whole: string, parts: readonly bigint[]): string => `${BigInt(whole) - sum(parts)}`;
  return {
    place: moved.place,
    positions: remaining.positions + moved.positions,
    arrived: `${BigInt(remaining.arrived) + moved.arrived}`,
    amount: less(remaining.amount, values),
    cost: less(remaining.cost, costs),
    gain: less(remaining.gain, gains),
    waits: less(remaining.waits, waiting),
    ...(expected !== null && { expected: less(remaining.expected!, expected) }),
  };
}

/**
 * Position with what arrived beyond its value: yield of its new vault or, of a received deposit, principal.
 * @param time point time of the deposit's campaign; null: it is yield
 */
export function withGain(
  position: Position,
  amount: bigint,
  {
    view,
    time,
    ...booking
  }: { view: MarketView; at: Date; vault: Quote; decisionId: string; time: PointTime | null },
  { revenue, termsOf }: Pick<PostedYield, 'revenue' | 'termsOf'>,
): { position: Position; entry: Entry } {
  const { at, vault, decisionId } = booking;
  if (time !== null)
    return topUp(
      position,
      amount,
      { at, vault, baselines: baselinesOf(view, position, at), time },
      decisionId,
    );
  const terms = termsOf(position);
  const gained = gain(position, amount, booking, terms);
  return { ...gained, entry: revenue.accrual(gained.position, gained.entry, terms) };
}

/**
 * Event of a moved position: `position.active` when it left cash for the first time, otherwise `position.rebalanced`.
 * @param vault its new vault
 * @param moved amount that arrived, and cost, micro-units
 */
export function movedEvent(
  { before, after: position }: Pick<ChangedPosition, 'before' | 'after'>,
  vault: ShownVault,
  at: Date,
  { decisionId, amount, cost }: { decisionId: string; amount: bigint; cost: bigint },
): NewEvent {
  const { partnerId } = position;
  const data = { ...positionRecord(position, vault), decision_id: decisionId };
  if (before?.status === 'pending' && position.status === 'active')
    return { type: 'position.active', partnerId, data, at };
  const figures = { amount: toUnits(amount), cost: toUnits(cost) };
  return { type: 'position.rebalanced', partnerId, data: { ...data, ...figures }, at };
}
