/* Replacements of `Math.exp` and `Math.log`, whose last bit IEEE 754 does not fix: they use only `+ - * /`. */

export const LN_2 = 0.6931471805599453;

/** e^x to about 1e-15 of itself: x = k ln 2 + r, |r| <= 0.35, the Taylor series of r. */
export function exponential(x: number): number {
  const doublings = Math.round(x / LN_2);
  const rest = x - doublings * LN_2;
  let sum = 1;
  for (let term = 16; term > 0; term--) sum = 1 + (sum * rest) / term;
  for (let count = Math.abs(doublings); count > 0; count--) sum *= doublings > 0 ? 2 : 0.5;
  return sum;
}

/** ln x to about 1e-15, x above 0: x = 2^k m, m in 0.75..1.5, the series of 2 artanh((m - 1) / (m + 1)). */
export function logarithm(x: number): number {
  let doublings = 0;
  for (; x >= 1.5; x /= 2) doublings++;
  for (; x < 0.75; x *= 2) doublings--;
  const t = (x - 1) / (x + 1);
  let sum = 0;
  for (let power = 27; power > 0; power -= 2) sum = sum * t * t + 1 / power;
  return doublings * LN_2 + 2 * t * sum;
}
