import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { readConstants } from '../../../config/constants.js';
import { blendedApy, mean, sampleDeviation } from '../signals/statistics.js';
import { FIRST_REGIME, nextRegime, type Regime, readRegime, type RegimeState } from '../signals/regime.js';
import { signalHours } from '../signals/signal.js';
import { addHours } from '../../kernel/clock.js';
import type { SimulatedPlace } from '../vaults/vault-state.js';
import {
  MOVE_SCENARIOS,
  type Scenario,
  SCENARIOS,
  SimulatedMarket,
  type SimulatedVault,
} from './simulated-market.js';
import { SIMULATION_CONSTANTS, supplyApy } from './simulation-constants.js';

const { constants } = readConstants('sandbox');
const { regime: REGIME, signals: SIGNALS } = constants;
const SERIES_HOURS = signalHours(SIGNALS);

const LENDING = { id: 'vlt_lending', asset: 'USDC', riskTier: 'low', lendingBaseline: true } as const;
const HIGH = { id: 'vlt_high', asset: 'USDC', riskTier: 'high', lendingBaseline: false } as const;
const VAULTS = [
  LENDING,
  { id: 'vlt_medium', asset: 'USDC', riskTier: 'medium', lendingBaseline: false },
  HIGH,
] as const;
const FROM = new Date('2026-02-01T07:00:00.000Z');
const HISTORY_HOURS = 720;
const START = addHours(FROM, HISTORY_HOURS);
const SEEDS = Array.from({ length: 4 }, (_, index) => `seed ${index}`);

const marketOf = (seed: string, constants = SIMULATION_CONSTANTS, begunAt = FROM): SimulatedMarket =>
  new SimulatedMarket({ seed, begunAt, vaults: VAULTS }, constants);

type SimulatedHour = ReturnType<typeof pathOf>[number];
/** Consecutive hours. @param index state at the hour before; null: the path begins at `from` */
const pathOf = (
  market: SimulatedMarket,
  vault: SimulatedVault,
  from: Date,
  hours: number,
  index: SimulatedPlace | null = null,
  scenario: Scenario | null = null,
) =>
  Array.from({ length: hours }, (_, count) => {
    const hour = addHours(from, count);
    index = index === null ? market.begin(vault, hour) : market.next(vault, hour, index, scenario);
    return { hour, place: index, observation: market.observe(vault, hour, index, scenario) };
  });

/** 30 days of history, then the scenario: each vault at each hour. */
function live(seed: string, name: Scenario['name'], hours: number): SimulatedHour[][] {
  const market = marketOf(seed);
  const scenario = { name, from: START };
  return VAULTS.map((vault) => {
    const history = pathOf(market, vault, FROM, HISTORY_HOURS);
    const bent = pathOf(market, vault, START, hours, history.at(-1)?.place ?? null, scenario);
    return [...history, ...bent];
  });
}
/** Observed APYs of the same run. */
const run = (...told: Parameters<typeof live>): (number | null)[][] =>
  live(...told).map((path) => path.map(({ observation }) => observation?.apy ?? null));

/** Market APY over observed vaults, weighted by TVL. */
const marketApy = (paths: SimulatedHour[][], hour: number): number | null =>
  blendedApy(
    paths.flatMap((path) => {
      const observation = path[hour]?.observation;
      return observation ? [{ apy: observation.apy, value: observation.tvl! }] : [];
    }),
  );

/** Regime at each hour of the scenario. */
function regimes(seed: string, name: Scenario['name'], hours: number): Regime[] {
  const paths = live(seed, name, hours);
  let state: RegimeState = FIRST_REGIME;
  const shown: Regime[] = [];
  for (let count = HISTORY_HOURS - 2; count < HISTORY_HOURS + hours; count++) {
    const lastHour = addHours(FROM, count);
    const values = Array.from({ length: SERIES_HOURS }, (_, index) =>
      marketApy(paths, count + 1 - SERIES_HOURS + index),
    );
    const series = { lastHour, values };
    state = nextRegime(state, readRegime(series, 1_000, REGIME, SIGNALS).regime, REGIME);
    if (count >= HISTORY_HOURS) shown.push(state.regime);
  }
  return shown;
}

