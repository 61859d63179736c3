import { csvText, rateText } from '../../domain/kernel/csv.js';
import { jsonOf } from '../../domain/kernel/money.js';

export const AMOUNT_DECIMALS = 6;
export const RATE_DECIMALS = 12;

export interface Column {
  /** Names down to the field: `settlement.status`. */
  path: readonly string[];
  /** Decimals of an amount or a rate; null for any other field. */
  decimals: number | null;
}

/** CSV cell of a field (RFC 4180): empty for null; a text that a spreadsheet would take for a formula is escaped. */
export function cellOf({ path, decimals }: Column, item: object): string {
  let value: unknown = item;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  if (value === null || value === undefined) return '';
  if (decimals !== null) return decimalsOf(value, decimals);
  if (typeof value === 'number') return String(value);
  return csvText(typeof value === 'string' ? value : jsonOf(value));
}

/** Amounts have all six decimals, rates those that they need. An amount beyond a double's precision comes as an object, whose text is exact. */
function decimalsOf(value: number | { toString(): string }, decimals: number): string {
  if (typeof value !== 'number') return value.toString();
  return decimals === RATE_DECIMALS ? rateText(value) : value.toFixed(decimals);
}
