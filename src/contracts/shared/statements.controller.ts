import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LedgerService } from '../../domain/books/ledger/ledger.service.js';
import { JournalService } from '../../domain/reporting/journal.service.js';
import { ClosingPackages } from '../../domain/reporting/package/closing-packages.js';
import { StatementReports } from '../../domain/reporting/statement-report.service.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { TermsService } from '../../domain/tenants/partners/terms.service.js';
import { FileAnswer } from '../../http/answer/answer-streams.js';
import { FileOperation, Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { PageQuery, Paginator } from '../../http/request/paging.js';
import { PathMonth, PathPeriod } from '../../http/request/path.js';
import {
  ledgerFilter,
  ledgerIdentity,
  ledgerView,
  PartnerJournalQuery,
  PartnerLedgerQuery,
} from './ledger.dto.js';
import {
  JournalEntry,
  ListedStatement,
  listedView,
  journalView,
  PartnerLedgerEvent,
  PartnerStatement,
  StatementsQuery,
  StatementUsersQuery,
  statementView,
  UserStatement,
  userStatementView,
} from './statement.dto.js';
import { TERMS_OPERATION, termsView } from './terms.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

/** A partner's books for accountants: ledger, journal, statements. */
@ApiTags('Reports')
@Controller('partner')
export class StatementsController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly reports: StatementReports,
    private readonly packages: ClosingPackages,
    private readonly settlements: SettlementService,
    private readonly terms: TermsService,
    private readonly journal: JournalService,
    private readonly paging: Paginator,
  ) {}

  @Get('ledger')
  @Operation({
    summary: 'Read the ledger',
    description:
      'All ledger entries of your end-users, newest first, in booking order. `after` with the id of your last entry returns the entries booked since, oldest first, without a gap.',
    access,
    success: { object: 'list', data: PartnerLedgerEvent, description: 'A page of the ledger.' },
    errors: ['not_found'],
    extension: true,
  })
  listPartnerLedger(@PartnerId() partnerId: string, @Query() query: PartnerLedgerQuery) {
    return this.paging.serve(
      ['partner ledger', partnerId, query.user_id, ...ledgerIdentity(query)],
      query,
      async (page) => {
        const { items, next } = await this.ledger.list(partnerId, ledgerFilter(query, query.user_id), page);
        const settlements = await this.settlements.findByEntries(items);
        return { items: items.map((entry) => ({ entry, chain: settlements.get(entry.id)?.chain })), next };
      },
      ({ entry, chain }) => ledgerView(entry, chain),
    );
  }

  @Get('journal')
  @Operation({
    summary: 'Read the journal',
    description:
      'The ledger and the ends of invoices as debits and credits over seven accounts. Every entry balances, and so does every period.',
    access,
    success: { object: 'list', data: JournalEntry, lines: 'lines', description: 'A page of the journal.' },
    errors: ['not_found'],
    extension: true,
  })
  listPartnerJournal(@PartnerId() partnerId: string, @Query() query: PartnerJournalQuery) {
    return this.paging.serve(
      ['partner journal', partnerId, query.user_id, ...ledgerIdentity(query)],
      query,
      (page) => this.journal.list(partnerId, ledgerFilter(query, query.user_id), page),
      journalView,
    );
  }

  @Get('terms')
  @Operation({
    ...TERMS_OPERATION,
    summary: 'List your terms',
    description: TERMS_OPERATION.description('Your terms'),
    access,
  })
  listPartnerTerms(@PartnerId() partnerId: string, @Query() query: PageQuery) {
    return this.paging.serve(
      ['partner terms', partnerId],
      query,
      (page) => this.terms.list(partnerId, page),
      termsView,
    );
  }

  @Get('statements')
  @Operation({
    summary: 'List statements',
    description: 'Periods with at least one closed day, newest first, with their figures.',
    access,
    success: { object: 'list', data: ListedStatement, lines: 'assets', description: 'A page of periods.' },
    extension: true,
  })
  listPartnerStatements(@PartnerId() partnerId: string, @Query() query: StatementsQuery) {
    const { interval = 'month' } = query;
    return this.paging.serve(
      ['partner statements', partnerId, interval],
      query,
      (page) => this.reports.list(partnerId, interval, page),
      listedView,
    );
  }

  @Get('statements/:period')
  @Operation({
    summary: 'Read a statement',
    description:
      'The statement of a year, a month or a UTC day, by asset and overall: opening value, deposits, withdrawals, yield, costs, closing value, the fee and its split, and uplift.',
    access,
    success: {
      object: 'statement',
      data: PartnerStatement,
      lines: 'assets',
      description: 'The statement.',
    },
    extension: true,
  })
  async readPartnerStatement(@PartnerId() partnerId: string, @PathPeriod() period: string) {
    return statementView(await this.reports.read(partnerId, period));
  }

  @Get('statements/:period/package')
  @FileOperation({
    summary: 'Download the closing package of a month',
    description:
      'A closed month in one ZIP: `statement.csv`, `users.csv`, `trial-balance.csv`, `journal.csv`, `ledger.csv`, `terms.csv`, `reserves.csv`, `statement.html`, and `manifest.json` with the digest, rows and sums of each. The same bytes each time, in a `format` that the manifest names; docs/accounting.md has a script that verifies them.',
    access,
    success: { file: 'application/zip', description: 'The package, streamed: it has no length.' },
    errors: ['month_open'],
  })
  async downloadPartnerPackage(
    @PartnerId() partnerId: string,
    @PathMonth('The month, YYYY-MM.') period: string,
  ): Promise<FileAnswer> {
    return new FileAnswer('application/zip', 'zip', await this.packages.open(partnerId, period));
  }

  @Get('statements/:period/users')
  @Operation({
    summary: 'Read a statement by end-user',
    description:
      'Figures of the statement by end-user, newest user first. They sum to the statement. Of a year: what an end-user deposited, withdrew and earned in it, and its value at both ends.',
    access,
    success: { object: 'list', data: UserStatement, lines: 'assets', description: 'A page of end-users.' },
    extension: true,
  })
  listPartnerStatementUsers(
    @PartnerId() partnerId: string,
    @PathPeriod() period: string,
    @Query() query: StatementUsersQuery,
  ) {
    return this.paging.serve(
      ['partner statement users', partnerId, period, query.ids],
      query,
      (page) => this.reports.users(partnerId, period, page, query.ids?.split(',')),
      userStatementView,
    );
  }
}
