import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { settleRevenue } from './revenue.js';

const TERMS = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };

describe('revenue', () => {
  it('of 10,000,001 micro-units at 1000 and 4000 bps is 1,000,001, of which 400,000 and 600,001', () =>
    expect(settleRevenue(10_000_001n, 0n, TERMS)).toEqual({
      base: 10_000_001n,
      highWaterMark: 10_000_001n,
      fee: 1_000_001n,
      partner: 400_000n,
      protocol: 600_001n,
    }));

  it('is nothing until a loss is made good', () => {
    expect(settleRevenue(80n, 100n, TERMS)).toEqual({
      base: 0n,
      highWaterMark: 100n,
      fee: 0n,
      partner: 0n,
      protocol: 0n,
    });
    expect(settleRevenue(-50n, 0n, TERMS).highWaterMark).toBe(0n);
    expect(settleRevenue(130n, 100n, TERMS)).toMatchObject({ base: 30n, highWaterMark: 130n, fee: 3n });
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
