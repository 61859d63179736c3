import type { Type } from '@nestjs/common';
import { jsonOf } from '../../domain/kernel/money.js';
import { mapInTurns } from '../../domain/kernel/slices.js';
import { ListPage } from '../request/paging.js';

/** Answer over a span of time; one with too many points ends early. */
export class SpanAnswer<T extends object> {
  constructor(
    readonly data: T,
    /** Beginning of the first point that did not fit; null: the answer reaches the end of its span. */
    readonly nextFrom: Date | null,
  ) {}
}

export interface DeclaredAnswer {
  status: number;
  object: string;
  data: Type<object>;
  /** Field of an element, or of the record, whose records are the lines of CSV, each with the other fields. */
  lines?: string | undefined;
}

/** Declared answer that is a file, such as a ZIP: the handler returns a `FileAnswer`. */
export interface DeclaredFile {
  status: number;
  /** Its media type. */
  file: string;
}

/** Whether an answer has lines, so that it is CSV as well. */
export const isTabular = ({ object, lines }: DeclaredAnswer): boolean =>
  object === 'list' || lines !== undefined;

export const ANSWER = 'vaultline:answer';

/** Text of an answer. The rows of a page are written in turns, so that a large one does not block other requests. */
export async function envelopeOf(object: string, result: object): Promise<string> {
  if (result instanceof ListPage) {
    const { items, nextCursor } = result as ListPage<object>;
    const meta = nextCursor === null ? { has_more: false } : { has_more: true, next_cursor: nextCursor };
    const rows = await mapInTurns(items, jsonOf);
    return `{"object":"list","data":[${rows.join(',')}],"meta":${JSON.stringify(meta)}}`;
  }
  if (!(result instanceof SpanAnswer)) return jsonOf({ object, data: result });
  const { data, nextFrom } = result as SpanAnswer<object>;
  const meta =
    nextFrom === null ? { has_more: false } : { has_more: true, next_from: nextFrom.toISOString() };
  return jsonOf({ object, data, meta });
}

/** Answer as text, which the envelope passes on: a replay is the stored answer byte for byte. */
export class StoredAnswer {
  constructor(
    readonly text: string,
    readonly replayed: boolean,
  ) {}
}
