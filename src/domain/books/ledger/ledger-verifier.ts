import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isContended } from '../../kernel/store/outage.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { BOOK_KINDS, BOOK_TABLES, type BookKind, type BookRow, BookSums } from '../positions/books.js';
import { Checkpoint, pagesOf, rowsOfBook } from './checkpoint.js';
import { FIND_CLOSING_DIFFERENCES } from './closing-check.queries.js';
import * as queries from './ledger-verifier.queries.js';
import { checkOrder, type ReportedOrder } from './order-check.js';
import { PAGE, PositionVerifier } from './position-verifier.js';
import { RevenueVerifier } from './revenue-verifier.js';
import { AuditChain, type AuditedChain } from '../../tenants/audit/audit-chain.js';
import { AuditedRecords } from '../../tenants/audit/audited-records.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { FIND_LAST_CHECK, RECORD_CHECK } from './checkpoint.queries.js';
import {
  type ComparedCounts,
  type ReportDifference,
  NOT_COMPARED,
  textOf,
  type VerifiedPart,
} from './verification.js';

export interface Difference {
  /** Subject: a position, an entry, a recorded transfer, or a book row with its key. */
  subject: string;
  /** Text that follows the subject. */
  problem: string;
}

export interface CheckedLedger extends AuditedChain {
  /** Whether the run began at the first entry. */
  isFull: boolean;
  positions: number;
  entries: number;
  /** Revenue accounts: one for each user and asset. */
  accounts: number;
  settlements: number;
  bookRows: number;
  /** What was compared with them: numbers of rows, and of those that could not be compared, with the reason. */
  compared: ComparedCounts;
  differences: number;
  /** Hash of the new checkpoint; null: differences were found. */
  seal: string | null;
}

const ATTEMPTS = 5;
/** Pause before the second attempt; each further one is longer by it. */
const PAUSE_MS = 500;
/** Differences that a run reports; the others are only counted. */
export const REPORTED = 100;

type LastCheck = RowFrom<typeof FIND_LAST_CHECK>;

/**
 * Recomputes all positions and books from the ledger in one snapshot, and reports differences. A run begins where the last one without differences
 * ended. It holds one page of rows at a time plus the books.
 */
@Injectable()
export class LedgerVerifier {
  /** Checks of a full run that other modules add. */
  readonly parts: VerifiedPart[] = [];
  private readonly idle: readonly string[];

  constructor(
    private readonly store: Store,
    private readonly audit: AuditChain,
    private readonly records: AuditedRecords,
    catalogue: Catalogue,
  ) {
    this.idle = catalogue.vaults.filter(isIdle).map(({ id }) => id);
  }

