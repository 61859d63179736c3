import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { readConstants } from '../../config/constants.js';
import { blendedApy } from '../analytics/blended.js';
import {
  FIRST_REGIME,
  nextRegime,
  type Regime,
  readRegime,
  regimeConstants,
  type RegimeState,
} from '../analytics/regime.js';
import { signalConstants, signalHours } from '../analytics/signal.js';
import { mean, sampleDeviation } from '../analytics/statistics.js';
import { addHours } from '../vaults/hour.js';
import {
  exponential,
  logarithm,
  type Scenario,
  SCENARIOS,
  SimulatedMarket,
  SIMULATION_CONSTANTS,
  supplyApy,
} from './simulated-market.js';

const { constants } = readConstants('sandbox');
const SIGNALS = signalConstants(constants.signals);
const REGIME = regimeConstants(constants.regime);
const SERIES_HOURS = signalHours(SIGNALS);

const LENDING = { id: 'vlt_lending', riskTier: 'low', lendingBaseline: true } as const;
const VAULTS = [
  LENDING,
  { id: 'vlt_medium', riskTier: 'medium', lendingBaseline: false },
  { id: 'vlt_high', riskTier: 'high', lendingBaseline: false },
] as const;
const FROM = new Date('2026-02-01T07:00:00.000Z');
const HISTORY_HOURS = 720;
const START = addHours(FROM, HISTORY_HOURS);
const SEEDS = Array.from({ length: 12 }, (_, index) => `seed ${index}`);

/** 30 days of history, then the scenario: APY of each vault for each hour. */
function run(seed: string, name: Scenario['name'], hours: number): (number | null)[][] {
  const market = new SimulatedMarket(seed);
  const scenario = { name, from: START };
  return VAULTS.map((vault) => {
    const history = market.path(vault, FROM, HISTORY_HOURS);
    const bent = market.path(vault, START, hours, history.at(-1)?.x ?? null, scenario);
    return [...history, ...bent].map(({ observation }) => observation?.apy ?? null);
  });
}

/** By the vaults' TVLs, of those that are seen. */
const marketApy = (paths: (number | null)[][], hour: number): number | null =>
  blendedApy(
    VAULTS.map(({ riskTier }, index) => ({
      apy: paths[index]![hour] ?? null,
      value: SIMULATION_CONSTANTS.curves[riskTier].tvl,
    })).filter(({ apy }) => apy !== null),
  );

/** What the regime shows at each hour of the scenario. */
function regimes(seed: string, name: Scenario['name'], hours: number): Regime[] {
  const paths = run(seed, name, hours);
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
    // The same figures, to the last bit, as another language makes of them.
    const path = new SimulatedMarket('a seed').path(LENDING, FROM, 1_000);
    expect([path[0], path[1], path[999]].map((hour) => [hour?.x, hour?.observation?.apy])).toEqual([
      [1.3635286528878934, 0.0258808094],
      [1.379130866706357, 0.0259626698],
      [1.1040545210493544, 0.0244081185],
    ]);
  });

  it('is reached from any stored hour', () => {
    const market = new SimulatedMarket('a seed');
    fc.assert(
      fc.property(
        fc.constantFrom(...VAULTS),
        fc.integer({ min: 1, max: 299 }),
        fc.option(fc.constantFrom(...SCENARIOS)),
        (vault, cut, name) => {
          const scenario = name && { name, from: addHours(FROM, 40) };
          const whole = market.path(vault, FROM, 300, null, scenario);
          const stored: unknown = JSON.parse(JSON.stringify(whole[cut - 1]?.x));
          const rest = market.path(vault, addHours(FROM, cut), 300 - cut, stored as number, scenario);
          expect(rest).toEqual(whole.slice(cut));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has another course for another seed and for another vault, whose ids may not be told apart from the seed', () => {
    const apys = (seed: string, id: string) =>
      new SimulatedMarket(seed).path({ ...LENDING, id }, FROM, 50).map(({ x }) => x);
    const paths = [apys('a', 'bc'), apys('ab', 'c'), apys('a', 'c'), apys('ab', 'bc')];
    expect(new Set(paths.map(String)).size).toBe(4);
  });

  it('settles to its mean and deviation, an hour at a time', () => {
    const market = new SimulatedMarket('statistics', { ...SIMULATION_CONSTANTS, jumpChance: 0 });
    const centre = Math.log(0.78 / 0.22);
    const offsets = market.path(LENDING, FROM, 40_000).map(({ x }) => x - centre);
    // 40,000 hours are about 190 independent ones.
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

  it('jumps once in 30 days', () => {
    const still = { ...SIMULATION_CONSTANTS, deviation: 0 };
    const path = new SimulatedMarket('jumps', still).path(LENDING, FROM, 72_000);
    const jumps = path.filter(({ x }, hour) => hour > 0 && x > path[hour - 1]!.x + 0.5);
    expect(jumps.length).toBeGreaterThan(70);
    expect(jumps.length).toBeLessThan(130);
  });

  it('holds rates that are rounded, not below 0, and at most the end of the curve', () => {
    for (const seed of SEEDS) {
      for (const name of SCENARIOS) {
        const [low = [], medium = [], high = []] = run(seed, name, 240);
        const limits = [0.106, 0.2808, 0.3431];
        [low, medium, high].forEach((path, index) => {
          for (const apy of path.filter((value) => value !== null)) {
            expect(Math.round(apy * 1e10) / 1e10).toBe(apy);
            expect(apy >= 0 && apy <= limits[index]!).toBe(true);
          }
        });
      }
    }
  });

  it('of 30 days behind a new account is made in a moment', () => {
    const begun = performance.now();
    const market = new SimulatedMarket('quick');
    for (const vault of [...VAULTS, ...VAULTS]) market.path(vault, FROM, HISTORY_HOURS);
    expect(performance.now() - begun).toBeLessThan(2_000);
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
    const market = new SimulatedMarket('calm', { ...SIMULATION_CONSTANTS, deviation: 0, jumpChance: 1 });
    const step = (scenario: Scenario | null): number => market.next(LENDING, FROM, 1, scenario);
    expect(step(null) - step({ name: 'calm', from: FROM })).toBeCloseTo(SIMULATION_CONSTANTS.jump, 9);
  });

  it('calm has a quarter of the noise', () => {
    const quiet = { ...SIMULATION_CONSTANTS, jumpChance: 0 };
    const market = new SimulatedMarket('calm', quiet);
    const centre = market.begin(LENDING, FROM);
    const step = (scenario: Scenario | null) => market.next(LENDING, addHours(FROM, 1), centre, scenario);
    const still = new SimulatedMarket('calm', { ...quiet, deviation: 0 }).next(
      LENDING,
      addHours(FROM, 1),
      centre,
    );
    expect((step({ name: 'calm', from: FROM }) - still) / (step(null) - still)).toBeCloseTo(0.25, 9);
  });

  it('bends nothing before its first hour', () => {
    const market = new SimulatedMarket('a seed');
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
