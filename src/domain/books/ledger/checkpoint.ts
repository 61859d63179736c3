import type { Store } from '../../kernel/store/store.js';
import { BOOK_KINDS, BOOK_TABLES, type BookKind, type BookRow, type BookSums } from '../positions/books.js';
import { rowsText } from '../../kernel/store/column.js';
import * as queries from './checkpoint.queries.js';
import { PAGE_OF_CHECKED_BOOK, type PAGE_OF_BOOK } from './ledger-verifier.queries.js';
import type { ReportDifference } from './verification.js';
import type { RowFrom } from '../../kernel/store/statement.js';

/** Rows that one statement reads, or hashes: a few hundred milliseconds. */
const PAGE = { rows: 10_000, hashed: 20_000, gone: 1_000 };

/** Position as it is covered, and how far its entries are. */
export type CheckpointRow = RowFrom<typeof queries.FIND_CHECKED>;
export interface CheckpointSpan extends Pick<CheckpointRow, 'id' | 'entries' | 'digest'> {
  lastAt: Date | null;
  lastId: string | null;
}

/**
 * What a run of the verifier begins at, and what it leaves for the next: copies of all positions, revenue accounts and books that followed from the
 * ledger, how far each position's entries were read, and a hash of them. One seal is the hash of all of it. A run that finds a difference is rolled back
 * and leaves the checkpoint where it was, so that every later run finds the difference too.
 */
export class Checkpoint {
  private constructor(
    private readonly store: Store,
    /** Whether the run begins at the beginning. */
    readonly isFull: boolean,
    private readonly isBorneOut: () => boolean,
  ) {}

  /**
   * Opens the checkpoint in the caller's transaction, which must not be committed when something differs.
   * @param isBorneOut whether nothing differs so far
   * @returns null while another run is under way
   */
  static async open(
    store: Store,
    wantsFull: boolean,
    differs: ReportDifference,
    isBorneOut: () => boolean,
  ): Promise<Checkpoint | null> {
    const [lock] = await store.query(queries.LOCK_CHECKPOINT, []);
    if (!lock!.isFree) return null;
    const [stored] = await store.query(queries.FIND_CHECKPOINT, []);
    const isIntact = !stored || stored.seal === (await sealOf(store));
    if (!isIntact) differs(`checkpoint ${stored.number}`, 'was changed after it was stored');
    const forgotten = await store.query(queries.FIND_FORGOTTEN, []);
    const ids = [forgotten.map(({ partnerId }) => partnerId), forgotten.map(({ marketId }) => marketId)];
    for (const query of queries.FORGET_CHECKED) await store.query(query, [ids[0]!, ids[1]!]);
    for (const { subject, more } of await store.query(queries.FIND_GONE, [PAGE.gone]))
      differs(subject, 'is not there any more', 1 + more);
    return new Checkpoint(store, wantsFull || !stored || !isIntact, isBorneOut);
  }

  async addBooks(books: BookSums): Promise<void> {
    if (this.isFull) return;
    for (const kind of BOOK_KINDS)
      for await (const row of rowsOfBook(this.store, kind, PAGE_OF_CHECKED_BOOK)) books.addRow(kind, row);
  }

  async covered(ids: string[]): Promise<Map<string, CheckpointRow>> {
    const rows = await this.store.query(queries.FIND_CHECKED, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async coverPositions(read: readonly CheckpointSpan[]): Promise<void> {
    if (!this.isBorneOut()) return;
    await this.store.query(queries.COVER_POSITIONS, [rowsText(read)]);
  }

  async coverAccounts(accounts: readonly { userId: string; asset: string }[]): Promise<void> {
    if (!this.isBorneOut()) return;
    await this.store.query(queries.COVER_ACCOUNTS, [
      accounts.map(({ userId }) => userId),
      accounts.map(({ asset }) => asset),
    ]);
  }

  async coverSums(): Promise<void> {
    if (!this.isBorneOut()) return;
    for (const query of queries.COVER_BOOKS) await this.store.query(query, []);
  }

  seal(): Promise<string> {
    return sealOf(this.store);
  }
}

async function sealOf(store: Store): Promise<string> {
  const [sums] = await store.query(queries.SEAL_SUMS, []);
  let seal = sums!.digest;
  for (const query of [queries.SEAL_POSITIONS, queries.SEAL_ACCOUNTS]) {
    for (let after: string | null = ''; after !== null;) {
      const [page]: { digest: bigint; rows: number; last: string | null }[] = await store.query(query, [
        after,
        PAGE.hashed,
      ]);
      seal += page!.digest;
      after = page!.rows < PAGE.hashed ? null : page!.last;
    }
  }
  return seal.toString();
}

export async function* rowsOfBook(
  store: Store,
  kind: BookKind,
  pages: typeof PAGE_OF_BOOK,
): AsyncGenerator<BookRow> {
  const keys = Object.keys(BOOK_TABLES[kind].keys);
  const first: BookRow = Object.fromEntries(keys.map((name) => [name, name === 'slot' ? -1 : '']));
  const read = (after = first): Promise<BookRow[]> =>
    store.query(pages[kind], [...keys.map((name) => after[name]), PAGE.rows]) as Promise<BookRow[]>;
  for await (const rows of pagesOf(read, PAGE.rows)) yield* rows;
}

/**
 * Pages of a statement, each asked for when the one before came, so that the database works meanwhile.
 * @param read the page after a row; undefined: the first
 */
export async function* pagesOf<Row>(
  read: (after: Row | undefined) => Promise<Row[]>,
  most: number,
): AsyncGenerator<Row[]> {
  for (let next: Promise<Row[]> | null = read(undefined); next !== null;) {
    const rows: Row[] = await next;
    next = rows.length < most ? null : read(rows.at(-1));
    // The failure is thrown where the page is awaited.
    next?.catch(() => undefined);
    yield rows;
  }
}
