import { pagesOf } from '../../kernel/store/pages.js';
import type { Store } from '../../kernel/store/store.js';
import { BOOK_KINDS, BOOK_TABLES, type BookKind, type BookRow, type BookSums } from '../positions/books.js';
import * as queries from './book-verifier.queries.js';
import { type ReportDifference, textOf } from './verification.js';

/** Rows that one statement reads. */
const PAGE = 10_000;

/** The books against the sums that follow from the ledger. */
export class BookVerifier {
  /** @param seventh of the partners; null: all */
  constructor(
    private readonly store: Store,
    private readonly books: BookSums,
    private readonly seventh: number | null,
    private readonly differs: ReportDifference,
  ) {}

  /** @returns number of stored rows */
  async verify(): Promise<number> {
    await this.addOtherVaults();
    let count = 0;
    for (const kind of BOOK_KINDS) count += await this.verifyBook(kind);
    await this.verifyUsers();
    return count;
  }

  /** A vault's row is of all partners: positions of those that the run leaves out count as they are stored. */
  private async addOtherVaults(): Promise<void> {
    if (this.seventh === null) return;
    for (const row of await this.store.query(queries.SUM_OTHER_VAULTS, [this.seventh]))
      this.books.addRow('vaults', row);
  }

  /** A row of zeros counts as none. @returns number of stored rows */
  private async verifyBook(kind: BookKind): Promise<number> {
    let count = 0;
    for await (const rows of this.rowsOf(kind))
      for (const row of rows) {
        count++;
        this.compare(kind, row, this.books.take(kind, row));
      }
    this.books.nonZero[kind].forEach((row) => this.compare(kind, null, row));
    return count;
  }

  private compare(kind: BookKind, stored: BookRow | null, recomputed: BookRow | undefined): void {
    const { table, keys, sums } = BOOK_TABLES[kind];
    const subject = [table, ...Object.keys(keys).map((name) => (stored ?? recomputed!)[name])].join(' ');
    for (const name of Object.keys(sums)) {
      const [is, should] = [stored, recomputed].map((row) => BigInt((row?.[name] as number | bigint) ?? 0));
      if (is !== should)
        this.differs(subject, `${name} is ${is}, but according to the ledger it is ${should}`);
    }
    const [first, shouldBe] = [textOf(stored?.firstAt), textOf(recomputed?.firstAt)];
    if (first !== shouldBe)
      this.differs(subject, `firstAt is ${first}, but according to the ledger it is ${shouldBe}`);
  }

  private rowsOf(kind: BookKind): AsyncGenerator<BookRow[]> {
    const keys = Object.keys(BOOK_TABLES[kind].keys);
    const first: BookRow = Object.fromEntries(keys.map((name) => [name, name === 'slot' ? -1 : '']));
    const seventh = keys.includes('partnerId') ? [this.seventh] : [];
    const read = (after = first): Promise<BookRow[]> =>
      this.store.query(queries.PAGE_OF_BOOK[kind], [
        ...keys.map((name) => after[name]),
        PAGE,
        ...seventh,
      ]) as Promise<BookRow[]>;
    return pagesOf(read, PAGE);
  }

  /** The ledger has no users: their counter is compared with the users themselves. */
  private async verifyUsers(): Promise<void> {
    for (const { partnerId, kept, there } of await this.store.query(queries.FIND_MISCOUNTED_USERS, []))
      this.differs(`book_users ${partnerId}`, `users is ${kept}, but there are ${there}`);
  }
}
