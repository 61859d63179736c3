import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Alert } from '../../outbound/alerts/alert.js';
import { formatAmount } from '../../kernel/money.js';

/**
 * Status of a withdrawal. `requested`: its parts are reserved. `taken`: an executor is paying it. `paid`: booked; the server's own is so at once.
 * `failed`: the executor paid nothing, or its payment was voided. `lapsed`: no executor took it in time.
 */
export const WITHDRAWAL_STATUSES = ['requested', 'taken', 'paid', 'failed', 'lapsed'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** `reported`: the executor reported the failure. `voided`: the payment did not settle as reported, and was taken back. */
export const WITHDRAWAL_FAILURES = ['reported', 'voided'] as const;
export type WithdrawalFailure = (typeof WITHDRAWAL_FAILURES)[number];

/** Stored withdrawal of a user: whole numbers are text. */
@Entity('withdrawals')
export class StoredWithdrawal {
  @PrimaryColumn('text') id: string;
  @Column('text') marketId: string;
  @Column('text') partnerId: string;
  @Column('text') userId: string;
  @Column('text') asset: string;
  /** Everything that its positions are worth when it is paid. */
  @Column('boolean') isWhole: boolean;
  /** What leaves the positions; of a whole one that is open, their value when it was requested. */
  @Column('numeric') amount: string;
  /** Part of it that the vaults did not pay out. */
  @Column('numeric') cost: string;
  /** Number of its parts. */
  @Column('int') positions: number;
  /** The user's wallet that is to be paid, checksummed; null: none is known. */
  @Column('text', { nullable: true }) wallet: string | null;
  @Column('text') status: WithdrawalStatus;
  @Column('timestamptz') requestedAt: Date;
  /** When it lapses, unless an executor has taken it. */
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) takenAt: Date | null;
  /** Key or session of the executor that took it; null: none, or the server. */
  @Column('text', { nullable: true }) takenBy: string | null;
  @Column('timestamptz', { nullable: true }) paidAt: Date | null;
  @Column('text', { nullable: true }) paidBy: string | null;
  /** Value that left vaults, by which deviations of the executor's reports are bounded; null: not reported. */
  @Column('numeric', { nullable: true }) boundValue: string | null;
  @Column('text', { nullable: true }) txHash: string | null;
  @Column('text', { nullable: true }) chain: string | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) failure: WithdrawalFailure | null;
  @Column('text', { nullable: true }) note: string | null;
}

/** Part of a withdrawal that a position pays. Micro-units. */
export interface WithdrawalPart {
  positionId: string;
  /** Where its funds are; once it is paid, the vault that they were paid from. */
  vaultId: string;
  /** What leaves the position. */
  amount: bigint;
}

/** Withdrawal of a user. Micro-units; the parts sum to the amount. */
export interface Withdrawal extends Omit<
  StoredWithdrawal,
  'amount' | 'cost' | 'boundValue' | 'marketId' | 'positions'
> {
  amount: bigint;
  cost: bigint;
  /** Amount less the cost; null: nothing was paid. */
  paidAmount: bigint | null;
  parts: WithdrawalPart[];
}

/** Alert to a withdrawal that ended without a payment. */
export const unpaidAlert = (
  {
    id,
    userId,
    asset,
    amount,
    failure,
    note,
  }: Pick<Withdrawal, 'id' | 'userId' | 'asset' | 'failure' | 'note'> & {
    amount: bigint | string;
  },
  at: Date,
): Alert => {
  const why = failure === null ? 'lapsed: no executor took it in time' : `failed: ${note ?? failure}`;
  return {
    kind: 'withdrawal_unpaid',
    message: `The withdrawal ${id} of ${formatAmount(BigInt(amount))} ${asset} of the user ${userId} ${why}`,
    since: at,
    until: null,
    withdrawalId: id,
  };
};
