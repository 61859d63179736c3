import { DomainError } from '../domain-error.js';
import { formatAmount } from '../positions/amount.js';
import { costParts, gainParts } from '../positions/cost-parts.js';
import { RATE_SCALE, scaledRate } from '../rate.js';
import { sum } from '../routing/move-batch.js';

/** What a report's amount means for each position, micro-units, in the order of the values: one of the two is 0 for all. */
export interface Arrival {
  /** Of all values. */
  expected: bigint;
  costs: bigint[];
  gains: bigint[];
  cost: bigint;
  gain: bigint;
}

/**
 * What arrived against what the books expect: the difference is a cost or a gain, of which each position has a part in proportion to its value, exact by largest
 * remainder.
 *
 * @param reported micro-units; null: exactly what they are worth
 * @param values of the positions, micro-units
 * @param deviation most that the two may differ by, as a fraction of what is expected
 * @throws DomainError `amount_out_of_bounds`: no funds lose or gain that much on their way, so the report is of something else
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
  // What positions of a micro-unit each cannot bear would be lost to the books.
  if (size * RATE_SCALE > expected * scaledRate(deviation) || sum(costs) !== cost)
    throw new DomainError(
      'amount_out_of_bounds',
      `${formatAmount(amount)} ${asset} was reported; the funds of this move are worth ${formatAmount(expected)}, and a report may differ by ${formatAmount((expected * scaledRate(deviation)) / RATE_SCALE)}. Nothing was changed: report what this move alone brought, or that it failed.`,
    );
  return { expected, costs, gains: gainParts(gain, values), cost, gain };
}
