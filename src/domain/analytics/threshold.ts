import { rateDifference } from '../rate.js';

/** What is kept of a level of an asset between hours. A crossing disarms its direction until the rate has gone far enough back. */
export interface Threshold {
  /** Fraction a year. */
  level: number;
  armedAbove: boolean;
  armedBelow: boolean;
}

/** A level that was reached from below, or left downwards. Rates are fractions a year. */
export interface Crossing {
  level: number;
  direction: 'above' | 'below';
  apy: number;
  previousApy: number;
}

/** A level that nothing is known of yet. */
export const armed = (level: number): Threshold => ({ level, armedAbove: true, armedBelow: true });

/**
 * One known value on. `above`: the one before lay below the level, this one does not; `below`: the other way round. Each needs its arm,
 * spends it, and gets it back once the rate is `rearm` or more on the side that it comes from: a rate that wavers around a level by
 * less than that crosses it once in each direction.
 *
 * @param previous the last value that was known; null: none was
 * @param apy a value that is not known changes nothing, and must not be passed as 0
 * @param rearm fraction, 0 or more
 */
export function crossThreshold(
  { level, armedAbove, armedBelow }: Threshold,
  previous: number | null,
  apy: number,
  rearm: number,
): { threshold: Threshold; crossing: Crossing | null } {
  const over = rateDifference(apy, level);
  const before = previous === null ? null : rateDifference(previous, level);
  const above = armedAbove && before !== null && before < 0 && over >= 0;
  const below = armedBelow && before !== null && before >= 0 && over < 0;
  const threshold = {
    level,
    armedAbove: (armedAbove && !above) || rateDifference(over, -rearm) <= 0,
    armedBelow: (armedBelow && !below) || rateDifference(over, rearm) >= 0,
  };
  if (previous === null || (!above && !below)) return { threshold, crossing: null };
  return {
    threshold,
    crossing: { level, direction: above ? 'above' : 'below', apy, previousApy: previous },
  };
}
