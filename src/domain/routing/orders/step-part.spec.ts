import { sum } from '../../kernel/money.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MoveBooking } from '../allocation/move-order.js';
import { bookingAfter, divideStep, type StepPart } from './step-part.js';

const step = (
  amount: bigint,
  {
    cost = 0n,
    gain = 0n,
    waits = 0n,
    expected = 0n,
  }: Partial<Record<'cost' | 'gain' | 'waits' | 'expected', bigint>>,
): MoveBooking => ({
  place: 0,
  positions: 0,
  arrived: '0',
  amount: `${amount}`,
  cost: `${cost}`,
  gain: `${gain}`,
  waits: `${waits}`,
  expected: `${expected}`,
});

/** Books a step in parts of a size. */
function booked(begun: MoveBooking, values: readonly bigint[], size: number, isReported: boolean) {
  let remaining = begun;
  const parts: StepPart[] = [];
  for (let from = 0; from < values.length; from += size) {
    const ofPart = values.slice(from, from + size);
    const part = divideStep(remaining, ofPart, { isLast: from + size >= values.length, isReported });
    parts.push(part);
    remaining = bookingAfter(remaining, part, ofPart, { place: from, positions: 0, arrived: 0n });
  }
  return {
    costs: parts.flatMap(({ costs }) => costs),
    gains: parts.flatMap(({ gains }) => gains),
    waiting: parts.flatMap(({ waiting }) => waiting),
    expected: parts.flatMap(({ expected }) => expected!),
  };
}

describe('a step that is booked in parts', () => {
  it('A step that is booked in parts divides cost, gain, waiting gain and expected cost in proportion to value', () => {
    const parts = booked(
      step(10_000n, { cost: 30n, gain: 5n, waits: 10n, expected: 25n }),
      [6_000n, 4_000n],
      500,
      true,
    );
    expect(parts).toEqual({ costs: [18n, 12n], gains: [3n, 2n], waiting: [6n, 4n], expected: [15n, 10n] });
  });

  it('A step that is booked in parts books the reported amount to the micro-unit, whatever the size of the parts', () => {
    const value = fc.bigInt({ min: 40n, max: 10n ** 15n });
    const millionths = fc.bigInt({ min: -50_000n, max: 50_000n });
    const sizes = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), millionths, sizes, (values, by, size) => {
        const difference = (sum(values) * by) / 1_000_000n;
        const sums = difference < 0n ? { cost: -difference } : { gain: difference };
        const { costs, gains } = booked(step(sum(values), sums), values, size, true);
        expect(sum(values) - sum(costs) + sum(gains)).toBe(sum(values) + difference);
        expect(values.every((amount, index) => amount - costs[index]! + gains[index]! > 0n)).toBe(true);
      }),
    );
  });

  it('A step that is booked in parts divides the whole expected cost, whoever executes it, and none that is not known', () => {
    const value = fc.bigInt({ min: 1n, max: 10n ** 15n });
    const sizes = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 40 }),
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        sizes,
        fc.boolean(),
        (values, whole, gone, size, isReported) => {
          const { expected } = booked(
            step(sum(values) + gone, { expected: whole }),
            values,
            size,
            isReported,
          );
          expect(sum(expected)).toBe(whole);
          expect(expected.every((part) => part >= 0n)).toBe(true);
        },
      ),
    );
    const { expected: _, ...older } = step(10n, {});
    const part = divideStep(older, [10n], { isLast: true, isReported: true });
    expect(part.expected).toBeNull();
    expect(bookingAfter(older, part, [10n], { place: 1, positions: 1, arrived: 10n })).not.toHaveProperty(
      'expected',
    );
  });

  it('The last part of a reported step bears the cost left by withdrawn funds, and the later yield, which did not arrive', () => {
    const remaining = step(1_000n, { cost: 10n });
    expect(divideStep(remaining, [400n], { isLast: true, isReported: true }).costs).toEqual([10n]);
    expect(divideStep(remaining, [1_003n], { isLast: true, isReported: true }).costs).toEqual([13n]);
  });

  it('A step of the server itself charges neither the cost of withdrawn funds nor later yield', () => {
    const remaining = step(1_000n, { cost: 10n });
    expect(divideStep(remaining, [400n], { isLast: true, isReported: false }).costs).toEqual([4n]);
    expect(divideStep(remaining, [401n], { isLast: true, isReported: false }).costs).toEqual([5n]);
    expect(divideStep(remaining, [401n], { isLast: false, isReported: false }).costs).toEqual([4n]);
    expect(divideStep(remaining, [1_003n], { isLast: true, isReported: false }).costs).toEqual([10n]);
  });
});
