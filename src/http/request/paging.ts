import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Cipher } from '../../domain/kernel/store/cipher.js';
import type { Page, PageKey, PageRequest } from '../../domain/kernel/store/page.js';
import { mapInTurns } from '../../domain/kernel/slices.js';
import { HttpError } from '../answer/http-error.js';
import { CursorField, LimitField, PAGE_ROWS } from './query-fields.js';

const VERSION = 1;
const MAC_BYTES = 12;
const HEAD_BYTES = 1 + 8;

export class PageQuery {
  @LimitField() limit?: string;
  @CursorField() cursor?: string;
}

/** Identity of a list: its name, the owner of its rows, and its filters. A cursor of another list is refused. */
export type ListIdentity = readonly [name: string, ...scope: (string | undefined)[]];

/** One page of a list. */
export class ListPage<T extends object> {
  constructor(
    readonly items: readonly T[],
    /** Cursor of the next page; null on the last one. */
    readonly nextCursor: string | null,
    /** Reads the next page; null on the last one. */
    readonly following: (() => Promise<ListPage<T>>) | null = null,
  ) {}

  /** The list with other items, in this page and in the following ones. */
  async map<U extends object>(change: (items: readonly T[]) => Promise<readonly U[]>): Promise<ListPage<U>> {
    const { items, nextCursor, following } = this;
    const next = following && (async () => (await following()).map(change));
    return new ListPage(await change(items), nextCursor, next);
  }
}

/** Rows of each further page of a streamed list: few enough for the young generation of the heap. */
const STREAMED_ROWS = 200;

/** Keyset paging: turns `limit` and `cursor` into a page request, and a page into its answer. A cursor holds (time, id) and a keyed digest. */
@Injectable()
export class Paginator {
  constructor(
    private readonly cipher: Cipher,
    private readonly settings: Settings,
  ) {}

  /**
   * Serves one page of a list.
   *
   * @throws HttpError `invalid_cursor`
   */
  async serve<Row, T extends object>(
    identity: ListIdentity,
    query: PageQuery,
    find: (page: PageRequest) => Promise<Page<Row>>,
    view: (row: Row) => T,
  ): Promise<ListPage<T>> {
    const after = query.cursor === undefined ? null : this.decode(identity, query.cursor);
    const limit = query.limit === undefined ? PAGE_ROWS.default : Number(query.limit);
    const readPage = async (page: PageRequest): Promise<ListPage<T>> => {
      const { items, next } = await find(page);
      const following = next && (() => readPage({ limit: STREAMED_ROWS, after: next }));
      return new ListPage(await mapInTurns(items, view), next && this.encode(identity, next), following);
    };
    return readPage({ limit, after });
  }

  private encode(identity: ListIdentity, { at, id }: PageKey): string {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(VERSION, 0);
    head.writeBigInt64BE(BigInt(at.getTime()), 1);
    const content = Buffer.concat([head, Buffer.from(id)]);
    const mac = this.cipher.digest(this.signed(identity, content)).subarray(0, MAC_BYTES);
    return Buffer.concat([content, mac]).toString('base64url');
  }

  private decode(identity: ListIdentity, cursor: string): PageKey {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(0, -MAC_BYTES);
    const genuine =
      bytes.length > HEAD_BYTES + MAC_BYTES &&
      bytes.toString('base64url') === cursor &&
      content.readUInt8(0) === VERSION &&
      this.cipher.isDigest(bytes.subarray(-MAC_BYTES), this.signed(identity, content));
    if (!genuine) {
      throw new HttpError(
        'invalid_cursor',
        'This cursor does not belong to this list with these filters. Start again without one.',
        { details: [{ field: 'cursor', message: 'must be the meta.next_cursor of a page of this list' }] },
      );
    }
    return { at: new Date(Number(content.readBigInt64BE(1))), id: content.subarray(HEAD_BYTES).toString() };
  }

  private signed(identity: ListIdentity, content: Buffer): string {
    const scope = JSON.stringify(identity.map((part) => part ?? null));
    return `cursor ${this.settings.environment} ${scope} ${content.toString('base64')}`;
  }
}
