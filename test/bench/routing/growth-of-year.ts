import { type BridgeCost, moveCost } from '../../../src/domain/routing/allocation/routing-constants.js';
import type { Growth } from '../../../src/domain/routing/backtest/growth.js';
import type { RoutedMarket } from '../../../src/domain/routing/backtest/recorded-market.js';
import type { Year } from './year.js';

/** Growth of a simulated year, with the yields that simple rules choose by. */
export interface YearGrowth extends Growth {
  apys: Float64Array[];
}

/** @param haircut by tier, deducted from the yield of a vault; a loss counts in full. null: no haircut */
export function growthOf(
  year: Year,
  bridges: readonly BridgeCost[],
  haircut: Record<string, number> | null,
): YearGrowth {
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
  const lending = year.vaults.findIndex((vault) => vault.lendingBaseline);
  return { factors, costs, delays: vaults.map(() => 0), apys, hours, lending };
}

/** A simulated year as the router asks for it: nobody's money moves its rates. */
export const marketOf = ({ vaults, idle, hours }: Year): RoutedMarket => ({
  vaults,
  idle,
  hours: hours.length,
  at: (at) => hours[at]!,
});

const best = (values: readonly number[]): number => values.indexOf(Math.max(...values));

/** Chooses the vault with the highest APY of the hour. */
export const highestApy =
  ({ apys, factors }: YearGrowth) =>
  (at: number): number =>
    best(apys.slice(0, factors.length - 1).map((one) => one[at]!));

/** Chooses once a week the vault with the best mean of the past week. */
export const bestWeeklyMean =
  ({ apys, factors }: YearGrowth) =>
  (at: number, current: number): number => {
    if (at % 168 !== 0) return current;
    return best(
      apys
        .slice(0, factors.length - 1)
        .map((one) => one.subarray(at - 168, at).reduce((sum, apy) => sum + apy, 0)),
    );
  };
