import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { rateDifference, roundRate, scaledRate } from './rate.js';

describe('a rounded rate', () => {
  it.each([
    [0.1 + 0.2, 0.3],
    [0.1 / 3, 0.033333333333],
    [-0.1 / 3, -0.033333333333],
    [2 / 3, 0.666666666667],
    [4.9e-13, 0],
    [1e-12, 1e-12],
    [12_345.678901234567, 12_345.678901234567],
    [1e15, 1e15],
  ])('%p is %p', (rate, shown) => expect(roundRate(rate)).toBe(shown));

  it('is never -0, and is null for null', () => {
    expect(Object.is(roundRate(-1e-15), 0)).toBe(true);
    expect(roundRate(null)).toBeNull();
  });

  it('is the closest value with at most twelve decimals, and does not change when rounded again', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (rate) => {
        const shown = roundRate(rate);
        expect(roundRate(shown)).toBe(shown);
        expect(Number(shown.toFixed(12)) + 0).toBe(shown);
        expect(Math.abs(shown - rate)).toBeLessThanOrEqual(5.0001e-13 + Math.abs(rate) * Number.EPSILON);
      }),
    );
  });
});

it('a difference of rates is rounded: 6 % less 5 % is 1 pp', () => {
  expect(0.06 - 0.05 >= 0.01).toBe(false);
  expect(rateDifference(0.06, 0.05)).toBe(0.01);
  expect(rateDifference(0.05, 0.06)).toBe(-0.01);
  expect(Object.is(rateDifference(0.05, 0.05), 0)).toBe(true);
});

it('a scaled rate is a whole number', () => {
  expect(scaledRate(0.0523)).toBe(52_300_000_000n);
  expect(scaledRate(0.06 - 0.05)).toBe(10_000_000_000n);
  expect(scaledRate(-0.01)).toBe(-10_000_000_000n);
});
