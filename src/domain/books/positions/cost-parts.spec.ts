import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costParts, gainParts } from './cost-parts.js';

describe('the parts of a cost', () => {
  it.each([
    ['in proportion to value', 2_000_000n, [7_500_000_000n, 2_500_000_000n], [1_500_000n, 500_000n]],
    ['larger by the rest for the largest remainders', 10n, [1_000n, 2_000n, 4_000n], [1n, 3n, 6n]],
    ['larger by the rest for the first of equal ones', 100n, [1_000n, 1_000n, 1_000n], [34n, 33n, 33n]],
    ['0 for a cost of 0', 0n, [5n, 6n], [0n, 0n]],
    ['0 for a position without value', 5n, [0n, 10n], [0n, 5n]],
    ['0 without any value', 5n, [0n], [0n]],
    ['such that a micro-unit stays in every position', 1_000n, [10n, 10n], [9n, 9n]],
    ['shifted to those that can bear it', 3n, [1n, 1n, 100n], [0n, 0n, 3n]],
  ])('The parts of a cost are %s', (_, cost, values, parts) =>
    expect(costParts(cost, values)).toEqual(parts),
  );

  it('The parts of a cost follow the same rule for a gain, without a limit', () => {
    expect(gainParts(10n, [1_000n, 2_000n, 4_000n])).toEqual([1n, 3n, 6n]);
    expect(gainParts(7n, [1n, 0n, 1n])).toEqual([4n, 0n, 3n]);
  });

  it('The parts of a cost sum to the cost, each within a micro-unit of its exact part, if every position can bear it', () => {
    const value = fc.bigInt({ min: 10n ** 6n, max: 10n ** 16n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 6n }),
        fc.array(value, { minLength: 1, maxLength: 50 }),
        (cost, values) => {
          const parts = costParts(cost, values);
          const total = values.reduce((sum, value) => sum + value, 0n);
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(cost);
          parts.forEach((part, at) => {
            const off = part * total - cost * values[at]!;
            expect(off < total && off > -total).toBe(true);
          });
        },
      ),
    );
  });
});
