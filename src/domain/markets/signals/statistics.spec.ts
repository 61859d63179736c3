import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  blendedApy,
  downsideDeviation,
  kendallScore,
  mannKendallZ,
  mean,
  median,
  sampleDeviation,
  theilSenSlope,
} from './statistics.js';

const rate = fc.double({ min: -1, max: 5, noNaN: true });
const WEEK = [4.0, 4.2, 3.8, 4.0, 4.4];

describe('a statistic', () => {
  const statistics = { sampleDeviation, downsideDeviation, mean, median, theilSenSlope, mannKendallZ };
  it.each<[keyof typeof statistics, readonly number[], number | null]>([
    ['sampleDeviation', WEEK, 0.228035],
    // Exactly 0, whatever the sum of the values rounds to.
    ['sampleDeviation', Array.from({ length: 168 }, () => 0.1 + 0.2), 0],
    ['sampleDeviation', [1], null],
    ['sampleDeviation', [], null],
    // With a mean of 4.08: 0.08, 0.28 and 0.08 below it.
    ['downsideDeviation', WEEK, Math.sqrt(0.0912 / 4)],
    ['downsideDeviation', [1, 1, 1], 0],
    ['downsideDeviation', [1], null],
    ['mean', [1, 2, 6], 3],
    ['mean', [], null],
    ['median', [6, 1, 2], 2],
    ['median', [10, 9, 1, 2], 5.5],
    ['median', [], null],
    // By least squares it would be 0.06.
    ['theilSenSlope', WEEK, 0.083333],
    ['theilSenSlope', [1, 3], 2],
    ['theilSenSlope', [1], null],
    // 8 of 10 pairs rise, 2 are ties: n(n-1)(2n+5) = 300, and each pair of equal values subtracts 2 * 1 * 9 = 18.
    ['mannKendallZ', [1, 1, 2, 2, 3], 7 / Math.sqrt((300 - 36) / 18)],
    ['mannKendallZ', [5, 5, 5, 5, 5, 5, 5], 0],
    ['mannKendallZ', [1], 0],
    ['mannKendallZ', [], 0],
  ])('%s of %j is %p', (name, values, expected) => {
    const result = statistics[name](values);
    if (expected === null || expected === 0) expect(result).toBe(expected);
    else expect(result).toBeCloseTo(expected, 6);
  });

  it.each([
    [[1, 2, 3, 4, 5, 6, 7], 21, 3.0038],
    [[1, 2, 3, 4, 7, 6, 5], 15, 2.1026],
    [[1, 2, 3, 6, 7, 4, 5], 13, 1.8023],
    [[1, 1, 2, 2, 3], 8, 1.8278],
  ])('A statistic of Mann and Kendall of %p has S = %p and z = %p', (values, score, z) => {
    expect(kendallScore(values)).toBe(score);
    expect(mannKendallZ(values)).toBeCloseTo(z, 4);
    expect(mannKendallZ(values.toReversed())).toBeCloseTo(-z, 4);
  });

  it('A statistic of the downside, squared, adds up with that of the upside to the variance', () =>
    fc.assert(
      fc.property(fc.array(rate, { minLength: 2, maxLength: 60 }), (values) => {
        const [below, above] = [values, values.map((value) => -value)].map((sample) =>
          downsideDeviation(sample)!,
        );
        expect(Math.hypot(below!, above!)).toBeCloseTo(sampleDeviation(values)!, 9);
      }),
    ));

  it('A statistic of Theil and Sen is not changed by one outlier among seven values', () =>
    fc.assert(
      fc.property(fc.nat({ max: 6 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }), (at, value) => {
        expect(theilSenSlope([0, 1, 2, 3, 4, 5, 6].with(at, value))).toBeCloseTo(1, 9);
      }),
    ));
});

describe('the blended APY', () => {
  it.each<[[value: bigint, apy: number | null][], number | null]>([
    [
      [
        [60_000_000_000n, 0.04],
        [40_000_000_000n, 0.065],
      ],
      0.05,
    ],
    [
      [
        [60n, 0.04],
        [1n, null],
      ],
      null,
    ],
    [
      [
        [60n, 0.04],
        [0n, null],
      ],
      0.04,
    ],
    [[[0n, 0.04]], null],
    [[], null],
  ])('The blended APY of %p is %p', (holdings, apy) =>
    expect(blendedApy(holdings.map(([value, apy]) => ({ value, apy })))).toEqual(
      apy === null ? null : expect.closeTo(apy, 15),
    ),
  );

  it('The blended APY equals the rate exactly if all rates are the same', () => {
    const value = fc.bigInt({ min: 1n, max: 10n ** 18n });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), rate, (values, apy) =>
        expect(blendedApy(values.map((value) => ({ value: value, apy })))).toEqual(apy + 0),
      ),
    );
  });
});
