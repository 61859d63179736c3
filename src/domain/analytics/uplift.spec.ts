import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { projectedUplift, realizedUplift } from './uplift.js';

const UNIT = 1_000_000n;

describe('uplift', () => {
  it('is the routed value less the baseline, and its part of the baseline', () => {
    expect(realizedUplift(1_050n, 1_000n)).toEqual({ uplift: 50n, upliftPct: 0.05 });
    expect(realizedUplift(950n, 1_000n)).toEqual({ uplift: -50n, upliftPct: -0.05 });
    expect(realizedUplift(0n, 0n)).toEqual({ uplift: 0n, upliftPct: null });
    expect(realizedUplift(5n, -3n)).toEqual({ uplift: 8n, upliftPct: null });
  });

  it('of the coming year is the value at the difference of rates', () => {
    expect(projectedUplift(10_000n * UNIT, 0.052, 0.04)).toBe(120n * UNIT);
    expect(projectedUplift(10_000n * UNIT, 0.04, 0.052)).toBe(-120n * UNIT);
    expect(projectedUplift(10_000n * UNIT, null, 0.04)).toBeNull();
    expect(projectedUplift(10_000n * UNIT, 0.04, null)).toBeNull();
  });

  it('of a value at its own rate is 0', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.double({ min: -1, max: 5, noNaN: true }), (value, rate) => {
        expect(realizedUplift(value, value).uplift).toBe(0n);
        expect(projectedUplift(value, rate, rate)).toBe(0n);
      }),
    );
  });
});
