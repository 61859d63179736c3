import { bool, integer, long, type RowOf, rowCount } from './column.js';

/** Bytes of rows after which a page ends, whatever its limit. */
const PAGE_BYTES = 1_000_000;
/** Records that one statement reads: a full page of the largest ones, metadata included. */
const RECORDS_AT_ONCE = 200;

/** Keyset position: a page begins after this row in the list's order. */
export interface PageKey {
  at: Date;
  id: string;
}

/** Position before the first row of an ascending list. */
export const BEGINNING = { at: '-infinity', id: '' } as const;

export interface PageRequest {
  limit: number;
  after: PageKey | null;
}

export interface Page<T> {
  items: T[];
  /** Last row of this page when more follow, otherwise null. */
  next: PageKey | null;
}

/** Columns that `withinPage` adds to a row; `found`: rows before the limit on bytes. */
export const WEIGHED = { bytes: integer(), found: integer(), bytes_before: long() };

/**
 * Rows of a query that fit a page by bytes: up to the row that reaches the limit, and at least one. Rows beyond it are only located through their
 * index; their large values are neither decompressed nor sent.
 * @param rows query whose columns include `bytes`, the size of a row, ending in ORDER BY and LIMIT
 * @param order the same order, by its columns
 */
export const limitPage = (rows: string, order: string): string =>
  `SELECT * FROM (
     SELECT listed.*, (count(*) OVER ())::int AS found,
            sum(listed.bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - listed.bytes AS bytes_before
       FROM (${rows}) AS listed) AS weighed
    WHERE bytes_before < ${PAGE_BYTES}
    ORDER BY ${order}`;

/** Rows that one statement tries a filter on which no index has: some milliseconds. */
const TRIED_AT_ONCE = 2_000;
/** Columns that `tried` adds to a row; `place`: how many rows were tried up to it. */
export const TRIED = { fits: bool(), place: rowCount() };

/**
 * Rows of a query that fit, out of the next ones in its order, and the last of these though it does not fit: there the next statement continues.
 * @param rows query that walks an index, ending in ORDER BY @param order the same order @param fits condition on its columns
 */
export const tried = (rows: string, order: string, fits: string): string =>
  `SELECT * FROM (SELECT walked.*, (${fits}) AS fits, row_number() OVER (ORDER BY ${order}) AS place
                    FROM (${rows} LIMIT ${TRIED_AT_ONCE}) AS walked) AS placed
    WHERE fits OR place = ${TRIED_AT_ONCE} ORDER BY ${order}`;

/**
 * Reads rows that fit, statement after statement, however few there are among the others.
 * @param read rows of `tried` behind a row, up to a number @param count called with the number of rows that each statement tried
 */
export async function findFitting<Row extends RowOf<typeof TRIED>>(
  read: (after: Row | undefined, rows: number) => Promise<Row[]>,
  wanted: number,
  count: (rows: number) => void,
): Promise<Row[]> {
  const fitting: Row[] = [];
  for (let last: Row | undefined; ;) {
    const rows = await read(last, wanted - fitting.length);
    fitting.push(...rows.filter(({ fits }) => fits));
    last = rows.at(-1);
    count(last?.place ?? 0);
    if (fitting.length === wanted || last?.place !== TRIED_AT_ONCE) return fitting;
  }
}

/** Cuts `limit + 1` rows to a page: the extra row shows that more follow. @param readCount number of rows, when fewer were read */
export function toPage<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => PageKey,
  readCount = rows.length,
): Page<T> {
  const items = rows.slice(0, limit);
  return { items, next: readCount > items.length ? keyOf(items[items.length - 1]!) : null };
}

/** Above the JSON size of any record: its text fields with every character escaped, and its metadata. */
const LARGEST_RECORD_BYTES = 40_000;

/** Page of records by creation, newest first, read in portions until it is full by rows or bytes. */
export async function newestFirst<T extends { id: string; createdAt: Date }>(
  read: (at: Date | 'infinity', id: string, rows: number) => Promise<T[]>,
  { limit, after }: PageRequest,
): Promise<Page<T>> {
  const items: T[] = [];
  let last = after;
  const fits = limit * LARGEST_RECORD_BYTES < PAGE_BYTES;
  for (let bytes = 0; ;) {
    const wanted = Math.min(RECORDS_AT_ONCE, limit + 1 - items.length);
    const rows = await read(last?.at ?? 'infinity', last?.id ?? '', wanted);
    for (const row of rows) {
      if (items.length === limit || bytes >= PAGE_BYTES) return { items, next: last };
      items.push(row);
      last = { at: row.createdAt, id: row.id };
      if (!fits) bytes += Buffer.byteLength(JSON.stringify(row));
    }
    if (rows.length < wanted) return { items, next: null };
  }
}
