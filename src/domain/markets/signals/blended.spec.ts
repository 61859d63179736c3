import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { blendedApy } from './blended.js';

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
