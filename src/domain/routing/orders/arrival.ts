import { DomainError } from '../../kernel/domain-error.js';
import { formatAmount, RATE_SCALE, scaledRate } from '../../kernel/money.js';
import { costParts, gainParts } from '../../books/positions/cost-parts.js';
import { sum } from '../allocation/move-batch.js';

/**
 * Meaning of a reported amount for each position, micro-units, in the order of the values: costs, gains, or gains that wait for review, of which two
 * are 0 for all.
 */
export interface Arrival {
  expected: bigint;
  costs: bigint[];
  gains: bigint[];
  /** Gains outside the books until an administrator approves them. */
  waiting: bigint[];
  cost: bigint;
  gain: bigint;
  waits: bigint;
}

interface ArrivalBounds {
  /** Largest accepted difference. */
  maxReportDeviation: number;
  /** Largest gain that is booked without a review. */
  maxUnreviewedGain: number;
}

/**
 * Compares the arrived amount (micro-units; null: as expected) with the books: the difference is a cost or a gain, split over the positions in
 * proportion to value, exact by largest remainder. A gain above its bound waits for review as a whole. Throws DomainError `amount_out_of_bounds`.
 */
export function arrivalOf(
  reported: bigint | null,
  values: readonly bigint[],
  { maxReportDeviation, maxUnreviewedGain }: ArrivalBounds,
  asset: string,
): Arrival {
  const expected = sum(values);
  const amount = reported ?? expected;
  const difference = amount - expected;
  const size = difference < 0n ? -difference : difference;
  const [cost, more] = difference < 0n ? [size, 0n] : [0n, size];
  const costs = costParts(cost, values);
  // Positions of one micro-unit each cannot bear the cost, which would vanish from the books.
  if (isBeyond(size, expected, maxReportDeviation) || sum(costs) !== cost)
    throw new DomainError(
      'amount_out_of_bounds',
      `${formatAmount(amount)} ${asset} was reported; the funds of this move are worth ${formatAmount(expected)}, and a report may differ by ${formatAmount((expected * scaledRate(maxReportDeviation)) / RATE_SCALE)}. Nothing was changed: report what this move alone brought, or that it failed.`,
    );
  const [gain, waits] = isBeyond(more, expected, maxUnreviewedGain) ? [0n, more] : [more, 0n];
  return {
    expected,
    costs,
    gains: gainParts(gain, values),
    waiting: gainParts(waits, values),
    cost,
    gain,
    waits,
  };
}

/** Whether a difference is more than a fraction of an amount; exact. */
export const isBeyond = (size: bigint, amount: bigint, fraction: number): boolean =>
  size * RATE_SCALE > amount * scaledRate(fraction);
