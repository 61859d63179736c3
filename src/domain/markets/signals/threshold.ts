import { rateDifference } from '../../kernel/money.js';
import { bool, double, type RowOf } from '../../kernel/store/column.js';

/** Threshold of an asset, as stored between hours. A crossing disarms its direction until the rate has moved back far enough (hysteresis). */
export const THRESHOLD = {
  /** APY, a fraction. */
  level: double(),
  armedAbove: bool(),
  armedBelow: bool(),
};
export type Threshold = RowOf<typeof THRESHOLD>;

export interface YieldThresholdCrossing {
  level: number;
  direction: 'above' | 'below';
  apy: number;
  previousApy: number;
}

export const armed = (level: number): Threshold => ({ level, armedAbove: true, armedBelow: true });

/**
 * Applies one known APY. `above`: the previous one was below the level, this one is not; `below`: the reverse. A crossing disarms its direction until
 * the rate is `rearm` (a fraction) or more on the starting side, so a rate that oscillates by less crosses once in each direction.
 */
export function crossThreshold(
  { level, armedAbove, armedBelow }: Threshold,
  previous: number | null,
  apy: number,
  rearm: number,
): { threshold: Threshold; crossing: YieldThresholdCrossing | null } {
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
