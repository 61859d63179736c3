import type { LedgerEntry } from '../../domain/books/ledger/ledger.service.js';
import { formatAmount, type RoundedRate, toUnits } from '../../domain/kernel/money.js';
import { type InvoiceEntry, periodOf } from '../../domain/reporting/invoice.js';
import {
  JOURNAL_TYPES,
  type JournalRecord,
  type JournalType,
  typeOfEnd,
} from '../../domain/reporting/journal.service.js';
import {
  type Account,
  ACCOUNTS,
  type Booking,
  bookingsOf,
  bookingsOfInvoice,
} from '../../domain/reporting/journal.js';
import {
  INTERVALS,
  type Interval,
  type ListedStatement as StatementInList,
  type PeriodFigures,
  type PeriodStatement,
  type StatementFigures as PartnerFigures,
  totalOf,
  totalsOf,
  type UserStatement as StatementOfUser,
} from '../../domain/reporting/statement-report.service.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { ChoiceField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { UserIdsField } from '../../http/request/query-fields.js';
import { ledgerView, UserLedgerEvent } from './ledger.dto.js';
import { ACCOUNTS_SHOWN } from './trial-balance.dto.js';

export class StatementsQuery extends PageQuery {
  @ChoiceField({ description: 'Years, months or UTC days.', of: INTERVALS, optional: true, default: 'month' })
  interval?: Interval;
}

export class StatementUsersQuery extends PageQuery {
  @UserIdsField() ids?: string;
}

export class StatementPeriod {
  @Shown.kind('statement') object: 'statement';
  @Shown.text('The year, month or UTC day.', '2026-01') period: string;
  @Shown.time('Start of the period.') from: string;
  @Shown.time('End of the period; for an open period, the end of its last closed day.') to: string;
  @Shown.flag('Whether all its days are closed. A closed period never changes.', true) closed: boolean;
}

export class StatementUplift {
  @Shown.amount("Uplift of the period over the asset's lending vault.", 1.5)
  lending: number;
  @Shown.amount("Uplift of the period over each position's first vault.", 0.5)
  hold: number;
}

const PAR = 'stablecoins are added at par';

