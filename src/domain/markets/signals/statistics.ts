/** @returns null for no values */
export function mean(values: readonly number[]): number | null {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? null : sum / values.length;
}

/** Mean of the two middle values when their number is even. @returns null for no values */
export function median(values: readonly number[]): number | null {
  const sorted = new Float64Array(values).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Downside deviation: `sqrt(sum(min(0, x - mean)^2) / (n - 1))`; null for fewer than two. */
export const downsideDeviation = (values: readonly number[]): number | null => deviation(values, 0);

/** Sample standard deviation (n - 1); null for fewer than two. */
export const sampleDeviation = (values: readonly number[]): number | null => deviation(values, Infinity);

/** Plain loops: every vault asks for it in every hour. Two passes avoid cancellation; equal values give 0. @param bound of distances that count */
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

/**
 * Theil-Sen slope: the median of the slopes between all pairs of values at equal steps, oldest first; null for fewer than two. Sen (1968), J. Am.
 * Stat. Assoc. 63.
 */
export function theilSenSlope(values: readonly number[]): number | null {
  const slopes = values.flatMap((from, start) =>
    values.slice(start + 1).map((to, further) => (to - from) / (further + 1)),
  );
  return median(slopes);
}

/**
 * Mann-Kendall test of a monotone trend, with continuity and tie correction: `z = sign(S)(|S| - 1) / sqrt(Var)`, `Var = (n(n - 1)(2n + 5) - sum t(t -
 * 1)(2t + 5)) / 18`, t the sizes of groups of equal values. Mann (1945), Econometrica 13; Kendall, Rank Correlation Methods.
 * @param values as independent as possible, oldest first: daily medians, never hours
 * @returns z, standard normal without a trend: |z| of 1.96 or more then has a probability of 5 %. 0 when all values are equal
 */
export function mannKendallZ(values: readonly number[]): number {
  const s = kendallScore(values);
  const variance = (spread(values.length) - tieCorrection(values)) / 18;
  return variance <= 0 || s === 0 ? 0 : (Math.sign(s) * (Math.abs(s) - 1)) / Math.sqrt(variance);
}

/** S: number of rising pairs less falling pairs. */
export function kendallScore(values: readonly number[]): number {
  return values.reduce(
    (score, from, start) => values.slice(start + 1).reduce((sum, to) => sum + Math.sign(to - from), score),
    0,
  );
}

const spread = (n: number): number => n * (n - 1) * (2 * n + 5);

function tieCorrection(values: readonly number[]): number {
  const sizes = new Map<number, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return [...sizes.values()].reduce((sum, size) => sum + spread(size), 0);
}

export interface MarketHolding {
  /** Micro-units, 0 or more. */
  value: bigint;
  /** APY of that hour, a fraction; null: unknown. */
  apy: number | null;
}

/**
 * Weighted APY, `sum(value * apy) / sum(value)`, as an offset from the first vault: of equal yields it is that yield to the last bit. Null when
 * nothing is held, or the APY of any held vault is unknown: the others do not stand in for it.
 */
export function blendedApy(holdings: readonly MarketHolding[]): number | null {
  let first: number | null = null;
  let weighted = 0;
  let total = 0n;
  for (const { value, apy } of holdings) {
    if (value === 0n) continue;
    if (apy === null) return null;
    first ??= apy;
    weighted += Number(value) * (apy - first);
    total += value;
  }
  return first === null ? null : first + weighted / Number(total);
}
