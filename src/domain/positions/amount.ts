import { invalid } from '../domain-error.js';

/** Micro-units in an asset unit: amounts have 6 decimals. */
export const MICRO_PER_UNIT = 1_000_000n;

/** The most that one movement may be: 1e12 asset units, in micro-units. */
export const MAX_AMOUNT = 10n ** 12n * MICRO_PER_UNIT;

/** Decimal digits that a double always keeps. */
const DIGITS_OF_A_DOUBLE = 15;
/** Below 2^33 units neighbouring doubles lie closer than a micro-unit, so each amount has one of its own. */
const EXACT_BELOW_UNITS = 2 ** 33;

const DECIMAL = /^(0|[1-9]\d{0,12})(?:\.(\d{1,6}))?$/;

/**
 * Reads an amount of a request: a JSON number in whole asset units, at most 6 decimals, above 0 and at most 1e12.
 *
 * Exact: the number is taken for the shortest decimal that names it, which below 2^33 units (8.59e9) and for all of up to 15
 * digits is what the sender wrote. Above 2^33 units JSON numbers lie further apart than a micro-unit, so more than 15 digits
 * are refused rather than rounded. Nothing was lost before the number got here: what reads bodies refuses a number whose
 * digits a double does not keep.
 *
 * @param value what JSON held; anything but a number is refused, numeric strings too
 * @param field named in the error
 * @returns micro-units, 1..1e18
 * @throws DomainError `validation_failed`
 */
export function parseAmount(value: unknown, field = 'amount'): bigint {
  if (typeof value !== 'number') throw invalid(field, 'must be a JSON number in whole asset units');
  const text = String(value);
  if (value >= EXACT_BELOW_UNITS && text.replace('.', '').length > DIGITS_OF_A_DOUBLE)
    throw invalid(field, `must have at most ${DIGITS_OF_A_DOUBLE} digits, as a JSON number holds no more`);
  return parseAmountText(text, field);
}

/**
 * Reads an amount that is written in plain decimals ("12.5"): no sign, no exponent, no leading zeros, no spaces.
 *
 * @param field named in the error
 * @returns micro-units, 1..1e18, exact for every text
 * @throws DomainError `validation_failed`
 */
export function parseAmountText(text: string, field = 'amount'): bigint {
  const [, units, decimals = ''] = DECIMAL.exec(text) ?? [];
  const micro = units === undefined ? 0n : BigInt(units + decimals.padEnd(6, '0'));
  if (micro <= 0n || micro > MAX_AMOUNT)
    throw invalid(field, 'must be above 0 and at most 1000000000000, with at most 6 decimals');
  return micro;
}

/**
 * An amount as an answer shows it: the JSON number nearest to it, which up to 2^33 units is read back as the same amount.
 *
 * @param micro micro-units, signed
 * @returns whole asset units
 */
export function toUnits(micro: bigint): number {
  return Number(formatAmount(micro));
}

/**
 * An amount in words: exact, without trailing zeros ("-0.000001", "12.5", "40").
 *
 * @param micro micro-units, signed
 * @returns whole asset units in plain decimals
 */
export function formatAmount(micro: bigint): string {
  const size = micro < 0n ? -micro : micro;
  const decimals = (size % MICRO_PER_UNIT).toString().padStart(6, '0').replace(/0+$/, '');
  return `${micro < 0n ? '-' : ''}${size / MICRO_PER_UNIT}${decimals && '.'}${decimals}`;
}
