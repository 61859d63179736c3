import { Injectable } from '@nestjs/common';
import { makeZip } from 'client-zip';
import { IDLE_PREFIX } from '../../../config/vault-catalogue.js';
import { LedgerService } from '../../books/ledger/ledger.service.js';
import { rateText } from '../../kernel/csv.js';
import type { PageKey } from '../../kernel/store/page.js';
import { type Terms, TermsService } from '../../tenants/partners/terms.service.js';
import { UserService } from '../../tenants/users/user.service.js';
import { ClosingService } from '../closing.service.js';
import { JournalService } from '../journal.service.js';
import { coverageOf } from '../reserves/reserve.js';
import { type AssetFigures, type Period, StatementReports } from '../statement-report.service.js';
import { type AccountBalance, TrialBalances } from '../trial-balance.service.js';
import { ClosedMonths, type ClosedMonth } from './closed-months.js';
import * as tables from './package-tables.js';
import { CsvFile, type PackagedFile, TextFile } from './packaged-file.js';
import { statementPage } from './statement-page.js';

const ROWS_AT_ONCE = 200;
const NOTHING = 'The partner had no funds up to the end of the month.';
const NOT_KEPT =
  'The month closed before the upgrade to the version that keeps what a package says of its closing.';

interface Month extends Period {
  partnerId: string;
  /** null: it closed before this was kept. */
  kept: ClosedMonth | null;
  assets: AssetFigures[];
}

/**
 * Closing packages: a month in one ZIP, the same bytes each time. It is read page after page from what a closed month never changes, without a
 * transaction that a slow reader would keep open.
 */
@Injectable()
export class ClosingPackages {
  constructor(
    private readonly reports: StatementReports,
    private readonly closings: ClosingService,
    private readonly balances: TrialBalances,
    private readonly journal: JournalService,
    private readonly ledger: LedgerService,
    private readonly terms: TermsService,
    private readonly users: UserService,
    private readonly months: ClosedMonths,
  ) {}

  /**
   * @returns the ZIP, made as it is read
   * @throws DomainError as `StatementReports.closedMonth`
   */
  async open(partnerId: string, name: string): Promise<AsyncIterable<Uint8Array>> {
    const statement = await this.reports.closedMonth(partnerId, name);
    const kept = await this.months.find(partnerId, statement.from);
    // Assets that the partner never had, which a later version may add, are in no file.
    const month: Month = { ...statement, partnerId, kept, assets: statement.assets.toSorted(byAsset) };
    return zipOf(this.filesOf(month), month);
  }

  private filesOf(month: Month): PackagedFile[] {
    const { partnerId, from, to, assets } = month;
    const files: PackagedFile[] = [
      new CsvFile('statement.csv', tables.STATEMENT, () => once(assets)),
      new CsvFile('users.csv', tables.USERS, () => this.userRows(month)),
      new CsvFile('trial-balance.csv', tables.TRIAL_BALANCE, () => this.trialBalance(month)),
      new CsvFile('journal.csv', tables.JOURNAL, () => this.journalRows(month)),
      new CsvFile('ledger.csv', tables.LEDGER, () => this.ledger.readPeriod(partnerId, from, to)),
      new CsvFile('terms.csv', tables.TERMS, () => this.termsUntil(month)),
      new CsvFile('reserves.csv', tables.RESERVES, () => this.reserves(month)),
      new TextFile('statement.html', () => pageOf(month)),
    ];
    const manifest = new TextFile('manifest.json', () => {
      const entries = files.map((file) => file.entry());
      return `${JSON.stringify({ ...manifestOf(month), files: entries }, null, 2)}\n`;
    });
    return [...files, manifest];
  }

  /** Accounts that have any figure, so that one that a later version adds is in no file. */
  private async *trialBalance({ partnerId, ...period }: Month): AsyncGenerator<AccountBalance[]> {
    const { accounts } = await this.balances.read(partnerId, period);
    const used = accounts.filter((row) => row.opening !== 0n || row.debits !== 0n || row.credits !== 0n);
    yield used.toSorted((one, other) => byAsset(one, other) || (one.account < other.account ? -1 : 1));
  }

  private async *termsUntil({ partnerId, to }: Month): AsyncGenerator<Terms[]> {
    for (let after: PageKey | null = null; ;) {
      const { items, next } = await this.terms.list(partnerId, { limit: ROWS_AT_ONCE, after }, to);
      yield items;
      if (next === null) return;
      after = next;
    }
  }

