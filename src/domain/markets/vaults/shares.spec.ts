import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { sharesFor, valueOf } from './yield-index.js';

/** Up to 1e12 units. */
const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
/** From a tenth of the initial index to a thousand times of it. */
const index = fc.bigInt({ min: 10n ** 17n, max: 10n ** 21n });
const signedShares = fc.bigInt({ min: -(10n ** 31n), max: 10n ** 31n });

describe('shares', () => {
  it('for 123456789 micro-units at 1.234567890123456789 are 99999999990000000001, worth 123456789', () => {
    const at = 1234567890123456789n;
    expect(sharesFor(123456789n, at)).toBe(99999999990000000001n);
    expect(valueOf(99999999990000000001n, at)).toBe(123456789n);
  });

  it('are worth exactly the deposit at its index, and less with one share fewer', () => {
    fc.assert(
      fc.property(amount, index, (deposit, at) => {
        const shares = sharesFor(deposit, at);
        expect(valueOf(shares, at)).toBe(deposit);
        expect(valueOf(shares - 1n, at)).toBeLessThan(deposit);
      }),
    );
  });

  it('exceed those of a whole deposit by less than one for each part, without additional value', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), index, (parts, at) => {
        const whole = sharesFor(
          parts.reduce((sum, part) => sum + part),
          at,
        );
        const split = parts.reduce((sum, part) => sum + sharesFor(part, at), 0n);
        expect(split - whole).toBeGreaterThanOrEqual(0n);
        expect(split - whole).toBeLessThan(BigInt(parts.length));
        expect(valueOf(split, at)).toBe(valueOf(whole, at));
      }),
    );
  });

  it('are one for the smallest deposit at the highest index, and none for 0', () => {
    expect(sharesFor(1n, 10n ** 30n)).toBe(1n);
    expect(sharesFor(0n, 10n ** 18n)).toBe(0n);
    expect(sharesFor(1n, 3n * 10n ** 18n)).toBe(333333333334n);
  });
});

describe('a withdrawal', () => {
  it('never burns more shares than are held, and leaves the remaining value or one micro-unit less', () => {
    fc.assert(
      fc.property(amount, index, fc.bigInt({ min: 0n, max: 10_000n }), (deposit, at, part) => {
        const held = sharesFor(deposit, at);
        const value = valueOf(held, at);
        const taken = (value * part) / 10_000n;
        const rest = held - sharesFor(taken, at);
        expect(rest).toBeGreaterThanOrEqual(0n);
        const loss = value - taken - valueOf(rest, at);
        expect(loss === 0n || loss === 1n).toBe(true);
      }),
    );
  });
});

describe('the value', () => {
  it('of a sum of books exceeds the sum of their values by less than a micro-unit per book', () => {
    fc.assert(
      fc.property(fc.array(signedShares, { minLength: 1, maxLength: 20 }), index, (books, at) => {
        const together = valueOf(
          books.reduce((sum, shares) => sum + shares),
          at,
        );
        const apart = books.reduce((sum, shares) => sum + valueOf(shares, at), 0n);
        expect(together - apart).toBeGreaterThanOrEqual(0n);
        expect(together - apart).toBeLessThan(BigInt(books.length));
      }),
    );
  });
});
