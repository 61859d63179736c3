import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { sharesFor, sharesToBurn, valueOf } from './shares.js';

/** Up to 1e12 units. */
const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
/** From a tenth to a thousand times the start. */
const index = fc.bigInt({ min: 10n ** 17n, max: 10n ** 21n });
const signedShares = fc.bigInt({ min: -(10n ** 31n), max: 10n ** 31n });

describe('shares', () => {
  it('of 123456789 micro-units at 1.234567890123456789 are 99999999990000000000, worth 123456788', () => {
    const at = 1234567890123456789n;
    expect(sharesFor(123456789n, at)).toBe(99999999990000000000n);
    expect(valueOf(99999999990000000000n, at)).toBe(123456788n);
  });

  it('are worth the deposit or one micro-unit less right after it', () => {
    fc.assert(
      fc.property(amount, index, (deposit, at) => {
        const loss = deposit - valueOf(sharesFor(deposit, at), at);
        expect(loss === 0n || loss === 1n).toBe(true);
      }),
    );
  });

  it('are not more for a deposit in parts', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), index, (parts, at) => {
        const whole = sharesFor(
          parts.reduce((sum, part) => sum + part),
          at,
        );
        const split = parts.reduce((sum, part) => sum + sharesFor(part, at), 0n);
        expect(split).toBeLessThanOrEqual(whole);
        expect(valueOf(split, at)).toBeLessThanOrEqual(valueOf(whole, at));
      }),
    );
  });

  it('are 0 for what is too small to buy one', () => expect(sharesFor(1n, 10n ** 30n + 1n)).toBe(0n));
});

describe('a withdrawal', () => {
  it('never burns more than there is, and leaves the rest of the value or one micro-unit less', () => {
    fc.assert(
      fc.property(amount, index, fc.bigInt({ min: 0n, max: 10_000n }), (deposit, at, part) => {
        const held = sharesFor(deposit, at);
        const value = valueOf(held, at);
        const taken = (value * part) / 10_000n;
        const rest = held - sharesToBurn(taken, at);
        expect(rest).toBeGreaterThanOrEqual(0n);
        const loss = value - taken - valueOf(rest, at);
        expect(loss === 0n || loss === 1n).toBe(true);
      }),
    );
  });

  it('burns what it is worth, rounded up, and at least what the same deposit buys', () => {
    expect(sharesToBurn(1n, 3n * 10n ** 18n)).toBe(333333333334n);
    expect(sharesToBurn(0n, 10n ** 18n)).toBe(0n);
    fc.assert(
      fc.property(amount, index, (taken, at) => {
        const dearer = sharesToBurn(taken, at) - sharesFor(taken, at);
        expect(dearer === 0n || dearer === 1n).toBe(true);
        expect(valueOf(sharesToBurn(taken, at), at)).toBeGreaterThanOrEqual(taken);
      }),
    );
  });

  it('in and out at one index never gains', () => {
    fc.assert(
      fc.property(amount, index, (deposit, at) => {
        expect(valueOf(sharesFor(deposit, at), at)).toBeLessThanOrEqual(deposit);
        expect(sharesToBurn(deposit, at)).toBeGreaterThanOrEqual(sharesFor(deposit, at));
      }),
    );
  });
});

describe('value', () => {
  it('rounds a debt up', () => {
    expect(valueOf(-1n, 10n ** 18n)).toBe(-1n);
    expect(valueOf(-(10n ** 12n), 10n ** 18n)).toBe(-1n);
    expect(valueOf(1n, 10n ** 18n)).toBe(0n);
  });

  it('of a sum of books is the sum of their values, or more by less than a micro-unit a book, whatever their signs', () => {
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

  it('of a book that is overdrawn by a withdrawal falls by that amount, and at most one micro-unit more', () => {
    fc.assert(
      fc.property(signedShares, index, amount, (held, at, taken) => {
        const loss = valueOf(held, at) - taken - valueOf(held - sharesToBurn(taken, at), at);
        expect(loss === 0n || loss === 1n).toBe(true);
      }),
    );
  });
});
