import { invalid } from './domain-error.js';

/** Micro-units in an asset unit: amounts have 6 decimals. */
export const MICRO_PER_UNIT = 1_000_000n;

export const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n);

/** Micro-units in the smallest units of a token with these decimals, 6 at least. */
export const tokenUnits = (micro: bigint, decimals: number): bigint => micro * 10n ** BigInt(decimals - 6);

/** Limit of one movement: 1e9 asset units, in micro-units. Up to it a double represents every micro-unit, so no amount is rounded. */
export const MAX_AMOUNT = 10n ** 9n * MICRO_PER_UNIT;

const DECIMAL = /^(0|[1-9]\d{0,9})(?:\.(\d{1,6}))?$/;

/**
 * Parses an amount of a request, a JSON number in whole units, to micro-units, 1..1e15. Exact: the shortest decimal of the double is what the sender
 * wrote, because below 2^33 neighbouring doubles are closer than a micro-unit. Numeric strings are refused. Throws DomainError `validation_failed`,
 * naming `field`.
 */
export function parseAmount(value: unknown, field = 'amount'): bigint {
  if (typeof value !== 'number') throw invalid(field, 'must be a JSON number in whole asset units');
  return parseAmountText(String(value), field);
}

/** Parses plain decimals ("12.5"; no sign, exponent, leading zeros or spaces) to micro-units, 1..1e15. Throws DomainError `validation_failed`. */
export function parseAmountText(text: string, field = 'amount'): bigint {
  const [, units, decimals = ''] = DECIMAL.exec(text) ?? [];
  const micro = units === undefined ? 0n : BigInt(units + decimals.padEnd(6, '0'));
  if (micro <= 0n || micro > MAX_AMOUNT)
    throw invalid(field, 'must be above 0 and at most 1000000000, with at most 6 decimals');
  return micro;
}

/** Amount beyond 2^33 units, where a double does not hold every micro-unit: a number in JSON, exact as text. */
class LargeUnits extends Number {
  constructor(private readonly micro: bigint) {
    super(formatAmount(micro));
  }

  override toString(): string {
    return decimalText(this.micro);
  }
}

const MAX_EXACT = 2n ** 33n * MICRO_PER_UNIT;

/** The nearest double in whole units, which up to 2^33 units parses back to the same amount of micro-units. */
export function toUnits(micro: bigint): number {
  // A quotient of two exact numbers is the nearest double.
  if (micro <= MAX_EXACT && micro >= -MAX_EXACT) return Number(micro) / Number(MICRO_PER_UNIT);
  return new LargeUnits(micro) as unknown as number;
}

/** Exact text in whole units, without trailing zeros ("-0.000001", "12.5", "40"), of signed micro-units. */
export function formatAmount(micro: bigint): string {
  const size = micro < 0n ? -micro : micro;
  let decimals = (size % MICRO_PER_UNIT).toString().padStart(6, '0');
  while (decimals.endsWith('0')) decimals = decimals.slice(0, -1);
  return `${micro < 0n ? '-' : ''}${size / MICRO_PER_UNIT}${decimals && '.'}${decimals}`;
}

/** Exact text with all six decimals, of signed micro-units. */
export function decimalText(micro: bigint): string {
  const [units, decimals = ''] = formatAmount(micro).split('.');
  return `${units}.${decimals.padEnd(6, '0')}`;
}

/** Decimals of every displayed rate, share and index. */
export const RATE_DECIMALS = 12;

/** Scale of a rate as an integer, to multiply amounts by. */
export const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);

declare const rounded: unique symbol;

/** Rate with at most 12 decimals. Only `roundRate` creates it: fields of answers and events have this type, so that no rate is shown unrounded. */
export type RoundedRate = number & { readonly [rounded]: true };

/** The only place that rounds rates. Sums of binary fractions end in noise, so one figure computed in two ways would be shown as two. */
export function roundRate(rate: number): RoundedRate;
export function roundRate(rate: number | null): RoundedRate | null;
export function roundRate(rate: number | null): RoundedRate | null {
  // Adding 0 turns -0, which JSON does not have, into 0.
  return rate === null ? null : ((Number(rate.toFixed(RATE_DECIMALS)) + 0) as RoundedRate);
}

/** Rounded difference, so that 6 % less 5 % reaches a threshold of 1 pp, which binary fractions would miss. */
export const rateDifference = (rate: number, other: number): RoundedRate => roundRate(rate - other);

/** APY in words: `4.30 %`; null: `unknown`. */
export const percentInWords = (rate: number | null): string =>
  rate === null ? 'unknown' : `${(rate * 100).toFixed(2)} %`;

/** Difference of rates in words: `1.46 pp`. */
export const pointsInWords = (rate: number, decimals = 2): string => `${(rate * 100).toFixed(decimals)} pp`;

export const scaledRate = (rate: number): bigint => BigInt(Math.round(rate * Number(RATE_SCALE)));

/** A number that may be an amount beyond 2^33 units. */
const LONG_NUMBER = /:-?\d{10}/;

/** JSON with an exact text beside each amount that a double does not hold to the micro-unit: such an amount is an object, which has that text. */
export function jsonOf(body: object): string {
  const text = JSON.stringify(body);
  return LONG_NUMBER.test(text) ? JSON.stringify(body, withExactTexts) : text;
}

function withExactTexts(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] =>
      field instanceof Number
        ? [
            [name, field.valueOf()],
            [`${name}_exact`, String(field)],
          ]
        : [[name, field]],
    ),
  );
}
