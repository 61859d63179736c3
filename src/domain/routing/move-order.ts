import type { DecisionReason } from './decision.js';

/**
 * Where an order stands. `requested`: nobody took it up. `redeeming`: it was taken up; its funds are where they were. `arriving`: they left their vault, or were
 * received, and stand in cash until they are in the next one. `settled`: they are. `failed`: it ended before that, and what it has not moved is judged anew.
 */
export const ORDER_STATUSES = ['requested', 'redeeming', 'arriving', 'settled', 'failed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * Why an order failed. `lapsed`: nobody took it up in time. `reported`: whoever carried it out says so. `refused`: its target took the funds no more. `superseded`:
 * another order took its place, as its vault is to be left. `empty`: all of it was withdrawn.
 */
export const ORDER_FAILURES = ['lapsed', 'reported', 'refused', 'superseded', 'empty'] as const;
export type OrderFailure = (typeof ORDER_FAILURES)[number];

/** What was reported of a step: a transfer on its chain, and what it brought. Micro-units. */
export interface Report {
  txHash: string;
  amount: bigint;
}

/** A step that was reported, and when the books took it. */
export interface Reported extends Report {
  at: Date;
}

/** A move that others carry out. Micro-units. */
export interface MoveOrder {
  id: string;
  decisionId: string;
  marketId: string;
  partnerId: string;
  /** Of a deposit whose funds were received; null: funds that are held move. */
  positionId: string | null;
  asset: string;
  fromVaultId: string;
  toVaultId: string;
  reason: DecisionReason;
  /** True where the vault that is left is not to be kept. */
  urgent: boolean;
  status: OrderStatus;
  /** How many it is about; of one that ended, was. */
  positions: number;
  /** What its funds are worth now; of one that is settled, what arrived; of one that failed, what they were worth when it was made. */
  amount: bigint;
  expectedCost: bigint;
  requestedAt: Date;
  /** When it lapses, unless somebody has taken it up by then. */
  expiresAt: Date;
  takenAt: Date | null;
  redeemed: Reported | null;
  settled: Reported | null;
  /** What arrived less than was expected, and more, over both reports. */
  cost: bigint;
  gain: bigint;
  endedAt: Date | null;
  failure: OrderFailure | null;
  note: string | null;
}

export const isSame = (one: Report, other: Report): boolean =>
  one.txHash === other.txHash && one.amount === other.amount;
