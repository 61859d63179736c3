import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Decision, type DecisionReason, exitDelayHoursOf } from './decision.js';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { addHours } from '../../kernel/clock.js';
import type { ShownCheck, ShownTransaction } from '../move-checks/move-check.js';

/**
 * Status of an order. `requested`: not taken. `redeeming`: taken; its funds are still in their vault. `arriving`: the funds left their
 * vault, or were received, and are cash until they enter the next one. `settled`: they have. `failed`: it ended before that, and what it has not
 * moved is evaluated again.
 */
export const ORDER_STATUSES = ['requested', 'redeeming', 'arriving', 'settled', 'failed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * Reasons of a failed order. `lapsed`: no executor took it in time. `reported`: the executor reported the failure. `refused`: its target no longer
 * takes the funds. `superseded`: an eviction, or a withdrawal of its funds, replaced it. `empty`: all of it was withdrawn. `voided`: a report
 * on it was taken back.
 */
export const ORDER_FAILURES = ['lapsed', 'reported', 'refused', 'superseded', 'empty', 'voided'] as const;
export type OrderFailure = (typeof ORDER_FAILURES)[number];

/** Review of a gain by an administrator. While it is pending, the gain is in no position's value and in no fee. */
export const REVIEW_STATUSES = ['pending_review', 'approved', 'rejected'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** What left or arrived, by an executor's report; without a transfer where the server moved it. */
export interface ReportedStep {
  /** Of several transactions, the last one. */
  txHash: string | null;
  amount: bigint;
  at: Date;
  /** What the chain says; null: it is not read here, or it was the server's own step. */
  check: ShownCheck | null;
  /** Where it named several; read with the check. */
  transactions?: readonly ShownTransaction[];
}

/**
 * Progress of a step between two of its parts. Micro-units as text. `amount`, `cost`: what remains; the cost is divided in proportion to the amount,
 * so that the parts sum to the whole. `gain`, `waits`: what remains of a reported surplus, and of one that waits for review.
 */
export interface MoveBooking {
  /** Place of the position that was booked last. */
  place: number;
  /** Positions that have moved in this step, and what arrived of them. */
  positions: number;
  arrived: string;
  amount: string;
  cost: string;
  gain: string;
  waits: string;
  /** What remains of the order's expected cost, which its first step divides; absent: begun before entries had their part of it. */
  expected?: string;
}

/** Reported gain that waits, or waited, outside the books. Micro-units. */
export interface GainReview {
  status: ReviewStatus;
  gain: bigint;
  since: Date;
  /** Booked part: less than the gain where positions were closed before the review. null: not reviewed. */
  booked: bigint | null;
  reviewedAt: Date | null;
  note: string | null;
}

/** Stored order: whole numbers are text, and the steps are flat columns. */
@Entity('move_orders')
export class StoredOrder {
  @PrimaryColumn('text') id: string;
  @Column('text') decisionId: string;
  @Column('text') marketId: string;
  @Column('text') partnerId: string;
  /** Position of a received deposit; null: held funds move. */
  @Column('text', { nullable: true }) positionId: string | null;
  /** Orders of the same hour between the same two vaults, which one transaction executes; null: this one alone. */
  @Column('text', { nullable: true }) batchId: string | null;
  @Column('text') asset: string;
  @Column('text') fromVaultId: string;
  @Column('text') toVaultId: string;
  @Column('text') reason: DecisionReason;
  /** True when the source vault must be left. */
  @Column('boolean') urgent: boolean;
  @Column('text') status: OrderStatus;
  @Column('int') positions: number;
  /** Present value of its funds; for a settled order, the amount that arrived and was booked; for a failed one, the value at its creation. */
  @Column('numeric') amount: string;
  @Column('numeric') expectedCost: string;
  /** Part of the expected cost for leaving a vault with an exit delay; null: the funds are not cash in between, or an executor moves them. */
  @Column('numeric', { nullable: true }) exitCost: string | null;
  @Column('numeric', { nullable: true }) promised: string | null;
  @Column('int') horizonHours: number;
  @Column('timestamptz') requestedAt: Date;
  @Column('timestamptz') expiresAt: Date;
  /** Hour in which the server brings the funds to their target, or in which they arrived; null: an executor has not reported it. */
  @Column('timestamptz', { nullable: true }) arrivesHour: Date | null;
  @Column('timestamptz', { nullable: true }) takenAt: Date | null;
  /** Key or session of the executor that took it; null: not taken. */
  @Column('text', { nullable: true }) takenBy: string | null;
  @Column('timestamptz', { nullable: true }) redeemedAt: Date | null;
  /** Time of the last part; null: the first is the last one so far. */
  @Column('timestamptz', { nullable: true }) redeemedUntil: Date | null;
  /** Value that was withdrawn between the report and its last part; null: none. */
  @Column('numeric', { nullable: true }) redeemedWithdrawn: string | null;
  @Column('text', { nullable: true }) redeemedTxHash: string | null;
  @Column('numeric', { nullable: true }) redeemedAmount: string | null;
  /** The amount that the books expected. */
  @Column('numeric', { nullable: true }) redeemedValue: string | null;
  @Column('text', { nullable: true }) redeemedBy: string | null;
  /** Part of the redeemed value that bounds deviations of its key; null: all of it. */
  @Column('numeric', { nullable: true }) boundValue: string | null;
  @Column('timestamptz', { nullable: true }) settledAt: Date | null;
  @Column('timestamptz', { nullable: true }) settledUntil: Date | null;
  @Column('numeric', { nullable: true }) settledWithdrawn: string | null;
  @Column('text', { nullable: true }) settledTxHash: string | null;
  @Column('numeric', { nullable: true }) settledAmount: string | null;
  @Column('numeric', { nullable: true }) settledValue: string | null;
  @Column('text', { nullable: true }) settledBy: string | null;
  /** Shortfall and booked surplus against the expected amounts, over both reports. */
  @Column('numeric') cost: string;
  @Column('numeric') gain: string;
  @Column('text', { nullable: true }) reviewStatus: ReviewStatus | null;
  @Column('numeric', { nullable: true }) reviewGain: string | null;
  @Column('timestamptz', { nullable: true }) reviewSince: Date | null;
  @Column('numeric', { nullable: true }) reviewBooked: string | null;
  @Column('timestamptz', { nullable: true }) reviewedAt: Date | null;
  @Column('text', { nullable: true }) reviewNote: string | null;
  /** null: no step is being booked. */
  @Column('jsonb', { nullable: true }) booking: MoveBooking | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) failure: OrderFailure | null;
  @Column('text', { nullable: true }) note: string | null;
}

type Amount = 'amount' | 'expectedCost' | 'cost' | 'gain';
type MoveColumn = `redeemed${string}` | `settled${string}` | `review${string}`;

/** Move of funds to another vault. Micro-units. */
export interface MoveOrder
  extends
    Omit<StoredOrder, Amount | MoveColumn | 'exitCost' | 'promised' | 'horizonHours'>,
    Record<Amount, bigint> {
  exitCost: bigint | null;
  redeemed: ReportedStep | null;
  settled: ReportedStep | null;
  /** null: no reported gain was large enough to wait. */
  review: GainReview | null;
}

export type OrderCosts = Partial<Pick<StoredOrder, 'expectedCost' | 'exitCost'>>;

/** Columns of the costs of an order, less what a step has not divided: funds that stay in place, or were withdrawn, are not expected to cost it. */
export function costsWithout(
  undivided: bigint,
  { expectedCost, exitCost }: Pick<MoveOrder, 'expectedCost' | 'exitCost'>,
): OrderCosts {
  if (undivided === 0n) return {};
  const left = exitCost !== null && exitCost > undivided ? exitCost - undivided : 0n;
  return { expectedCost: `${expectedCost - undivided}`, exitCost: exitCost === null ? null : `${left}` };
}

/** Whether the server executes an open order; otherwise an executor does. */
export const isOfServer = ({ arrivesHour }: Pick<MoveOrder, 'arrivesHour'>): boolean => arrivesHour !== null;

/** Next step of an open order, or the one being booked. */
export interface Step {
  name: 'redeemed' | 'settled';
  /** Where its positions are. */
  vaultId: string;
  toVaultId: string;
  /** Decision by which they are in transit before it; null: they are at rest. */
  transitId: string | null;
  /** Whether they are in transit after it. */
  staysInTransit: boolean;
}

/** An executor brings funds into cash first; the server does where the vault pays out late. */
export function stepOf(order: MoveOrder): Step {
  const { asset, decisionId, exitCost, fromVaultId, status, toVaultId } = order;
  const idle = idleVaultId(asset);
  const isInTransit = status === 'arriving';
  const isRedeemed =
    !isInTransit && fromVaultId !== idle && (exitCost !== null || toVaultId === idle || !isOfServer(order));
  const source = {
    vaultId: isInTransit ? idle : fromVaultId,
    transitId: isInTransit ? decisionId : null,
  };
  return isRedeemed
    ? {
        ...source,
        name: 'redeemed',
        toVaultId: idle,
        staysInTransit: toVaultId !== idle || exitCost !== null,
      }
    : { ...source, name: 'settled', toVaultId, staysInTransit: false };
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
  exitCost: row.exitCost === null ? null : BigInt(row.exitCost),
  cost: BigInt(row.cost),
  gain: BigInt(row.gain),
  redeemed: reportOf(redeemedTxHash, redeemedAmount, redeemedAt),
  settled: reportOf(settledTxHash, settledAmount, settledAt),
  review: reviewStatus && {
    status: reviewStatus,
    gain: BigInt(reviewGain!),
    since: reviewSince!,
    booked: reviewBooked === null ? null : BigInt(reviewBooked),
    reviewedAt,
    note: reviewNote,
  },
});

const reportOf = (txHash: string | null, amount: string | null, at: Date | null): ReportedStep | null =>
  amount === null || at === null ? null : { txHash, amount: BigInt(amount), at, check: null };

/** Hour in which the server's funds are at their target: that of the decision, or later where their vault pays out late. */
export const arrivalHourOf = (record: Decision): Date =>
  addHours(new Date(record.snapshotHour), exitDelayHoursOf(record));

/** Cost of leaving for cash, by the gas of the decision; null: no exit delay. In a shared transaction, a move pays its part of each step. */
export function exitCostOf(record: Decision): string | null {
  if (exitDelayHoursOf(record) === 0) return null;
  const { expectedUplift, inputs, toVaultId } = record;
  const whole = BigInt(
    inputs.candidates.find(({ vaultId }) => vaultId === toVaultId)?.cost ?? expectedUplift.cost,
  );
  return whole === 0n ? '0' : `${(BigInt(inputs.idle.cost) * BigInt(expectedUplift.cost)) / whole}`;
}

/** The promise of moves against their actual gain at the end of their horizon. Whole units. */
export interface Outcomes {
  moves: number;
  promised: number;
  realised: number;
}

export const NO_OUTCOMES: Outcomes = { moves: 0, promised: 0, realised: 0 };
