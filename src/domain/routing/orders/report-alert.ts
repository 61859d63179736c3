import type { Alert } from '../../outbound/alerts/alert.js';
import { formatAmount, percentInWords } from '../../kernel/money.js';
import type { MoveOrder } from '../allocation/move-order.js';

/** Report on a move whose amount is not what the books expect. Micro-units. */
export interface Deviation {
  order: Pick<MoveOrder, 'id' | 'asset'>;
  /** Key of the executor. */
  keyId: string;
  expected: bigint;
  reported: bigint;
  /** Part of it that waits for review. */
  waits: bigint;
}

/** Alert about a deviating report. */
export function alertOfDeviation(deviation: Deviation, at: Date): Alert {
  const { order, keyId, expected, reported, waits } = deviation;
  const unit = ` ${order.asset}`;
  const size = percentInWords(Math.abs(deviationRate(deviation)));
  const review = waits === 0n ? '' : ` ${formatAmount(waits)}${unit} wait for a review.`;
  return moveAlert(
    order,
    `The key ${keyId} reported ${formatAmount(reported)}${unit} of the move ${order.id}, where the books expect ${formatAmount(expected)}${unit}: ${size} ${reported < expected ? 'less' : 'more'}.${review}`,
    at,
    null,
  );
}

/** Alert that a gain was reviewed. */
export const alertOfReview = (
  order: Pick<MoveOrder, 'id' | 'asset'>,
  { gain, booked, since }: { gain: bigint; booked: bigint; since: Date },
  decision: 'approved' | 'rejected',
  at: Date,
): Alert =>
  moveAlert(
    order,
    `The reported gain of ${formatAmount(gain)} ${order.asset} of the move ${order.id} was ${decision}: ${formatAmount(booked)} ${order.asset} are booked.`,
    since,
    at,
  );

/** Deviation as a fraction of the expected amount, signed. */
export const deviationRate = ({ expected, reported }: Deviation): number =>
  Number(reported - expected) / Number(expected);

const moveAlert = (
  order: Pick<MoveOrder, 'id'>,
  message: string,
  since: Date,
  until: Date | null,
): Alert => ({
  kind: 'report_deviates',
  message,
  since,
  until,
  vaultId: null,
  settlementId: null,
  moveId: order.id,
});
