import { RATE_SCALE, scaledRate } from '../rate.js';
import { floorDivide } from '../vaults/yield-index.js';

/** What routing has brought so far. */
export interface RealizedUplift {
  /** `V(routed) - V(baseline)`, micro-units, signed. */
  uplift: bigint;
  /** Of the baseline's value, as a fraction; null where that is not above 0. */
  upliftPct: number | null;
}

/**
 * @param routedValue micro-units
 * @param baselineValue micro-units, signed: a worse baseline may be overdrawn
 */
export function realizedUplift(routedValue: bigint, baselineValue: bigint): RealizedUplift {
  const uplift = routedValue - baselineValue;
  return { uplift, upliftPct: baselineValue > 0n ? Number(uplift) / Number(baselineValue) : null };
}

/** Days that a projection looks ahead. */
export const PROJECTION_DAYS = 365;

/**
 * The routed value at its own blended risk-adjusted APY against the same value at the baseline's: `value * (routed - baseline)`.
 *
 * @param value routed, micro-units
 * @param routedApy fraction a year; null: history is insufficient
 * @param baselineApy fraction a year; null: history is insufficient
 * @returns micro-units after `PROJECTION_DAYS`, rounded down, signed; null where either rate is not known
 */
export function projectedUplift(
  value: bigint,
  routedApy: number | null,
  baselineApy: number | null,
): bigint | null {
  if (routedApy === null || baselineApy === null) return null;
  return floorDivide(value * scaledRate(routedApy - baselineApy), RATE_SCALE);
}
