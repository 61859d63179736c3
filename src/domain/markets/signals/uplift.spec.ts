import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { type Capital, projectedUplift, type Realized, realizedUplift } from './uplift.js';

const UNIT = 1_000_000n;

describe('uplift', () => {
  const NOW = new Date('2026-03-11T12:00:00.000Z');
  const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);
  /** Principal deposited the given number of days ago, without later changes. */
  const capital = (principal: bigint, days: number): Capital => ({
    principal,
    moment: principal * BigInt(daysAgo(days).getTime()),
    firstAt: daysAgo(days),
  });
  const none: Capital = { principal: 0n, moment: 0n, firstAt: null };
  const of = (over: Partial<Realized>): Realized => ({
    routedValue: 0n,
    baselineValue: 0n,
    settledUplift: 0n,
    costs: 0n,
    capital: none,
    ...over,
  });

  it('is routed value less baseline plus the settled uplift: 550 less 525 plus 25 is 50', () => {
    const realized = of({ routedValue: 550n, baselineValue: 525n, settledUplift: 25n });
    expect(realizedUplift(realized, NOW).uplift).toBe(50n);
    expect(realizedUplift(of({ settledUplift: -50n }), NOW).uplift).toBe(-50n);
  });

  it('is net of costs, beside the gross figure', () => {
    const realized = of({ routedValue: 1_050n, baselineValue: 1_000n, costs: 7n });
    expect(realizedUplift(realized, NOW)).toMatchObject({ uplift: 50n, grossUplift: 57n });
  });

  it('is a fraction of the capital over time: 50 over 1,000 is 5 %, over 1,000 for half of the time 10 %', () => {
    const uplift = { routedValue: 1_050n, baselineValue: 1_000n };
    expect(realizedUplift(of({ ...uplift, capital: capital(1_000n, 10) }), NOW).upliftPct).toBe(0.05);
    // The whole principal was withdrawn after five of ten days.
    const moment = -1_000n * BigInt(daysAgo(5).getTime() - daysAgo(10).getTime());
    const gone = { principal: 0n, moment, firstAt: daysAgo(10) };
    expect(realizedUplift(of({ ...uplift, capital: gone }), NOW).upliftPct).toBe(0.1);
  });

  it('has no fraction without capital over time', () => {
    expect(realizedUplift(of({}), NOW)).toEqual({ uplift: 0n, grossUplift: 0n, upliftPct: null });
    expect(realizedUplift(of({ capital: capital(5n, 0) }), NOW).upliftPct).toBeNull();
  });

  it('for the coming year is the value times the difference of rates', () => {
    expect(projectedUplift(10_000n * UNIT, 0.052, 0.04)).toBe(120n * UNIT);
    expect(projectedUplift(10_000n * UNIT, 0.04, 0.052)).toBe(-120n * UNIT);
    expect(projectedUplift(10_000n * UNIT, null, 0.04)).toBeNull();
    expect(projectedUplift(10_000n * UNIT, 0.04, null)).toBeNull();
  });

  it('is 0 for a value at its own rate', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.double({ min: -1, max: 5, noNaN: true }), (value, rate) => {
        expect(realizedUplift(of({ routedValue: value, baselineValue: value }), NOW).uplift).toBe(0n);
        expect(projectedUplift(value, rate, rate)).toBe(0n);
      }),
    );
  });
});