  /**
   * Verifies the ledger since the checkpoint, or as a whole, and the whole audit log; again, up to five times, where others hold its locks for too long.
   * Throws Error while another run is under way, and when something cannot be read.
   * @param report called with the first 100 differences
   */
  async run(isFull: boolean, report: (difference: Difference) => void): Promise<CheckedLedger> {
    let reported = 0;
    const counted = (difference: Difference): void => {
      reported++;
      report(difference);
    };
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(isFull, counted);
      } catch (error) {
        // What was reported would be reported again.
        if (!isContended(error) || attempt === ATTEMPTS || reported > 0) throw error;
      }
      await sleep(PAUSE_MS * attempt);
    }
  }

  private async attempt(isFull: boolean, report: (difference: Difference) => void): Promise<CheckedLedger> {
    await this.audit.extend();
    try {
      return await this.store.snapshot(() => this.check(isFull, report), 'WRITE');
    } catch (error) {
      if (!(error instanceof DifferentError)) throw error;
      const { checked } = error;
      await this.store.query(RECORD_CHECK, [checked.isFull, checked.entries, checked.differences, null]);
      return checked;
    }
  }

  async last(): Promise<LastCheck | null> {
    const [row] = await this.store.query(FIND_LAST_CHECK, []);
    return row ?? null;
  }

  private async check(wantsFull: boolean, report: (difference: Difference) => void): Promise<CheckedLedger> {
    let [differences, lines] = [0, 0];
    const differs: ReportDifference = (subject, problem, count = 1) => {
      differences += count;
      if (lines++ < REPORTED) report({ subject, problem });
    };
    const checkpoint = await Checkpoint.open(this.store, wantsFull, differs, () => differences === 0);
    if (!checkpoint) throw new Error('Another process is verifying the ledger.');
    const { isFull } = checkpoint;
    const audited = await this.audit.verify(differs);
    const verified = { ...(await this.replay(checkpoint, differs)), ...audited };
    if (differences > 0) throw new DifferentError({ ...verified, isFull, differences, seal: null });
    const seal = await checkpoint.seal();
    await this.store.query(RECORD_CHECK, [isFull, verified.entries, 0, seal]);
    return { ...verified, isFull, differences, seal };
  }

  /** @param checkpoint to begin at, and to bring forward */
  private async replay(checkpoint: Checkpoint, differs: ReportDifference) {
    const books = new BookSums();
    await checkpoint.addBooks(books);
    const cash = new Set(this.idle);
    const isCash = (vaultId: string): boolean => cash.has(vaultId);
    const positions = new PositionVerifier(this.store, isCash, books, differs, checkpoint);
    await positions.verify();
    const orders = await this.verifyOrders(isCash, differs);
    const revenue = new RevenueVerifier(this.store, books, differs, checkpoint);
    await revenue.verify();
    let bookRows = 0;
    for (const kind of BOOK_KINDS) bookRows += await this.verifyBook(kind, books, differs);
    await this.verifyUsers(differs);
    const closings = await this.store.query(FIND_CLOSING_DIFFERENCES, [checkpoint.isFull ? null : 2]);
    for (const { subject, problem, more } of closings) differs(subject, problem, 1 + more);
    const compared: Record<string, number> = { orders };
    if (checkpoint.isFull)
      for (const part of [this.records, ...this.parts])
        for (const [what, count] of Object.entries(await part.verify(differs)))
          if (count > 0 || !what.includes(NOT_COMPARED)) compared[what] = count;
    await checkpoint.coverSums();
    return {
      positions: positions.positions,
      entries: positions.entries,
      accounts: revenue.accounts,
      settlements: positions.transfers,
      bookRows,
      compared,
    };
  }

  /** @returns number of orders */
  private async verifyOrders(
    isCash: (vaultId: string) => boolean,
    differs: ReportDifference,
  ): Promise<number> {
    const read = (after: ReportedOrder | undefined): Promise<ReportedOrder[]> =>
      this.store.query(queries.PAGE_OF_ORDERS, [after?.id ?? '', PAGE.positions, this.idle]);
    let count = 0;
    for await (const rows of pagesOf(read, PAGE.positions)) {
      count += rows.length;
      rows.forEach((order) => checkOrder(order, isCash, differs));
    }
    return count;
  }

  /** A row of zeros counts as none. @returns number of stored rows */
  private async verifyBook(kind: BookKind, books: BookSums, differs: ReportDifference): Promise<number> {
    const { table, keys, sums } = BOOK_TABLES[kind];
    const compare = (stored: BookRow | null, recomputed: BookRow | undefined): void => {
      const subject = [table, ...Object.keys(keys).map((name) => (stored ?? recomputed!)[name])].join(' ');
      for (const name of Object.keys(sums)) {
        const [has, should] = [stored, recomputed].map((row) =>
          BigInt((row?.[name] as number | bigint) ?? 0),
        );
        if (has !== should) differs(subject, `${name} is ${has}, by the ledger it is ${should}`);
      }
      const [first, shouldBe] = [textOf(stored?.firstAt), textOf(recomputed?.firstAt)];
      if (first !== shouldBe) differs(subject, `firstAt is ${first}, by the ledger it is ${shouldBe}`);
    };
    let count = 0;
    for await (const row of rowsOfBook(this.store, kind, queries.PAGE_OF_BOOK)) {
      count++;
      compare(row, books.take(kind, row));
    }
    books.nonZero[kind].forEach((row) => compare(null, row));
    return count;
  }

  /** The ledger has no users: their counter is compared with the users themselves. */
  private async verifyUsers(differs: ReportDifference): Promise<void> {
    for (const { partnerId, kept, there } of await this.store.query(queries.FIND_MISCOUNTED_USERS, []))
      differs(`book_users ${partnerId}`, `users is ${kept}, there are ${there}`);
  }
}

/** Rolls the run back: the checkpoint stays where it was. */
class DifferentError extends Error {
  constructor(readonly checked: CheckedLedger) {
    super('The ledger differs from what is stored.');
  }
}
