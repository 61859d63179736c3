import type { BookedEntry } from '../../books/ledger/ledger.service.js';
import type { Terms } from '../../tenants/partners/terms.service.js';
import type { InvoiceEntry } from '../invoice.js';
import { type Booking, bookingsOf, bookingsOfInvoice } from '../journal.js';
import { type JournalType, typeOfEnd } from '../journal.service.js';
import type { PeriodFigures } from '../statement-report.service.js';
import type { AccountBalance } from '../trial-balance.service.js';
import type { Columns } from './packaged-file.js';

/**
 * Files and columns of a package. A closed month has the same bytes in a format, so that a change of a file, a column or of what is in it is a new format.
 * What may change after a month closed is in no column, or kept by `ClosedMonths`.
 */
export const FORMAT = 1;

type OfAsset<Row> = Row & { asset: string };

const FIGURES: Columns<PeriodFigures> = {
  opening_value: (row) => row.openingValue,
  deposits: (row) => row.deposits,
  withdrawals: (row) => row.withdrawals,
  yield: (row) => row.yield,
  costs: (row) => row.costs,
  closing_value: (row) => row.closingValue,
  performance_fee: (row) => row.performanceFee,
  partner_revenue: (row) => row.partnerRevenue,
  protocol_revenue: (row) => row.protocolRevenue,
  carried_loss: (row) => row.carriedLoss,
  lending_uplift: (row) => row.lendingUplift,
  hold_uplift: (row) => row.holdUplift,
};

export const STATEMENT: Columns<OfAsset<PeriodFigures>> = { asset: (row) => row.asset, ...FIGURES };

export const USERS: Columns<OfAsset<PeriodFigures> & { userId: string; externalId: string }> = {
  user_id: (row) => row.userId,
  external_id: (row) => row.externalId,
  ...STATEMENT,
};

export const TRIAL_BALANCE: Columns<AccountBalance> = {
  asset: (row) => row.asset,
  account: (row) => row.account,
  opening: (row) => row.opening,
  debits: (row) => row.debits,
  credits: (row) => row.credits,
  closing: (row) => row.closing,
};

export const TERMS: Columns<Terms> = {
  from_at: (row) => row.fromAt,
  until_at: (row) => row.untilAt,
  performance_fee_bps: (row) => row.performanceFeeBps,
  revenue_share_bps: (row) => row.revenueShareBps,
  campaign_id: (row) => row.campaignId,
  status: (row) => row.status,
  asset: (row) => row.asset,
  multiplier_hundredths: (row) => row.multiplierHundredths,
  starts_at: (row) => row.startsAt,
  ends_at: (row) => row.endsAt,
};

/** What an entry holds itself. */
export const LEDGER: Columns<BookedEntry> = {
  id: (row) => row.id,
  at: (row) => row.at,
  recorded_at: (row) => row.recordedAt,
  type: (row) => row.type,
  user_id: (row) => row.userId,
  position_id: (row) => row.positionId,
  asset: (row) => row.asset,
  vault_id: (row) => row.vaultId,
  from_vault_id: (row) => row.fromVaultId,
  amount: (row) => row.amount,
  cost: (row) => row.cost,
  fee: (row) => row.fee,
  partner_revenue: (row) => row.partnerRevenue,
  carried_loss: (row) => row.carriedLoss,
  performance_fee_bps: (row) => row.feeBps,
  revenue_share_bps: (row) => row.shareBps,
  decision_id: (row) => row.decisionId,
  tx_hash: (row) => row.txHash,
  voids: (row) => row.voids,
};

/** A debit, or a credit, which is negative, of an entry of the ledger or of the end of an invoice: what the other does not have is null. */
interface JournalRow extends Booking {
  id: string;
  at: Date;
  recordedAt: Date;
  type: JournalType;
  positionId: string | null;
  userId: string | null;
  externalId: string | null;
  invoiceId: string | null;
  reference: string | null;
  asset: string;
}

export const JOURNAL: Columns<JournalRow> = {
  id: (row) => row.id,
  at: (row) => row.at,
  recorded_at: (row) => row.recordedAt,
  entry_type: (row) => row.type,
  position_id: (row) => row.positionId,
  user_id: (row) => row.userId,
  external_id: (row) => row.externalId,
  invoice_id: (row) => row.invoiceId,
  reference: (row) => row.reference,
  asset: (row) => row.asset,
  account: (row) => row.account,
  debit: ({ debit }) => (debit > 0n ? debit : 0n),
  credit: ({ debit }) => (debit < 0n ? -debit : 0n),
};

export const rowsOfEntries = (
  entries: readonly BookedEntry[],
  externalIds: ReadonlyMap<string, string>,
): JournalRow[] =>
  entries.flatMap((entry) => {
    const ofLedger = { externalId: externalIds.get(entry.userId)!, invoiceId: null, reference: null };
    return bookingsOf(entry).map((booking) => ({ ...entry, ...ofLedger, ...booking }));
  });

export const rowsOfEnds = (ends: readonly InvoiceEntry[]): JournalRow[] =>
  ends.flatMap((end) => {
    const ofInvoice = { type: typeOfEnd(end.status), positionId: null, userId: null, externalId: null };
    return bookingsOfInvoice(end).map((booking) => ({ ...end, ...ofInvoice, ...booking }));
  });

/** A reading of the reserves, with the partner's part of the books at the closing. */
export interface PackagedReserve {
  readAt: Date;
  chain: string | null;
  asset: string;
  vaultId: string | null;
  block: number | null;
  blockAt: Date | null;
  books: bigint;
  coverage: string | null;
  reason: string | null;
}

export const RESERVES: Columns<PackagedReserve> = {
  as_of: (row) => row.readAt,
  chain: (row) => row.chain,
  asset: (row) => row.asset,
  vault_id: (row) => row.vaultId,
  block: (row) => row.block,
  block_at: (row) => row.blockAt,
  books: (row) => row.books,
  coverage: (row) => row.coverage,
  reason: (row) => row.reason,
};
