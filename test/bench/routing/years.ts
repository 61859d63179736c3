import type { BacktestCatalogue } from '../../../src/config/backtest-catalogue.js';
import { readConstants } from '../../../src/config/constants.js';
import { addHours, hoursBetween } from '../../../src/domain/kernel/clock.js';
import type { Vault } from '../../../src/domain/kernel/catalogue/catalogue.js';
import {
  type Scenario,
  SimulatedMarket,
  YIELD_SCENARIOS,
} from '../../../src/domain/markets/simulation/simulated-market.js';
import type { SimulatedPlace } from '../../../src/domain/markets/vaults/vault-state.js';
import { type Backtest, backtest, type Strategy } from '../../../src/cli/backtest/backtest.js';
import type { VaultReading } from '../../../src/cli/backtest/readings.js';
import { HISTORY_HOURS } from '../../../src/cli/backtest/recorded-market.js';
import type { BacktestResult } from '../../../src/cli/backtest/growth.js';

export const WEATHERS = ['plain', ...YIELD_SCENARIOS] as const;
type Weather = (typeof WEATHERS)[number];

const AMOUNTS = [1_000, 10_000, 1_000_000, 8_000_000];
const BEGINNING = new Date('2026-01-01T00:00:00.000Z');
const YEAR_HOURS = 8_760;
const ASSET = 'USDC';
/** Scenarios that last only for hours are repeated: the first start, as an hour of the year, and the interval in hours. */
const AGAIN: Partial<Record<Weather, { first: number; every: number }>> = {
  volatile: { first: 0, every: 14 * 24 },
  outage: { first: 7 * 24, every: 28 * 24 },
  run: { first: 7 * 24, every: 28 * 24 },
  loss: { first: 182 * 24, every: 365 * 24 },
  failing: { first: 182 * 24, every: 365 * 24 },
};

/** Simulated years by the backtest: means over the seeds, by weather and amount. */
export async function yearsTable(weathers: readonly Weather[], seeds: readonly number[]): Promise<string> {
  const heads = [
    'weather',
    'amount',
    'lending',
    'hold',
    'daily',
    'weekly',
    'router',
    'clairvoyant',
    'share %',
  ];
  const columns = [...heads, 'kept', 'moves', 'not behind hold'];
  const lines = [row(columns), row(columns.map(() => '---'))];
  for (const weather of weathers) {
    const years: Backtest[] = [];
    for (const seed of seeds) years.push(await yearOf(`bench-${seed}`, weather));
    for (const [place, amount] of AMOUNTS.entries()) {
      const runs = years.map((year) => year.runs[place]!.strategies);
      const mean = (of: (one: (typeof runs)[number]) => number): number =>
        runs.reduce((sum, one) => sum + of(one), 0) / runs.length;
      const names = ['lending', 'hold', 'daily', 'weekly', 'router', 'clairvoyant'] as const;
      const gains = names.map((name) => mean((one) => one[name].gainPct).toFixed(2));
      const ahead = runs.filter(({ router, hold }) => router.gainPct >= hold.gainPct).length;
      const moves = mean(({ router }) => router.moves).toFixed(1);
      const rest = [`${share(runs)}`, keptOf(runs).toFixed(2), moves, `${ahead} of ${runs.length}`];
      lines.push(row([weather, amount.toLocaleString('en'), ...gains, ...rest]));
    }
  }
  return lines.join('\n');
}

/** A year of the sandbox's simulated vaults, as it would have been recorded. */
function yearOf(seed: string, weather: Weather): Promise<Backtest> {
  const { constants, vaults: all, bridgeCosts } = readConstants('sandbox');
  const vaults = all.filter(({ asset }) => asset === ASSET);
  const catalogue: BacktestCatalogue = { asset: ASSET, constants, vaults, bridgeCosts, feeds: new Map() };
  const market = new SimulatedMarket({ seed, begunAt: BEGINNING, vaults });
  const readings = new Map(vaults.map((vault) => [vault.id, readingsOf(market, vault, weather)]));
  return backtest(catalogue, readings, addHours(BEGINNING, HISTORY_HOURS), YEAR_HOURS, AMOUNTS);
}

function readingsOf(market: SimulatedMarket, vault: Vault, weather: Weather): VaultReading[] {
  const readings: VaultReading[] = [];
  let place: SimulatedPlace | null = null;
  for (let at = 0; at <= HISTORY_HOURS + YEAR_HOURS; at++) {
    const hour = addHours(BEGINNING, at);
    const scenario = scenarioAt(weather, hour);
    place = place === null ? market.begin(vault, hour) : market.next(vault, hour, place, scenario);
    const observation = market.observe(vault, hour, place, scenario);
    if (observation === null) continue;
    const { apy, assets, liquidity, lossPerMille } = observation;
    const [deposits, free] = [assets, liquidity].map((micro) => Number(micro) / 1e6);
    const sizes = { assets: deposits!, liquidity: free! };
    readings.push({ at: hour, apy, price: null, ...sizes, ...(lossPerMille && { lossPerMille }) });
  }
  return readings;
}

/** The scenario begins with the year. */
function scenarioAt(weather: Weather, hour: Date): Scenario | null {
  const start = addHours(BEGINNING, HISTORY_HOURS);
  const since = hoursBetween(start, hour);
  if (weather === 'plain' || since < 0) return null;
  const again = AGAIN[weather];
  if (!again) return { name: weather, from: start };
  const times = Math.floor((since - again.first) / again.every);
  return times < 0 ? null : { name: weather, from: addHours(start, again.first + times * again.every) };
}

type Strategies = Record<Strategy, BacktestResult>;
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const gain = (runs: readonly Strategies[], name: Strategy): number =>
  runs.reduce((sum, one) => sum + one[name].gainPct - one.lending.gainPct, 0);
const share = (runs: readonly Strategies[]): number =>
  Math.round((100 * gain(runs, 'router')) / gain(runs, 'clairvoyant'));
/** Realised gains to promised ones. */
const keptOf = (runs: readonly Strategies[]): number =>
  runs.reduce((sum, { router }) => sum + (router.realised ?? 0), 0) /
  runs.reduce((sum, { router }) => sum + (router.promised ?? 0), 0);
