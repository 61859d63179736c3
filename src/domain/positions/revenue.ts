import { floorDivide } from '../vaults/yield-index.js';

const BPS = 10_000n;

/** Basis points: 1000 is 10 %. */
export interface RevenueTerms {
  /** Of yield, 0..10000. */
  performanceFeeBps: number;
  /** Of the fee, 0..10000: the partner's part. */
  partnerShareBps: number;
}

export const REVENUE_TERMS: RevenueTerms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };

/** What one settlement adds. Micro-units. */
export interface Settlement {
  /** Yield above the mark, that the fee is on. */
  base: bigint;
  /** The mark from now on. */
  highWaterMark: bigint;
  fee: bigint;
  partner: bigint;
  protocol: bigint;
}

/**
 * Revenue of one position at one accrual: on what its yield is above the highest that was settled before, so that a loss is made good
 * before there is a fee again. `base = max(0, accrued - mark)`, `fee = ceil(base * bps / 10000)`,
 * `partner = floor(fee * share / 10000)`, the protocol has the rest. Reported, never taken from the position.
 *
 * @param accrued all yield accrued since the position opened, micro-units, signed
 * @param highWaterMark of the settlement before, micro-units; 0 at the opening
 */
export function settleRevenue(
  accrued: bigint,
  highWaterMark: bigint,
  { performanceFeeBps, partnerShareBps }: RevenueTerms = REVENUE_TERMS,
): Settlement {
  const base = accrued > highWaterMark ? accrued - highWaterMark : 0n;
  const fee = -floorDivide(-base * BigInt(performanceFeeBps), BPS);
  const partner = (fee * BigInt(partnerShareBps)) / BPS;
  return { base, highWaterMark: highWaterMark + base, fee, partner, protocol: fee - partner };
}

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
 * @param holdings one a vault: the protocol's own value there, or before any deposit the vaults' TVL
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
  return floorDivide(value * BigInt(Math.round((routedApy - baselineApy) * 1e12)), 10n ** 12n);
}
