import type { SmoothedApy } from '../vaults/vault-state.js';

export interface ExpectedApyConstants {
  /** Half-life of an average, in hours. */
  recentHalfLifeHours: number;
  longHalfLifeHours: number;
  /** Half-life of mean reversion: hours in which half of a yield's distance from its long average is gone; a vault may have its own. */
  returnHalfLifeHours: number;
  /** Horizon of the expected yield, in hours. */
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
