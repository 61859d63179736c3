import { floorDivide } from '../vaults/yield-index.js';

/**
 * What the service holds in a vault: `floor(shares * index / 1e30)`.
 *
 * @param shares 18 decimals, summed over all that is held there
 * @param index of the vault, scale 1e18
 * @returns micro-units
 */
export const heldValue = (shares: bigint, index: bigint): bigint => floorDivide(shares * index, 10n ** 30n);
