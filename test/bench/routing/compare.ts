import { promiseOf } from '../../../src/domain/routing/allocation/estimate.js';
import type { RoutingRules } from '../../../src/domain/routing/allocation/routing-constants.js';
import { clairvoyant } from '../../../src/domain/routing/backtest/clairvoyant.js';
import { following, replayed, type Step } from '../../../src/domain/routing/backtest/growth.js';
import { route, type Routed } from '../../../src/domain/routing/backtest/router.js';
import { bestWeeklyMean, growthOf, highestApy, marketOf, type YearGrowth } from './growth-of-year.js';
import type { Weather, Year } from './year.js';

type Policy = Pick<Routed, 'first'> & { steps: Step[] };

/** Amounts in whole units, and the number of positions each is split into. */
export const AMOUNTS = [
  { amount: 1_000, positions: 1 },
  { amount: 10_000, positions: 1 },
  { amount: 1_000_000, positions: 1 },
  { amount: 8_000_000, positions: 8 },
] as const;

/** Gains over a year of each way to manage an amount, in whole units. */
export interface Gains {
  lending: number;
  hold: number;
  /** Gain of the router before the cost of its moves; `net` is after it. */
  gross: number;
  net: number;
  clairvoyant: number;
}

/** The results of a year for one amount, by each way to manage it. */
export interface Comparison extends Gains {
  weather: Weather;
  seed: string;
  amount: number;
  highest: number;
  weekly: number;
  /** The same gains with each tier's haircut deducted from the yields. */
  afterRisk: Gains;
  moves: number;
  outcomes: Outcome[];
}

/** Promise and result of a move whose horizon has passed, in whole units. */
export interface Outcome {
  promised: number;
  realised: number;
}

export async function compare(
  year: Year,
  rules: RoutingRules,
  haircut: Record<string, number>,
  amounts: readonly { amount: number; positions: number }[] = AMOUNTS,
): Promise<Comparison[]> {
  const raw = growthOf(year, rules.bridgeCosts, null);
  const weighted = growthOf(year, rules.bridgeCosts, haircut);
  const rows: Comparison[] = [];
  for (const { amount, positions } of amounts) {
    const parts = Array.from({ length: positions }, () => amount / positions);
    const routed = await route(
      marketOf(year),
      parts.map((part) => BigInt(part) * 1_000_000n),
      rules,
    );
    const gains = (growth: YearGrowth): Gains => gainsOf(growth, parts, routed);
    const [first] = routed.first;
    rows.push({
      weather: year.weather,
      seed: year.seed,
      amount,
      ...gains(raw),
      highest: replayed(raw, following(raw, amount, first!, highestApy(raw))).value - amount,
      weekly: replayed(raw, following(raw, amount, first!, bestWeeklyMean(raw))).value - amount,
      afterRisk: gains(weighted),
      moves: routed.steps.length,
      outcomes: kept(year, routed),
    });
  }
  return rows;
}

function gainsOf(growth: YearGrowth, parts: readonly number[], routed: Policy): Gains {
  const amount = parts.reduce((sum, part) => sum + part, 0);
  const placed = (first: readonly number[]): number[] =>
    growth.factors.map((_, place) =>
      parts.reduce((sum, part, index) => (first[index] === place ? sum + part : sum), 0),
    );
  const of = ({ first, steps }: Policy) => replayed(growth, { first: placed(first), steps });
  const lending = { first: parts.map(() => growth.lending), steps: [] };
  const { value, costs } = of(routed);
  return {
    lending: of(lending).value - amount,
    hold: of({ ...routed, steps: [] }).value - amount,
    gross: value + costs - amount,
    net: value - amount,
    clairvoyant: replayed(growth, clairvoyant(growth, amount)).value - amount,
  };
}

/** For each move whose horizon has passed: the gain that it promised, and the gain over staying that it brought. */
function kept(year: Year, { steps }: Routed): Outcome[] {
  const outcomes: Outcome[] = [];
  for (const { at, record } of steps) {
    const { horizonDays, cost } = record.expectedUplift;
    const promise = promiseOf(record);
    const end = year.hours[at + horizonDays * 24];
    if (promise === null || !end) continue;
    const ratio = (id: string): number =>
      Number(end.vaults.get(id)!.state.index) / Number(year.hours[at]!.vaults.get(id)!.state.index);
    const gained = Number(record.inputs.amount) * (ratio(record.toVaultId!) - ratio(record.fromVaultId!));
    outcomes.push({ promised: Number(promise) / 1e6, realised: (gained - Number(cost)) / 1e6 });
  }
  return outcomes;
}
