import type { SmoothedApy } from '../vaults/vault-state.js';

export interface ExpectedApyConstants {
  /** Hours after which a half of an average is newer. */
  recentHalfLifeHours: number;
  longHalfLifeHours: number;
  /** Hours in which half of a yield's distance from its long average is gone; a vault may have its own. */
  returnHalfLifeHours: number;
  /** Hours over which a yield is expected. */
  expectedHours: number;
}

/** EWMA: exponentially weighted moving average. An hour that was not observed changes nothing, and must not be passed as 0. @param before null: none was observed */
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
 * The mean over the horizon of a yield that returns to its long average: `m + (s - m) (T / H) (1 - e^(-H / T))`, `T = half-life / ln 2`.
 *
 * @param halfLifeHours of the return
 * @returns fraction a year
 */
export function expectedApy(
  { recent, long }: SmoothedApy,
  halfLifeHours: number,
  horizonHours: number,
): number {
  const ratio = halfLifeHours / Math.LN2 / horizonHours;
  return long + (recent - long) * ratio * -Math.expm1(-1 / ratio);
}
