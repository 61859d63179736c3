import type { LedgerEntry } from '../books/ledger/ledger.service.js';
import type { InvoiceEntry } from './invoice.js';

/** Accounts of the journal. */
export const ACCOUNTS = [
  'vaults',
  'end_users',
  'costs_of_moves',
  'fees_receivable',
  'fee_income',
  'owed_to_partner',
  'settled_outside',
] as const;
export type Account = (typeof ACCOUNTS)[number];

/** A debit, or a credit, which is negative. Micro-units. */
export interface Booking {
  account: Account;
  debit: bigint;
}

/** Debits and credits of an entry, which add up to 0. A move without cost has none. */
export function bookingsOf({
  type,
  amount,
  cost,
  fee,
  partnerRevenue,
}: Pick<LedgerEntry, 'type' | 'amount' | 'cost' | 'fee' | 'partnerRevenue'>): Booking[] {
  const change = type === 'withdrawal' ? -amount : type === 'rebalance' ? 0n : amount;
  const bookings: Booking[] = [
    { account: 'vaults', debit: change },
    { account: 'end_users', debit: -change },
    { account: 'end_users', debit: cost },
    { account: 'costs_of_moves', debit: -cost },
    { account: 'costs_of_moves', debit: cost },
    { account: 'vaults', debit: -cost },
    { account: 'fees_receivable', debit: fee },
    { account: 'fee_income', debit: partnerRevenue - fee },
    { account: 'owed_to_partner', debit: -partnerRevenue },
  ];
  return bookings.filter(isBooked);
}

const isBooked = ({ debit }: Booking): boolean => debit !== 0n;

/** Debits and credits that end an invoice: the fee was received and the partner's part paid out, both outside; or the fee is taken back. */
export function bookingsOfInvoice({
  status,
  fee,
  partnerRevenue,
}: Pick<InvoiceEntry, 'status' | 'fee' | 'partnerRevenue'>): Booking[] {
  const bookings: Booking[] =
    status === 'paid'
      ? [
          { account: 'settled_outside', debit: fee },
          { account: 'fees_receivable', debit: -fee },
          { account: 'owed_to_partner', debit: partnerRevenue },
          { account: 'settled_outside', debit: -partnerRevenue },
        ]
      : [
          { account: 'fee_income', debit: fee - partnerRevenue },
          { account: 'owed_to_partner', debit: partnerRevenue },
          { account: 'fees_receivable', debit: -fee },
        ];
  return bookings.filter(isBooked);
}
