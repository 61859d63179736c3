import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readConstants } from '../../../config/constants.js';
import { RISK_TIERS, type RiskTier } from '../../kernel/catalogue/catalogue.js';
import type { SmoothedApy } from '../vaults/vault-state.js';
import {
  afterRisk,
  compareRanks,
  dailyMedians,
  expectedApy,
  forecast,
  type SignalRank,
  recommend,
  riskAdjusted,
  signalHours,
  signalOf,
  smoothApy,
} from './signal.js';

const SIGNALS = readConstants('partner').constants.signals;
const SERIES_HOURS = signalHours(SIGNALS);

const at = (time: string): Date => new Date(`2026-03-${time}:00:00.000Z`);
/** Series whose values are functions of the hours before the last one. */
const series = (length: number, value: (ago: number) => number | null, lastHour = at('12T10')) => ({
  lastHour,
  values: Array.from({ length }, (_, index) => value(length - 1 - index)),
});
interface RatedVault {
  hours?: number;
  elapsed?: number;
  tier?: RiskTier;
  halfLife?: number;
}
const signalsOf = (
  value: (ago: number) => number | null,
  { hours = SERIES_HOURS, elapsed = 1_000, tier = 'low', halfLife }: RatedVault = {},
  smoothed: SmoothedApy | null = { recent: 0.05, long: 0.05 },
  constants = SIGNALS,
) => {
  const vault = { riskTier: tier, returnHalfLifeHours: halfLife ?? null };
  return signalOf(series(hours, value), elapsed, vault, smoothed, constants);
};

const rate = fc.double({ min: -0.5, max: 2, noNaN: true });

describe('the risk-adjusted APY', () => {
  it.each<[number, number, RiskTier, number]>([
    [0.06, 0.008, 'medium', 0.0502],
    [0.06, 0, 'low', 0.057],
    [0.06, 0, 'medium', 0.051],
    [0.06, 0, 'high', 0.042],
    [0.01, 0.08, 'high', -0.001],
  ])(
    'The risk-adjusted APY for %d expected with a downside deviation of %d in tier %s is %d',
    (expected, downside, tier, apy) =>
      expect(riskAdjusted(expected, downside, tier, SIGNALS)).toBeCloseTo(apy, 12),
  );

  it('The risk-adjusted APY is never above the expected APY, even if that is negative', () =>
    fc.assert(
      fc.property(
        rate,
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.constantFrom(...RISK_TIERS),
        (...rates) => expect(riskAdjusted(...rates, SIGNALS)).toBeLessThanOrEqual(rates[0]),
      ),
    ));

  const outlook = { expectedApy: 0.05, riskAdjustedApy: 0.05 * 0.85 - 0.0005 };
  it.each([
    ['has the same haircut and downside', 0.06, outlook, 0.06 * 0.85 - 0.0005],
    ['is not raised by the haircut if it is negative', -0.02, outlook, -0.0205],
    ['is null if it is unknown', null, outlook, null],
    ['is null with insufficient history', 0.06, { expectedApy: null, riskAdjustedApy: null }, null],
  ])('The risk-adjusted APY of another yield %s', (_, apy, signal, adjusted) =>
    expect(afterRisk(apy, signal, 0.15)).toEqual(adjusted === null ? null : expect.closeTo(adjusted, 12)),
  );

  it('The risk-adjusted APY of another yield is never above it, even for signals from before a raise of the haircut', () =>
    fc.assert(
      fc.property(
        ...[rate, rate, rate, fc.double({ min: 0, max: 1, noNaN: true })],
        (apy: number, expectedApy: number, riskAdjustedApy: number, cut: number) =>
          expect(afterRisk(apy, { expectedApy, riskAdjustedApy }, cut)).toBeLessThanOrEqual(apy),
      ),
    ));
});

it('The forecast follows the trend for half a day, never below 0', () => {
  expect(forecast(0.05, 0.002, SIGNALS)).toBeCloseTo(0.051, 12);
  expect(forecast(0.001, -0.01, SIGNALS)).toBe(0);
});

