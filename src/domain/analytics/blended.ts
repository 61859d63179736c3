/** What is held in a vault at an hour. */
export interface Holding {
  /** Micro-units, 0 or more. */
  value: bigint;
  /** Fraction a year, of that hour; null: not known. */
  apy: number | null;
}

/**
 * `sum(value * apy) / sum(value)`, as what the vaults have over the first one: of a single vault, and of vaults that yield the same, it is that rate to the
 * last bit.
 *
 * @param holdings one a vault: what somebody holds there, or the vault's TVL
 * @returns fraction a year; null where nothing is held, and where the APY of anything held is not known: the others do not stand in
 *   for it
 */
export function blendedApy(holdings: readonly Holding[]): number | null {
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
