import { jsonOf } from '../../domain/kernel/money.js';

export const AMOUNT_DECIMALS = 6;
export const RATE_DECIMALS = 12;

export interface Column {
  /** Names down to the field: `settlement.status`. */
  path: readonly string[];
  /** Decimals of an amount or a rate; null for any other field. */
  decimals: number | null;
}

/**
 * Characters that make a spreadsheet take a field, or a part of it, for a formula: at the beginning, and behind a `;` or a control character, at which
 * some split a field even where it is quoted. Spaces, quotes and invisible characters before them are trimmed by some. The console's `csvText` has
 * the same rule. The character is matched first, so that a run of spaces is read once.
 */
const FORMULA =
  /[=+\-@＝＋－＠﹦﹢﹣﹫](?<=(?:^|[;\p{Cc}\p{Zl}\p{Zp}])[\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}"]*.)/gu;
const QUOTED = /[",;\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$|^$/u;

/** CSV cell of a field (RFC 4180): empty for null; a text that a spreadsheet would take for a formula is escaped. */
export function cellOf({ path, decimals }: Column, item: object): string {
  let value: unknown = item;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  if (value === null || value === undefined) return '';
  if (decimals !== null) return decimalsOf(value, decimals);
  if (typeof value === 'number') return String(value);
  const text = (typeof value === 'string' ? value : jsonOf(value)).replace(FORMULA, "'$&");
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Amounts have all six decimals, rates those that they need. An amount beyond a double's precision comes as an object, whose text is exact. */
function decimalsOf(value: number | { toString(): string }, decimals: number): string {
  if (typeof value !== 'number') return value.toString();
  const text = value.toFixed(decimals);
  return decimals === RATE_DECIMALS ? text.replace(/\.?(?<!0)0+$/, '') : text;
}
