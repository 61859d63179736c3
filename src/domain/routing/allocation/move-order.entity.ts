import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DecisionReason } from './decision.js';
import type { MoveOrder, OrderFailure, OrderStatus, Reported, ReviewStatus } from './move-order.js';

/** Stored order: whole numbers are text, and the steps are flat columns. */
@Entity('move_orders')
export class StoredOrder {
  @PrimaryColumn('text') id: string;
  @Column('text') decisionId: string;
  @Column('text') marketId: string;
  @Column('text') partnerId: string;
  @Column('text', { nullable: true }) positionId: string | null;
  /** Orders that one transaction executes. */
  @Column('text', { nullable: true }) batchId: string | null;
  @Column('text') asset: string;
  @Column('text') fromVaultId: string;
  @Column('text') toVaultId: string;
  @Column('text') reason: DecisionReason;
  @Column('boolean') urgent: boolean;
  @Column('text') status: OrderStatus;
  @Column('int') positions: number;
  @Column('numeric') amount: string;
  @Column('numeric') expectedCost: string;
  @Column('numeric', { nullable: true }) promised: string | null;
  @Column('int') horizonHours: number;
  @Column('timestamptz') requestedAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) takenAt: Date | null;
  @Column('text', { nullable: true }) takenBy: string | null;
  @Column('timestamptz', { nullable: true }) redeemedAt: Date | null;
  @Column('text', { nullable: true }) redeemedTxHash: string | null;
  @Column('numeric', { nullable: true }) redeemedAmount: string | null;
  /** The amount that the books expected. */
  @Column('numeric', { nullable: true }) redeemedValue: string | null;
  @Column('text', { nullable: true }) redeemedBy: string | null;
  @Column('timestamptz', { nullable: true }) settledAt: Date | null;
  @Column('text', { nullable: true }) settledTxHash: string | null;
  @Column('numeric', { nullable: true }) settledAmount: string | null;
  @Column('numeric', { nullable: true }) settledValue: string | null;
  @Column('text', { nullable: true }) settledBy: string | null;
  @Column('numeric') cost: string;
  @Column('numeric') gain: string;
  @Column('text', { nullable: true }) reviewStatus: ReviewStatus | null;
  @Column('numeric', { nullable: true }) reviewGain: string | null;
  @Column('timestamptz', { nullable: true }) reviewSince: Date | null;
  @Column('numeric', { nullable: true }) reviewBooked: string | null;
  @Column('timestamptz', { nullable: true }) reviewedAt: Date | null;
  @Column('text', { nullable: true }) reviewNote: string | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) failure: OrderFailure | null;
  @Column('text', { nullable: true }) note: string | null;
}

export const toOrder = ({
  redeemedAt,
  redeemedTxHash,
  redeemedAmount,
  settledAt,
  settledTxHash,
  settledAmount,
  reviewStatus,
  reviewGain,
  reviewSince,
  reviewBooked,
  reviewedAt,
  reviewNote,
  ...row
}: StoredOrder): MoveOrder => ({
  ...row,
  amount: BigInt(row.amount),
  expectedCost: BigInt(row.expectedCost),
  cost: BigInt(row.cost),
  gain: BigInt(row.gain),
  redeemed: reported(redeemedTxHash, redeemedAmount, redeemedAt),
  settled: reported(settledTxHash, settledAmount, settledAt),
  review: reviewStatus && {
    status: reviewStatus,
    gain: BigInt(reviewGain!),
    since: reviewSince!,
    booked: reviewBooked === null ? null : BigInt(reviewBooked),
    reviewedAt,
    note: reviewNote,
  },
});

const reported = (txHash: string | null, amount: string | null, at: Date | null): Reported | null =>
  txHash === null || amount === null || at === null ? null : { txHash, amount: BigInt(amount), at };
