import { Spanned } from './spanned.js';

/** The body of an answer that is no list. */
export function envelopeOf(object: string, result: object): string {
  if (!(result instanceof Spanned)) return JSON.stringify({ object, data: result });
  const { data, nextFrom } = result as Spanned<object>;
  const meta =
    nextFrom === null ? { has_more: false } : { has_more: true, next_from: nextFrom.toISOString() };
  return JSON.stringify({ object, data, meta });
}
