export type Value = string | number | null | undefined;

/** Where a spreadsheet begins a formula; `csv-cell.ts` of the server has the same rule, and the reason. */
const FORMULA =
  /[=+\-@＝＋－＠﹦﹢﹣﹫](?<=(?:^|[;\p{Cc}\p{Zl}\p{Zp}])[\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}"]*.)/gu;
const QUOTED = /[",;\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$/u;

/** Lines as CSV (RFC 4180): nothing for an unknown value, and no formula for a spreadsheet in a text. */
export function csvText(lines: readonly (readonly Value[])[]): string {
  const cell = (value: Value): string => {
    const text = typeof value === 'string' ? value.replace(FORMULA, "'$&") : String(value ?? '');
    return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}
