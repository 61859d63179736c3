import { Injectable } from '@nestjs/common';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { BOOK_FIELDS, BOOK_KINDS, type BookKind, type BookRow, BookSums } from '../positions/book-sums.js';
import * as queries from './ledger-verifier.queries.js';
import { type OrderFigures, OrderSums } from './order-check.js';
import { type Differs, textOf } from './position-check.js';
import { PAGE, PositionVerifier } from './position-verifier.js';
import { RevenueVerifier } from './revenue-verifier.js';
import { isIdle } from '../../kernel/catalogue/vault.js';

/** Difference between the ledger and what is stored. */
export interface Difference {
  /** Subject: a position, an entry, a recorded transfer, or a book row with its key. */
  subject: string;
  /** Problem in words that follow the subject. */
  problem: string;
}

/** Numbers of compared records. */
export interface Verified {
  positions: number;
  entries: number;
  /** Revenue accounts: one for each user and asset. */
  accounts: number;
  settlements: number;
  bookRows: number;
  differences: number;
}

/**
 * Recomputes all positions and books from the ledger, and reports differences from what is stored. It reads one snapshot, so it may run beside
 * traffic, and holds one page of rows at a time plus the books.
 */
@Injectable()
export class LedgerVerifier {
  private readonly isIdle: (vaultId: string) => boolean;

  constructor(
    private readonly store: Store,
    catalogue: Catalogue,
  ) {
    const idle = new Set(catalogue.vaults.filter(isIdle).map(({ id }) => id));
    this.isIdle = (vaultId) => idle.has(vaultId);
  }

  /** @param report called with each difference */
  async verify(report: (difference: Difference) => void): Promise<Verified> {
    return this.store.snapshot(async () => {
      const verified: Verified = {
        positions: 0,
        entries: 0,
        accounts: 0,
        settlements: 0,
        bookRows: 0,
        differences: 0,
      };
      const differs = (subject: string, problem: string): void => {
        verified.differences++;
        report({ subject, problem });
      };
      const books = new BookSums();
      const orders = new OrderSums(this.isIdle);
      const positions = new PositionVerifier(this.store, this.isIdle, books, orders, differs);
      await positions.verify();
      verified.positions = positions.positions;
      verified.entries = positions.entries;
      await this.verifyOrders(orders, differs);
      const revenue = new RevenueVerifier(this.store, books, differs);
      await revenue.verify();
      verified.accounts = revenue.accounts;
      verified.settlements = positions.transfers;
      if (positions.strayTransfer) await this.nameTransfers(differs);
      for (const kind of BOOK_KINDS) await this.verifyBook(kind, books, verified, differs);
      await this.verifyUsers(differs);
      return verified;
    });
  }

  /** Checks what was reported of orders. */
  private async verifyOrders(sums: OrderSums, differs: Differs): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: OrderFigures[] = await this.store.query(queries.PAGE_OF_ORDERS, [after, PAGE.rows]);
      for (const order of rows) sums.check(order, differs);
      after = rows.length < PAGE.rows ? undefined : rows.at(-1)!.id;
    }
  }

  /** Names recorded transfers without an entry, and voided ones without their reversal. */
  private async nameTransfers(differs: Differs): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: RowFrom<typeof queries.PAGE_OF_SETTLEMENTS>[] = await this.store.query(
        queries.PAGE_OF_SETTLEMENTS,
        [after, PAGE.rows],
      );
      for (const { txHash, positionId, entered, takenBack } of rows) {
        if (!entered)
          differs(`transfer ${txHash}`, `is recorded with ${positionId}, which has no such entry`);
        if (!takenBack)
          differs(`transfer ${txHash}`, `is voided, and no entry of ${positionId} takes it back`);
      }
      after = rows.length < PAGE.rows ? undefined : rows.at(-1)!.id;
    }
  }

  /** A row of zeros counts as none. */
  private async verifyBook(
    kind: BookKind,
    books: BookSums,
    verified: Verified,
    differs: Differs,
  ): Promise<void> {
    const { keys, sums } = BOOK_FIELDS[kind];
    const compare = (stored: BookRow | null, recomputed: BookRow | undefined): void => {
      const subject = [queries.BOOK_TABLES[kind], ...keys.map((name) => (stored ?? recomputed!)[name])].join(
        ' ',
      );
      for (const name of sums) {
        const [has, should] = [stored, recomputed].map((row) =>
          BigInt((row?.[name] as string | bigint) ?? 0),
        );
        if (has !== should) differs(subject, `${name} is ${has}, by the ledger it is ${should}`);
      }
      const [first, shouldBe] = [textOf(stored?.firstAt), textOf(recomputed?.firstAt)];
      if (first !== shouldBe) differs(subject, `firstAt is ${first}, by the ledger it is ${shouldBe}`);
    };
    const first = keys.map((name) => (name === 'slot' ? -1 : ''));
    for (let after: BookRow[string][] | undefined = first; after !== undefined;) {
      const rows: BookRow[] = await this.store.query(queries.PAGE_OF_BOOK[kind], [...after, PAGE.rows]);
      verified.bookRows += rows.length;
      rows.forEach((row) => compare(row, books.take(kind, row)));
      const last = rows.at(-1);
      after = last && rows.length === PAGE.rows ? keys.map((name) => last[name]!) : undefined;
    }
    books.nonZero[kind].forEach((row) => compare(null, row as unknown as BookRow));
  }

  /** The ledger has no users: their counter is compared with the users themselves. */
  private async verifyUsers(differs: Differs): Promise<void> {
    for (const { partnerId, kept, there } of await this.store.query(queries.FIND_MISCOUNTED_USERS, []))
      differs(`book_users ${partnerId}`, `users is ${kept}, there are ${there}`);
  }
}
