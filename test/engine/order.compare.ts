import { isDeepStrictEqual } from 'node:util';
import type { OrderReport } from '../support/executor.js';
import { type ExpectedHolding, withoutYield } from './held.js';
import { sumOf, type TrackedOrder } from './order.forecast.js';
import type { KnownOrder } from './order.rows.js';

/** Order with what the model alone knows of it. */
export interface ModelOrder extends TrackedOrder {
  /** Values at the report of a gain that waits, by position. */
  waiting: ReadonlyMap<string, bigint>;
}

export function end(order: ModelOrder, status: string, failure: string | null, note: string | null): void {
  order.status = status;
  order.failure = failure;
  order.note = note;
  order.isEnded = true;
}

/** Differences between an order and what the model knows of it. */
export function differences(
  { positionIds: _, waiting: _waiting, ...known }: ModelOrder,
  stored: KnownOrder,
): string[] {
  return (Object.keys(stored) as (keyof KnownOrder)[])
    .filter((name) => !isDeepStrictEqual(stored[name], known[name]))
    .map((name) => `${stored.id}: its ${name} is ${shown(stored[name])}, it should be ${shown(known[name])}`);
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));

/** Funds of an order that ended stay where they are, and wait for nothing. */
export function releasedTroubles(
  positions: readonly ExpectedHolding[],
  after: ReadonlyMap<string, ExpectedHolding>,
): string[] {
  return positions
    .filter((was) => {
      const expected = withoutYield({ ...was, transitId: null });
      return !isDeepStrictEqual(withoutYield(after.get(was.id)!), expected);
    })
    .map(({ id }) => `${id}: changed where its order ended`);
}

/** The whole amount of a report is divided over its orders by value, to the micro-unit. */
export function sharingTroubles({ amount, step }: OrderReport, orders: readonly TrackedOrder[]): string[] {
  const parts = orders.map((order) => order[step === 'redeemed' ? 'redeemed' : 'settled']!);
  const total = sumOf(parts.map(({ value }) => value));
  const isPart = (part: bigint, value: bigint): boolean => {
    const rest = part * total - amount * value;
    return rest < total && -rest < total;
  };
  const isShared = parts.every((part) => isPart(part.amount, part.value));
  const sum = sumOf(parts.map((part) => part.amount));
  return isShared && sum === amount
    ? []
    : [`${orders[0]!.id}: ${sum} of ${amount} are divided over its batch`];
}
