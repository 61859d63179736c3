import { rateDifference } from '../../kernel/rate.js';

/** Threshold of an asset, as stored between hours. A crossing disarms its direction until the rate has moved back far enough (hysteresis). */
export interface Threshold {
  /** APY, a fraction. */
  level: number;
  armedAbove: boolean;
  armedBelow: boolean;
}

export interface Crossing {
  level: number;
  direction: 'above' | 'below';
  apy: number;
  previousApy: number;
}

export const armed = (level: number): Threshold => ({ level, armedAbove: true, armedBelow: true });

/**
 * Applies one known value. `above`: the previous value was below the level, this one is not; `below`: the reverse. A crossing needs its direction
 * armed and disarms it; it is armed again once the rate is `rearm` or more on the starting side. A rate that oscillates around a level by less
 * crosses it once in each direction.
 * @param previous last known value; null: none
 * @param apy an unknown value changes nothing, and must not be passed as 0
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
