import { DomainError } from '../domain-error.js';
import { formatAmount } from '../positions/amount.js';
import { costParts, gainParts } from '../positions/cost-parts.js';
import { RATE_SCALE, scaledRate } from '../rate.js';
import { sum } from '../routing/move-batch.js';

/** Meaning of a reported amount for each position, micro-units, in the order of the values: costs or gains, of which one is 0 for all. */
export interface Arrival {
  /** Sum of the expected values. */
  expected: bigint;
  costs: bigint[];
  gains: bigint[];
  cost: bigint;
  gain: bigint;
}

/**
 * Compares the arrived amount with the books: the difference is a cost or a gain, split over the positions in proportion to value, exact by largest
 * remainder.
 * @param reported micro-units; null: exactly the expected amount
 * @param values of the positions, micro-units
 * @param deviation largest accepted difference, a fraction of the expected amount
 * @throws DomainError `amount_out_of_bounds`: funds in transit cannot lose or gain that much, so the report is wrong
 */
export function arrivalOf(
  reported: bigint | null,
  values: readonly bigint[],
  deviation: number,
  asset: string,
): Arrival {
  const expected = sum(values);
  const amount = reported ?? expected;
  const difference = amount - expected;
  const size = difference < 0n ? -difference : difference;
  const [cost, gain] = difference < 0n ? [size, 0n] : [0n, size];
  const costs = costParts(cost, values);
  // Positions of one micro-unit each cannot bear the cost, which would vanish from the books.
  if (size * RATE_SCALE > expected * scaledRate(deviation) || sum(costs) !== cost)
    throw new DomainError(
      'amount_out_of_bounds',
      `${formatAmount(amount)} ${asset} was reported; the funds of this move are worth ${formatAmount(expected)}, and a report may differ by ${formatAmount((expected * scaledRate(deviation)) / RATE_SCALE)}. Nothing was changed: report what this move alone brought, or that it failed.`,
    );
  return { expected, costs, gains: gainParts(gain, values), cost, gain };
}
