import type { Vault } from './vault-catalogue.js';

/** Reserved id prefix of idle vaults; the catalogue cannot use it. */
export const IDLE_PREFIX = 'vlt_idle_';

/** Id of the vault that holds an asset's cash. */
export const idleVaultId = (asset: string): string => `${IDLE_PREFIX}${asset.toLowerCase()}`;

/** Cash of an asset as a vault: without yield, cost and limit, and on no chain. */
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
