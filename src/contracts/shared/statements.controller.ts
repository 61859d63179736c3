import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LedgerService } from '../../domain/books/ledger/ledger.service.js';
import { JournalService } from '../../domain/reporting/journal.service.js';
import { StatementReports } from '../../domain/reporting/statement-report.service.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { Paginator } from '../../http/request/paging.js';
import { PathPeriod } from '../../http/request/path.js';
import {
  ledgerFilter,
  ledgerIdentity,
  ledgerView,
  PartnerJournalQuery,
  PartnerLedgerQuery,
} from './ledger.dto.js';
import {
  JournalEntry,
  journalView,
  PartnerLedgerEvent,
  PartnerStatement,
  periodView,
  StatementPeriod,
  StatementsQuery,
  StatementUsersQuery,
  statementView,
  UserStatement,
  userStatementView,
} from './statement.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

/** A partner's books for accountants: ledger, journal, statements. */
@ApiTags('Reports')
@Controller('partner')
export class StatementsController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly reports: StatementReports,
    private readonly settlements: SettlementService,
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

  @Get('statements')
  @Operation({
    summary: 'List statements',
    description: 'Periods with at least one closed day, newest first.',
    access,
    success: { object: 'list', data: StatementPeriod, description: 'A page of periods.' },
    extension: true,
  })
  listPartnerStatements(@PartnerId() partnerId: string, @Query() query: StatementsQuery) {
    const { interval = 'month' } = query;
    return this.paging.serve(
      ['partner statements', partnerId, interval],
      query,
      (page) => this.reports.list(partnerId, interval, page),
      periodView,
    );
  }

  @Get('statements/:period')
  @Operation({
    summary: 'Read a statement',
    description:
      'The statement of a month or a UTC day, by asset and overall: opening value, deposits, withdrawals, yield, costs, closing value, the fee and its split, and uplift.',
    access,
    success: {
      object: 'statement',
      data: PartnerStatement,
      lines: 'assets',
      description: 'The statement.',
    },
    extension: true,
  })
  async readPartnerStatement(
    @PartnerId() partnerId: string,
    @PathPeriod('The month, YYYY-MM, or the UTC day, YYYY-MM-DD.') period: string,
  ) {
    return statementView(await this.reports.read(partnerId, period));
  }

  @Get('statements/:period/users')
  @Operation({
    summary: 'Read a statement by end-user',
    description: 'Figures of the statement by end-user, newest user first. They sum to the statement.',
    access,
    success: { object: 'list', data: UserStatement, lines: 'assets', description: 'A page of end-users.' },
    extension: true,
  })
  listPartnerStatementUsers(
    @PartnerId() partnerId: string,
    @PathPeriod('The month, YYYY-MM, or the UTC day, YYYY-MM-DD.') period: string,
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
