import { floorDivide } from './yield-index.js';

/** An amount (micro-units) times this, over an index (scale 1e18), is shares (18 decimals): 1e12 * 1e18. */
const SHARE_SCALE = 10n ** 30n;

/**
 * Shares that a deposit buys: `ceil(amount * 1e30 / index)`, so that it is worth at once what was put in, to the micro-unit. What rounding up gives
 * away is less than a share's last decimal: under 1e-12 micro-units at an index of one.
 *
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesFor(amount: bigint, index: bigint): bigint {
  return ceilDivide(amount * SHARE_SCALE, index);
}

/**
 * Shares that a withdrawal costs: `ceil(amount * 1e30 / index)`. Of a book that is worth `amount` or more this is never
 * more than it holds. Whoever takes everything burns all shares instead, and is paid `valueOf` them.
 *
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesToBurn(amount: bigint, index: bigint): bigint {
  return ceilDivide(amount * SHARE_SCALE, index);
}

/**
 * The most shares that are worth no more than an amount: `floor(amount * 1e30 / index)`.
 *
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesWithin(amount: bigint, index: bigint): bigint {
  return floorDivide(amount * SHARE_SCALE, index);
}

/**
 * What shares are worth: `floor(shares * index / 1e30)`. The floor of a sum lies above the sum of the floors by 0 up to one micro-unit less than there are positions.
 *
 * @param shares 18 decimals, 0 or more; of one position, or the sum over many
 * @param index of the vault, scale 1e18
 * @returns micro-units
 */
export function valueOf(shares: bigint, index: bigint): bigint {
  return floorDivide(shares * index, SHARE_SCALE);
}

const ceilDivide = (dividend: bigint, divisor: bigint): bigint => -floorDivide(-dividend, divisor);
