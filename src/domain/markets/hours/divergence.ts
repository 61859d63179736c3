import { isFollowed } from '../vaults/share-readers.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import type { VaultState } from '../vaults/vault-state.js';

/** Vault whose yield by its share price is not that of its second source. APYs as fractions. */
export interface Divergence {
  vaultId: string;
  apy: number;
  otherApy: number;
}

/** Divergences among the active vaults that are followed by their share price. */
export function divergencesOf(
  vaults: readonly Vault[],
  states: ReadonlyMap<string, VaultState>,
  most: number,
): Divergence[] {
  return vaults.flatMap((vault) => {
    if (!vault.active || !isFollowed(vault)) return [];
    const { lastApy: apy = null, price } = states.get(vault.id) ?? {};
    const otherApy = price?.otherApy ?? null;
    if (apy === null || otherApy === null || Math.abs(apy - otherApy) <= most) return [];
    return [{ vaultId: vault.id, apy, otherApy }];
  });
}
