import { median } from '../../markets/signals/statistics.js';

/** Part of a judged vault that the level is made of. */
interface Averaged {
  /** Exponentially weighted averages of its yield, a fraction a year; null before its first observation. */
  state: { smoothed: { recent: number; long: number } | null };
  /** Null with insufficient history. */
  expectedApy: number | null;
}

/** With fewer vaults the median is one vault's own deviation, which does revert. */
const MINIMUM_VAULTS = 3;
/** Bounds of the level. A market above its long averages counts as at them: most such rises are spikes that pass. */
const LOWEST = 0.1;
const HIGHEST = 1;

/**
 * Level of an asset's yields, relative to their long averages: the median over its vaults of recent average over long average, where that is below 1. A
 * single vault's fall reverts; one that most vaults share is a change of the market, which the long averages follow weeks later, or the end of a spike
 * that is still in them.
 * @param vaults of one asset; those with insufficient history, or without a positive long average, do not count
 * @returns 0.1..1; 1: the long averages as they are, also with fewer than three vaults that count
 */
export function marketLevel(vaults: readonly Averaged[]): number {
  const ratios = vaults.flatMap(({ state: { smoothed }, expectedApy }) =>
    smoothed === null || expectedApy === null || smoothed.long <= 0 ? [] : [smoothed.recent / smoothed.long],
  );
  if (ratios.length < MINIMUM_VAULTS) return 1;
  return Math.min(Math.max(median(ratios)!, LOWEST), HIGHEST);
}
