import { HOUR_MS } from '../../kernel/clock.js';

/** Scale of an index, 1e18; every index starts at one. */
export const INDEX_SCALE = 10n ** 18n;

/** Hours a year's rate is spread over, leap years included. */
export const HOURS_PER_YEAR = 8_760;

/**
 * Hours after its last observation during which a vault accrues at that APY. After them the index rests, and the vault is stale: not eligible for
 * funds.
 */
export const MAX_GAP_HOURS = 24;

/**
 * Change of a share price within an hour, as a fraction, that counts as yield: 0.1 % an hour is over 500,000 % a year. A larger one is a step, such
 * as a loss or a donation, which changes the index and not the yield.
 */
export const MAX_STEP = 0.001;

/**
 * Growth factor of an index in an hour: `round(expm1(log1p(apy) / 8760) * 1e18)`, so that 8,760 hours compound to the APY.
 *
 * A double has 16 digits, of which the factor keeps 13 or so: where mathematical libraries differ in the last one, the factor is
 * the same but for a rare case on the edge of rounding. The index is stored with each snapshot, and not computed again.
 *
 * @param apy fraction a year, above -1: 0.0523 is 5.23 %. A vault without an observation has no factor, and must not be
 *   passed as 0
 * @returns growth an hour, scale 1e18; negative for a negative APY
 * @throws RangeError where `apy` is no rate
 */
export function hourlyFactor(apy: number): bigint {
  if (!Number.isFinite(apy) || apy <= -1) throw new RangeError(`${apy} is not a rate above -1.`);
  return BigInt(Math.round(Math.expm1(Math.log1p(apy) / HOURS_PER_YEAR) * 1e18));
}

/**
 * Index an hour later: `index + floor(index * factor / 1e18)`.
 * @param index scale 1e18, above 0
 * @param factor from `hourlyFactor`, scale 1e18
 */
export function accrueIndex(index: bigint, factor: bigint): bigint {
  return index + floorDivide(index * factor, INDEX_SCALE);
}

/**
 * Index within an hour: `index + floor(index * factor * ms / (3600000 * 1e18))`; at the hour's end it equals the next hour's.
 * @param index at the hour's beginning, scale 1e18, above 0
 * @param factor of the hour, scale 1e18
 * @param ms since the hour began; clamped to the hour
 */
export function indexWithin(index: bigint, factor: bigint, ms: number): bigint {
  const passed = BigInt(Math.min(Math.max(ms, 0), HOUR_MS));
  return index + floorDivide(index * factor * passed, BigInt(HOUR_MS) * INDEX_SCALE);
}

/**
 * The index after a loss, rounded down; it stays above 0.
 *
 * @param index scale 1e18, above 0
 * @param perMille 0..1000
 */
export function writeDown(index: bigint, perMille: bigint): bigint {
  const left = (index * (1000n - perMille)) / 1000n;
  return left > 0n ? left : 1n;
}

/**
 * `expm1(8760 * log1p(apr / 8760))`: a rate that is paid out hourly and reinvested.
 * @param apr fraction, above -8760
 * @returns APY, a fraction
 */
export function aprToApy(apr: number): number {
  return Math.expm1(HOURS_PER_YEAR * Math.log1p(apr / HOURS_PER_YEAR));
}

/**
 * Division that rounds towards minus infinity, where `/` on bigint rounds towards zero.
 *
 * @param divisor above 0
 */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** Micro-units times this, divided by an index (scale 1e18), are shares (18 decimals): 1e12 * 1e18. */
const SHARE_SCALE = 10n ** 30n;

/**
 * Shares bought by a deposit, or redeemed by a withdrawal: `ceil(amount * 1e30 / index)`, so that they are worth exactly the amount, to the micro-unit.
 * Rounding up gives away less than a share's last decimal, under 1e-12 micro-units at an index of one. A book that is worth the amount has as many.
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesFor(amount: bigint, index: bigint): bigint {
  return -floorDivide(-amount * SHARE_SCALE, index);
}

/**
 * Most shares that are worth at most an amount: `floor(amount * 1e30 / index)`.
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesWithin(amount: bigint, index: bigint): bigint {
  return floorDivide(amount * SHARE_SCALE, index);
}

/**
 * Value of shares: `floor(shares * index / 1e30)`. The floor of a sum exceeds the sum of the floors by less than one micro-unit a position.
 * @param shares 18 decimals, 0 or more; of one position, or the sum over many
 * @param index of the vault, scale 1e18
 * @returns micro-units
 */
export function valueOf(shares: bigint, index: bigint): bigint {
  return floorDivide(shares * index, SHARE_SCALE);
}
