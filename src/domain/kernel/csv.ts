import { RATE_DECIMALS } from './money.js';

/**
 * Characters that make a spreadsheet take a field, or a part of it, for a formula: at the beginning, and behind a `;` or a control character, at which
 * some split a field even where it is quoted. Spaces, quotes and invisible characters before them are trimmed by some. The console's `csvText` has
 * the same rule. The character is matched first, so that a run of spaces is read once.
 */
const FORMULA =
  /[=+\-@＝＋－＠﹦﹢﹣﹫](?<=(?:^|[;\p{Cc}\p{Zl}\p{Zp}])[\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}"]*.)/gu;
const QUOTED = /[",;\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$|^$/u;

/** Cell of a text in CSV (RFC 4180); one that a spreadsheet would take for a formula is escaped. */
export function csvText(value: string): string {
  const text = value.replace(FORMULA, "'$&");
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Text of a rate, with the decimals that it needs. */
export const rateText = (rate: number): string => rate.toFixed(RATE_DECIMALS).replace(/\.?(?<!0)0+$/, '');
