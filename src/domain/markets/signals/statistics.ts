/** @returns null for no values */
export function mean(values: readonly number[]): number | null {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? null : sum / values.length;
}

/** Mean of the two middle values when their number is even. @returns null for no values */
export function median(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/**
 * Downside deviation: `sqrt(sum(min(0, x - mean)^2) / (n - 1))`; values above the mean do not count.
 * @returns in the unit of the values; null for fewer than two
 */
export const downsideDeviation = (values: readonly number[]): number | null => deviation(values, 0);

/**
 * Sample standard deviation (n - 1). Two passes avoid cancellation of nearly equal values; equal values give exactly 0.
 * @returns in the unit of the values; null for fewer than two
 */
export const sampleDeviation = (values: readonly number[]): number | null => deviation(values, Infinity);

/**
 * Plain loops: every vault asks for it in every hour of a market, of a week of values each.
 * @param bound only distances from the mean below it count
 */
function deviation(values: readonly number[], bound: number): number | null {
  const first = values[0];
  if (first === undefined || values.length < 2) return null;
  // Offsets from the first value: the floating-point mean of equal values need not equal them.
  let total = 0;
  for (const value of values) total += value - first;
  const centre = total / values.length;
  let squares = 0;
  for (const value of values) {
    const distance = value - first - centre;
    if (distance < bound) squares += distance * distance;
  }
  return Math.sqrt(squares / (values.length - 1));
}
