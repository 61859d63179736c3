/** What is held in a vault at an hour. */
export interface Holding {
  /** Micro-units, 0 or more. */
  value: bigint;
  /** Fraction a year, of that hour; null: not known. */
  apy: number | null;
}

/**
 * `sum(value * apy) / sum(value)`.
 *
 * @param holdings one a vault: what somebody holds there, or the vault's TVL
 * @returns fraction a year; null where nothing is held, and where the APY of anything held is not known: the others do not stand in
 *   for it
 */
export function blendedApy(holdings: readonly Holding[]): number | null {
  let weighted = 0;
  let total = 0n;
  for (const { value, apy } of holdings) {
    if (value === 0n) continue;
    if (apy === null) return null;
    weighted += Number(value) * apy;
    total += value;
  }
  return total === 0n ? null : weighted / Number(total);
}
