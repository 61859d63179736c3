import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { LedgerEntry } from '../../domain/books/ledger/ledger-entry.js';
import { LedgerService } from '../../domain/books/ledger/ledger.service.js';
import { toUnits } from '../../domain/kernel/money.js';
import {
  type AssetFigures,
  type Period,
  type PeriodFigures,
  StatementReports,
  totalOf,
} from '../../domain/reporting/statement-report.service.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { Shown } from '../../http/answer/shown.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/auth.guard.js';
import { ChoiceField, UserIdsField } from '../../http/request/fields.js';
import { type Listed, PageQuery, Paging } from '../../http/request/paging.js';
import { PathPeriod } from '../../http/request/path.js';
import {
  ledgerAsked,
  ledgerIdentity,
  ledgerView,
  PartnerLedgerQuery,
  UserLedgerEvent,
} from './ledger.dto.js';

class StatementsQuery extends PageQuery {
  @ChoiceField({ description: 'Months or UTC days.', of: ['month', 'day'], optional: true, default: 'month' })
  interval?: 'month' | 'day';
}

class StatementPeriod {
  @Shown.kind('statement') object: 'statement';
  @Shown.text('The month or UTC day.', '2026-01') period: string;
  @Shown.time('Start of the period.') from: string;
  @Shown.time('End of the period; for an open period, the end of its last closed day.') to: string;
  @Shown.flag('Whether all its days are closed. A closed period never changes.', true) closed: boolean;
}

class StatementUplift {
  @Shown.amount("Uplift of the period over the asset's lending vault.", 1.5)
  lending: number;
  @Shown.amount("Uplift of the period over each position's first vault.", 0.5)
  hold: number;
}

class StatementFigures {
  @Shown.amount('Value of positions at the start of the period.', 1000)
  opening_value: number;
  @Shown.amount('Deposits of the period, net of voids.', 500) deposits: number;
  @Shown.amount('Withdrawals of the period, net of voids.', 200) withdrawals: number;
  @Shown.amount('Yield of the period before `costs`; negative after a loss.', 4.2) yield: number;
  @Shown.amount('Costs of moves between vaults.', 0.2) costs: number;
  @Shown.amount(
    'Value of positions at the end: opening value + deposits - withdrawals + yield - costs.',
    1304,
  )
  closing_value: number;
  @Shown.amount('Performance fee settled in the period.', 0.4) performance_fee: number;
  @Shown.amount("The partner's part of the fee.", 0.16) partner_revenue: number;
  @Shown.amount("The protocol's part of the fee.", 0.24) protocol_revenue: number;
  @Shown.amount('Losses carried forward at the end.', 0) carried_loss: number;
  @Shown.record(
    () => StatementUplift,
    "Uplift of the period, net of costs. Values of end-users are rounded down by position: their sum may differ from the statement's by a micro-unit a position.",
  )
  uplift: StatementUplift;
}

class AssetStatement extends StatementFigures {
  @Shown.asset('Asset of the row.') asset: string;
}

class PartnerStatement extends StatementPeriod {
  @Shown.records(() => AssetStatement, 'A row per asset of the deployment.') assets: AssetStatement[];
  @Shown.record(() => StatementFigures, 'Over all assets; stablecoins are added at par.')
  totals: StatementFigures;
}

class UserStatement {
  @Shown.kind('user_statement') object: 'user_statement';
  @Shown.id('usr', 'The end-user.') user_id: string;
  @Shown.text('Your id of the end-user.', 'acme:user-1042') external_id: string;
  @Shown.records(() => AssetStatement, 'A row per asset with an entry up to the end of the period.')
  assets: AssetStatement[];
}

/** Beside the entries of a user's ledger, which one contract extends. */
class PartnerLedgerEvent extends UserLedgerEvent {}

const ACCOUNTS = [
  'vaults',
  'end_users',
  'costs_of_moves',
  'fees_receivable',
  'fee_income',
  'owed_to_partner',
] as const;

class JournalLine {
  @Shown.choice(
    ACCOUNTS,
    "`vaults`: assets in vaults. `end_users`: owed to end-users. `costs_of_moves`: charged to end-users, and paid from vaults. `fees_receivable`: fees settled and not received. `fee_income`: the protocol's part of them. `owed_to_partner`: the partner's part.",
    'vaults',
  )
  account: (typeof ACCOUNTS)[number];
  @Shown.amount('Debit.', 0.412345) debit: number;
  @Shown.amount('Credit.', 0) credit: number;
}

class JournalEntry {
  @Shown.id('evt') id: string;
  @Shown.kind('journal_entry') object: 'journal_entry';
  @Shown.time('Its value date.') at: string;
  @Shown.time('When it was booked.') recorded_at: string;
  @Shown.id('usr', 'End-user of the entry.') user_id: string;
  @Shown.asset('Asset of all amounts.') asset: string;
  @Shown.records(
    () => JournalLine,
    'Debits and credits, which are equal in sum. A move without cost has none. As CSV, each is a row.',
  )
  lines: JournalLine[];
  @Shown.text('The entry in a sentence, for people.', 'Yield of 0.412345 USDC accrued.') note: string;
}

const access = { scopes: ['partner:read'], partner: true } as const;

class StatementUsersQuery extends PageQuery {
  @UserIdsField() ids?: string;
}

