import { describe, expect, it } from '@jest/globals';
import { arrivalOf } from './report-bounds.js';

describe('the amount of an arrival', () => {
  const arrival = (amount: bigint, values: bigint[]) =>
    arrivalOf(amount, values, { maxReportDeviation: 0.05, maxUnreviewedGain: 0.001 }, 'USDC');

  it('The amount of an arrival is a cost below the expected amount and a gain above it', () => {
    const expected = 10_000n;
    expect(arrival(9_970n, [6_000n, 4_000n])).toEqual({ expected, cost: 30n, gain: 0n, waits: 0n });
    expect(arrival(10_005n, [6_000n, 4_000n, 0n])).toEqual({ expected, cost: 0n, gain: 5n, waits: 0n });
    expect(arrival(10_000n, [6_000n, 4_000n])).toEqual({ expected, cost: 0n, gain: 0n, waits: 0n });
  });

  it('The amount of an arrival awaits a review of its whole gain if that exceeds 0.1 %, even by a micro-unit', () => {
    expect(arrival(10_010n, [6_000n, 4_000n])).toMatchObject({ gain: 10n, waits: 0n });
    expect(arrival(10_011n, [6_000n, 4_000n])).toMatchObject({ gain: 0n, waits: 11n });
  });

  it('The amount of an arrival is accepted up to 5 % below or above, and refused a micro-unit beyond', () => {
    for (const amount of [9_500n, 10_500n]) expect(arrival(amount, [10_000n]).expected).toBe(10_000n);
    for (const amount of [9_499n, 10_501n])
      expect(() => arrival(amount, [10_000n])).toThrow(
        expect.objectContaining({ code: 'amount_out_of_bounds' }),
      );
    expect(() => arrival(10_501n, [10_000n])).toThrow(
      '0.010501 USDC was reported; the funds of this move are worth 0.01',
    );
  });

  it('The amount of an arrival is refused if positions of one micro-unit each cannot bear the cost', () => {
    expect(() =>
      arrival(
        99n,
        Array.from({ length: 100 }, () => 1n),
      ),
    ).toThrow('was reported');
  });
});