  private async *userRows({ partnerId, period, kept }: Month) {
    for (let after: PageKey | null = null; ;) {
      const { items, next } = await this.reports.users(partnerId, period, { limit: ROWS_AT_ONCE, after });
      const ids = items.map(({ userId }) => userId);
      const externalIds = await this.users.findExternalIdsAt(ids, kept?.closedAt ?? '-infinity');
      yield items.flatMap(({ userId, assets }) =>
        assets.toSorted(byAsset).map((row) => ({ ...row, userId, externalId: externalIds.get(userId)! })),
      );
      if (next === null) return;
      after = next;
    }
  }

  private async *journalRows({ partnerId, from, to, kept }: Month) {
    for await (const entries of this.ledger.readPeriod(partnerId, from, to)) {
      const ids = entries.map(({ userId }) => userId);
      const externalIds = await this.users.findExternalIdsAt(ids, kept?.closedAt ?? '-infinity');
      yield tables.rowsOfEntries(entries, externalIds);
    }
    for await (const ends of this.journal.readEnds(partnerId, from, to)) yield tables.rowsOfEnds(ends);
  }

  /** Readings that were there when the month closed, with the partner's part of the books. */
  private async *reserves({ partnerId, to, kept }: Month): AsyncGenerator<tables.PackagedReserve[]> {
    if (kept === null || kept.reserves.length === 0) return;
    const book = await this.closings.bookAt(partnerId, to, 'period');
    yield kept.reserves.map(({ readAt, blockAt, books, chainHolds, vaultId, ...row }) => ({
      ...row,
      vaultId: vaultId.startsWith(IDLE_PREFIX) ? null : vaultId,
      readAt: new Date(readAt),
      blockAt: blockAt === null ? null : new Date(blockAt),
      books: book.values('routed', row.asset).find((held) => held.vaultId === vaultId)?.value ?? 0n,
      coverage: coverageText(books, chainHolds),
    }));
  }
}

const byAsset = (one: { asset: string }, other: { asset: string }): number =>
  one.asset === other.asset ? 0 : one.asset < other.asset ? -1 : 1;

async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield await Promise.resolve(rows);
}

/**
 * Stored, not deflated: what zlib makes of a text differs between its versions and processors. Each entry is dated by the last day of the month.
 */
async function* zipOf(files: readonly PackagedFile[], { to }: Period): AsyncGenerator<Uint8Array> {
  const day = new Date(to.getTime() - 1);
  // ZIP has local times; noon is in every time zone's day.
  const lastModified = new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12);
  const entries = files.map((file) => ({ name: file.name, input: file.content(), lastModified }));
  const reader = makeZip(entries).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // It rejects with the reason by which it is cancelled.
    await reader.cancel().catch(() => undefined);
    await Promise.all(entries.map(({ input }) => input.return(undefined)));
  }
}

function manifestOf({ partnerId, period, from, to, kept, assets }: Month) {
  const { verification } = kept ?? {};
  return {
    format: tables.FORMAT,
    partner_id: partnerId,
    period,
    from: from.toISOString(),
    to: to.toISOString(),
    at_closing: kept && {
      closed_at: kept.closedAt.toISOString(),
      partner_name: kept.partnerName,
      version: kept.version,
      configuration: {
        environment: kept.configuration.environment,
        settlement: kept.configuration.settlement,
        simulated_yields: kept.configuration.simulatedYields,
        custody: kept.configuration.custody,
        points_per_usd_day: kept.configuration.pointsPerUsdDay,
      },
      verification: verification
        ? {
            verified_at: new Date(verification.verifiedAt).toISOString(),
            full: verification.isFull,
            differences: verification.differences,
          }
        : null,
      audit_head: kept.auditHead,
    },
    at_closing_reason: kept ? null : assets.length === 0 ? NOTHING : NOT_KEPT,
  };
}

const pageOf = ({ period, partnerId, kept, assets, from, to }: Month): string =>
  statementPage(period, kept?.partnerName ?? partnerId, assets, [
    `${partnerId}, ${from.toISOString()} to ${to.toISOString()}. The total adds stablecoins at par.`,
    'manifest.json has the digest of this page, and of the tables with its end-users and entries.',
  ]);

function coverageText(books: string, chainHolds: string | null): string | null {
  const amounts = { books: BigInt(books), chainHolds: chainHolds === null ? null : BigInt(chainHolds) };
  const coverage = coverageOf({ ...amounts, inFlight: 0n });
  return coverage === null ? null : rateText(coverage);
}
