import { promiseOf } from '../../../src/domain/routing/estimate.js';
import type { RoutingRules } from '../../../src/domain/routing/routing-constants.js';
import { type Policy, ruleBefore } from './before.js';
import { route, type Routed } from './router.js';
import {
  bestWeeklyMean,
  clairvoyant,
  following,
  type Growth,
  growthOf,
  highestApy,
  replayed,
} from './strategies.js';
import type { Weather, Year } from './year.js';

/** Whole units, and into how many positions they are split. */
export const AMOUNTS = [
  { amount: 1_000, positions: 1 },
  { amount: 10_000, positions: 1 },
  { amount: 1_000_000, positions: 1 },
  { amount: 8_000_000, positions: 8 },
] as const;

/** A year of an amount, by each way to manage it. Whole units, gained over the year. */
export interface Comparison {
  weather: Weather;
  seed: string;
  amount: number;
  lending: number;
  hold: number;
  /** By the rule that stood before. */
  before: number;
  gross: number;
  net: number;
  highest: number;
  weekly: number;
  clairvoyant: number;
  /** Of the clairvoyant's gain over lending. */
  share: number;
  riskShare: number;
  moves: number;
  outcomes: Outcome[];
}

/** Of a move whose horizon has passed; whole units. */
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
      year,
      parts.map((part) => BigInt(part) * 1_000_000n),
      rules,
    );
    const [plain, risky] = [raw, weighted].map((growth) => outcome(growth, parts, amount, routed));
    const [first] = routed.first;
    rows.push({
      weather: year.weather,
      seed: year.seed,
      amount,
      ...plain!,
      before: valueBy(ruleBefore(year, raw, parts, haircut), raw, parts) - amount,
      highest: following(raw, amount, first!, highestApy(raw)).value - amount,
      weekly: following(raw, amount, first!, bestWeeklyMean(raw)).value - amount,
      riskShare: risky!.share,
      moves: routed.steps.length,
      outcomes: kept(year, routed),
    });
  }
  return rows;
}

function outcome(growth: Growth, parts: readonly number[], amount: number, { first, steps }: Routed) {
  const of = (places: readonly number[], moved: Routed['steps']) => replayed(growth, parts, places, moved);
  const lending = of(
    parts.map(() => growth.lending),
    [],
  ).value;
  const { value, costs } = of(first, steps);
  const most = clairvoyant(growth, amount).value;
  return {
    lending: lending - amount,
    hold: of(first, []).value - amount,
    net: value - amount,
    gross: value + costs - amount,
    clairvoyant: most - amount,
    share: (value - lending) / (most - lending),
  };
}

const valueBy = ({ first, steps }: Policy, growth: Growth, parts: readonly number[]): number =>
  replayed(growth, parts, first, steps).value;

/** What moves promised whose horizon has passed, and what they brought over staying. */
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
