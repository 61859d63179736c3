/** @returns null of nothing */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Halfway between the two in the middle of an even number. @returns null of nothing */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/**
 * Downside deviation: `sqrt(sum(min(0, x - mean)^2) / (n - 1))`, what lies above the mean left out.
 *
 * @returns in the unit of the values; null of fewer than two
 */
export function downsideDeviation(values: readonly number[]): number | null {
  return deviation(values, (distance) => Math.min(0, distance));
}

/**
 * Sample standard deviation: over n - 1. In two passes, so that near-equal values do not cancel; exactly 0 of equal values.
 *
 * @returns in the unit of the values; null of fewer than two
 */
export function sampleDeviation(values: readonly number[]): number | null {
  return deviation(values, (distance) => distance);
}

/** @param counted how much of a distance from the mean */
function deviation(values: readonly number[], counted: (distance: number) => number): number | null {
  const first = values[0];
  if (first === undefined || values.length < 2) return null;
  // Around the first value, as the mean of equal values need not be that value.
  const offsets = values.map((value) => value - first);
  const centre = mean(offsets) ?? 0;
  const squares = offsets.reduce((sum, offset) => sum + counted(offset - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
