import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costParts, gainParts } from './cost-parts.js';

describe('the parts of a cost', () => {
  it('are in proportion to value; the rounding difference is assigned to the largest remainders', () => {
    expect(costParts(100n, [1_000n, 1_000n, 1_000n])).toEqual([34n, 33n, 33n]);
    expect(costParts(2_000_000n, [7_500_000_000n, 2_500_000_000n])).toEqual([1_500_000n, 500_000n]);
    expect(costParts(10n, [1_000n, 2_000n, 4_000n])).toEqual([1n, 3n, 6n]);
  });

  it('are 0 for a cost of 0 or positions without value', () => {
    expect(costParts(0n, [5n, 6n])).toEqual([0n, 0n]);
    expect(costParts(5n, [0n])).toEqual([0n]);
    expect(costParts(5n, [])).toEqual([]);
  });

  it('leave at least one micro-unit in every position', () => {
    expect(costParts(3n, [1n, 1n, 100n])).toEqual([0n, 0n, 3n]);
    expect(costParts(1_000n, [10n, 10n])).toEqual([9n, 9n]);
  });

  it('are 0 for a position without value', () => {
    expect(costParts(5n, [0n, 10n])).toEqual([0n, 5n]);
  });

  it('follow the same rule for a gain, without a limit', () => {
    expect(gainParts(10n, [1_000n, 2_000n, 4_000n])).toEqual([1n, 3n, 6n]);
    expect(gainParts(7n, [1n, 0n, 1n])).toEqual([4n, 0n, 3n]);
  });

  it('sum to the cost, each within a micro-unit of its exact part, if every position can bear it', () => {
    const value = fc.bigInt({ min: 10n ** 6n, max: 10n ** 16n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 6n }),
        fc.array(value, { minLength: 1, maxLength: 50 }),
        (cost, values) => {
          const parts = costParts(cost, values);
          const total = values.reduce((sum, one) => sum + one, 0n);
          expect(parts.reduce((sum, one) => sum + one, 0n)).toBe(cost);
          parts.forEach((part, at) => {
            const off = part * total - cost * values[at]!;
            expect(off < total && off > -total).toBe(true);
          });
        },
      ),
    );
  });
});