describe('the signals of a vault', () => {
  it('The signals of a vault have no volatility or trend for a flat week', () => {
    expect(signalsOf(() => 0.06, {}, { recent: 0.06, long: 0.06 })).toEqual({
      apy: 0.06,
      meanApy: expect.closeTo(0.06, 12),
      volatility: 0,
      trend: 0,
      forecastApy: 0.06,
      expectedApy: 0.06,
      riskAdjustedApy: expect.closeTo(0.057, 12),
      insufficientHistory: false,
      observations: 168,
    });
  });

  it('The signals of a vault expect a return to the long average by the half-life of setting or vault, less the week’s downside', () => {
    const smoothed = { recent: 0.06, long: 0.04 };
    const week = (ago: number) => (ago % 2 === 0 ? 0.06 : 0.04);
    const signal = signalsOf(week, { tier: 'medium' }, smoothed, { ...SIGNALS, expectedDays: 20 });
    expect(signal.expectedApy).toBeCloseTo(0.04428548, 8);
    // 84 of 168 hours are one percentage point below the mean.
    const downside = 0.01 * Math.sqrt(84 / 167);
    expect(signal.riskAdjustedApy).toBeCloseTo(signal.expectedApy! * 0.85 - 0.1 * downside, 15);
    expect(signalsOf(week, { halfLife: 100_000 }, smoothed).expectedApy).toBeCloseTo(0.06, 3);
    expect(signalsOf(week, {}, null)).toMatchObject({ expectedApy: null, riskAdjustedApy: null });
  });

  it('The signals of a vault have the daily slope of a rising week', () => {
    const { trend, forecastApy } = signalsOf((ago) => 0.08 - (ago / 24) * 0.001);
    expect([trend, forecastApy]).toEqual([expect.closeTo(0.001, 12), expect.closeTo(0.0805, 12)]);
  });

  it.each([
    [47, 47, true],
    [48, 48, false],
    [48, 60, false],
    [48, 61, true],
    [134, 168, true],
    [135, 168, false],
    [135, 5_000, false],
    [0, 0, true],
    [0, 168, true],
  ])(
    'The signals of a vault from %p snapshots in %p hours: history too short is %p',
    (observations, elapsed, short) => {
      const signal = signalsOf((ago) => (ago < observations ? 0.05 : null), { hours: 168, elapsed });
      expect(signal.insufficientHistory).toBe(short || signal.trend === null);
      expect(signal.observations).toBe(observations);
      const { volatility, expectedApy, riskAdjustedApy } = signal;
      for (const figure of [volatility, expectedApy, riskAdjustedApy]) expect(figure === null).toBe(short);
      expect(signal.meanApy === null).toBe(observations === 0);
      if (short) expect([signal.trend, signal.forecastApy]).toEqual([null, null]);
    },
  );

  it('The signals of a vault skip missing hours, and use hours before the window for the trend only', () => {
    expect(signalsOf((ago) => (ago >= 168 ? 9 : ago % 6 === 0 ? null : 0.05))).toMatchObject({
      apy: 0.05,
      meanApy: expect.closeTo(0.05, 12),
      volatility: 0,
      observations: 140,
    });
  });
});

describe('the daily medians', () => {
  const WEEK = [5, 6, 7, 8, 9, 10, 11];
  it.each([
    ['12T00', SERIES_HOURS, WEEK],
    ['12T22', SERIES_HOURS, WEEK],
    ['12T23', SERIES_HOURS, [6, 7, 8, 9, 10, 11, 12]],
    ['12T23', 168, [6, 7, 8, 9, 10, 11, 12]],
    // At least 6 hours of the first day, or fewer.
    ['12T17', 168, WEEK],
    ['12T18', 168, null],
  ])(
    'The daily medians at %s of %d hours are those of the last 7 complete UTC days',
    (time, length, days) => {
      const lastHour = at(time);
      const dayOf = (ago: number) => new Date(lastHour.getTime() - ago * 3_600_000).getUTCDate();
      expect(dailyMedians(series(length, dayOf, lastHour), SIGNALS)).toEqual(days);
    },
  );

  it.each([
    [18, [1, 1, 1, 1, 1, 1, 1]],
    [19, null],
  ])('The daily medians need 6 snapshots of a day: %d of its hours silent', (hours, medians) => {
    const silent = series(SERIES_HOURS, (ago) => (ago < hours ? null : 1), at('12T23'));
    expect(dailyMedians(silent, SIGNALS)).toEqual(medians);
  });
});

