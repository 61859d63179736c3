import { integer, long } from './column.js';

/** Bytes of rows at which a page ends, however many were asked for. */
const PAGE_BYTES = 1_000_000;
/** Records that one statement reads: of the largest, with all its metadata, a page full. */
const RECORDS_AT_ONCE = 200;

/** Where a page begins: after this row, in the list's order. */
export interface PageKey {
  at: Date;
  id: string;
}

/** Before the first row of an ascending list. */
export const BEGINNING = { at: '-infinity', id: '' } as const;

/** What an edge asks of a list; `limit` is within the contract's bounds already. */
export interface PageRequest {
  limit: number;
  after: PageKey | null;
}

export interface Page<T> {
  items: T[];
  /** The last row of this page when more follow, else null. */
  next: PageKey | null;
}

/** What `withinPage` adds to a row; `found`: rows that there were before the bytes were bounded. */
export const WEIGHED = { bytes: integer(), found: integer(), bytes_before: long() };

/**
 * The rows of a query that fit a page: up to the one with which their bytes reach the bound, and always the first. Rows beyond it are found by their
 * index and not read any further: what a list is made of is neither unpacked nor sent.
 *
 * @param rows its columns include `bytes`, those of a row; its last clauses are ORDER BY and LIMIT
 * @param order the same order, by its columns
 */
export const withinPage = (rows: string, order: string): string =>
  `SELECT * FROM (
     SELECT listed.*, (count(*) OVER ())::int AS found,
            sum(listed.bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - listed.bytes AS bytes_before
       FROM (${rows}) AS listed) AS weighed
    WHERE bytes_before < ${PAGE_BYTES}
    ORDER BY ${order}`;

/**
 * Cuts `limit + 1` rows to a page: the extra row only tells that more follow.
 *
 * @param found how many rows there were, where fewer were read
 */
export function toPage<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => PageKey,
  found = rows.length,
): Page<T> {
  const items = rows.slice(0, limit);
  return { items, next: found > items.length ? keyOf(items[items.length - 1]!) : null };
}

/** More than the JSON of any record: its texts, and its metadata with every character escaped. */
const LARGEST_RECORD_BYTES = 40_000;

/**
 * A page of records by their creation, newest first. Read in portions, until the page is full by rows or by bytes.
 *
 * @param read so many of them behind that one, or the first
 * @param portion rows a statement
 */
export async function newestFirst<T extends { id: string; createdAt: Date }>(
  read: (at: Date | 'infinity', id: string, rows: number) => Promise<T[]>,
  { limit, after }: PageRequest,
  portion = RECORDS_AT_ONCE,
): Promise<Page<T>> {
  const items: T[] = [];
  let last = after;
  const fits = limit * LARGEST_RECORD_BYTES < PAGE_BYTES;
  for (let bytes = 0; ;) {
    const wanted = Math.min(portion, limit + 1 - items.length);
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
