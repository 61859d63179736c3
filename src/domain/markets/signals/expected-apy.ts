import type { SmoothedApy } from '../vaults/vault-state.js';

export interface ExpectedApyConstants {
  recentHalfLifeHours: number;
  longHalfLifeHours: number;
  /** Half-life of mean reversion: hours in which half of a yield's distance from its long average is gone; a vault may have its own. */
  returnHalfLifeHours: number;
  expectedHours: number;
}

/**
 * EWMA: exponentially weighted moving average. An hour without observation changes nothing, and must not be passed as 0.
 * @param before null: no observation so far
 */
export function smoothApy(
  before: SmoothedApy | null,
  apy: number,
  { recentHalfLifeHours, longHalfLifeHours }: ExpectedApyConstants,
): SmoothedApy {
  if (before === null) return { recent: apy, long: apy };
  const next = (average: number, halfLife: number): number =>
    average + (1 - 2 ** (-1 / halfLife)) * (apy - average);
  return { recent: next(before.recent, recentHalfLifeHours), long: next(before.long, longHalfLifeHours) };
}

/**
 * Average yield over the horizon when it reverts to its long average: `m + (s - m) (T / H) (1 - e^(-H / T))`, `T = half-life / ln 2`.
 * @param halfLifeHours of the mean reversion
 * @returns APY, a fraction
 */
export function expectedApy(
  { recent, long }: SmoothedApy,
  halfLifeHours: number,
  horizonHours: number,
): number {
  const ratio = halfLifeHours / Math.LN2 / horizonHours;
  return long + (recent - long) * ratio * -Math.expm1(-1 / ratio);
}

export interface Holding {
  /** Micro-units, 0 or more. */
  value: bigint;
  /** APY of that hour, a fraction; null: unknown. */
  apy: number | null;
}

/**
 * Weighted APY, `sum(value * apy) / sum(value)`, as an offset from the first vault: of equal yields it is that yield to the last bit. Null when
 * nothing is held, or the APY of any held vault is unknown: the others do not stand in for it.
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
