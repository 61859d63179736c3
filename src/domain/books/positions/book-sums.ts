import type { BookRows } from './book-rows.js';

export type BookKind = keyof BookRows;

/** Key columns of each book, in the order of its primary key, and its summed columns. */
export const BOOK_FIELDS = {
  shares: {
    keys: ['partnerId', 'asset', 'book', 'vaultId', 'slot', 'marketId'],
    sums: ['shares', 'positions'],
  },
  totals: {
    keys: ['partnerId', 'asset', 'slot'],
    sums: [
      'deposited',
      'withdrawn',
      'deposits',
      'withdrawals',
      'accrued',
      'costs',
      'settledLending',
      'settledHold',
      'principal',
      'capitalMoment',
      'opened',
      'closed',
    ],
  },
  revenue: { keys: ['partnerId', 'asset', 'slot'], sums: ['fee', 'partnerRevenue', 'carriedLoss'] },
  points: {
    keys: ['partnerId', 'asset', 'campaignId', 'slot'],
    sums: ['principal', 'campaignMoment', 'plainMoment'],
  },
  vaults: { keys: ['marketId', 'vaultId', 'slot'], sums: ['shares'] },
} as const satisfies {
  [K in BookKind]: {
    keys: readonly (keyof BookRows[K][number])[];
    sums: readonly (keyof BookRows[K][number])[];
  };
};

export const BOOK_KINDS = Object.keys(BOOK_FIELDS) as BookKind[];

export type BookRow = Record<string, string | number | bigint | Date>;

export class BookSums {
  private readonly rows: Record<BookKind, Map<string, BookRow>> = {
    shares: new Map(),
    totals: new Map(),
    revenue: new Map(),
    points: new Map(),
    vaults: new Map(),
  };
  private readonly named = new Map<string, BookRow[]>();

  /** @param sign -1 subtracts */
  add(added: BookRows, sign: 1 | -1 = 1): this {
    for (const kind of BOOK_KINDS)
      for (const row of added[kind]) this.addRow(kind, row as unknown as BookRow, sign);
    return this;
  }

  /**
   * Adds rows whose keys follow from a name: they are looked up once for all rows of that name.
   * @param name of the keys; rows of one name have the same ones, in one order
   * @param sign -1 subtracts
   */
  addNamed(name: string, added: BookRows, sign: 1 | -1 = 1): this {
    let sums = this.named.get(name);
    if (sums === undefined) {
      sums = BOOK_KINDS.flatMap((kind) =>
        added[kind].map((row) => this.sumOf(kind, row as unknown as BookRow)),
      );
      this.named.set(name, sums);
    }
    let place = 0;
    for (const kind of BOOK_KINDS)
      for (const row of added[kind]) addTo(kind, sums[place++]!, row as unknown as BookRow, sign);
    return this;
  }

  /** Adds the difference between rows before and after. Most rows keep their key and few sums change: an accrual, of which thousands come at once, changes one of twelve. */
  replace(before: BookRows, after: BookRows): this {
    for (const kind of BOOK_KINDS) {
      const [were, are] = [before[kind], after[kind]] as unknown as [BookRow[], BookRow[]];
      const { keys, sums } = BOOK_FIELDS[kind];
      are.forEach((row, place) => {
        const was = were[place]!;
        if (keys.some((name) => row[name as string] !== was[name as string])) {
          this.addRow(kind, row, 1);
          this.addRow(kind, was, -1);
        } else if (sums.some((name) => row[name as string] !== was[name as string])) {
          this.addDifference(kind, was, row);
        }
      });
    }
    return this;
  }

  /** Rows with any value other than 0. */
  get nonZero(): BookRows {
    const of = (kind: BookKind): never[] =>
      [...this.rows[kind].values()]
        .filter((row) => BOOK_FIELDS[kind].sums.some((name) => row[name] !== 0 && row[name] !== 0n))
        .map((row) => row as never);
    return {
      shares: of('shares'),
      totals: of('totals'),
      points: of('points'),
      revenue: of('revenue'),
      vaults: of('vaults'),
    };
  }

  /** Removes and returns the row with the same key. */
  take(kind: BookKind, like: BookRow): BookRow | undefined {
    const key = keyOf(kind, like);
    const row = this.rows[kind].get(key);
    this.rows[kind].delete(key);
    return row;
  }

