/** One page of a list. */
export interface Page<Row> {
  data: Row[];
  hasMore: boolean;
  /** The cursor of the next page, to use with the same filters; null on the last page. */
  nextCursor: string | null;
}

/**
 * A list whose pages are requested as they are read:
 *
 * ```js
 * for await (const user of client.listPartnerUsers()) ...
 * ```
 */
export class PagedList<Row> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Row>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Row>>) {
    this.#read = read;
  }

  /** A single page: the first one, or the page of a cursor. */
  page(cursor?: string): Promise<Page<Row>> {
    return this.#read(cursor);
  }

  /** All pages, each requested when it is read. */
  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** The first rows, up to a number. */
  async take(count: number): Promise<Row[]> {
    const rows: Row[] = [];
    if (count < 1) return rows;
    for await (const { data } of this.pages()) {
      rows.push(...data.slice(0, count - rows.length));
      if (rows.length >= count) break;
    }
    return rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
