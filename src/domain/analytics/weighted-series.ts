import { hoursBetween } from '../vaults/hour.js';
import { type HourlySeries, MINIMUM_HOURS_OF_DAY } from './signal.js';

/** A vault's part in the series of an asset. */
export interface WeightedVault {
  /** Micro-units, of `weightAt`; null or 0: no part. */
  weight: bigint | null;
  /** APY, fractions. */
  series: HourlySeries;
}

/**
 * A vault's TVL at the start of a series: the first one that is known within 18 hours, so that a feed that is silent at the start
 * costs its vault no part. After that its first day could have no median, and the vault would make the trend of all unknown.
 *
 * @param tvls an hour each, oldest first; null: not known
 * @param start index in `tvls` of the first hour of the series, or of the market where that is later
 * @returns micro-units; null: no part
 */
export function weightAt(tvls: readonly (bigint | null)[], start: number): bigint | null {
  const end = Math.min(start + 24 - MINIMUM_HOURS_OF_DAY, tvls.length);
  for (let index = start; index < end; index++) {
    const tvl = tvls[index] ?? null;
    if (tvl !== null) return tvl;
  }
  return null;
}

/**
 * One series of many vaults, by weights that stay what they were at its start: funds that move do not look like rates that move.
 * An hour at which a vault with weight has no snapshot is null. Leaving the vault out of that hour would show a step that no rate made.
 *
 * @param lastHour UTC hour of the last value; the vaults' series may end elsewhere
 * @param length hours of the result
 */
export function weightedSeries(
  vaults: readonly WeightedVault[],
  lastHour: Date,
  length: number,
): HourlySeries {
  const parts = vaults
    .filter(({ weight }) => weight !== null && weight > 0n)
    .map(({ weight, series: { values, lastHour: end } }) => ({
      weight: Number(weight),
      values,
      first: values.length - length + hoursBetween(end, lastHour),
    }));
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const at = (index: number): number | null => {
    let sum = 0;
    for (const { weight, values, first } of parts) {
      const value = values[first + index] ?? null;
      if (value === null) return null;
      sum += value * weight;
    }
    return total === 0 ? null : sum / total;
  };
  return { lastHour, values: Array.from({ length }, (_, index) => at(index)) };
}
