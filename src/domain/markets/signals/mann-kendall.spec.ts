import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { kendallScore, mannKendallZ } from './mann-kendall.js';

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

  it('sees only the order of values', () => {
    const values = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 12 });
    fc.assert(
      fc.property(values, (series) => {
        expect(mannKendallZ(series.map((value) => value ** 3 + 7))).toBe(mannKendallZ(series));
      }),
    );
  });

  it('flags 3 in 100 trendless weeks at 1.96: of all orders of seven days', () => {
    const orders = (days: number[]): number[][] =>
      days.length < 2
        ? [days]
        : days.flatMap((first) =>
            orders(days.filter((day) => day !== first)).map((rest) => [first, ...rest]),
          );
    const weeks = orders([1, 2, 3, 4, 5, 6, 7]).map(mannKendallZ);
    expect(weeks).toHaveLength(5_040);
    expect(weeks.filter((z) => Math.abs(z) >= 1.96).length / weeks.length).toBeCloseTo(0.03, 2);
  });
});
