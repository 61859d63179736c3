import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { downsideDeviation, mean, median, sampleDeviation } from './statistics.js';

const rates = fc.array(fc.double({ min: -1, max: 5, noNaN: true }), { minLength: 2, maxLength: 60 });

describe('the sample deviation', () => {
  it('of [4.0, 4.2, 3.8, 4.0, 4.4] is 0.228035', () =>
    expect(sampleDeviation([4.0, 4.2, 3.8, 4.0, 4.4])).toBeCloseTo(0.228035, 6));

  it('of equal values is 0 exactly, and of fewer than two is not known', () => {
    expect(sampleDeviation(Array.from({ length: 168 }, () => 0.1 + 0.2))).toBe(0);
    expect(sampleDeviation([1])).toBeNull();
    expect(sampleDeviation([])).toBeNull();
  });

  it('does not move with the level, and grows with the scale', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: -5, max: 5, noNaN: true }), (values, level) => {
        const deviation = sampleDeviation(values) ?? NaN;
        expect(sampleDeviation(values.map((value) => value + level))).toBeCloseTo(deviation, 9);
        expect(sampleDeviation(values.map((value) => value * 3))).toBeCloseTo(deviation * 3, 9);
      }),
    );
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

  it('lies between the least and the most, and the median leaves its input as it was', () => {
    fc.assert(
      fc.property(rates, (values) => {
        const before = [...values];
        for (const middle of [mean(values), median(values)]) {
          expect(middle).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
          expect(middle).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
        }
        expect(values).toEqual(before);
      }),
    );
  });
});
