import { addHours } from '../../kernel/clock.js';
import { type Growth, type Policy, replayed } from './growth.js';

const HOURS_OF_A_YEAR = 8_760;
/** Sums of a year's hours in another order differ by less. */
const ROUNDING = 1e-9;

/** Promised and realised gains of moves whose horizon has passed, in whole units. */
export interface Outcomes {
  promised: number;
  realised: number;
}

/** What a strategy brought. Percentages are of the amount. */
export interface Measured {
  /** A year, net of costs. */
  gainPct: number;
  moves: number;
  /** A year. */
  costsPct: number;
  /** Null for what promises nothing. */
  promised: number | null;
  realised: number | null;
  /** The furthest that it was behind holding the lending vault. */
  worstBehindLendingPct: number;
  /** UTC months in which it gained no less than lending, of all. */
  months: { ahead: number; of: number };
  held: { vaultId: string; hours: number }[];
  values: Float64Array;
}

interface Frame {
  growth: Growth;
  ids: readonly string[];
  from: Date;
  amount: number;
  lending: Policy;
}

export function measured(
  { growth, ids, from, amount, lending }: Frame,
  policy: Policy,
  outcomes: Outcomes | null,
): Measured {
  const { values, value, costs, held } = replayed(growth, policy);
  const beside = replayed(growth, lending).values;
  const yearly = (part: number): number => (part / amount) * (HOURS_OF_A_YEAR / growth.hours) * 100;
  const behind = beside.reduce((most, one, at) => Math.max(most, one - values[at]!), 0);
  const months = monthsOf(from, growth.hours);
  const growthOver = (own: Float64Array, [start, end]: readonly [number, number]) => own[end]! / own[start]!;
  const ahead = months.filter((one) => growthOver(values, one) >= growthOver(beside, one) - ROUNDING);
  return {
    gainPct: yearly(value - amount),
    moves: policy.steps.length,
    costsPct: yearly(costs),
    promised: outcomes?.promised ?? null,
    realised: outcomes?.realised ?? null,
    worstBehindLendingPct: (behind / amount) * 100,
    months: { ahead: ahead.length, of: months.length },
    held: ids
      .map((vaultId, place) => ({ vaultId, hours: held[place]! }))
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
