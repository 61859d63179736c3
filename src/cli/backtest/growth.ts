import { addHours } from '../../domain/kernel/clock.js';

/** Hourly growth in each vault, and costs of moves between vaults. The last vault is cash. */
export interface Growth {
  /** Growth factor from an hour to the next, by vault and hour, without our deposits. */
  factors: readonly Float64Array[];
  /** Costs by source vault and destination vault, in whole units. */
  costs: readonly (readonly number[])[];
  /** Exit delay of each vault, in hours. */
  delays: readonly number[];
  hours: number;
  lending: number;
  /** Fraction of a gain that remains after an amount of ours dilutes it. */
  remainingGain: (vaultIndex: number, at: number, amount: number) => number;
}

export interface Step {
  /** Hours of departure and arrival, since the beginning. */
  at: number;
  arrives: number;
  from: number;
  to: number;
  fraction: number;
  cost: number;
}

/** Initial amount in each vault, in whole units, and the moves. */
export interface Policy {
  first: readonly number[];
  steps: readonly Step[];
}

export const initialAmounts = ({ factors }: Growth, vaultIndex: number, amount: number): number[] =>
  factors.map((_, index) => (index === vaultIndex ? amount : 0));

export function grow({ factors, remainingGain }: Growth, index: number, at: number, value: number): number {
  const gain = factors[index]![at]! - 1;
  // A loss is shared by all deposits alike.
  if (gain <= 0 || value <= 0) return value * (1 + gain);
  return value * (1 + gain * remainingGain(index, at, value));
}

/** Values at each hour, including the last; hours with funds by vault, where funds in transit count as cash. */
export function replay(growth: Growth, { first, steps }: Policy) {
  const { hours } = growth;
  const amounts = [...first];
  const hoursHeld = first.map(() => 0);
  const values = new Float64Array(hours + 1);
  let inTransit: { arrives: number; to: number; value: number }[] = [];
  let [next, costs] = [0, 0];
  for (let at = 0; at <= hours; at++) {
    for (const { to, value } of inTransit.filter(({ arrives }) => arrives === at)) amounts[to]! += value;
    inTransit = inTransit.filter(({ arrives }) => arrives > at);
    for (; next < steps.length && steps[next]!.at === at; next++) {
      const { from, to, fraction, cost, arrives } = steps[next]!;
      const moved = amounts[from]! * fraction;
      amounts[from]! -= moved;
      if (arrives > at) inTransit.push({ arrives, to, value: moved - cost });
      else amounts[to]! += moved - cost;
      costs += cost;
    }
    values[at] =
      amounts.reduce((sum, funds) => sum + funds, 0) + inTransit.reduce((sum, { value }) => sum + value, 0);
    if (at === hours) break;
    for (const [index, value] of amounts.entries()) {
      if (value > 0) hoursHeld[index]! += 1;
      amounts[index] = grow(growth, index, at, value);
    }
    if (inTransit.length > 0) hoursHeld[hoursHeld.length - 1]! += 1;
  }
  return { values, value: values[hours]!, costs, hoursHeld };
}

/**
 * A policy that holds everything in one vault, chosen anew each hour.
 * @param choose called while no funds are in transit
 */
export function hourlyPolicy(
  growth: Growth,
  amount: number,
  first: number,
  choose: (at: number, current: number) => number,
): Policy {
  const { costs, delays, hours } = growth;
  const steps: Step[] = [];
  let [current, arrived] = [first, 0];
  for (let at = 1; at < hours; at++) {
    const to = at < arrived ? current : choose(at, current);
    if (to === current) continue;
    arrived = at + delays[current]!;
    steps.push({ at, arrives: arrived, from: current, to, fraction: 1, cost: costs[current]![to]! });
    current = to;
  }
  return { first: initialAmounts(growth, first, amount), steps };
}

const HOURS_PER_YEAR = 8_760;
/** Above the rounding error of sums over a year's hours. */
const ROUNDING = 1e-9;

/** Promised and realised gains of moves whose horizon has passed, in whole units. */
export interface Outcomes {
  promised: number;
  realised: number;
}

export type BacktestResult = ReturnType<typeof measure>;

interface Frame {
  growth: Growth;
  ids: readonly string[];
  from: Date;
  amount: number;
  lending: Policy;
}

/**
 * Result of a strategy: yearly gain in percent of the amount, net of costs; its largest gap behind holding the lending vault; and the UTC months in
 * which it gained no less than lending.
 */
export function measure(
  { growth, ids, from, amount, lending }: Frame,
  policy: Policy,
  outcomes: Outcomes | null,
) {
  const { values, value, costs, hoursHeld } = replay(growth, policy);
  const lendingValues = replay(growth, lending).values;
  const yearly = (part: number): number => (part / amount) * (HOURS_PER_YEAR / growth.hours) * 100;
  const largestGap = lendingValues.reduce(
    (gap, lendingValue, at) => Math.max(gap, lendingValue - values[at]!),
    0,
  );
  const months = monthsOf(from, growth.hours);
  const growthOver = (series: Float64Array, [start, end]: readonly [number, number]) =>
    series[end]! / series[start]!;
  const ahead = months.filter(
    (month) => growthOver(values, month) >= growthOver(lendingValues, month) - ROUNDING,
  );
  return {
    gainPct: yearly(value - amount),
    moves: policy.steps.length,
    costsPct: yearly(costs),
    promised: outcomes?.promised ?? null,
    realised: outcomes?.realised ?? null,
    worstBehindLendingPct: (largestGap / amount) * 100,
    months: { ahead: ahead.length, of: months.length },
    held: ids
      .map((vaultId, index) => ({ vaultId, hours: hoursHeld[index]! }))
      .filter(({ hours }) => hours > 0)
      .toSorted((a, b) => b.hours - a.hours),
    values,
  };
}

/** First and last hour of each UTC month, which may be incomplete. */
function monthsOf(from: Date, hours: number): [number, number][] {
  const months: [number, number][] = [];
  for (let at = 0; at < hours; at++) {
    const begins = at === 0 || addHours(from, at).getUTCMonth() !== addHours(from, at - 1).getUTCMonth();
    if (begins) months.push([at, at + 1]);
    else months.at(-1)![1] = at + 1;
  }
  return months;
}
