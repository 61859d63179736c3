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
  it('of [4.0, 4.2, 3.8, 4.0, 4.4] is 0.228035', () =>
    expect(sampleDeviation([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(0.228035, 6));

  it('of equal values is 0 exactly, and of fewer than two is not known', () => {
    expect(sampleDeviation(Array.from({ length: 168 }, () => 0.1 + 0.2))).toBe(0);
    expect(sampleDeviation([1])).toBeNull();
    expect(sampleDeviation([])).toBeNull();
  });
});

describe('the downside deviation', () => {
  it('counts what lies below the mean alone', () => {
    // With a mean of 4.08: 0.08, 0.28 and 0.08 below it.
    expect(downsideDeviation([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(Math.sqrt(0.0912 / 4), 12);
    expect(downsideDeviation([1, 1, 1])).toBe(0);
    expect(downsideDeviation([1])).toBeNull();
  });

  it('is no more than the sample deviation, and with that of the other side all of it', () => {
    fc.assert(
      fc.property(rates, (values) => {
        const whole = sampleDeviation(values)!;
        const [below, above] = [values, values.map((value) => -value)].map((one) => downsideDeviation(one)!);
        expect(Math.hypot(below!, above!)).toBeCloseTo(whole, 9);
      }),
    );
  });
});

describe('the middle', () => {
  it('is the mean, and the median', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(median([6, 1, 2])).toBe(2);
    expect(median([10, 9, 1, 2])).toBe(5.5);
  });

  it('of nothing is not known', () => {
    expect(mean([])).toBeNull();
    expect(median([])).toBeNull();
  });
});

describe('the Theil-Sen slope', () => {
  it('of [4.0, 4.2, 3.8, 4.0, 4.4] is 0.083333, where least squares would say 0.06', () =>
    expect(theilSenSlope([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(0.083333, 6));

  it('needs two values', () => {
    expect(theilSenSlope([])).toBeNull();
    expect(theilSenSlope([1])).toBeNull();
    expect(theilSenSlope([1, 3])).toBe(2);
  });

  it('is not moved by one outlier among seven', () => {
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

  it('is 0 where nothing changes, and of nothing', () => {
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

describe('the averages', () => {
  it('begin with the first observation as it is', () =>
    expect(smoothApy(null, 0.05, CONSTANTS)).toEqual({ recent: 0.05, long: 0.05 }));

  it('come halfway to a new level in 6 hours, and in 30 days', () => {
    expect(after(0.02, 0.06, 6).recent).toBeCloseTo(0.04, 12);
    expect(after(0.02, 0.06, 720)).toEqual({
      recent: expect.closeTo(0.06, 12),
      long: expect.closeTo(0.04, 12),
    });
  });
});

describe('the expected APY', () => {
  it('of 6 % now and 4 % in the long run, half-life 72 h, over 480 h, is 4.428548 %', () =>
    expect(expectedApy({ recent: 0.06, long: 0.04 }, 72, 480)).toBeCloseTo(0.04428548, 8));

  it('lies between the two, nearer to now the longer the return takes', () => {
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

  it('is the rate itself, to the last bit, where it is one', () => {
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
