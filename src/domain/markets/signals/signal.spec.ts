import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { readConstants } from '../../../config/constants.js';
import { RISK_TIERS, type RiskTier } from '../../kernel/catalogue/catalogue.js';
import type { SmoothedApy } from '../vaults/vault-state.js';
import {
  afterRisk,
  byRank,
  dailyMedians,
  forecast,
  type Ranked,
  recommend,
  riskAdjusted,
  signalConstants,
  signalHours,
  signalOf,
} from './signal.js';

const SIGNALS = signalConstants(readConstants('partner').constants.signals);
const SERIES_HOURS = signalHours(SIGNALS);

const at = (time: string): Date => new Date(`2026-03-${time}:00:00.000Z`);
/** Series whose values are functions of the hours before the last one. */
const series = (length: number, value: (ago: number) => number | null, lastHour = at('12T10')) => ({
  lastHour,
  values: Array.from({ length }, (_, index) => value(length - 1 - index)),
});

/** Vault without a half-life of its own. */
const of = (riskTier: RiskTier) => ({ riskTier, returnHalfLifeHours: null });
const steadily = (apy: number): SmoothedApy => ({ recent: apy, long: apy });

describe('risk-adjusted APY', () => {
  it('is 5.02 % for 6 % expected, tier medium and a downside deviation of 0.80 pp', () =>
    expect(riskAdjusted(0.06, 0.008, 'medium', SIGNALS)).toBeCloseTo(0.0502, 12));

  it.each([
    ['low', 0.057],
    ['medium', 0.051],
    ['high', 0.042],
  ] as const)('deducts the haircut of tier %s from 6 %%', (tier, apy) =>
    expect(riskAdjusted(0.06, 0, tier, SIGNALS)).toBeCloseTo(apy, 12),
  );

  it('may be below 0', () => expect(riskAdjusted(0.01, 0.08, 'high', SIGNALS)).toBeCloseTo(-0.001, 12));

  it('is never above the expected APY, even if that is negative', () => {
    const rate = fc.double({ min: -0.5, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        rate,
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.constantFrom(...RISK_TIERS),
        (...told) => expect(riskAdjusted(...told, SIGNALS)).toBeLessThanOrEqual(told[0]),
      ),
    );
  });
});

describe('risk-adjusted APY of another yield than the expected one', () => {
  const outlook = { expectedApy: 0.05, riskAdjustedApy: 0.05 * 0.85 - 0.0005 };

  it('is that yield after the same haircut, less the same downside', () => {
    expect(afterRisk(0.06, outlook, 0.15)).toBeCloseTo(0.06 * 0.85 - 0.0005, 12);
    // A haircut must not raise a yield below 0.
    expect(afterRisk(-0.02, outlook, 0.15)).toBeCloseTo(-0.0205, 12);
  });

  it('is null with an unknown yield or insufficient history', () => {
    expect(afterRisk(null, outlook, 0.15)).toBeNull();
    expect(afterRisk(0.06, { expectedApy: null, riskAdjustedApy: null }, 0.15)).toBeNull();
  });

  it('is never above the yield, even for signals from before a raise of the haircut', () => {
    const rate = fc.double({ min: -0.5, max: 2, noNaN: true });
    const haircut = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, rate, haircut, (apy, expectedApy, riskAdjustedApy, cut) =>
        expect(afterRisk(apy, { expectedApy, riskAdjustedApy }, cut)).toBeLessThanOrEqual(apy),
      ),
    );
  });
});

describe('the forecast', () => {
  it('follows the trend for half a day, never below 0', () => {
    expect(forecast(0.05, 0.002, SIGNALS)).toBeCloseTo(0.051, 12);
    expect(forecast(0.001, -0.01, SIGNALS)).toBe(0);
  });
});

