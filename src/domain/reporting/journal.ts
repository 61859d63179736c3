import type { LedgerEntry } from '../books/ledger/ledger.service.js';

/** Accounts of the journal. */
export const ACCOUNTS = [
  'vaults',
  'end_users',
  'costs_of_moves',
  'fees_receivable',
  'fee_income',
  'owed_to_partner',
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
  return bookings.filter(({ debit }) => debit !== 0n);
}
