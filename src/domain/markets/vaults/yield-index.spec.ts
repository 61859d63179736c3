import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { START } from '../../../../test/support/observed.js';
import { addHours } from '../../kernel/clock.js';
import {
  accrueIndex,
  aprToApy,
  floorDivide,
  hourlyFactor,
  INDEX_SCALE,
  indexWithin,
  isStale,
  sharesFor,
  valueOf,
} from './yield-index.js';

const accrue = (index: bigint, apy: number, hours: number): bigint => {
  const factor = hourlyFactor(apy);
  for (let hour = 0; hour < hours; hour++) index = accrueIndex(index, factor);
  return index;
};
const sumOf = (all: readonly bigint[]): bigint => all.reduce((sum, value) => sum + value, 0n);

/** Up to 1e12 units. */
const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
/** From a tenth of the initial index to a thousand times of it. */
const index = fc.bigInt({ min: 10n ** 17n, max: 10n ** 21n });
const rate = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('the hourly factor', () => {
  it.each([
    [0.04, 4477260382864n],
    [0.05, 5569668954548n],
    [0.1, 10880216701038n],
    [0, 0n],
    [-0.05, -5855381759874n],
  ])('The hourly factor of %p is %p', (apy, factor) => expect(hourlyFactor(apy)).toBe(factor));

  it.each([NaN, Infinity, -Infinity, -1, -2])('The hourly factor refuses %p', (apy) =>
    expect(() => hourlyFactor(apy)).toThrow(RangeError),
  );
});

describe('the index', () => {
  it('The index is 1049999999999998911 after 8,760 hours at 5 %', () =>
    expect(accrue(INDEX_SCALE, 0.05, 8_760)).toBe(1049999999999998911n));

  it('The index compounds to the APY in a year, to a billionth', () =>
    fc.assert(
      fc.property(rate(-0.5, 3), (apy) => {
        const year = accrue(INDEX_SCALE, apy, 8_760);
        expect(Math.abs(Number(year) / 1e18 - (1 + apy))).toBeLessThan(1e-9);
      }),
      { numRuns: 30 },
    ));

  it('The index does not fall while the rate is at least 0, and stays above 0 under losses', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 24n }), rate(0, 100), (at, apy) => {
        expect(accrueIndex(at, hourlyFactor(apy))).toBeGreaterThanOrEqual(at);
      }),
    );
    expect(accrue(INDEX_SCALE, -0.9999, 8_760)).toBeGreaterThan(0n);
    expect([accrueIndex(1n, -1n), indexWithin(1n, -1n, 1)]).toEqual([1n, 1n]);
  });

  it('The index rounds down on both sides of 0', () => {
    expect(accrueIndex(INDEX_SCALE + 1n, 1n)).toBe(INDEX_SCALE + 2n);
    expect(accrueIndex(INDEX_SCALE + 1n, -1n)).toBe(INDEX_SCALE - 1n);
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (dividend, divisor) => {
        const remainder = dividend - floorDivide(dividend, divisor) * divisor;
        expect(remainder >= 0n && remainder < divisor).toBe(true);
      }),
    );
  });

  it('The index is 1000002784834477274 after half an hour at 5 %, and never beyond the ends of its hour', () => {
    const factor = hourlyFactor(0.05);
    expect(indexWithin(INDEX_SCALE, factor, 1_800_000)).toBe(1000002784834477274n);
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 24n }), rate(-0.9, 10), (at, apy) => {
        const factor = hourlyFactor(apy);
        for (const ms of [-1, 0]) expect(indexWithin(at, factor, ms)).toBe(at);
        for (const ms of [3_600_000, 3_600_001])
          expect(indexWithin(at, factor, ms)).toBe(accrueIndex(at, factor));
      }),
    );
  });
});

describe('an APR', () => {
  it('An APR of 10 % equals an APY of 10.517029 %', () => expect(aprToApy(0.1)).toBeCloseTo(0.10517029, 8));

  it('An APR has the same hourly factor as the APR divided by the hours of a year', () =>
    fc.assert(
      fc.property(rate(0, 5), (apr) => {
        const spread = (apr / 8_760) * 1e18;
        expect(Math.abs(Number(hourlyFactor(aprToApy(apr))) - spread)).toBeLessThanOrEqual(1 + spread * 1e-9);
      }),
    ));
});

describe('shares', () => {
  it.each([
    [123456789n, 1234567890123456789n, 99999999990000000001n],
    [1n, 3n * 10n ** 18n, 333333333334n],
    [1n, 10n ** 30n, 1n],
    [0n, 10n ** 18n, 0n],
  ])('Shares for %p micro-units at the index %p are %p', (deposit, at, shares) =>
    expect(sharesFor(deposit, at)).toBe(shares),
  );

  it('Shares are worth exactly the deposit at its index, and less with one share fewer', () =>
    fc.assert(
      fc.property(amount, index, (deposit, at) => {
        const shares = sharesFor(deposit, at);
        expect(valueOf(shares, at)).toBe(deposit);
        expect(valueOf(shares - 1n, at)).toBeLessThan(deposit);
      }),
    ));

  it('Shares of a split deposit exceed those of the whole by less than one for each part, without additional value', () =>
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), index, (parts, at) => {
        const whole = sharesFor(sumOf(parts), at);
        const split = sumOf(parts.map((part) => sharesFor(part, at)));
        expect(split - whole).toBeGreaterThanOrEqual(0n);
        expect(split - whole).toBeLessThan(BigInt(parts.length));
        expect(valueOf(split, at)).toBe(valueOf(whole, at));
      }),
    ));
});

it('A vault is stale when its last observation is more than 24 hours old, or there is none', () => {
  const stale = (observedHour: Date | null, hours: number) =>
    isStale({ observedHour }, addHours(START, hours));
  expect([stale(START, 24), stale(START, 25), stale(null, 0)]).toEqual([false, true, true]);
});
