/** One page of a list. */
export interface Page<Row> {
  data: Row[];
  hasMore: boolean;
  /** Give it as `cursor` for the next page, with the same filters; null on the last one. */
  nextCursor: string | null;
}

/**
 * A list that is read as far as it is looked at:
 *
 * ```js
 * for await (const user of client.users.list()) ...
 * ```
 */
export class PagedList<Row> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Row>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Row>>) {
    this.#read = read;
  }

  /** A single page: the first one, or the one that a cursor leads to. */
  page(cursor?: string): Promise<Page<Row>> {
    return this.#read(cursor);
  }

  /** Page by page, each read when it is asked for. */
  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** The first rows, at most so many. */
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