  /** @param was of the same key */
  private addDifference(kind: BookKind, was: BookRow, row: BookRow): void {
    const sum = this.sumOf(kind, row);
    for (const name of BOOK_FIELDS[kind].sums)
      if (row[name] !== was[name]) sum[name] = plus(plus(sum[name], row[name]!, 1), was[name]!, -1);
    if (kind === 'totals' && row.firstAt! < sum.firstAt!) sum.firstAt = row.firstAt!;
  }

  addRow(kind: BookKind, row: BookRow, sign: 1 | -1 = 1): void {
    addTo(kind, this.sumOf(kind, row), row, sign);
  }

  private sumOf(kind: BookKind, row: BookRow): BookRow {
    const key = keyOf(kind, row);
    let sum = this.rows[kind].get(key);
    if (!sum) this.rows[kind].set(key, (sum = emptied(kind, row)));
    return sum;
  }
}

function addTo<K extends BookKind>(kind: K, sum: BookRow, row: BookRow, sign: 1 | -1): void {
  const [total, added] = [sum, row] as unknown as [BookRows[K][number], BookRows[K][number]];
  ADD[kind](total, added, sign);
  // A deposit's time stays the first, even when the deposit is voided.
  if (kind === 'totals' && row.firstAt! < sum.firstAt!) sum.firstAt = row.firstAt!;
}

/** @returns the row with sums of 0 */
function emptied(kind: BookKind, row: BookRow): BookRow {
  const sum = { ...row };
  for (const name of BOOK_FIELDS[kind].sums) sum[name] = plus(undefined, row[name]!, 0);
  return sum;
}

const signed = (value: bigint, sign: 1 | -1): bigint => (sign === 1 ? value : -value);

/** Addition of a row's sums, those of `BOOK_FIELDS`. Written out, since the whole ledger passes here: by names it took three times as long. */
const ADD: {
  readonly [K in BookKind]: (sum: BookRows[K][number], row: BookRows[K][number], sign: 1 | -1) => void;
} = {
  shares: (sum, row, sign) => {
    sum.shares += signed(row.shares, sign);
    sum.positions += sign * row.positions;
  },
  totals: (sum, row, sign) => {
    sum.deposited += signed(row.deposited, sign);
    sum.withdrawn += signed(row.withdrawn, sign);
    sum.deposits += sign * row.deposits;
    sum.withdrawals += sign * row.withdrawals;
    sum.accrued += signed(row.accrued, sign);
    sum.costs += signed(row.costs, sign);
    sum.settledLending += signed(row.settledLending, sign);
    sum.settledHold += signed(row.settledHold, sign);
    sum.principal += signed(row.principal, sign);
    sum.capitalMoment += signed(row.capitalMoment, sign);
    sum.opened += sign * row.opened;
    sum.closed += sign * row.closed;
  },
  revenue: (sum, row, sign) => {
    sum.fee += signed(row.fee, sign);
    sum.partnerRevenue += signed(row.partnerRevenue, sign);
    sum.carriedLoss += signed(row.carriedLoss, sign);
  },
  points: (sum, row, sign) => {
    sum.principal += signed(row.principal, sign);
    sum.campaignMoment += signed(row.campaignMoment, sign);
    sum.plainMoment += signed(row.plainMoment, sign);
  },
  vaults: (sum, row, sign) => {
    sum.shares += signed(row.shares, sign);
  },
};

function keyOf(kind: BookKind, row: BookRow): string {
  let key = '';
  for (const name of BOOK_FIELDS[kind].keys) key += `${row[name] as string} `;
  return key;
}

function plus(sum: BookRow[string] | undefined, value: BookRow[string], sign: 1 | 0 | -1): number | bigint {
  if (typeof value === 'bigint') return ((sum as bigint | undefined) ?? 0n) + BigInt(sign) * value;
  return ((sum as number | undefined) ?? 0) + sign * (value as number);
}

const COUNTS: readonly string[] = ['positions', 'deposits', 'withdrawals', 'opened', 'closed'];

/** Row of a book as it is stored, whole numbers as text, with sums that can be added. */
export function toBookRow(kind: BookKind, stored: object): BookRow {
  const row = { ...stored } as BookRow;
  for (const name of BOOK_FIELDS[kind].sums)
    row[name] = COUNTS.includes(name) ? Number(row[name]) : BigInt(row[name] as string);
  if (kind === 'totals') row.firstAt = new Date(row.firstAt as string);
  return row;
}
