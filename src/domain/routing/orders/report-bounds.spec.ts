import { partOf } from './step-part.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arrivalOf } from './report-bounds.js';

describe('the amount of an arrival', () => {
  const arrival = (amount: bigint, values: bigint[]) =>
    arrivalOf(amount, values, { maxReportDeviation: 0.05, maxUnreviewedGain: 0.001 }, 'USDC');

  it('is booked as a cost below the expected amount and a gain above it, in proportion to value', () => {
    expect(arrival(9_970n, [6_000n, 4_000n])).toEqual({
      expected: 10_000n,
      costs: [18n, 12n],
      gains: [0n, 0n],
      waiting: [0n, 0n],
      cost: 30n,
      gain: 0n,
      waits: 0n,
    });
    expect(arrival(10_005n, [6_000n, 4_000n, 0n])).toMatchObject({
      costs: [0n, 0n, 0n],
      gains: [3n, 2n, 0n],
      gain: 5n,
      waits: 0n,
    });
    expect(arrival(10_000n, [6_000n, 4_000n])).toMatchObject({ cost: 0n, gain: 0n });
  });

  it('awaits a review of its whole gain if that exceeds 0.1 %, even by a micro-unit', () => {
    expect(arrival(10_010n, [6_000n, 4_000n])).toMatchObject({ gains: [6n, 4n], gain: 10n, waits: 0n });
    expect(arrival(10_011n, [6_000n, 4_000n])).toMatchObject({
      gains: [0n, 0n],
      waiting: [7n, 4n],
      gain: 0n,
      waits: 11n,
    });
  });

  it('is accepted up to 5 % below or above, and refused a micro-unit beyond', () => {
    for (const amount of [9_500n, 10_500n]) expect(arrival(amount, [10_000n]).expected).toBe(10_000n);
    for (const amount of [9_499n, 10_501n])
      expect(() => arrival(amount, [10_000n])).toThrow(
        expect.objectContaining({ code: 'amount_out_of_bounds' }),
      );
    expect(() => arrival(10_501n, [10_000n])).toThrow(
      '0.010501 USDC was reported; the funds of this move are worth 0.01',
    );
  });

  it('is refused if positions of one micro-unit each cannot bear the cost', () => {
    expect(() =>
      arrival(
        99n,
        Array.from({ length: 100 }, () => 1n),
      ),
    ).toThrow('was reported');
  });

  it('equals the sum of the positions after it', () => {
    const value = fc.bigInt({ min: 40n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 40 }),
        fc.bigInt({ min: -50_000n, max: 50_000n }),
        (values, millionths) => {
          const expected = values.reduce((sum, one) => sum + one, 0n);
          const amount = expected + (expected * millionths) / 1_000_000n;
          const { expected: worth, cost, gain, waits } = arrival(amount, values);
          const sums = { amount: `${worth}`, cost: `${cost}`, gain: `${gain}`, waits: `${waits}` };
          const left = { place: 0, positions: 0, value: '0', arrived: '0', ...sums };
          const { costs, gains, waiting } = partOf(left, values, { isLast: true, isReported: true });
          const after = values.map((one, at) => one - costs[at]! + gains[at]! + waiting[at]!);
          expect(after.reduce((sum, one) => sum + one, 0n)).toBe(amount);
          expect(after.every((one) => one > 0n)).toBe(true);
        },
      ),
    );
  });
});
