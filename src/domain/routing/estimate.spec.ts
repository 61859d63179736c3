import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { candidate } from '../../../test/support/routing-candidate.js';
import { deltaOver, estimateMove, type MoveTerms, rateFor } from './estimate.js';

const UNIT = 1_000_000n;
const MILLION = 1_000_000n * UNIT;
const terms = (over: Partial<MoveTerms> = {}): MoveTerms => ({
  amount: 10_000n * UNIT,
  delta: 0.01,
  currentRate: 0.04,
  cost: 2n * UNIT,
  horizonDays: 20,
  delayHours: 0,
  ...over,
});

describe('what a move brings', () => {
  it('of 10,000 at 1 pp for 20 days is 5.479452', () => {
    expect(estimateMove(terms())).toEqual({ gain: 5_479_452n, npv: 3_479_452n });
  });

  it('is less what is not earned on the way', () => {
    // 10,000 * 0.04 * 24 / 8760 = 1.095890 of a day.
    expect(estimateMove(terms({ delayHours: 24 })).gain).toBe(4_383_561n);
  });

  it('is a loss where the rate is lower, rounded down', () => {
    expect(estimateMove(terms({ delta: -0.01 }))).toEqual({ gain: -5_479_453n, npv: -7_479_453n });
    expect(estimateMove(terms({ delta: 0, cost: 0n }))).toEqual({ gain: 0n, npv: 0n });
  });

  it('grows with the rate, and shrinks with the cost and the delay', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
    const delta = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(amount, delta, delta, fc.bigInt({ min: 0n, max: 10n ** 9n }), (held, one, other, cost) => {
        const at = (over: Partial<MoveTerms>) => estimateMove(terms({ amount: held, cost, ...over }));
        const low = at({ delta: Math.min(one, other) });
        const high = at({ delta: Math.max(one, other) });
        expect(high.gain).toBeGreaterThanOrEqual(low.gain);
        expect(high.npv).toBe(high.gain - cost);
        expect(at({ delta: one, delayHours: 1 }).gain).toBeLessThanOrEqual(at({ delta: one }).gain);
      }),
    );
  });
});

describe('the rate that an amount finds', () => {
  const of = (over: Parameters<typeof candidate>[0], amount = MILLION) =>
    rateFor(
      candidate({ riskAdjustedApy: 0.05, tvl: (60n * MILLION).toString(), dilution: 'pool', ...over }),
      amount,
    );

  it('in a pool of 60 million at 5 % is 4.918033 % for a million more', () => {
    expect(of({})).toBeCloseTo(0.04918033, 8);
  });

  it('is that of the vault where an amount does not lower it, or where nobody knows of how much', () => {
    expect(of({ dilution: 'none' })).toBe(0.05);
    expect(of({ tvl: null })).toBe(0.05);
    expect(of({ tvl: '0' })).toBe(0.05);
    expect(of({ riskAdjustedApy: null })).toBeNull();
  });
});

describe('the delta', () => {
  it('is that of two rates, exact to what is shown, and not known without both', () => {
    expect(deltaOver(0.06, 0.05)).toBe(0.01);
    expect(deltaOver(0.06, null)).toBeNull();
    expect(deltaOver(null, 0.05)).toBeNull();
  });
});
