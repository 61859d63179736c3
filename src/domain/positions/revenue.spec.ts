import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { blendedApy, projectedUplift, realizedUplift, settleRevenue } from './revenue.js';

const UNIT = 1_000_000n;

describe('revenue', () => {
  it('of 10,000,001 micro-units at 1000 and 4000 bps is 1,000,001, of which 400,000 and 600,001', () =>
    expect(settleRevenue(10_000_001n, 0n)).toEqual({
      base: 10_000_001n,
      highWaterMark: 10_000_001n,
      fee: 1_000_001n,
      partner: 400_000n,
      protocol: 600_001n,
    }));

  it('is nothing until a loss is made good', () => {
    expect(settleRevenue(80n, 100n)).toEqual({
      base: 0n,
      highWaterMark: 100n,
      fee: 0n,
      partner: 0n,
      protocol: 0n,
    });
    expect(settleRevenue(-50n, 0n).highWaterMark).toBe(0n);
    expect(settleRevenue(130n, 100n)).toMatchObject({ base: 30n, highWaterMark: 130n, fee: 3n });
  });

  it('takes the terms that it is given', () => {
    expect(settleRevenue(1_000n, 0n, { performanceFeeBps: 0, partnerShareBps: 4_000 }).fee).toBe(0n);
    expect(settleRevenue(1_000n, 0n, { performanceFeeBps: 10_000, partnerShareBps: 10_000 })).toMatchObject({
      fee: 1_000n,
      partner: 1_000n,
      protocol: 0n,
    });
  });

  it('is settled once for each micro-unit of yield, on the highest that it ever was', () => {
    const bps = fc.integer({ min: 0, max: 10_000 });
    const walk = fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), { maxLength: 30 });
    fc.assert(
      fc.property(walk, bps, bps, (accruals, performanceFeeBps, partnerShareBps) => {
        let [accrued, mark, bases, fees] = [0n, 0n, 0n, 0n];
        let highest = 0n;
        for (const accrual of accruals) {
          accrued += accrual;
          if (accrued > highest) highest = accrued;
          const settled = settleRevenue(accrued, mark, { performanceFeeBps, partnerShareBps });
          expect(settled.highWaterMark).toBeGreaterThanOrEqual(mark);
          expect(settled.partner + settled.protocol).toBe(settled.fee);
          expect(settled.fee).toBeLessThanOrEqual(settled.base);
          for (const part of [settled.fee, settled.partner, settled.protocol])
            expect(part).toBeGreaterThanOrEqual(0n);
          mark = settled.highWaterMark;
          bases += settled.base;
          fees += settled.fee;
        }
        expect(mark).toBe(highest);
        expect(bases).toBe(highest);
        const exact = (highest * BigInt(performanceFeeBps)) / 10_000n;
        expect(fees).toBeGreaterThanOrEqual(exact);
        expect(fees).toBeLessThanOrEqual(exact + BigInt(accruals.length));
      }),
    );
  });
});

describe('the blended APY', () => {
  it('of 60k at 4 % and 40k at 6.5 % is 5.00 %', () =>
    expect(
      blendedApy([
        { value: 60_000n * UNIT, apy: 0.04 },
        { value: 40_000n * UNIT, apy: 0.065 },
      ]),
    ).toBeCloseTo(0.05, 15));

  it('is not known where anything held has no APY, or nothing is held', () => {
    expect(
      blendedApy([
        { value: 60n, apy: 0.04 },
        { value: 1n, apy: null },
      ]),
    ).toBeNull();
    expect(blendedApy([{ value: 0n, apy: 0.04 }])).toBeNull();
    expect(blendedApy([])).toBeNull();
    expect(
      blendedApy([
        { value: 60n, apy: 0.04 },
        { value: 0n, apy: null },
      ]),
    ).toBeCloseTo(0.04, 15);
  });

  it('lies between the least and the most', () => {
    const holding = fc.record({
      value: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      apy: fc.double({ min: -0.5, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(holding, { minLength: 1, maxLength: 12 }), (holdings) => {
        const apys = holdings.map(({ apy }) => apy);
        expect(blendedApy(holdings)).toBeGreaterThanOrEqual(Math.min(...apys) - 1e-9);
        expect(blendedApy(holdings)).toBeLessThanOrEqual(Math.max(...apys) + 1e-9);
      }),
    );
  });
});

describe('uplift', () => {
  it('is the routed value less the baseline, and its part of the baseline', () => {
    expect(realizedUplift(1_050n, 1_000n)).toEqual({ uplift: 50n, upliftPct: 0.05 });
    expect(realizedUplift(950n, 1_000n)).toEqual({ uplift: -50n, upliftPct: -0.05 });
    expect(realizedUplift(0n, 0n)).toEqual({ uplift: 0n, upliftPct: null });
    expect(realizedUplift(5n, -3n)).toEqual({ uplift: 8n, upliftPct: null });
  });

  it('of the coming year is the value at the difference of rates', () => {
    expect(projectedUplift(10_000n * UNIT, 0.052, 0.04)).toBe(120n * UNIT);
    expect(projectedUplift(10_000n * UNIT, 0.04, 0.052)).toBe(-120n * UNIT);
    expect(projectedUplift(10_000n * UNIT, null, 0.04)).toBeNull();
    expect(projectedUplift(10_000n * UNIT, 0.04, null)).toBeNull();
  });

  it('of a value at its own rate is 0', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.double({ min: -1, max: 5, noNaN: true }), (value, rate) => {
        expect(realizedUplift(value, value).uplift).toBe(0n);
        expect(projectedUplift(value, rate, rate)).toBe(0n);
      }),
    );
  });
});
