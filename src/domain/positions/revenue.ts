import { floorDivide } from '../vaults/yield-index.js';

const BPS = 10_000n;

/** Basis points: 1000 is 10 %. */
export interface RevenueTerms {
  /** Of yield, 0..10000. */
  performanceFeeBps: number;
  /** Of the fee, 0..10000: the partner's part. */
  partnerShareBps: number;
}

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
  { performanceFeeBps, partnerShareBps }: RevenueTerms,
): Settlement {
  const base = accrued > highWaterMark ? accrued - highWaterMark : 0n;
  const fee = -floorDivide(-base * BigInt(performanceFeeBps), BPS);
  const partner = (fee * BigInt(partnerShareBps)) / BPS;
  return { base, highWaterMark: highWaterMark + base, fee, partner, protocol: fee - partner };
}
