import type { MoveOrder, Reported } from './move-order.js';
import type { OrderRow } from './move-order.queries.js';

/** Stored order, with its amounts as bigint. */
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
}: OrderRow): MoveOrder => ({
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
