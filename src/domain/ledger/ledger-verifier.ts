import { Injectable } from '@nestjs/common';
import type { RowFrom } from '../store/statement.js';
import { Store } from '../store/store.js';
import { Catalogue } from '../vaults/catalogue.js';
import { BOOK_FIELDS, BOOK_KINDS, type BookKind, type BookRow, BookSums } from '../positions/book-sums.js';
import { revenueContribution } from '../positions/books.js';
import * as queries from './ledger-verifier.queries.js';
import {
  ACCOUNT_FIELDS,
  RevenueReplay,
  type SettledRow,
  sumsInWords,
  toSettledLine,
} from './revenue-replay.js';
import { type RevenueAccountRow, toAccount } from '../positions/settled-revenue.js';
import { type OrderFigures, OrderSums } from './order-check.js';
import type { CampaignTerms } from '../positions/points.js';
import {
  checkPosition,
  type Differs,
  type EntryRow,
  type StoredEntry,
  type StoredPosition,
  textOf,
  toEntry,
} from './position-check.js';
import type { RevenueAccount } from '../positions/revenue.js';
import { toPosition } from '../positions/position.store.js';
import { replay } from './replay.js';
import { isIdle } from '../vaults/vault.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. */
const PAGE = { positions: 2_000, rows: 10_000 };

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
      await this.verifyPositions(books, orders, verified, differs);
      await this.verifyOrders(orders, differs);
      await this.verifyRevenue(books, verified, differs);
      await this.verifySettlements(verified, differs);
      for (const kind of BOOK_KINDS) await this.verifyBook(kind, books, verified, differs);
      await this.verifyUsers(differs);
      return verified;
    });
  }

  /** Merge join of positions and entries, both ordered by position id. */
  private async verifyPositions(
    books: BookSums,
    orders: OrderSums,
    verified: Verified,
    differs: Differs,
  ): Promise<void> {
    const ledger = this.entriesByPosition();
    let own = await ledger.next();
    const orphansBefore = async (id: string | null): Promise<void> => {
      for (; !own.done && (id === null || own.value[0]!.positionId < id); own = await ledger.next()) {
        verified.entries += own.value.length;
        for (const { id: entryId, positionId } of own.value)
          differs(`entry ${entryId}`, `is of ${positionId}, which is not there`);
      }
    };
    for await (const { position, terms } of this.positions()) {
      await orphansBefore(position.id);
      const entries = !own.done && own.value[0]!.positionId === position.id ? own.value : [];
      if (entries.length > 0) own = await ledger.next();
      verified.positions++;
      verified.entries += entries.length;
      checkPosition(position, replay(entries, terms, this.isIdle), entries, this.isIdle, books, differs);
      orders.add(position, entries);
    }
    await orphansBefore(null);
  }

  private async *positions(): AsyncGenerator<{ position: StoredPosition; terms: CampaignTerms[] }> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: RowFrom<typeof queries.PAGE_OF_POSITIONS>[] = await this.store.query(
        queries.PAGE_OF_POSITIONS,
        [after, PAGE.positions],
      );
      const campaignIds = new Set(rows.flatMap(({ campaignId }) => campaignId ?? []));
      const terms = await this.store.query(queries.FIND_TERMS_OF_CAMPAIGNS, [[...campaignIds]]);
      const byCampaign = Map.groupBy(terms, ({ campaignId }) => campaignId);
      for (const row of rows) {
        const position = { ...toPosition(row), usersPartnerId: row.usersPartnerId };
        yield { position, terms: byCampaign.get(row.campaignId ?? '') ?? [] };
      }
      after = rows.length < PAGE.positions ? undefined : rows.at(-1)!.id;
    }
  }

  private async *entriesByPosition(): AsyncGenerator<StoredEntry[], undefined> {
    let group: StoredEntry[] = [];
    for (let after: EntryRow | null | undefined = null; after !== undefined;) {
      const key = after
        ? ([after.positionId, after.at, after.id] as const)
        : (['', '-infinity', ''] as const);
      const rows: EntryRow[] = await this.store.query(queries.PAGE_OF_ENTRIES, [...key, PAGE.rows]);
      for (const row of rows) {
        if (group.length > 0 && group[0]!.positionId !== row.positionId) {
          yield group;
          group = [];
        }
        group.push(toEntry(row));
      }
      after = rows.length < PAGE.rows ? undefined : rows.at(-1);
    }
    if (group.length > 0) yield group;
  }

  /** Recomputes each revenue account from its settled entries: a merge join of accounts and entries, both ordered by user and asset. */
  private async verifyRevenue(books: BookSums, verified: Verified, differs: Differs): Promise<void> {
    const settled = this.settled();
    let next = await settled.next();
    const orphansBefore = async (key: string | null): Promise<void> => {
      for (
        let last = '';
        !next.done && (key === null || keyOf(next.value) < key);
        next = await settled.next()
      ) {
        if (keyOf(next.value) !== last)
          differs(`revenue_accounts ${keyOf(next.value)}`, 'is not there, and entries were settled in it');
        last = keyOf(next.value);
      }
    };
    for await (const account of this.accounts()) {
      const key = keyOf(account);
      await orphansBefore(key);
      const subject = `revenue_accounts ${key}`;
      const replaying = new RevenueReplay(account, (problem) => differs(subject, problem));
      for (; !next.done && keyOf(next.value) === key; next = await settled.next())
        replaying.take(toSettledLine(next.value));
      const recomputed = replaying.account;
      verified.accounts++;
      for (const name of ACCOUNT_FIELDS) {
        const [is, should] = [account, recomputed].map((one) =>
          name === 'sums' ? sumsInWords(one.sums) : textOf(one[name]),
        );
        if (is !== should) differs(subject, `${name} is ${is}, by the ledger it is ${should}`);
      }
      books.add(revenueContribution(recomputed));
    }
    await orphansBefore(null);
  }

  private async *accounts(): AsyncGenerator<RevenueAccount, undefined> {
    for (let after: RevenueAccountRow | null | undefined = null; after !== undefined;) {
      const key = after ? ([after.userId, after.asset] as const) : (['', ''] as const);
      const rows: RevenueAccountRow[] = await this.store.query(queries.PAGE_OF_ACCOUNTS, [
        ...key,
        PAGE.positions,
      ]);
      yield* rows.map(toAccount);
      after = rows.length < PAGE.positions ? undefined : rows.at(-1);
    }
  }

  /** Read in pages: a user may have any number of entries. */
  private async *settled(): AsyncGenerator<SettledRow, undefined> {
    for (let after: SettledRow | null | undefined = null; after !== undefined;) {
      const key = after
        ? ([after.userId, after.asset, after.place, after.id] as const)
        : (['', '', 0, ''] as const);
      const rows: SettledRow[] = await this.store.query(queries.PAGE_OF_SETTLED, [...key, PAGE.rows]);
      yield* rows;
      after = rows.length < PAGE.rows ? undefined : rows.at(-1);
    }
  }

  /** Checks what was reported of orders. */
  private async verifyOrders(sums: OrderSums, differs: Differs): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: OrderFigures[] = await this.store.query(queries.PAGE_OF_ORDERS, [after, PAGE.rows]);
      for (const order of rows) sums.check(order, differs);
      after = rows.length < PAGE.rows ? undefined : rows.at(-1)!.id;
    }
  }

  /**
   * Checks that each recorded transfer has its entry, and each voided one its reversal. That each entry's transfer is recorded is checked with its
   * position.
   */
  private async verifySettlements(verified: Verified, differs: Differs): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: RowFrom<typeof queries.PAGE_OF_SETTLEMENTS>[] = await this.store.query(
        queries.PAGE_OF_SETTLEMENTS,
        [after, PAGE.rows],
      );
      verified.settlements += rows.length;
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

const keyOf = ({ userId, asset }: { userId: string; asset: string }): string => `${userId} ${asset}`;
