import type { BookRows } from './book-rows.js';

type Field = string | number | bigint;
type Row = Record<string, Field>;

const KINDS = ['shares', 'totals', 'points', 'vaults'] as const satisfies (keyof BookRows)[];

/** Sums rows of the books: texts and the slot are a row's key, its other fields are added up. */
export class BookSums {
  private readonly rows = new Map<string, { kind: keyof BookRows; row: Row }>();

  /** @param sign -1 takes away */
  add(added: BookRows, sign: 1 | -1 = 1): this {
    for (const kind of KINDS) added[kind].forEach((row) => this.addRow(kind, row as unknown as Row, sign));
    return this;
  }

  /** What is not 0 throughout. */
  get nonZero(): BookRows {
    const of = (kind: keyof BookRows): never[] =>
      [...this.rows.values()]
        .filter((one) => one.kind === kind && !isZero(one.row))
        .map(({ row }) => row as never);
    return { shares: of('shares'), totals: of('totals'), points: of('points'), vaults: of('vaults') };
  }

  private addRow(kind: keyof BookRows, row: Row, sign: 1 | -1): void {
    const names = Object.keys(row);
    const key = [kind, ...names.map((name) => (isKey(name, row[name]!) ? row[name] : ''))].join(' ');
    const sum = this.rows.get(key)?.row;
    const next = names.map((name) => {
      const value = row[name]!;
      return [name, isKey(name, value) ? value : plus(sum?.[name], value, sign)];
    });
    this.rows.set(key, { kind, row: Object.fromEntries(next) as Row });
  }
}

const isKey = (name: string, value: Field): boolean => typeof value === 'string' || name === 'slot';

const isZero = (row: Row): boolean =>
  Object.entries(row).every(([name, value]) => isKey(name, value) || value === 0 || value === 0n);

function plus(sum: Field | undefined, value: Field, sign: 1 | -1): number | bigint {
  if (typeof value === 'bigint') return ((sum as bigint | undefined) ?? 0n) + BigInt(sign) * value;
  return ((sum as number | undefined) ?? 0) + sign * (value as number);
}
