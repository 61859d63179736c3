import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { armed, type Crossing, crossThreshold, type Threshold } from './threshold.js';

const REARM = 0.0025;

/** Crossings of a level by consecutive values, as `above` and `below`; the first value has no predecessor. */
function crossings(level: number, apys: readonly number[], rearm = REARM): Crossing[] {
  let threshold: Threshold = armed(level);
  let previous: number | null = null;
  return apys.flatMap((apy) => {
    const next = crossThreshold(threshold, previous, apy, rearm);
    threshold = next.threshold;
    previous = apy;
    return next.crossing ?? [];
  });
}
const directions = (...apys: number[]) => crossings(0.05, apys).map(({ direction }) => direction);

describe('a threshold', () => {
  it('is crossed upwards by a change from below it to at least its level', () => {
    expect(crossings(0.05, [0.04, 0.06])).toEqual([
      { level: 0.05, direction: 'above', apy: 0.06, previousApy: 0.04 },
    ]);
    expect(directions(0.04, 0.05)).toEqual(['above']);
    expect(directions(0.04, 0.0499)).toEqual([]);
  });

  it('is crossed downwards by a change from at least its level to below it', () => {
    expect(crossings(0.05, [0.05, 0.04])).toEqual([
      { level: 0.05, direction: 'below', apy: 0.04, previousApy: 0.05 },
    ]);
    expect(directions(0.06, 0.05)).toEqual([]);
  });

  it('is not crossed by the first value', () => {
    expect(directions(0.06)).toEqual([]);
    expect(directions(0.04)).toEqual([]);
  });

  it('is reached by a value that differs from it only by floating-point rounding', () => {
    const almost = 0.35 * 0.1 + 0.65 * (0.015 / 0.65);
    expect(almost).toBeLessThan(0.05);
    expect(directions(0.04, almost)).toEqual(['above']);
    expect(directions(almost, 0.04)).toEqual(['below']);
  });

  it('is crossed again the same way only after the rate has returned by the rearm distance', () => {
    expect(directions(0.04, 0.051, 0.049, 0.051)).toEqual(['above', 'below']);
    expect(directions(0.04, 0.051, 0.0476, 0.051)).toEqual(['above', 'below']);
    expect(directions(0.04, 0.051, 0.0475, 0.051)).toEqual(['above', 'below', 'above']);
    expect(directions(0.06, 0.049, 0.0525, 0.049)).toEqual(['below', 'above', 'below']);
    expect(directions(0.06, 0.049, 0.0524, 0.049)).toEqual(['below', 'above']);
  });

  it('without a rearm distance is crossed each time', () => {
    const apys = [0.049, 0.05, 0.049, 0.05, 0.049];
    expect(crossings(0.05, apys, 0)).toHaveLength(4);
  });

  it('is crossed at most once each way by a rate that stays within the rearm distance', () => {
    const within = fc.double({ min: 0.05 - REARM + 1e-9, max: 0.05 + REARM - 1e-9, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.1, noNaN: true }), fc.array(within), (first, apys) => {
        const seen = directions(first, ...apys);
        expect(new Set(seen).size).toBe(seen.length);
      }),
    );
  });

  it('is never crossed upwards twice without a return by the rearm distance in between', () => {
    const rate = fc.double({ min: 0.03, max: 0.07, noNaN: true });
    fc.assert(
      fc.property(fc.array(rate), (apys) => {
        let last = -1;
        crossings(0.05, apys)
          .filter(({ direction }) => direction === 'above')
          .forEach(({ apy, previousApy }) => {
            const at = apys.findIndex(
              (value, index) => index > last && value === apy && apys[index - 1] === previousApy,
            );
            expect(at).toBeGreaterThan(last);
            if (last >= 0)
              expect(Math.min(...apys.slice(last, at))).toBeLessThanOrEqual(0.05 - REARM + 1e-11);
            last = at;
          });
      }),
    );
  });
});
