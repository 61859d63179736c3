import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { readConstants } from '../../../config/constants.js';
import { blendedApy } from '../signals/blended.js';
import {
  FIRST_REGIME,
  nextRegime,
  type Regime,
  readRegime,
  regimeConstants,
  type RegimeState,
} from '../signals/regime.js';
import { signalConstants, signalHours } from '../signals/signal.js';
import { mean, sampleDeviation } from '../signals/statistics.js';
import { addHours } from '../../kernel/catalogue/hour.js';
import type { SimulatedPlace } from '../vaults/vault-state.js';
import { exponential, logarithm } from './exact-functions.js';
import { type Scenario, SCENARIOS, type SimulatedHour, SimulatedMarket } from './simulated-market.js';
import { SIMULATION_CONSTANTS, supplyApy } from './simulation-constants.js';

const { constants } = readConstants('sandbox');
const SIGNALS = signalConstants(constants.signals);
const REGIME = regimeConstants(constants.regime);
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
const SEEDS = Array.from({ length: 12 }, (_, index) => `seed ${index}`);

const marketOf = (seed: string, constants = SIMULATION_CONSTANTS, begunAt = FROM): SimulatedMarket =>
  new SimulatedMarket({ seed, begunAt, vaults: VAULTS }, constants);

/** 30 days of history, then the scenario: each vault at each hour. */
function live(seed: string, name: Scenario['name'], hours: number): SimulatedHour[][] {
  const market = marketOf(seed);
  const scenario = { name, from: START };
  return VAULTS.map((vault) => {
    const history = market.path(vault, FROM, HISTORY_HOURS);
    const bent = market.path(vault, START, hours, history.at(-1)?.place ?? null, scenario);
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
      const seen = path[hour]?.observation;
      return seen ? [{ apy: seen.apy, value: seen.tvl! }] : [];
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
  it('is the same on every machine', () => {
    // Expected figures from an implementation in another language, equal to the last bit.
    const path = marketOf('a seed').path(LENDING, FROM, 1_000);
    expect(
      [path[0]!, path[1]!, path[999]!].map(({ place, observation }) => [
        place.x,
        place.size,
        observation?.apy,
        observation?.tvl,
      ]),
    ).toEqual([
      [1.036625505443272, 0.17065894288559535, 0.023991447, 142_330_339_000_000n],
      [1.0160207667571586, 0.17534068549774645, 0.023861395, 142_998_255_000_000n],
      [2.089703414223849, 0.027647863838180433, 0.0619593479, 123_364_034_000_000n],
    ]);
  });

  it('is the same whenever its market began', () => {
    const later = addHours(FROM, 12_345);
    const [one, other] = [FROM, later].map((begunAt) =>
      marketOf('a seed', SIMULATION_CONSTANTS, begunAt)
        .path(HIGH, begunAt, 200)
        .map(({ place, observation }) => [place, observation?.apy, observation?.tvl]),
    );
    expect(other).toEqual(one);
  });

  it('is reached from any stored hour', () => {
    const market = marketOf('a seed');
    fc.assert(
      fc.property(
        fc.constantFrom(...VAULTS),
        fc.integer({ min: 1, max: 299 }),
        fc.option(fc.constantFrom(...SCENARIOS)),
        (vault, cut, name) => {
          const scenario = name && { name, from: addHours(FROM, 40) };
          const whole = market.path(vault, FROM, 300, null, scenario);
          const stored: unknown = JSON.parse(JSON.stringify(whole[cut - 1]?.place));
          const rest = market.path(vault, addHours(FROM, cut), 300 - cut, stored as SimulatedPlace, scenario);
          expect(rest).toEqual(whole.slice(cut));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has another course for another seed and for another vault, whose ids may not be told apart from the seed', () => {
    const apys = (seed: string, id: string) =>
      marketOf(seed)
        .path({ ...LENDING, id }, FROM, 50)
        .map(({ place }) => place.x);
    const paths = [apys('a', 'bc'), apys('ab', 'c'), apys('a', 'c'), apys('ab', 'bc')];
    expect(new Set(paths.map(String)).size).toBe(4);
  });

  it('settles to its mean and deviation, an hour at a time', () => {
    const market = marketOf('statistics', { ...SIMULATION_CONSTANTS, jumpChance: 0 });
    const centre = Math.log(0.78 / 0.22);
    const path = market.path(LENDING, FROM, 40_000);
    const offsets = path.map(({ place }) => place.x - centre);
    // 40,000 autocorrelated hours correspond to about 190 independent ones.
    expect(Math.abs(mean(offsets)!)).toBeLessThan(0.1);
    expect(sampleDeviation(offsets)! / 0.35).toBeCloseTo(1, 0);
    const a = 2 ** (-1 / 72);
    const steps = offsets.slice(1).map((offset, hour) => (offset - offsets[hour]! * a) / 0.35);
    expect(mean(steps)).toBeCloseTo(0, 2);
    expect(sampleDeviation(steps)! / Math.sqrt(1 - a * a)).toBeCloseTo(1, 2);
    const size = 0.35 * Math.sqrt(1 - a * a);
    const far = steps.filter((step) => Math.abs(step * 0.35) > 1.96 * size).length / steps.length;
    expect(far).toBeCloseTo(0.05, 2);
  });

  it('has a TVL that moves by 10 % around that of the curve, and takes ten days to come halfway back, whatever the rate does', () => {
    const path = marketOf('statistics').path(LENDING, FROM, 40_000);
    const sizes = path.map(({ place }) => place.size);
    expect(Math.abs(mean(sizes)!)).toBeLessThan(0.05);
    expect(sampleDeviation(sizes)! / 0.1).toBeCloseTo(1, 0);
    const a = 2 ** (-1 / 240);
    const steps = sizes.slice(1).map((size, hour) => (size - sizes[hour]! * a) / 0.1);
    expect(mean(steps)).toBeCloseTo(0, 2);
    expect(sampleDeviation(steps)! / Math.sqrt(1 - a * a)).toBeCloseTo(1, 2);
    const moves = path.slice(1).map(({ place }, hour) => place.x - path[hour]!.place.x);
    const together = steps.reduce((sum, step, hour) => sum + step * moves[hour]!, 0) / steps.length;
    expect(Math.abs(together / (sampleDeviation(steps)! * sampleDeviation(moves)!))).toBeLessThan(0.03);
    for (const { place, observation } of path.slice(0, 100))
      expect(Number(observation!.tvl) / 120e12).toBeCloseTo(Math.exp(place.size), 7);
  });

  it('jumps once in 30 days', () => {
    const still = { ...SIMULATION_CONSTANTS, deviation: 0 };
    const path = marketOf('jumps', still).path(LENDING, FROM, 72_000);
    const jumps = path.filter(({ place }, hour) => hour > 0 && place.x > path[hour - 1]!.place.x + 0.5);
    expect(jumps.length).toBeGreaterThan(70);
    expect(jumps.length).toBeLessThan(130);
  });

  it('holds rates that are rounded, not below 0, and at most the end of the curve', () => {
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
  ] as const)('of tier %s at utilisation %p gives %p', (tier, utilisation, apy) =>
    expect(supplyApy(SIMULATION_CONSTANTS.curves[tier], utilisation)).toBe(apy),
  );
});

describe('a scenario', () => {
  it.each(['rising', 'falling'] as const)('%s is what the regime says within 8 days', (name) => {
    for (const seed of SEEDS) expect(regimes(seed, name, 192)).toContain(name);
  });

  it('volatile is what the regime says within its day', () => {
    for (const seed of SEEDS) expect(regimes(seed, 'volatile', 26)).toContain('volatile');
  });

  it('outage silences the lending vault for 30 hours, and no other', () => {
    const [lending = [], ...others] = run('any', 'outage', 40).map((path) => path.slice(HISTORY_HOURS - 1));
    expect(lending.map((apy) => apy === null)).toEqual(
      Array.from({ length: 41 }, (_, hour) => hour >= 1 && hour <= 30),
    );
    for (const path of others) expect(path).not.toContain(null);
    expect(regimes('any', 'outage', 40)).not.toContain('unknown');
  });

  it('calm has no jumps', () => {
    const market = marketOf('calm', { ...SIMULATION_CONSTANTS, deviation: 0, jumpChance: 1 });
    const step = (scenario: Scenario | null): number =>
      market.next(LENDING, FROM, { x: 1, size: 0 }, scenario).x;
    expect(step(null) - step({ name: 'calm', from: FROM })).toBeCloseTo(SIMULATION_CONSTANTS.jump, 9);
  });

  it('calm has a quarter of the noise', () => {
    const quiet = { ...SIMULATION_CONSTANTS, jumpChance: 0 };
    const market = marketOf('calm', quiet);
    const centre = market.begin(LENDING, FROM);
    const step = (scenario: Scenario | null) => market.next(LENDING, addHours(FROM, 1), centre, scenario).x;
    const still = marketOf('calm', { ...quiet, deviation: 0 }).next(LENDING, addHours(FROM, 1), centre).x;
    expect((step({ name: 'calm', from: FROM }) - still) / (step(null) - still)).toBeCloseTo(0.25, 9);
  });

  it('run takes 70 % of the TVL of the vault with the highest risk in 12 hours, and of no other; it comes back in its own time', () => {
    const paths = live('any', 'run', 1_500);
    const tvl = (index: number, hour: number) =>
      Number(paths[index]![HISTORY_HOURS + hour]!.observation!.tvl);
    for (const hour of [3, 6, 12]) expect(tvl(2, hour - 1) / tvl(2, -1)).toBeCloseTo(0.3 ** (hour / 12), 6);
    for (const index of [0, 1]) expect(tvl(index, 11) / tvl(index, -1)).toBeGreaterThan(0.85);
    expect(tvl(2, 1_499) / 20e12).toBeGreaterThan(0.7);
  });

  it('loss takes 5 % of the index of the vault with the highest risk, in its first hour', () => {
    const losses = live('any', 'loss', 10).map((path) =>
      path.slice(HISTORY_HOURS).map(({ observation }) => observation!.lossPerMille),
    );
    expect(losses[2]).toEqual([50n, ...Array.from({ length: 9 }, () => undefined)]);
    for (const path of losses.slice(0, 2)) expect(path.every((loss) => loss === undefined)).toBe(true);
  });

  it('bends nothing before its first hour', () => {
    const market = marketOf('a seed');
    const plain = market.path(VAULTS[1], FROM, 48);
    for (const name of SCENARIOS)
      expect(market.path(VAULTS[1], FROM, 48, null, { name, from: addHours(FROM, 48) })).toEqual(plain);
  });
});

describe('what stands in for Math.exp and Math.log', () => {
  it('agrees with them to 1e-14', () => {
    fc.assert(
      fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
        expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-14);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 1e-20, max: 1e6, noNaN: true }), (x) => {
        expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(1e-14 * Math.max(1, Math.abs(Math.log(x))));
      }),
    );
    expect(exponential(0)).toBe(1);
    expect(logarithm(1)).toBe(0);
  });
});
