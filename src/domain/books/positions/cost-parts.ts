/**
 * Splits a cost in proportion to values (micro-units), in their order, by largest remainder, so that the parts sum to the cost. Each value keeps at
 * least one micro-unit, so that a move never closes a position; what the values cannot bear is left out.
 */
export const costParts = (cost: bigint, values: readonly bigint[]): bigint[] =>
  parts(
    cost,
    values,
    values.map((value) => (value > 0n ? value - 1n : 0n)),
  );

/** Splits a gain in the same way, without a limit. */
export const gainParts = (gain: bigint, values: readonly bigint[]): bigint[] =>
  parts(
    gain,
    values,
    values.map(() => gain),
  );

/** @param limits limit of each part */
function parts(cost: bigint, values: readonly bigint[], limits: readonly bigint[]): bigint[] {
  const total = values.reduce((sum, value) => sum + value, 0n);
  if (total === 0n || cost === 0n) return values.map(() => 0n);
  const amounts = values.map((value, at) => min((cost * value) / total, limits[at]!));
  const remainder = (at: number): bigint => (cost * values[at]!) % total;
  // Ties of remainders are broken by position, so that the same values always give the same parts.
  const order = values.map((_, at) => at).sort((a, b) => compare(remainder(b), remainder(a)) || a - b);
  let undistributed = cost - amounts.reduce((sum, part) => sum + part, 0n);
  for (let again = true; undistributed > 0n && again;) {
    again = false;
    for (const at of order) {
      if (undistributed === 0n) break;
      if (amounts[at]! >= limits[at]!) continue;
      amounts[at]! += 1n;
      undistributed -= 1n;
      again = true;
    }
  }
  return amounts;
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
