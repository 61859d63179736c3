/** Sums of binary fractions end in noise, such as 0.10000000000000003: no rate is known to more than twelve decimals. */
export function shownRate(rate: number): number;
export function shownRate(rate: number | null): number | null;
export function shownRate(rate: number | null): number | null {
  // Plus 0: never -0, which JSON does not know.
  return rate === null ? null : Math.round(rate * 1e12) / 1e12 + 0;
}
