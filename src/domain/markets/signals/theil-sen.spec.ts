import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { theilSenSlope } from './theil-sen.js';

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

  it('changes its sign with time reversed, and finds the slope of a line', () => {
    const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(values, fc.double({ min: -3, max: 3, noNaN: true }), (series, slope) => {
        expect(theilSenSlope(series.toReversed())).toBeCloseTo(-(theilSenSlope(series) ?? NaN), 12);
        expect(theilSenSlope(series.map((_, step) => 2 + slope * step))).toBeCloseTo(slope, 9);
      }),
    );
  });
});
