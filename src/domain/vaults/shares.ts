import { floorDivide } from './yield-index.js';

/** An amount (micro-units) times this, over an index (scale 1e18), is shares (18 decimals): 1e12 * 1e18. */
const SHARE_SCALE = 10n ** 30n;

/**
 * Shares that a deposit buys: `floor(amount * 1e30 / index)`. The caller refuses a deposit that buys 0.
 *
 * Splitting never gains: the sum of two floors is at most the floor of the sum.
 *
 * @param amount micro-units, 0 or more
 * @param index of the vault, scale 1e18, above 0
 * @returns shares, 18 decimals
 */
export function sharesFor(amount: bigint, index: bigint): bigint {
  return floorDivide(amount * SHARE_SCALE, index);
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
  return -floorDivide(-amount * SHARE_SCALE, index);
}

/**
 * What shares are worth: `floor(shares * index / 1e30)`, towards minus infinity.
 *
 * Shares of a baseline book may be below 0: what the baseline would owe. Its floor rounds the debt up, so that no book is
 * ever shown better than it is; and the floor of a sum lies above the sum of the floors by 0 up to one micro-unit less than
 * there are positions, whatever their signs. Rounding towards zero would let that difference take either sign, and a book
 * that crosses 0 would stand still there for two micro-units.
 *
 * @param shares 18 decimals, signed; of one position, or the sum over many
 * @param index of the vault, scale 1e18
 * @returns micro-units, of the sign of `shares`, or 0
 */
export function valueOf(shares: bigint, index: bigint): bigint {
  return floorDivide(shares * index, SHARE_SCALE);
}
