import type { Page } from '../domain/store/page.js';

/** A success body for one resource. */
export interface Resource<T> {
  object: string;
  data: T;
}

/** A success body for a page of a list. `next_cursor` is absent on the last page. */
export interface List<T> {
  object: 'list';
  data: T[];
  meta: { has_more: boolean; next_cursor?: string };
}

export const resource = <T>(object: string, data: T): Resource<T> => ({ object, data });

/** @param cursorOf writes the cursor of the row after which the next page begins */
export function list<Row, T>(
  page: Page<Row>,
  view: (row: Row) => T,
  cursorOf: (next: NonNullable<Page<Row>['next']>) => string,
): List<T> {
  const meta = page.next ? { has_more: true, next_cursor: cursorOf(page.next) } : { has_more: false };
  return { object: 'list', data: page.items.map(view), meta };
}
