import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { leftBeside } from '../allocation/estimate.js';

/** Deposits of others in a vault, and what can be withdrawn of them now; whole units. null: not recorded. */
export interface Depth {
  assets: number | null;
  liquidity: number | null;
}

/** Deposits of a vault; where only what can be withdrawn is known they are that at least. */
export const sizeOf = ({ assets, liquidity }: Depth): number | null => assets ?? liquidity;

/** Part of a recorded rate that is left beside own money, which was not there when it was recorded. @param own whole units */
export const leftOf = (
  { dilution }: Pick<Vault, 'dilution'>,
  depth: Depth,
  own: number,
  kink: number,
): number => (dilution === 'none' || own <= 0 ? 1 : leftBeside(depth, own, kink));
