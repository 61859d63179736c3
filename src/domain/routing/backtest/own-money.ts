import type { Vault } from '../../kernel/catalogue/vault.js';

/** Deposits of others in a vault, and what can be withdrawn of them now; whole units. null: not recorded. */
export interface Depth {
  assets: number | null;
  liquidity: number | null;
}

/** Utilisation from which on a lending pool pays by what is left in it. */
const KINK = 0.9;

/** Deposits of a vault; where only what can be withdrawn is known they are that at least. */
export const sizeOf = ({ assets, liquidity }: Depth): number | null => assets ?? liquidity;

/**
 * Part of a recorded rate that is left beside own money, which was not there when it was recorded: `S / (S + A)`, and above the kink `L / (L + A)`.
 * @param amount whole units
 * @returns 1 where the size is not known
 */
export function leftBeside({ dilution }: Pick<Vault, 'dilution'>, depth: Depth, amount: number): number {
  const size = sizeOf(depth);
  if (dilution === 'none' || size === null || size <= 0 || amount <= 0) return 1;
  const { assets, liquidity } = depth;
  const isTight = assets !== null && liquidity !== null && 1 - liquidity / assets > KINK;
  return isTight ? liquidity / (liquidity + amount) : size / (size + amount);
}
