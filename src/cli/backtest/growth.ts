import { addHours } from '../../domain/kernel/clock.js';

/** What a unit becomes in each vault, hour by hour, and what a move between vaults costs. Places are those of the vaults; the last one is cash. */
export interface Growth {
  /** By place and hour: the growth factor from that hour to the next, without own money. */
  factors: readonly Float64Array[];
  /** Costs by source place and destination place, in whole units. */
  costs: readonly (readonly number[])[];
  /** Hours from leaving a place until the funds are elsewhere. */
  delays: readonly number[];
  hours: number;
  lending: number;
  /** Fraction of a gain that remains after an amount of own money dilutes it. */
  remainingGain: (vaultIndex: number, at: number, amount: number) => number;
}

export interface Step {
  /** Hours since the beginning, of leaving and of arriving. */
  at: number;
  arrives: number;
  from: number;
  to: number;
  fraction: number;
  cost: number;
}

/** A way to manage an amount: what is in each place at first, in whole units, and the moves. */
export interface Policy {
  first: readonly number[];
  steps: readonly Step[];
}

export const allIn = ({ factors }: Growth, vaultIndex: number, amount: number): number[] =>
  factors.map((_, index) => (index === vaultIndex ? amount : 0));

export function grown({ factors, remainingGain }: Growth, index: number, at: number, value: number): number {
  const gain = factors[index]![at]! - 1;
  // A loss is shared by all deposits alike.
  if (gain <= 0 || value <= 0) return value * (1 + gain);
  return value * (1 + gain * remainingGain(index, at, value));
}

/** Values at each hour, the last one included; hours with funds by place, where those in transit are cash. */
export function replayed(growth: Growth, { first, steps }: Policy) {
  const { hours } = growth;
  const places = [...first];
  const held = first.map(() => 0);
  const values = new Float64Array(hours + 1);
  let inTransit: { arrives: number; to: number; value: number }[] = [];
  let [next, costs] = [0, 0];
  for (let at = 0; at <= hours; at++) {
    for (const { to, value } of inTransit.filter(({ arrives }) => arrives === at)) places[to]! += value;
    inTransit = inTransit.filter(({ arrives }) => arrives > at);
    for (; next < steps.length && steps[next]!.at === at; next++) {
      const { from, to, fraction, cost, arrives } = steps[next]!;
      const moved = places[from]! * fraction;
      places[from]! -= moved;
      if (arrives > at) inTransit.push({ arrives, to, value: moved - cost });
      else places[to]! += moved - cost;
      costs += cost;
    }
    values[at] =
      places.reduce((sum, funds) => sum + funds, 0) + inTransit.reduce((sum, { value }) => sum + value, 0);
    if (at === hours) break;
    for (const [index, value] of places.entries()) {
      if (value > 0) held[index]! += 1;
      places[index] = grown(growth, index, at, value);
    }
    if (inTransit.length > 0) held[held.length - 1]! += 1;
  }
  return { values, value: values[hours]!, costs, held };
}

/**
 * A policy that holds everything in one place, chosen anew each hour from what was observed up to that hour.
 * @param choose asked when no funds are in transit
 */
export function following(
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
  return { first: allIn(growth, first, amount), steps };
}

const HOURS_OF_A_YEAR = 8_760;
/** Sums of a year's hours in another order differ by less. */
const ROUNDING = 1e-9;

/** Promised and realised gains of moves whose horizon has passed, in whole units. */
export interface Outcomes {
  promised: number;
  realised: number;
}

export type BacktestResult = ReturnType<typeof measured>;

interface Frame {
  growth: Growth;
  ids: readonly string[];
  from: Date;
  amount: number;
  lending: Policy;
}

/**
 * What a strategy brought, in percent of the amount a year, net of costs; the furthest that it was behind holding the lending vault; and the UTC months
 * in which it gained no less than lending, of all.
 */
export function measured(
  { growth, ids, from, amount, lending }: Frame,
  policy: Policy,
  outcomes: Outcomes | null,
) {
  const { values, value, costs, held } = replayed(growth, policy);
  const lendingValues = replayed(growth, lending).values;
  const yearly = (part: number): number => (part / amount) * (HOURS_OF_A_YEAR / growth.hours) * 100;
  const behind = lendingValues.reduce(
    (most, lendingValue, at) => Math.max(most, lendingValue - values[at]!),
    0,
  );
  const months = monthsOf(from, growth.hours);
  const growthOver = (own: Float64Array, [start, end]: readonly [number, number]) => own[end]! / own[start]!;
  const ahead = months.filter(
    (month) => growthOver(values, month) >= growthOver(lendingValues, month) - ROUNDING,
  );
  return {
    gainPct: yearly(value - amount),
    moves: policy.steps.length,
    costsPct: yearly(costs),
    promised: outcomes?.promised ?? null,
    realised: outcomes?.realised ?? null,
    worstBehindLendingPct: (behind / amount) * 100,
    months: { ahead: ahead.length, of: months.length },
    held: ids
      .map((vaultId, index) => ({ vaultId, hours: held[index]! }))
      .filter(({ hours }) => hours > 0)
      .toSorted((a, b) => b.hours - a.hours),
    values,
  };
}

/** The first and the last hour of each UTC month, or part of one. */
function monthsOf(from: Date, hours: number): [number, number][] {
  const months: [number, number][] = [];
  for (let at = 0; at < hours; at++) {
    const begins = at === 0 || addHours(from, at).getUTCMonth() !== addHours(from, at - 1).getUTCMonth();
    if (begins) months.push([at, at + 1]);
    else months.at(-1)![1] = at + 1;
  }
  return months;
}
