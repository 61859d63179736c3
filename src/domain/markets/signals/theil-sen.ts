import { median } from './statistics.js';

/**
 * Theil-Sen slope: the median of the slopes between all pairs of values, robust against outliers. Theil (1950), Sen (1968), J. Am. Stat. Assoc. 63.
 * @param values at equal steps, oldest first
 * @returns in the unit of the values for each step; null for fewer than two
 */
export function theilSenSlope(values: readonly number[]): number | null {
  const slopes = values.flatMap((from, start) =>
    values.slice(start + 1).map((to, further) => (to - from) / (further + 1)),
  );
  return median(slopes);
}
