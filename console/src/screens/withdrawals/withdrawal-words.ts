import type { LiveSchemas } from '../../api/contract.js';
import type { Tone } from '../../ui/badge.js';

export type Withdrawal = LiveSchemas['Withdrawal'];
export type WithdrawalPart = LiveSchemas['WithdrawalPart'];

export const STATUSES: Record<Withdrawal['status'], Tone> = {
  requested: 'warn',
  taken: 'accent',
  paid: 'good',
  failed: 'bad',
  lapsed: 'bad',
};

/** Where the money is in each state. */
export const MEANINGS: Record<Withdrawal['status'], string> = {
  requested: 'Nobody took it up; its amount is reserved until an executor pays it.',
  taken: 'It was taken up; its amount is reserved until the executor has paid it.',
  paid: 'Its amount has left the positions.',
  failed: 'It failed; nothing of it is reserved.',
  lapsed: 'Nobody took it up in time; nothing of it is reserved.',
};

export const FAILURES: Record<NonNullable<Withdrawal['failure']>, string> = {
  reported: 'the executor reported it',
  voided: 'its chain contradicted the payment, which was voided',
};

export const isOpenWithdrawal = ({ status }: Withdrawal): boolean =>
  status === 'requested' || status === 'taken';
