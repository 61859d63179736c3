import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError } from './domain-error.js';
import {
  formatAmount,
  MAX_AMOUNT,
  parseAmount,
  parseAmountText,
  rateDifference,
  roundRate,
  scaledRate,
  toUnits,
} from './money.js';

describe('an amount of a request', () => {
  it.each([
    [0.000001, 1n],
    [0.1, 100_000n],
    [0.3, 300_000n],
    [1.1, 1_100_000n],
    [123.456789, 123_456_789n],
    [450_359_962.737049, 450_359_962_737_049n],
    [999_999_999.999999, 999_999_999_999_999n],
    [1e9, MAX_AMOUNT],
    [1e3, 1_000_000_000n],
  ])('%p is %p micro-units', (units, micro) => expect(parseAmount(units)).toBe(micro));

  it.each([
    0,
    -0,
    -1,
    -0.000001,
    0.0000001,
    1e-7,
    1.0000001,
    0.1 + 0.2,
    NaN,
    Infinity,
    -Infinity,
    1e9 + 0.000001,
    1e9 + 1,
    1e12,
    1e21,
    1e300,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_VALUE,
  ])('is refused: %p', (value) => expect(() => parseAmount(value)).toThrow(DomainError));

  it.each([['1'], ['0x10'], [null], [undefined], [true], [[1]], [{}], [1n], [new Number(1)]])(
    'is a number, which %p is not',
    (value) => expect(() => parseAmount(value)).toThrow(DomainError),
  );

  it('has its field and allowed values in an error', () => {
    const refusal = (read: () => unknown) => {
      try {
        read();
      } catch (error) {
        return error;
      }
    };
    expect(refusal(() => parseAmount(-1, 'deposit.amount'))).toMatchObject({
      code: 'validation_failed',
      details: [
        {
          field: 'deposit.amount',
          message: 'must be above 0 and at most 1000000000, with at most 6 decimals',
        },
      ],
    });
  });

  it('is parsed exactly from text and number in JSON', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT }), (micro) => {
        expect(parseAmount(JSON.parse(formatAmount(micro)))).toBe(micro);
        expect(parseAmount(toUnits(micro))).toBe(micro);
      }),
      { numRuns: 1_000 },
    );
  });

  it('from any double is rejected, or is the decimal that prints that double', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2e9, noNaN: true }), (value) => {
        let micro: bigint;
        try {
          micro = parseAmount(value);
        } catch {
          return;
        }
        expect(toUnits(micro)).toBe(value);
        expect(micro > 0n && micro <= MAX_AMOUNT).toBe(true);
      }),
    );
  });
});

describe('an amount in whole units', () => {
  it('is exact as text if a double cannot represent it', () => {
    const micro = 2n ** 33n * 1_000_000n + 1n;
    expect([String(toUnits(micro)), Number(toUnits(micro))]).toEqual([
      '8589934592.000001',
      8589934592.000002,
    ]);
  });

  it('prints in JSON like the double nearest to its decimals, at any size', () => {
    const exact = 2n ** 53n;
    for (const micro of [0n, 1n, -1n, exact - 1n, exact, exact + 1n, exact + 2n, -exact - 1n, 10n ** 30n])
      expect(JSON.stringify(toUnits(micro))).toBe(JSON.stringify(Number(formatAmount(micro))));
    const any = fc.oneof(
      fc.bigInt({ min: -exact, max: exact }),
      fc.bigInt({ min: -(exact ** 2n), max: exact ** 2n }),
    );
    fc.assert(
      fc.property(any, (micro) => {
        expect(JSON.stringify(toUnits(micro))).toBe(JSON.stringify(Number(formatAmount(micro))));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an amount as text', () => {
  it('is exact over the whole range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT }), (micro) => {
        expect(parseAmountText(formatAmount(micro))).toBe(micro);
      }),
    );
    expect(parseAmountText('999999999.999999')).toBe(MAX_AMOUNT - 1n);
    expect(parseAmountText('1.500000')).toBe(1_500_000n);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '01',
    '1.',
    '.5',
    '1e3',
    '1E-3',
    '0x10',
    '1_000',
    '1,5',
    '0',
    '0.000000',
    '0.0000001',
    '1.0000000',
    '1000000000.000001',
    '10000000000',
    'NaN',
    'Infinity',
    '1\n',
    '١',
  ])('is refused: %p', (text) => expect(() => parseAmountText(text)).toThrow(DomainError));
});

describe('an amount of a response', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [12_500_000n, '12.5'],
    [40_000_000n, '40'],
    [-1_234_567_890n, '-1234.56789'],
  ])('%p micro-units are %p', (micro, text) => {
    expect(formatAmount(micro)).toBe(text);
    expect(toUnits(micro)).toBe(Number(text));
  });
});

describe('a rounded rate', () => {
  it.each([
    [0.1 + 0.2, 0.3],
    [0.1 / 3, 0.033333333333],
    [-0.1 / 3, -0.033333333333],
    [2 / 3, 0.666666666667],
    [4.9e-13, 0],
    [1e-12, 1e-12],
    [12_345.678901234567, 12_345.678901234567],
    [1e15, 1e15],
  ])('%p is %p', (rate, shown) => expect(roundRate(rate)).toBe(shown));

  it('is never -0, and is null for null', () => {
    expect(Object.is(roundRate(-1e-15), 0)).toBe(true);
    expect(roundRate(null)).toBeNull();
  });

  it('is the closest value with at most twelve decimals, and does not change when rounded again', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (rate) => {
        const shown = roundRate(rate);
        expect(roundRate(shown)).toBe(shown);
        expect(Number(shown.toFixed(12)) + 0).toBe(shown);
        expect(Math.abs(shown - rate)).toBeLessThanOrEqual(5.0001e-13 + Math.abs(rate) * Number.EPSILON);
      }),
    );
  });
});

it('a difference of rates is rounded: 6 % less 5 % is 1 pp', () => {
  expect(0.06 - 0.05 >= 0.01).toBe(false);
  expect(rateDifference(0.06, 0.05)).toBe(0.01);
  expect(rateDifference(0.05, 0.06)).toBe(-0.01);
  expect(Object.is(rateDifference(0.05, 0.05), 0)).toBe(true);
});

it('a scaled rate is a whole number', () => {
  expect(scaledRate(0.0523)).toBe(52_300_000_000n);
  expect(scaledRate(0.06 - 0.05)).toBe(10_000_000_000n);
  expect(scaledRate(-0.01)).toBe(-10_000_000_000n);
});
