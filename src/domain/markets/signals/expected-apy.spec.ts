import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SmoothedApy } from '../vaults/vault-state.js';
import { type ExpectedApyConstants, expectedApy, smoothApy, blendedApy } from './expected-apy.js';

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

  it('of one yield are that yield', () => {
    const { recent, long } = after(0.0523, 0.0523, 50);
    expect([recent, long]).toEqual([0.0523, 0.0523]);
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

  it('lies between the least and the most', () => {
    const holding = fc.record({
      value: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      apy: fc.double({ min: -0.5, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(holding, { minLength: 1, maxLength: 12 }), (holdings) => {
        const apys = holdings.map(({ apy }) => apy);
        expect(blendedApy(holdings)).toBeGreaterThanOrEqual(Math.min(...apys) - 1e-9);
        expect(blendedApy(holdings)).toBeLessThanOrEqual(Math.max(...apys) + 1e-9);
      }),
    );
  });
});
