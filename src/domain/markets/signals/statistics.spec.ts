import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SmoothedApy } from '../vaults/vault-state.js';
import {
  blendedApy,
  type ExpectedApyConstants,
  expectedApy,
  smoothApy,
  downsideDeviation,
  mean,
  median,
  sampleDeviation,
  theilSenSlope,
  kendallScore,
  mannKendallZ,
} from './statistics.js';

const rates = fc.array(fc.double({ min: -1, max: 5, noNaN: true }), { minLength: 2, maxLength: 60 });

describe('the sample deviation', () => {
  it('is 0.228035 for [4.0, 4.2, 3.8, 4.0, 4.4]', () =>
    expect(sampleDeviation([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(0.228035, 6));

  it('is exactly 0 for equal values, and null for fewer than two', () => {
    expect(sampleDeviation(Array.from({ length: 168 }, () => 0.1 + 0.2))).toBe(0);
    expect(sampleDeviation([1])).toBeNull();
    expect(sampleDeviation([])).toBeNull();
  });
});

describe('the downside deviation', () => {
  it('uses only values below the mean', () => {
    // With a mean of 4.08: 0.08, 0.28 and 0.08 below it.
    expect(downsideDeviation([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(Math.sqrt(0.0912 / 4), 12);
    expect(downsideDeviation([1, 1, 1])).toBe(0);
    expect(downsideDeviation([1])).toBeNull();
  });

  it('is at most the sample deviation; its square and that of the upside add up to the variance', () => {
    fc.assert(
      fc.property(rates, (values) => {
        const whole = sampleDeviation(values)!;
        const [below, above] = [values, values.map((value) => -value)].map((one) => downsideDeviation(one)!);
        expect(Math.hypot(below!, above!)).toBeCloseTo(whole, 9);
      }),
    );
  });
});

describe('mean and median', () => {
  it('have the textbook values', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(median([6, 1, 2])).toBe(2);
    expect(median([10, 9, 1, 2])).toBe(5.5);
  });

  it('are null for an empty list', () => {
    expect(mean([])).toBeNull();
    expect(median([])).toBeNull();
  });
});

describe('the Theil-Sen slope', () => {
  it('is 0.083333 for [4.0, 4.2, 3.8, 4.0, 4.4], unlike 0.06 by least squares', () =>
    expect(theilSenSlope([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(0.083333, 6));

  it('needs two values', () => {
    expect(theilSenSlope([])).toBeNull();
    expect(theilSenSlope([1])).toBeNull();
    expect(theilSenSlope([1, 3])).toBe(2);
  });

  it('is not changed by one outlier among seven values', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        (at, value) => {
          const line = [0, 1, 2, 3, 4, 5, 6].with(at, value);
          expect(theilSenSlope(line)).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});

describe('the Mann-Kendall test', () => {
  it.each([
    [[1, 2, 3, 4, 5, 6, 7], 21, 3.0038],
    [[1, 2, 3, 4, 7, 6, 5], 15, 2.1026],
    [[1, 2, 3, 6, 7, 4, 5], 13, 1.8023],
  ])('of %p has S = %p and z = %p', (values, score, z) => {
    expect(kendallScore(values)).toBe(score);
    expect(mannKendallZ(values)).toBeCloseTo(z, 4);
    expect(mannKendallZ(values.toReversed())).toBeCloseTo(-z, 4);
  });

  it('corrects for ties', () => {
    // 8 of 10 pairs rise, 2 are ties: n(n-1)(2n+5) = 300, and each pair of equal values subtracts 2 * 1 * 9 = 18.
    expect(kendallScore([1, 1, 2, 2, 3])).toBe(8);
    expect(mannKendallZ([1, 1, 2, 2, 3])).toBeCloseTo(7 / Math.sqrt((300 - 36) / 18), 12);
  });

  it('is 0 for constant values and for none', () => {
    expect(mannKendallZ([5, 5, 5, 5, 5, 5, 5])).toBe(0);
    expect(mannKendallZ([])).toBe(0);
    expect(mannKendallZ([1])).toBe(0);
  });
});

const CONSTANTS: ExpectedApyConstants = {
  recentHalfLifeHours: 6,
  longHalfLifeHours: 720,
  returnHalfLifeHours: 72,
  expectedHours: 480,
};
const after = (first: number, apy: number, hours: number): SmoothedApy => {
  let smoothed = smoothApy(null, first, CONSTANTS);
  for (let hour = 0; hour < hours; hour++) smoothed = smoothApy(smoothed, apy, CONSTANTS);
  return smoothed;
};

describe('the smoothed APYs', () => {
  it('start with the first observation unchanged', () =>
    expect(smoothApy(null, 0.05, CONSTANTS)).toEqual({ recent: 0.05, long: 0.05 }));

  it('get halfway to a new level in 6 hours and in 30 days', () => {
    expect(after(0.02, 0.06, 6).recent).toBeCloseTo(0.04, 12);
    expect(after(0.02, 0.06, 720)).toEqual({
      recent: expect.closeTo(0.06, 12),
      long: expect.closeTo(0.04, 12),
    });
  });
});

describe('the expected APY', () => {
  it('is 4.428548 % for 6 % now and 4 % long-term, half-life 72 h, over 480 h', () =>
    expect(expectedApy({ recent: 0.06, long: 0.04 }, 72, 480)).toBeCloseTo(0.04428548, 8));

  it('is between the two, and nearer to the current one for a longer half-life', () => {
    const smoothed = { recent: 0.06, long: 0.04 };
    const [quick, slow, never] = [1, 480, 1e9].map((halfLife) => expectedApy(smoothed, halfLife, 480));
    expect(quick).toBeCloseTo(0.04, 3);
    expect(slow).toBeGreaterThan(quick!);
    expect(never).toBeCloseTo(0.06, 6);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.double({ min: 1, max: 5_000, noNaN: true }),
        (recent, long, halfLife) => {
          const expected = expectedApy({ recent, long }, halfLife, 480);
          expect(expected).toBeGreaterThanOrEqual(Math.min(recent, long) - 1e-15);
          expect(expected).toBeLessThanOrEqual(Math.max(recent, long) + 1e-15);
        },
      ),
    );
  });
});

const UNIT = 1_000_000n;

describe('the blended APY', () => {
  it('is 5.00 % for 60k at 4 % and 40k at 6.5 %', () =>
    expect(
      blendedApy([
        { value: 60_000n * UNIT, apy: 0.04 },
        { value: 40_000n * UNIT, apy: 0.065 },
      ]),
    ).toBeCloseTo(0.05, 15));

  it('is null without holdings, or if one has no APY', () => {
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

  it('equals the rate exactly if all rates are the same', () => {
    const value = fc.bigInt({ min: 1n, max: 10n ** 18n });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.double({ min: -0.5, max: 2, noNaN: true }),
        (values, apy) => expect(blendedApy(values.map((one) => ({ value: one, apy })))).toEqual(apy + 0),
      ),
    );
  });
});