describe('signals', () => {
  it('have no volatility or trend for a flat week', () => {
    expect(
      signalOf(
        series(SERIES_HOURS, () => 0.06),
        1_000,
        of('low'),
        steadily(0.06),
        SIGNALS,
      ),
    ).toEqual({
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

  it('expect a return to the long average by the half-life of setting or vault, less the week’s downside', () => {
    const smoothed = { recent: 0.06, long: 0.04 };
    const week = series(SERIES_HOURS, (ago) => (ago % 2 === 0 ? 0.06 : 0.04));
    const signal = signalOf(week, 1_000, of('medium'), smoothed, { ...SIGNALS, expectedHours: 480 });
    expect(signal.expectedApy).toBeCloseTo(0.04428548, 8);
    // 84 of 168 hours are one percentage point below the mean.
    const downside = 0.01 * Math.sqrt(84 / 167);
    expect(signal.riskAdjustedApy).toBeCloseTo(signal.expectedApy! * 0.85 - 0.1 * downside, 15);
    const sluggish = { riskTier: 'medium', returnHalfLifeHours: 100_000 } as const;
    expect(signalOf(week, 1_000, sluggish, smoothed, SIGNALS).expectedApy).toBeCloseTo(0.06, 3);
    expect(signalOf(week, 1_000, of('medium'), null, SIGNALS)).toMatchObject({
      expectedApy: null,
      riskAdjustedApy: null,
    });
  });

  it('have the daily slope of a rising week', () => {
    const signal = signalOf(
      series(SERIES_HOURS, (ago) => 0.08 - (ago / 24) * 0.001),
      1_000,
      of('low'),
      steadily(0.05),
      SIGNALS,
    );
    expect(signal.trend).toBeCloseTo(0.001, 12);
    expect(signal.forecastApy).toBeCloseTo(0.0805, 12);
  });

  it.each([
    [47, 47, true],
    [48, 48, false],
    [48, 60, false],
    [48, 61, true],
    [134, 168, true],
    [135, 168, false],
    [135, 5_000, false],
    [168, 168, false],
    [0, 0, true],
    [0, 168, true],
  ])('from %p snapshots in %p hours: history too short is %p', (observations, elapsed, short) => {
    const signal = signalOf(
      series(168, (ago) => (ago < observations ? 0.05 : null)),
      elapsed,
      of('low'),
      steadily(0.05),
      SIGNALS,
    );
    expect(signal.insufficientHistory).toBe(short || signal.trend === null);
    expect(signal.observations).toBe(observations);
    expect(signal.volatility === null).toBe(short);
    expect([signal.expectedApy === null, signal.riskAdjustedApy === null]).toEqual([short, short]);
    expect(signal.meanApy === null).toBe(observations === 0);
    if (short) expect([signal.trend, signal.forecastApy]).toEqual([null, null]);
  });

  it('skip missing hours, and use hours before the window for the trend only', () => {
    const gaps = signalOf(
      series(SERIES_HOURS, (ago) => (ago >= 168 ? 9 : ago % 6 === 0 ? null : 0.05)),
      1_000,
      of('low'),
      steadily(0.05),
      SIGNALS,
    );
    expect(gaps).toMatchObject({
      apy: 0.05,
      meanApy: expect.closeTo(0.05, 12),
      volatility: 0,
      observations: 140,
    });
  });
});

describe('daily medians', () => {
  const days = (lastHour: Date, length = SERIES_HOURS) =>
    dailyMedians(
      series(length, (ago) => new Date(lastHour.getTime() - ago * 3_600_000).getUTCDate(), lastHour),
      SIGNALS,
    );

  it('cover the last 7 complete UTC days', () => {
    expect(days(at('12T00'))).toEqual([5, 6, 7, 8, 9, 10, 11]);
    expect(days(at('12T22'))).toEqual([5, 6, 7, 8, 9, 10, 11]);
    expect(days(at('12T23'))).toEqual([6, 7, 8, 9, 10, 11, 12]);
    expect(days(at('12T23'), 168)).toEqual([6, 7, 8, 9, 10, 11, 12]);
  });

  it('are null unless all 7 days have at least 6 snapshots each', () => {
    expect(days(at('12T17'), 168)).toEqual([5, 6, 7, 8, 9, 10, 11]);
    expect(days(at('12T18'), 168)).toBeNull();
    const silent = (hours: number) =>
      dailyMedians(
        series(SERIES_HOURS, (ago) => (ago < hours ? null : 1), at('12T23')),
        SIGNALS,
      );
    expect(silent(18)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(silent(19)).toBeNull();
  });
});

describe('the ranking', () => {
  const ranked = (vaultId: string, riskAdjustedApy: number | null, tvl: bigint | null = 1n): Ranked => ({
    vaultId,
    riskAdjustedApy,
    tvl,
  });

  it('orders by known risk-adjusted APY, then TVL, then id', () => {
    const order = [
      ranked('vlt_e', 0.05),
      ranked('vlt_d', 0.04, 7n),
      ranked('vlt_b', 0.04, 5n),
      ranked('vlt_c', 0.04, 5n),
      ranked('vlt_a', 0.04, null),
      ranked('vlt_f', -0.5),
      ranked('vlt_z', null, 9n),
      ranked('vlt_g', null),
    ];
    const shuffled = fc.shuffledSubarray(order, { minLength: order.length });
    fc.assert(fc.property(shuffled, (vaults) => expect(vaults.toSorted(byRank)).toEqual(order)));
  });
});

describe('the recommendation', () => {
  const vault = (vaultId: string, riskAdjustedApy: number | null, eligible = true, asset = 'USDC') => ({
    vaultId,
    asset,
    riskAdjustedApy,
    tvl: 1n,
    eligible,
    insufficientHistory: riskAdjustedApy === null,
  });

  const recommended = (vaults: Parameters<typeof recommend>[0]) => recommend(vaults, SIGNALS);

  it('is increase for the best eligible vault, reduce from 1 pp behind it, otherwise hold', () => {
    const advice = recommended([
      vault('full', 0.09, false),
      vault('best', 0.06),
      vault('near', 0.0501),
      vault('edge', 0.05),
      vault('far', 0.01, false),
      vault('new', null),
    ]);
    expect(Object.fromEntries(advice)).toEqual({
      full: 'hold',
      best: 'increase',
      near: 'hold',
      edge: 'reduce',
      far: 'reduce',
      new: 'hold',
    });
  });

  it('is hold for a vault with a rate but no trend yet, which is no benchmark for others', () => {
    const untrended = { ...vault('young', 0.09), insufficientHistory: true };
    const advice = recommended([untrended, vault('best', 0.06), vault('far', 0.01)]);
    expect(Object.fromEntries(advice)).toEqual({ young: 'hold', best: 'increase', far: 'reduce' });
  });

  it('is made by asset, and is hold without history', () => {
    const advice = recommended([
      vault('a', 0.09),
      vault('b', 0.01, true, 'USDT'),
      vault('c', null, true, 'EURC'),
    ]);
    expect([...advice.values()]).toEqual(['increase', 'increase', 'hold']);
  });
});