it('Vaults rank by known risk-adjusted APY, then TVL, then id', () => {
  const order = (
    [
      ['vlt_e', 0.05, 1n],
      ['vlt_d', 0.04, 7n],
      ['vlt_b', 0.04, 5n],
      ['vlt_c', 0.04, 5n],
      ['vlt_a', 0.04, null],
      ['vlt_f', -0.5, 1n],
      ['vlt_z', null, 9n],
      ['vlt_g', null, 1n],
    ] as const
  ).map(([vaultId, riskAdjustedApy, tvl]): SignalRank => ({ vaultId, riskAdjustedApy, tvl }));
  const shuffled = fc.shuffledSubarray(order, { minLength: order.length });
  fc.assert(fc.property(shuffled, (vaults) => expect(vaults.toSorted(compareRanks)).toEqual(order)));
});

describe('the recommendation', () => {
  type Vault = [
    apy: number | null,
    advice: string,
    over?: { eligible?: false; asset?: string; insufficientHistory?: true },
  ];
  it.each<[string, Record<string, Vault>]>([
    [
      'is increase for the best eligible vault, reduce from 1 pp behind it, otherwise hold',
      {
        full: [0.09, 'hold', { eligible: false }],
        best: [0.06, 'increase'],
        near: [0.0501, 'hold'],
        edge: [0.05, 'reduce'],
        far: [0.01, 'reduce', { eligible: false }],
        new: [null, 'hold'],
      },
    ],
    [
      'is hold for a vault with a rate but no trend yet, which is no benchmark for others',
      {
        young: [0.09, 'hold', { insufficientHistory: true }],
        best: [0.06, 'increase'],
        far: [0.01, 'reduce'],
      },
    ],
    [
      'is made by asset, and is hold without history',
      {
        a: [0.09, 'increase'],
        b: [0.01, 'increase', { asset: 'USDT' }],
        c: [null, 'hold', { asset: 'EURC' }],
      },
    ],
  ])('The recommendation %s', (_, vaults) => {
    const ranked = Object.entries(vaults).map(([vaultId, [riskAdjustedApy, , over]]) => ({
      vaultId,
      riskAdjustedApy,
      asset: 'USDC',
      tvl: 1n,
      eligible: true,
      insufficientHistory: riskAdjustedApy === null,
      ...over,
    }));
    const advice = Object.entries(vaults).map(([vaultId, [, signal]]) => [vaultId, signal]);
    expect([...recommend(ranked, SIGNALS)]).toEqual(advice);
  });
});

describe('the smoothed APYs', () => {
  const CONSTANTS = { ...SIGNALS, recentHalfLifeHours: 6, longHalfLifeHours: 720 };
  const after = (first: number, apy: number, hours: number) => {
    let smoothed = smoothApy(null, first, CONSTANTS);
    for (let hour = 0; hour < hours; hour++) smoothed = smoothApy(smoothed, apy, CONSTANTS);
    return smoothed;
  };

  it('The smoothed APYs start with the first observation, and get halfway to a new level in 6 hours and in 30 days', () => {
    expect(after(0.05, 0.9, 0)).toEqual({ recent: 0.05, long: 0.05 });
    expect(after(0.02, 0.06, 6).recent).toBeCloseTo(0.04, 12);
    const late = after(0.02, 0.06, 720);
    expect([late.recent, late.long]).toEqual([expect.closeTo(0.06, 12), expect.closeTo(0.04, 12)]);
  });
});

describe('the expected APY', () => {
  it.each([
    // The half-life of the return and the horizon, in hours.
    [72, 240, 0.04779737, 8],
    [72, 480, 0.04428548, 8],
    [1, 480, 0.04, 3],
    [1e9, 480, 0.06, 6],
  ])(
    'The expected APY for 6 %% now and 4 %% long-term, a half-life of %d h and %d h ahead is %d',
    (halfLife, hours, apy, digits) =>
      expect(expectedApy({ recent: 0.06, long: 0.04 }, halfLife, hours)).toBeCloseTo(apy, digits),
  );

  it('The expected APY is between the two', () => {
    const apy = fc.double({ min: 0, max: 2, noNaN: true });
    fc.assert(
      fc.property(apy, apy, fc.double({ min: 1, max: 5_000, noNaN: true }), (recent, long, halfLife) => {
        const expected = expectedApy({ recent, long }, halfLife, 480);
        expect(expected).toBeGreaterThanOrEqual(Math.min(recent, long) - 1e-15);
        expect(expected).toBeLessThanOrEqual(Math.max(recent, long) + 1e-15);
      }),
    );
  });
});
