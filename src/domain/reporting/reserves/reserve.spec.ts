import { describe, expect, it } from '@jest/globals';
import { coverageOf, deviationOf, differenceOf } from './reserve.js';

const units = (amount: number): bigint => BigInt(Math.round(amount * 1e6));
const reserve = (books: number, chainHolds: number | null, inFlight = 0) => ({
  books: units(books),
  chainHolds: chainHolds === null ? null : units(chainHolds),
  inFlight: units(inFlight),
});

describe('a reserve', () => {
  it.each<[string, ReturnType<typeof reserve>, 'short' | 'over' | null]>(
    // prettier-ignore
    [
      ['is even with the books', reserve(1_000, 1_000), null],
      ['may differ by a unit', reserve(1_000, 999), null],
      ['is short by more than a unit', reserve(1_000, 998.999999), 'short'],
      ['may differ by 0.01 % of the books', reserve(100_000, 99_990), null],
      ['is short by more than 0.01 % of the books', reserve(100_000, 99_989.999999), 'short'],
      ['is over by more than both', reserve(100_000, 100_010.000001), 'over'],
      ['is over where nothing is in the books', reserve(0, 1.000001), 'over'],
      ['may lack what is in flight', reserve(100_000, 60_000, 40_000), null],
      ['is short beyond what is in flight', reserve(100_000, 59_989, 40_000), 'short'],
      ['may have what is in flight', reserve(0, 40_000, 40_000), null],
      ['is unknown', reserve(1_000, null), null],
    ],
  )('A reserve %s', (_, compared, deviation) => expect(deviationOf(compared)).toBe(deviation));

  it('A reserve has a difference, and a coverage only where the books have funds', () => {
    expect(differenceOf(reserve(1_000, 990))).toBe(units(-10));
    expect(coverageOf(reserve(1_000, 990))).toBe(0.99);
    expect(coverageOf(reserve(0, 990))).toBeNull();
    expect([differenceOf(reserve(5, null)), coverageOf(reserve(5, null))]).toEqual([null, null]);
  });
});