export class StatementSums {
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

export class StatementFigures extends StatementSums {
  @Shown.amount(
    'What the decisions expected the moves of the period to cost, beside `costs`. A move counts when its funds left their vault or, out of cash, arrived.',
    0.25,
  )
  expected_costs: number;
}

export class ListedFigures extends StatementSums {
  @Shown.asset('Asset of the row.') asset: string;
}

export class ListedStatement extends StatementPeriod {
  @Shown.records(() => ListedFigures, 'A row per asset of the deployment.') assets: ListedFigures[];
  @Shown.record(() => StatementSums, `Over all assets; ${PAR}.`) totals: StatementSums;
}

export class AssetStatement extends StatementFigures {
  @Shown.asset('Asset of the row.') asset: string;
}

export class UserAssetStatement extends StatementSums {
  @ShownOrNull.amount(
    "The end-user's part of the statement's `expected_costs`, by the value that moved; null: not known, because a move of the period was booked before the upgrade to a version that keeps the part.",
    0.25,
  )
  expected_costs: number | null;
  @Shown.asset('Asset of the row.') asset: string;
}

export class StatementReserves {
  @Shown.time('When the custody accounts were read.') as_of: string;
  @Shown.rate('Lowest coverage of the vaults that held your funds: what the chain has of the books.', 1)
  coverage: RoundedRate;
}

export class PartnerStatement extends StatementPeriod {
  @Shown.records(() => AssetStatement, 'A row per asset of the deployment.')
  assets: AssetStatement[];
  @Shown.record(() => StatementFigures, `Over all assets; ${PAR}.`)
  totals: StatementFigures;
  @ShownOrNull.record(
    () => StatementReserves,
    'Reserves at the end of the period, by the nearest reading; null: none within two hours, none that is known, or the funds are simulated.',
  )
  reserves: StatementReserves | null;
}

export class UserStatement {
  @Shown.kind('user_statement') object: 'user_statement';
  @Shown.id('usr', 'The end-user.') user_id: string;
  @Shown.text('Your id of the end-user.', 'acme:user-1042') external_id: string;
  @Shown.records(() => UserAssetStatement, 'A row per asset with an entry up to the end of the period.')
  assets: UserAssetStatement[];
  @Shown.record(() => StatementSums, `Over these assets; ${PAR}.`) totals: StatementSums;
}

/** A class of its own, because the partner contract adds settlements to the entries of a user's ledger. */
export class PartnerLedgerEvent extends UserLedgerEvent {}

export class JournalLine {
  @Shown.choice(ACCOUNTS, ACCOUNTS_SHOWN, 'vaults') account: Account;
  @Shown.amount('Debit.', 0.412345) debit: number;
  @Shown.amount('Credit.', 0) credit: number;
}

export class JournalEntry {
  @Shown.id('evt') id: string;
  @Shown.kind('journal_entry') object: 'journal_entry';
  @Shown.time('Its value date.') at: string;
  @Shown.time('When it was booked.') recorded_at: string;
  @Shown.choice(
    JOURNAL_TYPES,
    'Type of the ledger entry; `invoice_paid` and `invoice_void`: the end of an invoice.',
    'yield_accrual',
  )
  entry_type: JournalType;
  @ShownOrNull.id('pos', 'Position of the entry; null: of an invoice.') position_id: string | null;
  @ShownOrNull.id('usr', 'End-user of the entry; null: of an invoice.') user_id: string | null;
  @ShownOrNull.text('Your id of the end-user; null: of an invoice.', 'acme:user-1042')
  external_id: string | null;
  @ShownOrNull.text('Invoice that the entry ends; null: it is of the ledger.', null)
  invoice_id: string | null;
  @Shown.asset('Asset of all amounts.') asset: string;
  @Shown.records(
    () => JournalLine,
    'Debits and credits, which are equal in sum. A move without cost has none. As CSV, each is a row.',
  )
  lines: JournalLine[];
  @Shown.text('The entry in a sentence, for people.', 'Yield of 0.412345 USDC accrued.') note: string;
}

const upliftOf = ({ lendingUplift, holdUplift }: PeriodFigures) => ({
  uplift: { lending: toUnits(lendingUplift), hold: toUnits(holdUplift) },
});

const figuresView = viewOf(StatementSums, (row: PeriodFigures) => upliftOf(row));
const listedAssetView = viewOf(ListedFigures, (row: StatementInList['assets'][number]) => upliftOf(row));
const userAssetView = viewOf(UserAssetStatement, (row: StatementOfUser['assets'][number]) => upliftOf(row));
const assetView = viewOf(AssetStatement, (row: PeriodStatement['assets'][number]) => upliftOf(row));
const totalsView = viewOf(StatementFigures, (row: PartnerFigures) => upliftOf(row));

export const listedView = viewOf(ListedStatement, ({ assets }: StatementInList) => ({
  assets: assets.map(listedAssetView),
  totals: figuresView(totalOf(assets)),
}));

export const statementView = viewOf(PartnerStatement, ({ assets }: PeriodStatement) => ({
  assets: assets.map((row) => assetView(row)),
  totals: totalsView(totalsOf(assets)),
}));

export const userStatementView = viewOf(UserStatement, ({ assets }: StatementOfUser) => ({
  assets: assets.map(userAssetView),
  totals: figuresView(totalOf(assets)),
}));

const lineOf = ({ account, debit }: Booking): JournalLine => ({
  account,
  debit: toUnits(debit > 0n ? debit : 0n),
  credit: toUnits(debit > 0n ? 0n : -debit),
});

export const journalView = (record: JournalRecord): JournalEntry =>
  record.externalId === null ? endView(record.entry) : entryView(record.entry, record.externalId);

function entryView(entry: LedgerEntry, externalId: string): JournalEntry {
  const { id, type, user_id, position_id, asset, at, recorded_at, note } = ledgerView(entry);
  return {
    ...{ id, object: 'journal_entry', at, recorded_at, entry_type: type, position_id, user_id },
    ...{ external_id: externalId, invoice_id: null, asset, lines: bookingsOf(entry).map(lineOf), note },
  };
}

function endView(entry: InvoiceEntry): JournalEntry {
  const { id, at, recordedAt, status, invoiceId, asset, month, fee, reference } = entry;
  return {
    ...{
      id,
      object: 'journal_entry',
      at: at.toISOString(),
      recorded_at: recordedAt.toISOString(),
      entry_type: typeOfEnd(status),
    },
    ...{ position_id: null, user_id: null, external_id: null, invoice_id: invoiceId, asset },
    lines: bookingsOfInvoice(entry).map(lineOf),
    note: `Invoice of ${periodOf(month)} over ${formatAmount(fee)} ${asset} ${status === 'paid' ? 'paid' : 'voided'}: ${reference}`,
  };
}
