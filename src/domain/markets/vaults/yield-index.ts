import { HOUR_MS, hoursBetween } from '../../kernel/clock.js';

export const INDEX_SCALE = 10n ** 18n;

/** Hours a year's rate is spread over, leap years included. */
export const HOURS_PER_YEAR = 8_760;

/** Hours after its last observation during which a vault accrues at that APY. After them it is stale: its index rests, and it takes no funds. */
export const MAX_GAP_HOURS = 24;

/** True when the last observation is more than 24 hours old, or missing: the index rests, and the vault takes no funds. */
export function isStale({ observedHour }: { observedHour: Date | null }, hour: Date): boolean {
  return observedHour === null || hoursBetween(observedHour, hour) > MAX_GAP_HOURS;
}

/** Change of a share price within an hour that counts as yield: over 500,000 % a year. A larger one is a step, such as a loss or a donation. */
export const MAX_STEP = 0.001;

/**
 * Growth factor of an hour, `round(expm1(log1p(apy) / 8760) * 1e18)`: 8,760 hours compound to the APY, a fraction above -1. Scale 1e18. It is stored
 * with each snapshot, because mathematical libraries may differ in the last digit. Throws RangeError where `apy` is no rate.
 */
export function hourlyFactor(apy: number): bigint {
  if (!Number.isFinite(apy) || apy <= -1) throw new RangeError(`${apy} is not a rate above -1.`);
  return BigInt(Math.round(Math.expm1(Math.log1p(apy) / HOURS_PER_YEAR) * 1e18));
}

/** An index is a divisor, and stays above 0 whatever is lost. */
export const atLeastOne = (index: bigint): bigint => (index > 0n ? index : 1n);

/** Index an hour later, scale 1e18: `index + floor(index * factor / 1e18)`. */
export function accrueIndex(index: bigint, factor: bigint): bigint {
  return atLeastOne(index + floorDivide(index * factor, INDEX_SCALE));
}

/** Index within an hour: `index + floor(index * factor * ms / (3600000 * 1e18))`, scale 1e18; at the hour's end it equals the next hour's. */
export function indexWithin(index: bigint, factor: bigint, ms: number): bigint {
  const passed = BigInt(Math.min(Math.max(ms, 0), HOUR_MS));
  return atLeastOne(index + floorDivide(index * factor * passed, BigInt(HOUR_MS) * INDEX_SCALE));
}

/** The index (scale 1e18) after a loss of 0 to 1,000 per mille, rounded down. */
export function writeDown(index: bigint, perMille: bigint): bigint {
  return atLeastOne((index * (1000n - perMille)) / 1000n);
}

/** `expm1(8760 * log1p(apr / 8760))`, fractions: a rate that is paid out hourly and reinvested. */
export function aprToApy(apr: number): number {
  return Math.expm1(HOURS_PER_YEAR * Math.log1p(apr / HOURS_PER_YEAR));
}

/** Division that rounds towards minus infinity, where `/` on bigint rounds towards zero. The divisor is above 0. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** Micro-units times this, divided by an index (scale 1e18), are shares (18 decimals): 1e12 * 1e18. */
const SHARE_SCALE = 10n ** 30n;

/** Shares (18 decimals) of an amount in micro-units: `ceil(amount * 1e30 / index)`, worth exactly the amount. */
export function sharesFor(amount: bigint, index: bigint): bigint {
  return -floorDivide(-amount * SHARE_SCALE, index);
}

/** Most shares that are worth at most an amount of micro-units: `floor(amount * 1e30 / index)`, 18 decimals. */
export function sharesWithin(amount: bigint, index: bigint): bigint {
  return floorDivide(amount * SHARE_SCALE, index);
}

/** Value of shares in micro-units: `floor(shares * index / 1e30)`. The floor of a sum exceeds the sum of the floors by less than one a position. */
export function valueOf(shares: bigint, index: bigint): bigint {
  return floorDivide(shares * index, SHARE_SCALE);
}
