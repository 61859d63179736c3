import type { Request } from 'express';
import { type Rest, Slices } from '../../domain/slices.js';
import type { Listed } from '../request/paging.js';

/** Length of a list, in characters, that is made in one go: about as much work as any other request. */
const PIECE_CHARACTERS = 32_768;
/** Slice of a longer list's work. */
const SLICE_MS = 4;

/**
 * JSON texts of lists. A page of up to a megabyte takes tens of milliseconds, in which the event loop would answer nobody else: it is made in pieces,
 * one slice of one list in a turn of the event loop, tenant after tenant.
 */
export class ListTexts {
  private readonly slices = new Slices(SLICE_MS);

  /** @throws CallerGone when the caller disconnects before the text is complete; errors of rendering an item */
  async textOf(list: Listed<object>, request: Request): Promise<string | Buffer> {
    const pieces = piecesOf(list);
    const first = pieces.next().value!;
    const second = pieces.next();
    if (second.done) return first;
    const { visit, caller } = request;
    return this.slices.run(async (rest: Rest) => {
      const made = [Buffer.from(first), Buffer.from(second.value)];
      await rest();
      for (const piece of pieces) {
        made.push(Buffer.from(piece));
        await rest();
        visit?.requireCaller();
      }
      return Buffer.concat(made);
    }, caller?.partnerId ?? caller?.keyId);
  }
}

/** Text of a list in pieces; there is always a first one. `next_cursor` is absent on the last page. */
function* piecesOf({ items, nextCursor }: Listed<object>): Generator<string, void> {
  let piece = '{"object":"list","data":[';
  let separator = '';
  for (const item of items) {
    piece += separator + JSON.stringify(item);
    separator = ',';
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  const meta = nextCursor === null ? { has_more: false } : { has_more: true, next_cursor: nextCursor };
  yield `${piece}],"meta":${JSON.stringify(meta)}}`;
}
