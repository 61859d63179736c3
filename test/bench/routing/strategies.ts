import { moveCost } from '../../../src/domain/markets/vaults/move-cost.js';
import type { BridgeCost } from '../../../src/domain/markets/vaults/move-cost.js';
import type { Step } from './router.js';
import type { Year } from './year.js';

/**
 * What a unit becomes in each vault of a year, hour by hour, and what a move between vaults costs. Places are the indexes of the vaults; the last
 * place is cash.
 */
export interface Growth {
  /** By place and hour: the growth factor from that hour to the next. */
  factors: Float64Array[];
  /** Costs by source place and destination place, in whole units. */
  costs: number[][];
  apys: Float64Array[];
  hours: number;
  lending: number;
}

/** @param haircut by tier, deducted from the yield of a vault; a loss counts in full. null: no haircut */
export function growthOf(
  year: Year,
  bridges: readonly BridgeCost[],
  haircut: Record<string, number> | null,
): Growth {
  const vaults = [...year.vaults, year.idle];
  const hours = year.hours.length - 1;
  const factors = vaults.map(({ id, riskTier }) => {
    const kept = haircut ? 1 - haircut[riskTier]! : 1;
    return Float64Array.from({ length: hours }, (_, at) => {
      const [now, next] = [year.hours[at]!, year.hours[at + 1]!].map(({ vaults: known }) =>
        Number(known.get(id)!.state.index),
      );
      const grown = next! / now! - 1;
      return 1 + (grown > 0 ? grown * kept : grown);
    });
  });
  const apys = vaults.map(({ id }) =>
    Float64Array.from({ length: hours }, (_, at) => year.hours[at]!.vaults.get(id)!.state.lastApy ?? 0),
  );
  const costs = vaults.map((from) =>
    vaults.map((to) => (from === to ? 0 : Number(moveCost(from, to, bridges)) / 1e6)),
  );
  return { factors, costs, apys, hours, lending: year.vaults.findIndex((vault) => vault.lendingBaseline) };
}

/** The value of deposits that are moved by the steps. @returns whole units, and the cost of the moves in it */
export function replayed(
  { factors, hours }: Growth,
  amounts: readonly number[],
  first: readonly number[],
  steps: readonly Pick<Step, 'at' | 'from' | 'to' | 'fraction' | 'cost'>[],
): { value: number; costs: number } {
  const held = factors.map((_, place) =>
    amounts.reduce((sum, amount, index) => (first[index] === place ? sum + amount : sum), 0),
  );
  let [next, costs] = [0, 0];
  for (let at = 0; at <= hours; at++) {
    for (; next < steps.length && steps[next]!.at === at; next++) {
      const { from, to, fraction, cost } = steps[next]!;
      const moved = held[from]! * fraction;
      held[from]! -= moved;
      held[to]! += moved - cost;
      costs += cost;
    }
    if (at < hours) for (const [place, factor] of factors.entries()) held[place]! *= factor[at]!;
  }
  return { value: held.reduce((sum, one) => sum + one, 0), costs };
}

/** A strategy that holds everything in one vault, chosen anew each hour from observations up to that hour. @returns whole units */
export function following(
  growth: Growth,
  amount: number,
  first: number,
  choose: (at: number, current: number) => number,
): { value: number; moves: number } {
  const { factors, costs, hours } = growth;
  let [value, current, moves] = [amount, first, 0];
  for (let at = 0; at < hours; at++) {
    const target = at === 0 ? current : choose(at, current);
    if (target !== current) {
      value -= costs[current]![target]!;
      moves += 1;
      current = target;
    }
    value *= factors[current]![at]!;
  }
  return { value, moves };
}

const best = (values: readonly number[]): number => values.indexOf(Math.max(...values));

/** Chooses the vault with the highest APY of the hour. */
export const highestApy =
  ({ apys, factors }: Growth) =>
  (at: number): number =>
    best(apys.slice(0, factors.length - 1).map((one) => one[at]!));

/** Chooses once a week the vault with the best mean of the past week. */
export const bestWeeklyMean =
  ({ apys, factors }: Growth) =>
  (at: number, current: number): number => {
    if (at % 168 !== 0) return current;
    return best(
      apys
        .slice(0, factors.length - 1)
        .map((one) => one.subarray(at - 168, at).reduce((sum, apy) => sum + apy, 0)),
    );
  };

/**
 * The clairvoyant optimum: the most that any strategy could have made at the same costs, by dynamic programming over the vault of each hour. The
 * first vault costs nothing.
 */
export function clairvoyant(
  { factors, costs, hours }: Growth,
  amount: number,
): { value: number; moves: number } {
  const vaults = factors.length - 1;
  let values = Array.from({ length: vaults }, () => amount);
  let moves = Array.from({ length: vaults }, () => 0);
  for (let at = 0; at < hours; at++) {
    const from = values.map((_, to) => {
      let top = to;
      if (at > 0)
        for (let place = 0; place < vaults; place++)
          if (values[place]! - costs[place]![to]! > values[top]! - costs[top]![to]!) top = place;
      return top;
    });
    const next = from.map((place, to) => (values[place]! - costs[place]![to]!) * factors[to]![at]!);
    moves = from.map((place, to) => moves[place]! + Number(place !== to));
    values = next;
  }
  const top = best(values);
  return { value: values[top]!, moves: moves[top]! };
}
