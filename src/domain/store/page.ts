import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

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

/** A page of records by their creation, newest first; the query's own conditions stay. */
export async function newestFirst<T extends ObjectLiteral & { id: string; createdAt: Date }>(
  query: SelectQueryBuilder<T>,
  { limit, after }: PageRequest,
): Promise<Page<T>> {
  const { alias } = query;
  if (after) query.andWhere(`(${alias}.createdAt, ${alias}.id) < (:at, :id)`, after);
  const rows = await query
    .orderBy(`${alias}.createdAt`, 'DESC')
    .addOrderBy(`${alias}.id`, 'DESC')
    .take(limit + 1)
    .getMany();
  return toPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}
