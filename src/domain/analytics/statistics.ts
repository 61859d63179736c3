/** @returns null for no values */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Mean of the two middle values when their number is even.
 * @returns null for no values
 */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/**
 * Downside deviation: `sqrt(sum(min(0, x - mean)^2) / (n - 1))`; values above the mean do not count.
 * @returns in the unit of the values; null for fewer than two
 */
export function downsideDeviation(values: readonly number[]): number | null {
  return deviation(values, (distance) => Math.min(0, distance));
}

/**
 * Sample standard deviation (n - 1). Two passes avoid cancellation of nearly equal values; equal values give exactly 0.
 * @returns in the unit of the values; null for fewer than two
 */
export function sampleDeviation(values: readonly number[]): number | null {
  return deviation(values, (distance) => distance);
}

/** @param counted maps a distance from the mean to the part that counts */
function deviation(values: readonly number[], counted: (distance: number) => number): number | null {
  const first = values[0];
  if (first === undefined || values.length < 2) return null;
  // Offsets from the first value: the floating-point mean of equal values need not equal them.
  const offsets = values.map((value) => value - first);
  const centre = mean(offsets) ?? 0;
  const squares = offsets.reduce((sum, offset) => sum + counted(offset - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
