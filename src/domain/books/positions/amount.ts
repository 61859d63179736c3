import { invalid } from '../../kernel/domain-error.js';

/** Micro-units in an asset unit: amounts have 6 decimals. */
export const MICRO_PER_UNIT = 1_000_000n;

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
    const [units, decimals = ''] = formatAmount(this.micro).split('.');
    return `${units}.${decimals.padEnd(6, '0')}`;
  }
}

const MOST_EXACT = 2n ** 33n * MICRO_PER_UNIT;

/** The nearest double in whole units, which up to 2^33 units parses back to the same amount of micro-units. */
export function toUnits(micro: bigint): number {
  // A quotient of two exact numbers is the nearest double.
  if (micro <= MOST_EXACT && micro >= -MOST_EXACT) return Number(micro) / Number(MICRO_PER_UNIT);
  return new LargeUnits(micro) as unknown as number;
}

/** Exact text in whole units, without trailing zeros ("-0.000001", "12.5", "40"), of signed micro-units. */
export function formatAmount(micro: bigint): string {
  const size = micro < 0n ? -micro : micro;
  const decimals = (size % MICRO_PER_UNIT).toString().padStart(6, '0').replace(/0+$/, '');
  return `${micro < 0n ? '-' : ''}${size / MICRO_PER_UNIT}${decimals && '.'}${decimals}`;
}
