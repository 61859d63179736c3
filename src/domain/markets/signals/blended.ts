/** Funds in a vault at an hour. */
export interface Holding {
  /** Micro-units, 0 or more. */
  value: bigint;
  /** APY of that hour, a fraction; null: unknown. */
  apy: number | null;
}

/**
 * Weighted APY, `sum(value * apy) / sum(value)`, computed as an offset from the first vault: for a single vault, or vaults with equal yields, it is
 * that rate to the last bit.
 * @param holdings one for each vault: somebody's funds there, or the vault's TVL
 * @returns APY, a fraction; null when nothing is held, or the APY of any held vault is unknown: the others do not stand in for it
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
