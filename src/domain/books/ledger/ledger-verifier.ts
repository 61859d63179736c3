import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { isContended } from '../../kernel/store/outage.js';
import { pagesOf } from '../../kernel/store/pages.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { AuditChain, type AuditedChain } from '../../tenants/audit/audit-chain.js';
import { AuditedRecords } from '../../tenants/audit/audited-records.js';
import { BookSums } from '../positions/books.js';
import { BookVerifier } from './book-verifier.js';
import { EntryIndexes } from './entry-indexes.js';
import { checkOrder, type ReportedOrder } from './order-check.js';
import { PAGE_OF_ORDERS } from './order-check.queries.js';
import { PAGE, PositionVerifier } from './position-verifier.js';
import { RevenueVerifier } from './revenue-verifier.js';
import * as queries from './verification.queries.js';
import {
  type ComparedCounts,
  NOT_COMPARED,
  type ReportDifference,
  type VerifiedPart,
} from './verification.js';

export interface Difference {
  /** Subject: a position, an entry, a recorded transfer, or a book row with its key. */
  subject: string;
  /** Text that follows the subject. */
  problem: string;
}

export interface CheckedLedger extends AuditedChain {
  /** Seventh of the partners that was verified, 0 to 6; null: all partners. */
  seventh: number | null;
  positions: number;
  entries: number;
  /** Revenue accounts: one for each user and asset. */
  accounts: number;
  settlements: number;
  bookRows: number;
  /** What was compared with them: numbers of rows, and of those that could not be compared, with the reason. */
  compared: ComparedCounts;
  differences: number;
}

type Report = (difference: Difference) => void;

const ATTEMPTS = 5;
/** Pause before the second attempt; each further pause is longer by as much. */
const PAUSE_MS = 500;
/** Differences that a run reports; the others are only counted. */
export const REPORTED = 100;

/**
 * Recomputes positions and books from the first entry of the ledger on, in one snapshot, and reports differences. It holds one page of rows at a time, the
 * books, and the changes of one partner's books. A night may verify a seventh of the partners, so that seven nights verify all.
 */
@Injectable()
export class LedgerVerifier {
  /** Checks that other modules add. */
  readonly parts: VerifiedPart[] = [];
  private readonly idle: readonly string[];

  constructor(
    private readonly store: Store,
    private readonly audit: AuditChain,
    private readonly records: AuditedRecords,
    private readonly settings: DomainSettings,
    catalogue: Catalogue,
  ) {
    this.idle = catalogue.vaults.filter(isIdle).map(({ id }) => id);
  }

  /** Verifies all partners, or, beyond `ledger.nightly_entries`, the seventh verified the longest ago. Throws what `run` throws. */
  async runNightly(report: Report): Promise<CheckedLedger> {
    const [row] = await this.store.query(queries.CHOOSE_SEVENTH, [
      this.settings.constants.ledger.nightlyEntries,
    ]);
    return this.run(report, row!.seventh);
  }

  /**
   * Verifies the ledger of all partners, or of a seventh, and the whole audit log. Tries up to five times where others hold its locks for too long.
   * @param report called with the first 100 differences
   * @param seventh of the partners; null: all
   * @throws Error while another run is under way, and when something cannot be read
   */
  async run(report: Report, seventh: number | null = null): Promise<CheckedLedger> {
    let reported = 0;
    const counted = (difference: Difference): void => {
      reported++;
      report(difference);
    };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.audit.extend();
        const checked = await this.store.snapshot(() => this.check(seventh, counted));
        await this.store.query(queries.RECORD_CHECK, [seventh, checked.entries, checked.differences]);
        return checked;
      } catch (error) {
        // A second attempt would report the same differences again.
        if (!isContended(error) || attempt === ATTEMPTS || reported > 0) throw error;
      }
      await sleep(PAUSE_MS * attempt);
    }
  }

  async last(): Promise<RowFrom<typeof queries.FIND_LAST_CHECK> | null> {
    const [row] = await this.store.query(queries.FIND_LAST_CHECK, []);
    return row ?? null;
  }

  private async check(seventh: number | null, report: Report): Promise<CheckedLedger> {
    const [lock] = await this.store.query(queries.LOCK_VERIFICATION, []);
    if (!lock!.isFree) throw new Error('Another process is verifying the ledger.');
    let [differences, lines] = [0, 0];
    const differs: ReportDifference = (subject, problem, count = 1) => {
      differences += count;
      if (lines++ < REPORTED) report({ subject, problem });
    };
    const audited = await this.audit.verify(differs);
    const replayed = await this.replay(seventh, differs);
    return { seventh, ...replayed, ...audited, differences };
  }

  private async replay(seventh: number | null, differs: ReportDifference) {
    const books = new BookSums();
    const cash = new Set(this.idle);
    const isCash = (vaultId: string): boolean => cash.has(vaultId);
    const { ownMarketHours } = this.settings.constants.retention;
    const indexes = new EntryIndexes(this.store, ownMarketHours, differs);
    const positions = new PositionVerifier(this.store, seventh, isCash, indexes, books, differs);
    await positions.verify();
    const orders = await this.verifyOrders(seventh, isCash, differs);
    const revenue = new RevenueVerifier(this.store, seventh, books, differs);
    await revenue.verify();
    const bookRows = await new BookVerifier(this.store, books, seventh, differs).verify();
    const compared: Record<string, number> = { orders };
    const add = (counts: ComparedCounts): void => {
      for (const [subject, count] of Object.entries(counts))
        if (count > 0 || !subject.includes(NOT_COMPARED)) compared[subject] = count;
    };
    add(indexes.compared);
    for (const part of [this.records, ...this.parts]) add(await part.verify(differs, seventh));
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
    seventh: number | null,
    isCash: (vaultId: string) => boolean,
    differs: ReportDifference,
  ): Promise<number> {
    const read = (after: ReportedOrder | undefined): Promise<ReportedOrder[]> =>
      this.store.query(PAGE_OF_ORDERS, [after?.id ?? '', PAGE.positions, this.idle, seventh]);
    let count = 0;
    for await (const rows of pagesOf(read, PAGE.positions)) {
      count += rows.length;
      rows.forEach((order) => checkOrder(order, isCash, differs));
    }
    return count;
  }
}
