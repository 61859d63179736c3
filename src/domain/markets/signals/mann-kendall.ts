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
