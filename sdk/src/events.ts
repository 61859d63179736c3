import type { PagedList } from './paged-list.js';

/** A list of events whose `type` narrows their `data`, as in a webhook: one handler takes both. */
export type ListEvents<List, Event> = List extends (...input: infer Input) => PagedList<infer Row>
  ? (...input: Input) => PagedList<Event & Omit<Row, 'id' | 'type' | 'created_at' | 'data'>>
  : never;
