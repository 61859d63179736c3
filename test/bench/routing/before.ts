import type { Growth, Step } from '../../../src/domain/routing/backtest/growth.js';
import type { Routed } from '../../../src/domain/routing/backtest/router.js';
import type { Year } from './year.js';

/** The constants of the former rule. Fractions are yearly; times are hours, amounts whole units. */
const BEFORE = {
  volatilityWeight: 0.5,
  minimumDelta: 0.01,
  breakevenDays: 10,
  horizonDays: 90,
  minimumNetGain: 1,
  hoursInVault: 6,
  returnHours: 72,
  returnDelta: 0.03,
  tvlMultiple: 10,
  share: 0.15,
  gapHours: 24,
};

/** Moves of a policy, in the form in which they are replayed. */
export interface Policy {
  first: Routed['first'];
  steps: Step[];
}

/**
 * The former rule, before gain was weighed against cost. Deposits go to the vault with the best weekly mean, less half of its deviation and a
 * haircut. A holding moves as a whole when another vault is better by 1 percentage point and the move pays for itself within 10 days. The rule knows
 * neither evictions nor partial moves.
 *
 * @param parts deposits, whole units
 * @param haircut by tier
 */
export function ruleBefore(
  year: Year,
  { factors, costs, hours, lending }: Growth,
  parts: readonly number[],
  haircut: Record<string, number>,
): Policy {
  const places = year.vaults.map((_, place) => place);
  const held = factors.map(() => 0);
  const since = factors.map(() => 0);
  const left = factors.map(() => -Infinity);
  const rateAt = (at: number, place: number): number => {
    const { id, riskTier } = year.vaults[place]!;
    const { meanApy, volatility } = year.hours[at]!.vaults.get(id)!;
    if (meanApy === null || volatility === null) return -Infinity;
    return meanApy * (1 - haircut[riskTier]!) - BEFORE.volatilityWeight * volatility;
  };
  const fresh = (at: number, place: number): boolean => {
    const { hour, vaults } = year.hours[at]!;
    const { observedHour } = vaults.get(year.vaults[place]!.id)!.state;
    return observedHour !== null && hour.getTime() - observedHour.getTime() <= BEFORE.gapHours * 3_600_000;
  };
  const takes = (place: number, amount: number): boolean => {
    const { capacity } = year.vaults[place]!;
    return capacity === null || held[place]! + amount <= Number(capacity) / 1e6;
  };
  const isLiquid = (at: number, place: number, amount: number): boolean => {
    const { lastTvl } = year.hours[at]!.vaults.get(year.vaults[place]!.id)!.state;
    const tvl = Number(lastTvl ?? 0) / 1e6;
    return tvl >= BEFORE.tvlMultiple * amount && held[place]! + amount <= BEFORE.share * (tvl + amount);
  };
  const bestFirst = (at: number): number[] => places.toSorted((a, b) => rateAt(at, b) - rateAt(at, a));

  const first = parts.map((part) => {
    const open = bestFirst(0).find((place) => fresh(0, place) && takes(place, part)) ?? lending;
    held[open]! += part;
    return open;
  });
  const steps: Policy['steps'] = [];
  for (let at = 0; at < hours; at++) {
    const ranked = at === 0 ? [] : bestFirst(at);
    const joined = new Set<number>();
    for (const from of ranked.filter((place) => held[place]! > 0)) {
      if (joined.has(from)) continue;
      const amount = held[from]!;
      const better = ranked.filter((place) => rateAt(at, place) > rateAt(at, from));
      const target = better.find(
        (place) => fresh(at, place) && takes(place, amount) && isLiquid(at, place, amount),
      );
      if (target === undefined) continue;
      const delta = rateAt(at, target) - rateAt(at, from);
      const cost = costs[from]![target]!;
      const gain = (days: number): number => (amount * delta * days) / 365;
      const moves =
        delta >= BEFORE.minimumDelta &&
        gain(BEFORE.breakevenDays) >= cost &&
        gain(BEFORE.horizonDays) - cost >= BEFORE.minimumNetGain &&
        at - since[from]! >= BEFORE.hoursInVault &&
        (at - left[target]! >= BEFORE.returnHours || delta >= BEFORE.returnDelta);
      if (!moves) continue;
      held[from] = 0;
      held[target]! += amount - cost;
      since[target] = at;
      left[from] = at;
      joined.add(target);
      steps.push({ at, arrives: at, from, to: target, fraction: 1, cost });
    }
    for (const [place, factor] of factors.entries()) held[place]! *= factor[at]!;
  }
  return { first, steps };
}
