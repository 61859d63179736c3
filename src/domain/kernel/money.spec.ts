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

/** The micro-units, or `refused`. */
const outcomeOf = (read: () => bigint): bigint | 'refused' => {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return 'refused';
    throw error;
  }
};
const refused = <T>(...values: T[]) => values.map((value): [T, 'refused'] => [value, 'refused']);

describe('an amount of a request', () => {
  it.each<[unknown, bigint | 'refused']>([
    [0.000001, 1n],
    [0.1, 100_000n],
    [0.3, 300_000n],
    [1.1, 1_100_000n],
    [123.456789, 123_456_789n],
    [450_359_962.737049, 450_359_962_737_049n],
    [999_999_999.999999, 999_999_999_999_999n],
    [1e9, MAX_AMOUNT],
    ...refused<unknown>(0, -0, -1, -0.000001, 0.0000001, 1.0000001, 0.1 + 0.2, 1e9 + 0.000001, 1e21, 1e300),
    ...refused<unknown>(NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE),
    ...refused<unknown>('1', '0x10', null, undefined, true, [1], {}, 1n, new Number(1)),
  ])('%p is %p micro-units', (value, micro) =>
    expect(outcomeOf(() => parseAmount(value as number))).toBe(micro),
  );

  it.each<[string, bigint | 'refused']>([
    ['999999999.999999', MAX_AMOUNT - 1n],
    ['1.500000', 1_500_000n],
    ...refused('', ' 1', '1 ', '+1', '-1', '01', '1.', '.5', '1e3', '1E-3', '0x10', '1_000', '1,5'),
    ...refused('0', '0.000000', '0.0000001', '1.0000000', '1000000000.000001', '10000000000'),
    ...refused('NaN', 'Infinity', '1\n', '١'),
  ])('An amount of a request as the text %p is %p micro-units', (text, micro) =>
    expect(outcomeOf(() => parseAmountText(text))).toBe(micro),
  );

  it('An amount of a request has its field and allowed values in an error', () => {
    expect(() => parseAmount(-1, 'deposit.amount')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: [
          {
            field: 'deposit.amount',
            message: 'must be above 0 and at most 1000000000, with at most 6 decimals',
          },
        ],
      }),
    );
  });

  it('An amount of a request is parsed exactly from text and number in JSON', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT }), (micro) => {
        expect(parseAmount(JSON.parse(formatAmount(micro)))).toBe(micro);
        expect(parseAmount(toUnits(micro))).toBe(micro);
        expect(parseAmountText(formatAmount(micro))).toBe(micro);
      }),
      { numRuns: 1_000 },
    );
  });

  it('An amount of a request from any double is refused, or is the decimal that prints that double', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2e9, noNaN: true }), (value) => {
        const micro = outcomeOf(() => parseAmount(value));
        if (micro === 'refused') return;
        expect(toUnits(micro)).toBe(value);
        expect(micro > 0n && micro <= MAX_AMOUNT).toBe(true);
      }),
    );
  });
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

  it('An amount of a response is exact as text if a double cannot represent it, and in JSON the double nearest to its decimals', () => {
    const micro = 2n ** 33n * 1_000_000n + 1n;
    expect(String(toUnits(micro))).toBe('8589934592.000001');
    expect(Number(toUnits(micro))).toBe(8589934592.000002);
    const exact = 2n ** 53n;
    const edge = [0n, 1n, -1n, exact - 1n, exact, exact + 1n, exact + 2n, -exact - 1n, 10n ** 30n];
    const any = fc.oneof(
      fc.constantFrom(...edge),
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

  it('A rounded rate is never -0, and is null for null', () => {
    expect(Object.is(roundRate(-1e-15), 0)).toBe(true);
    expect(roundRate(null)).toBeNull();
  });

  it('A rounded rate is the closest value with at most twelve decimals, and does not change when rounded again', () => {
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

it('A difference of rates is rounded: 6 % less 5 % is 1 pp', () => {
  expect(0.06 - 0.05 >= 0.01).toBe(false);
  expect([rateDifference(0.06, 0.05), rateDifference(0.05, 0.06), rateDifference(0.05, 0.05)]).toEqual([
    0.01, -0.01, 0,
  ]);
});

it.each([
  [0.0523, 52_300_000_000n],
  [0.06 - 0.05, 10_000_000_000n],
  [-0.01, -10_000_000_000n],
])('The rate %p scaled is the whole number %p', (rate, scaled) => expect(scaledRate(rate)).toBe(scaled));
