/** Where a page begins: after this row, in the list's order. */
export interface Position {
  at: Date;
  id: string;
}

/** What an edge asks of a list; `limit` is within the contract's bounds already. */
export interface PageRequest {
  limit: number;
  after: Position | null;
}

export interface Page<T> {
  items: T[];
  /** The last row of this page when more follow, else null. */
  next: Position | null;
}

/** Cuts `limit + 1` rows to a page: the extra row only tells that more follow. */
export function toPage<T>(rows: T[], limit: number, position: (row: T) => Position): Page<T> {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? position(items[items.length - 1]!) : null };
}
