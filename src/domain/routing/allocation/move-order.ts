import type { DecisionReason } from './decision.js';

/**
 * Status of an order. `requested`: not taken. `redeeming`: taken; its funds are still in their vault. `arriving`: the funds left their
 * vault, or were received, and are cash until they enter the next one. `settled`: they have. `failed`: it ended before that, and what it has not
 * moved is evaluated again.
 */
export const ORDER_STATUSES = ['requested', 'redeeming', 'arriving', 'settled', 'failed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * Reasons of a failed order. `lapsed`: no executor took it in time. `reported`: the executor reported the failure. `refused`: its target no longer
 * takes the funds. `superseded`: an eviction replaced it. `empty`: all of it was withdrawn.
 */
export const ORDER_FAILURES = ['lapsed', 'reported', 'refused', 'superseded', 'empty'] as const;
export type OrderFailure = (typeof ORDER_FAILURES)[number];

/** Review of a gain by an administrator. While it is pending, the gain is in no position's value and in no fee. */
export const REVIEW_STATUSES = ['pending_review', 'approved', 'rejected'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Report of a step: a transfer on its chain, and the amount. Micro-units. */
export interface Report {
  txHash: string;
  amount: bigint;
}

export interface Reported extends Report {
  at: Date;
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

/** Move that an executor executes. Micro-units. */
export interface MoveOrder {
  id: string;
  decisionId: string;
  marketId: string;
  partnerId: string;
  /** Position of a received deposit; null: held funds move. */
  positionId: string | null;
  /** Orders of the same hour between the same two vaults, which one transaction executes; null: this one alone. */
  batchId: string | null;
  asset: string;
  fromVaultId: string;
  toVaultId: string;
  reason: DecisionReason;
  /** True when the source vault must be left. */
  urgent: boolean;
  status: OrderStatus;
  positions: number;
  /** Present value of its funds; for a settled order, the amount that arrived and was booked; for a failed one, the value at its creation. */
  amount: bigint;
  expectedCost: bigint;
  requestedAt: Date;
  expiresAt: Date;
  takenAt: Date | null;
  /** Key or session of the executor that took it; null: not taken. */
  takenBy: string | null;
  redeemed: Reported | null;
  settled: Reported | null;
  /** Shortfall and booked surplus against the expected amounts, over both reports. */
  cost: bigint;
  gain: bigint;
  /** null: no reported gain was large enough to wait. */
  review: GainReview | null;
  endedAt: Date | null;
  failure: OrderFailure | null;
  note: string | null;
}

export const isSame = (one: Report, other: Report): boolean =>
  one.txHash === other.txHash && one.amount === other.amount;