/** A partner's books for accountants: ledger, journal, statements. */
@ApiTags('Reports')
@Controller('partner')
export class StatementsController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly reports: StatementReports,
    private readonly settlements: SettlementService,
    private readonly paging: Paging,
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
  listPartnerLedger(
    @PartnerId() partnerId: string,
    @Query() query: PartnerLedgerQuery,
  ): Promise<Listed<PartnerLedgerEvent>> {
    return this.paging.serve(
      ['partner ledger', partnerId, query.user_id, ...ledgerIdentity(query)],
      query,
      async (page) => {
        const { items, next } = await this.ledger.list(partnerId, ledgerAsked(query, query.user_id), page);
        const settlements = await this.settlements.ofEntries(items);
        return { items: items.map((entry) => ({ entry, chain: settlements.get(entry.id)?.chain })), next };
      },
      ({ entry, chain }) => ledgerView(entry, chain),
    );
  }

  @Get('journal')
  @Operation({
    summary: 'Read the journal',
    description:
      'The ledger as debits and credits over six accounts. Every entry balances, and so does every period.',
    access,
    success: { object: 'list', data: JournalEntry, lines: 'lines', description: 'A page of the journal.' },
    errors: ['not_found'],
    extension: true,
  })
  listPartnerJournal(
    @PartnerId() partnerId: string,
    @Query() query: PartnerLedgerQuery,
  ): Promise<Listed<JournalEntry>> {
    return this.paging.serve(
      ['partner journal', partnerId, query.user_id, ...ledgerIdentity(query)],
      query,
      (page) => this.ledger.list(partnerId, ledgerAsked(query, query.user_id), page),
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
  listPartnerStatements(
    @PartnerId() partnerId: string,
    @Query() query: StatementsQuery,
  ): Promise<Listed<StatementPeriod>> {
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
    success: { object: 'statement', data: PartnerStatement, description: 'The statement.' },
    extension: true,
  })
  async readPartnerStatement(
    @PartnerId() partnerId: string,
    @PathPeriod('The month, YYYY-MM, or the UTC day, YYYY-MM-DD.') period: string,
  ): Promise<PartnerStatement> {
    const statement = await this.reports.read(partnerId, period);
    return {
      ...periodView(statement),
      assets: statement.assets.map(assetView),
      totals: figuresView(totalOf(statement.assets)),
    };
  }

  @Get('statements/:period/users')
  @Operation({
    summary: 'Read a statement by end-user',
    description: 'The same figures by end-user, newest user first. They sum to the statement.',
    access,
    success: { object: 'list', data: UserStatement, lines: 'assets', description: 'A page of end-users.' },
    extension: true,
  })
  listPartnerStatementUsers(
    @PartnerId() partnerId: string,
    @PathPeriod('The month, YYYY-MM, or the UTC day, YYYY-MM-DD.') period: string,
    @Query() query: StatementUsersQuery,
  ): Promise<Listed<UserStatement>> {
    return this.paging.serve(
      ['partner statement users', partnerId, period, query.ids],
      query,
      (page) => this.reports.users(partnerId, period, page, query.ids?.split(',')),
      (user) => ({
        object: 'user_statement' as const,
        user_id: user.userId,
        external_id: user.externalId,
        assets: user.assets.map(assetView),
      }),
    );
  }
}

const periodView = ({ period, from, to, closed }: Period): StatementPeriod => ({
  object: 'statement',
  period,
  from: from.toISOString(),
  to: to.toISOString(),
  closed,
});

const figuresView = (row: PeriodFigures): StatementFigures => ({
  opening_value: toUnits(row.openingValue),
  deposits: toUnits(row.deposits),
  withdrawals: toUnits(row.withdrawals),
  yield: toUnits(row.yield),
  costs: toUnits(row.costs),
  closing_value: toUnits(row.closingValue),
  performance_fee: toUnits(row.performanceFee),
  partner_revenue: toUnits(row.partnerRevenue),
  protocol_revenue: toUnits(row.protocolRevenue),
  carried_loss: toUnits(row.carriedLoss),
  uplift: { lending: toUnits(row.lendingUplift), hold: toUnits(row.holdUplift) },
});

const assetView = (row: AssetFigures): AssetStatement => ({
  asset: row.asset,
  ...figuresView(row),
});

const journalView = (entry: LedgerEntry): JournalEntry => {
  const { type, amount, cost, fee, partnerRevenue } = entry;
  const lines: JournalLine[] = [];
  const book = (account: JournalLine['account'], debit: bigint): void => {
    const [debited, credited] = debit > 0n ? [debit, 0n] : [0n, -debit];
    if (debit !== 0n) lines.push({ account, debit: toUnits(debited), credit: toUnits(credited) });
  };
  const added = type === 'withdrawal' ? -amount : type === 'rebalance' ? 0n : amount;
  book('vaults', added);
  book('end_users', -added);
  book('end_users', cost);
  book('costs_of_moves', -cost);
  book('costs_of_moves', cost);
  book('vaults', -cost);
  book('fees_receivable', fee);
  book('fee_income', partnerRevenue - fee);
  book('owed_to_partner', -partnerRevenue);
  const { id, user_id, asset, at, recorded_at, note } = ledgerView(entry);
  return { id, object: 'journal_entry', at, recorded_at, user_id, asset, lines, note };
};
