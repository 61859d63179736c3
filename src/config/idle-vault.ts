import type { Vault } from './vault-catalogue.js';

/** What ids of idle vaults begin with; no vault of a catalogue has such a one. */
export const IDLE_PREFIX = 'vlt_idle_';

/** The vault in which cash of an asset stands. */
export const idleVaultId = (asset: string): string => `${IDLE_PREFIX}${asset.toLowerCase()}`;

/** Cash of an asset, as a vault: it earns nothing, costs nothing, holds any amount, and is on no chain. */
export const idleVault = (asset: string): Vault => ({
  id: idleVaultId(asset),
  name: `Idle ${asset}`,
  venue: 'Vaultline',
  chain: null,
  asset,
  riskTier: 'low',
  active: true,
  capacity: null,
  entryCost: 0n,
  exitCost: 0n,
  exitDelayHours: 0,
  dilution: 'none',
  lendingBaseline: false,
  returnHalfLifeHours: null,
  feed: { kind: 'idle' },
});
