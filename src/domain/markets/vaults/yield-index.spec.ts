import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { accrueIndex, aprToApy, floorDivide, hourlyFactor, INDEX_SCALE, indexWithin } from './yield-index.js';

const accrue = (index: bigint, apy: number, hours: number): bigint => {
  const factor = hourlyFactor(apy);
  for (let hour = 0; hour < hours; hour++) index = accrueIndex(index, factor);
  return index;
};

describe('the hourly factor', () => {
  it.each([
    [0.04, 4477260382864n],
    [0.05, 5569668954548n],
    [0.1, 10880216701038n],
    [0, 0n],
  ])('of %p is %p', (apy, factor) => expect(hourlyFactor(apy)).toBe(factor));

  it('is below 0 for a loss', () => expect(hourlyFactor(-0.05)).toBe(-5855381759874n));

  it.each([NaN, Infinity, -Infinity, -1, -2])('refuses %p', (apy) =>
    expect(() => hourlyFactor(apy)).toThrow(RangeError),
  );

  it('grows with the rate', () => {
    const rate = fc.double({ min: -0.9, max: 10, noNaN: true });
    fc.assert(
      fc.property(rate, rate, (one, other) => {
        expect(hourlyFactor(Math.max(one, other))).toBeGreaterThanOrEqual(hourlyFactor(Math.min(one, other)));
      }),
    );
  });
});

describe('the index', () => {
  it('is 1049999999999998911 after 8,760 hours at 5 %', () =>
    expect(accrue(INDEX_SCALE, 0.05, 8_760)).toBe(1049999999999998911n));

  it('compounds to the APY in a year, to a billionth', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.5, max: 3, noNaN: true }), (apy) => {
        const year = accrue(INDEX_SCALE, apy, 8_760);
        expect(Math.abs(Number(year) / 1e18 - (1 + apy))).toBeLessThan(1e-9);
      }),
      { numRuns: 30 },
    );
  });

  it('does not fall while the rate is at least 0, and stays above 0 under losses', () => {
    const index = fc.bigInt({ min: 1n, max: 10n ** 24n });
    fc.assert(
      fc.property(index, fc.double({ min: 0, max: 100, noNaN: true }), (at, apy) => {
        expect(accrueIndex(at, hourlyFactor(apy))).toBeGreaterThanOrEqual(at);
      }),
    );
    expect(accrue(INDEX_SCALE, -0.9999, 8_760)).toBeGreaterThan(0n);
  });

  it('rounds down on both sides of 0', () => {
    expect(accrueIndex(INDEX_SCALE + 1n, 1n)).toBe(INDEX_SCALE + 2n);
    expect(accrueIndex(INDEX_SCALE + 1n, -1n)).toBe(INDEX_SCALE - 1n);
  });
});

describe('the index within an hour', () => {
  const factor = hourlyFactor(0.05);

  it('is 1000002784834477274 after half an hour at 5 %', () =>
    expect(indexWithin(INDEX_SCALE, factor, 1_800_000)).toBe(1000002784834477274n));

  it('starts at the index of the hour and ends at that of the next, for any rate', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        fc.double({ min: -0.9, max: 10, noNaN: true }),
        (index, apy) => {
          const own = hourlyFactor(apy);
          expect(indexWithin(index, own, 0)).toBe(index);
          expect(indexWithin(index, own, 3_600_000)).toBe(accrueIndex(index, own));
        },
      ),
    );
  });

  it('is that of the hour’s nearest end for a time outside of it', () => {
    expect(indexWithin(INDEX_SCALE, factor, -1)).toBe(INDEX_SCALE);
    expect(indexWithin(INDEX_SCALE, factor, 3_600_001)).toBe(accrueIndex(INDEX_SCALE, factor));
  });
});

describe('an APR', () => {
  it('of 10 % equals an APY of 10.517029 %', () => expect(aprToApy(0.1)).toBeCloseTo(0.10517029, 8));

  it('has the same hourly factor as the APR divided by the hours of a year', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5, noNaN: true }), (apr) => {
        const spread = (apr / 8_760) * 1e18;
        expect(Math.abs(Number(hourlyFactor(aprToApy(apr))) - spread)).toBeLessThanOrEqual(1 + spread * 1e-9);
      }),
    );
  });
});

describe('division towards minus infinity', () => {
  it('leaves a remainder from 0 to below the divisor', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (dividend, divisor) => {
        const rest = dividend - floorDivide(dividend, divisor) * divisor;
        expect(rest >= 0n && rest < divisor).toBe(true);
      }),
    );
  });
});
