import { invalid } from '../domain-error.js';

/** Micro-units in an asset unit: amounts have 6 decimals. */
export const MICRO_PER_UNIT = 1_000_000n;

/** The most that one movement may be: 1e9 asset units, in micro-units. Up to it a double names every micro-unit, so that no amount is rounded. */
export const MAX_AMOUNT = 10n ** 9n * MICRO_PER_UNIT;

const DECIMAL = /^(0|[1-9]\d{0,9})(?:\.(\d{1,6}))?$/;

/**
 * Reads an amount of a request: a JSON number in whole asset units, at most 6 decimals, above 0 and at most 1e9.
 *
 * Exact: the number is taken for the shortest decimal that names it, which in this range is what the sender wrote: below 2^33 neighbouring doubles lie closer
 * than a micro-unit. What reads bodies refuses a number whose digits a double does not keep.
 *
 * @param value what JSON held; anything but a number is refused, numeric strings too
 * @param field named in the error
 * @returns micro-units, 1..1e15
 * @throws DomainError `validation_failed`
 */
export function parseAmount(value: unknown, field = 'amount'): bigint {
  if (typeof value !== 'number') throw invalid(field, 'must be a JSON number in whole asset units');
  return parseAmountText(String(value), field);
}

/**
 * Reads an amount that is written in plain decimals ("12.5"): no sign, no exponent, no leading zeros, no spaces.
 *
 * @param field named in the error
 * @returns micro-units, 1..1e15, exact for every text
 * @throws DomainError `validation_failed`
 */
export function parseAmountText(text: string, field = 'amount'): bigint {
  const [, units, decimals = ''] = DECIMAL.exec(text) ?? [];
  const micro = units === undefined ? 0n : BigInt(units + decimals.padEnd(6, '0'));
  if (micro <= 0n || micro > MAX_AMOUNT)
    throw invalid(field, 'must be above 0 and at most 1000000000, with at most 6 decimals');
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
