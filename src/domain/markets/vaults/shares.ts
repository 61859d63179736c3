import { floorDivide } from './yield-index.js';

/** Micro-units times this, divided by an index (scale 1e18), are shares (18 decimals): 1e12 * 1e18. */
const SHARE_SCALE = 10n ** 30n;

/**
 * Shares bought by a deposit: `ceil(amount * 1e30 / index)`, so that they are worth exactly the deposit, to the micro-unit. Rounding up gives away
 * less than a share's last decimal: under 1e-12 micro-units at an index of one.
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesFor(amount: bigint, index: bigint): bigint {
  return ceilDivide(amount * SHARE_SCALE, index);
}

/**
 * Shares redeemed by a withdrawal: `ceil(amount * 1e30 / index)`, never more than a book worth `amount` or more holds. A full withdrawal redeems all
 * shares instead, at `valueOf` them.
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesToBurn(amount: bigint, index: bigint): bigint {
  return ceilDivide(amount * SHARE_SCALE, index);
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

const ceilDivide = (dividend: bigint, divisor: bigint): bigint => -floorDivide(-dividend, divisor);
