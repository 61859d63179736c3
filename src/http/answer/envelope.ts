import { Listed } from '../request/paging.js';
import { Spanned } from './spanned.js';

/** Declared shape of an operation's answer. */
export interface DeclaredAnswer {
  status: number;
  /** The envelope's `object`. */
  object: string;
}

/** Metadata key of an operation's `DeclaredAnswer`. */
export const ANSWER = 'vaultline:answer';

/** The body of an answer. `next_cursor` is absent on the last page of a list. */
export function envelopeOf(object: string, result: object): string {
  if (result instanceof Listed) {
    const { items, nextCursor } = result as Listed<object>;
    const meta = nextCursor === null ? { has_more: false } : { has_more: true, next_cursor: nextCursor };
    return JSON.stringify({ object: 'list', data: items, meta });
  }
  if (!(result instanceof Spanned)) return JSON.stringify({ object, data: result });
  const { data, nextFrom } = result as Spanned<object>;
  const meta =
    nextFrom === null ? { has_more: false } : { has_more: true, next_from: nextFrom.toISOString() };
  return JSON.stringify({ object, data, meta });
}