describe('a simulated path', () => {
  it('A simulated path is the same on every machine', () => {
    // Expected figures from an implementation in another language, equal to the last bit.
    const path = pathOf(marketOf('a seed'), LENDING, FROM, 1_000);
    const figures = [0, 1, 7, 999].map((hour) => {
      const { place, observation } = path[hour]!;
      const { apy, assets, liquidity } = observation!;
      return [...[place.x, place.week, place.level, place.size, place.spike], apy, assets, liquidity];
    });
    expect(figures).toEqual(
      // prettier-ignore
      [
        [1.0249187257557264, -0.7443694891929614, 0.29239429758824315, 0.06011865176681496, 0, 0.0207818683, 127435505_000_000n, 45947878_000_000n],
        [1.0116257180357653, -0.7257890517089516, 0.2788756132711684, 0.06878598079841339, 0, 0.0207201205, 128544831_000_000n, 46592081_000_000n],
        [0.9113404074266065, -0.7204444246324725, 0.3084313959068332, 0.07152262249058028, 0.2799393784259612, 0.0483951503, 128897094_000_000n, 18562744_000_000n],
        [1.058807966098149, 0.07213327731300238, 0.3069163066304037, 0.009099033763778533, 0, 0.0292490646, 121096867_000_000n, 23235744_000_000n],
      ],
    );
  });

  it('A simulated path can be continued from any stored hour', () => {
    const market = marketOf('a seed');
    fc.assert(
      fc.property(
        fc.constantFrom(...VAULTS),
        fc.integer({ min: 1, max: 299 }),
        fc.option(fc.constantFrom(...SCENARIOS)),
        (vault, cut, name) => {
          const scenario = name && { name, from: addHours(FROM, 40) };
          const whole = pathOf(market, vault, FROM, 300, null, scenario);
          const stored: unknown = JSON.parse(JSON.stringify(whole[cut - 1]?.place));
          const rest = pathOf(
            market,
            vault,
            addHours(FROM, cut),
            300 - cut,
            stored as SimulatedPlace,
            scenario,
          );
          expect(rest).toEqual(whole.slice(cut));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('A simulated path differs by seed and by vault, also if seed and id concatenate to the same text', () => {
    const apys = (seed: string, id: string) =>
      pathOf(marketOf(seed), { ...LENDING, id }, FROM, 50).map(({ place }) => place.x);
    const paths = [apys('a', 'bc'), apys('ab', 'c'), apys('a', 'c'), apys('ab', 'bc')];
    expect(new Set(paths.map(String)).size).toBe(4);
  });

  it.each([
    ['x', 72, 0.5 * Math.sqrt(1 / 3)],
    ['week', 168, 0.5 * Math.sqrt(1 / 3)],
    ['level', 1_440, 0.5 * Math.sqrt(1 / 3)],
    ['size', 240, 0.1],
  ] as const)(
    'A simulated path has a component %s with a half-life of %d hours and its own deviation',
    (part, half, deviation) => {
      const centre = part === 'x' ? Math.log(0.78 / 0.22) : 0;
      const path = pathOf(marketOf('statistics'), LENDING, FROM, 40_000);
      const offsets = path.map(({ place }) => place[part] - centre);
      const a = 2 ** (-1 / half);
      const steps = offsets.slice(1).map((offset, hour) => (offset - offsets[hour]! * a) / deviation);
      expect(mean(steps)).toBeCloseTo(0, 2);
      expect(sampleDeviation(steps)! / Math.sqrt(1 - a * a)).toBeCloseTo(1, 1);
      const far = steps.filter((step) => Math.abs(step) > 1.96 * Math.sqrt(1 - a * a)).length / steps.length;
      expect(far).toBeCloseTo(0.05, 2);
    },
  );

  it.each([
    [LENDING, 150],
    [VAULTS[1], 100],
    [HIGH, 60],
  ])(
    'A simulated path has the expected number of spikes above the kink, 90 % of them up to 8 hours long',
    (vault, ofYear) => {
      const years = 4;
      const lengths: number[] = [];
      let length = 0;
      for (const { place } of pathOf(marketOf('spikes'), vault, FROM, years * 8_760)) {
        if (place.spike === 0 && length > 0) lengths.push(length);
        length = place.spike > 0 ? length + 1 : 0;
      }
      lengths.sort((length, other) => length - other);
      expect(Math.abs(lengths.length / years / ofYear - 1)).toBeLessThan(0.15);
      expect([2, 3]).toContain(lengths[lengths.length >> 1]);
      expect(lengths.filter((hours) => hours <= 8).length / lengths.length).toBeCloseTo(0.9, 1);
    },
  );

  it('A simulated path has rounded rates from 0 to the end of the rate curve', () => {
    for (const seed of SEEDS) {
      for (const name of SCENARIOS) {
        const limits = [0.106, 0.2808, 0.3431];
        for (const [index, path] of run(seed, name, 240).entries()) {
          const rates = path.filter((value) => value !== null);
          expect(rates.filter((apy) => Math.round(apy * 1e10) / 1e10 !== apy)).toEqual([]);
          expect(rates.filter((apy) => !(apy >= 0 && apy <= limits[index]!))).toEqual([]);
        }
      }
    }
  });
});

describe('the rate curve', () => {
  it.each([
    ['low', 0.78, 0.02535],
    ['low', 0.8, 0.026],
    ['low', 1, 0.106],
    ['medium', 0.8, 0.0384],
    ['medium', 0.9, 0.1208],
    ['high', 0.86, 0.05074],
    ['high', 1, 0.3431],
  ] as const)('The rate curve of tier %s at utilisation %p has the APY %p', (tier, utilisation, apy) =>
    expect(supplyApy(SIMULATION_CONSTANTS.curves[tier], utilisation)).toBe(apy),
  );
});

describe('a scenario', () => {
  it.each(['rising', 'falling'] as const)(
    'The scenario %s changes the regime to it within 8 days',
    (name) => {
      for (const seed of SEEDS) expect(regimes(seed, name, 192)).toContain(name);
    },
  );

  it('The scenario volatile changes the regime to it within a day', () => {
    for (const seed of SEEDS) expect(regimes(seed, 'volatile', 26)).toContain('volatile');
  });

  it('The scenario outage silences the lending vault for 30 hours, and no other', () => {
    const [lending = [], ...others] = run('any', 'outage', 40).map((path) => path.slice(HISTORY_HOURS - 1));
    expect(lending.map((apy) => apy === null)).toEqual(
      Array.from({ length: 41 }, (_, hour) => hour >= 1 && hour <= 30),
    );
    for (const path of others) expect(path).not.toContain(null);
    expect(regimes('any', 'outage', 40)).not.toContain('unknown');
  });

  const CENTRE: SimulatedPlace = { x: 1.2, week: 0, level: 0, size: 0, spike: 0 };

  it('The scenario calm starts no spikes', () => {
    const spiky = { ...SIMULATION_CONSTANTS, spikeEnds: 0 };
    const curves = { ...spiky.curves, low: { ...spiky.curves.low, spikesAYear: 8_760 } };
    const market = marketOf('calm', { ...spiky, curves });
    expect(market.next(LENDING, FROM, CENTRE).spike).toBeGreaterThan(0);
    expect(market.next(LENDING, FROM, CENTRE, { name: 'calm', from: FROM }).spike).toBe(0);
  });

  it('The scenario calm has a quarter of the noise', () => {
    const market = marketOf('calm');
    const step = (scenario: Scenario | null) => market.next(LENDING, addHours(FROM, 1), CENTRE, scenario);
    const still = marketOf('calm', { ...SIMULATION_CONSTANTS, deviation: 0 });
    const rest = still.next(LENDING, addHours(FROM, 1), CENTRE);
    const [calm, plain] = [step({ name: 'calm', from: FROM }), step(null)];
    for (const part of ['x', 'week', 'level'] as const)
      expect((calm[part] - rest[part]) / (plain[part] - rest[part])).toBeCloseTo(0.25, 9);
  });

  it('The scenario failing drains a vault by 85 % in a week, with its yield over 30 % and no liquidity, and then 40 % are lost', () => {
    const paths = live('any', 'failing', 400).map((path) => path.slice(HISTORY_HOURS - 1));
    const [, other = [], struck = []] = paths;
    const at = (hour: number) => struck[hour + 1]!.observation!;
    const assetsLeft = (hour: number) => Number(at(hour).assets) / Number(at(-1).assets);
    for (const hour of [23, 95, 167]) expect(assetsLeft(hour)).toBeCloseTo(0.15 ** ((hour + 1) / 168), 5);
    expect(assetsLeft(399)).toBeCloseTo(0.15, 5);
    expect(at(60).liquidity).toBeGreaterThan(0n);
    expect(at(60).apy).toBeGreaterThan(at(-1).apy!);
    for (const hour of [119, 167, 399]) expect(at(hour)).toMatchObject({ liquidity: 0n, apy: 0.3431 });
    const losses = struck.flatMap(({ observation }, hour) => (observation!.lossPerMille ? [hour - 1] : []));
    expect(losses).toEqual([168]);
    expect(at(168).lossPerMille).toBe(400n);
    expect(other.every(({ observation }) => observation!.lossPerMille === undefined)).toBe(true);
  });

  it('The scenario run withdraws 70 % of the riskiest vault’s TVL in 12 hours, and none of others; the TVL recovers later', () => {
    const paths = live('any', 'run', 1_500);
    const tvl = (index: number, hour: number) =>
      Number(paths[index]![HISTORY_HOURS + hour]!.observation!.tvl);
    for (const hour of [3, 6, 12]) expect(tvl(2, hour - 1) / tvl(2, -1)).toBeCloseTo(0.3 ** (hour / 12), 6);
    for (const index of [0, 1]) expect(tvl(index, 11) / tvl(index, -1)).toBeGreaterThan(0.85);
    expect(tvl(2, 1_499) / 20e12).toBeGreaterThan(0.7);
  });

  it('The scenario loss reduces the index of the riskiest vault by 5 %, in its first hour', () => {
    const losses = live('any', 'loss', 10).map((path) =>
      path.slice(HISTORY_HOURS).map(({ observation }) => observation!.lossPerMille),
    );
    expect(losses[2]).toEqual([50n, ...Array.from({ length: 9 }, () => undefined)]);
    for (const path of losses.slice(0, 2)) expect(path.every((loss) => loss === undefined)).toBe(true);
  });

  it('A scenario of moves changes no yield and no assets', () => {
    const market = marketOf('a seed');
    const plain = pathOf(market, HIGH, FROM, 100);
    for (const name of MOVE_SCENARIOS)
      expect(pathOf(market, HIGH, FROM, 100, null, { name, from: FROM })).toEqual(plain);
  });

  it('A scenario changes nothing before its first hour', () => {
    const market = marketOf('a seed');
    const plain = pathOf(market, VAULTS[1], FROM, 48);
    for (const name of SCENARIOS)
      expect(pathOf(market, VAULTS[1], FROM, 48, null, { name, from: addHours(FROM, 48) })).toEqual(plain);
  });
});
