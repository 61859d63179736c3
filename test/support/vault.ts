import type { Vault } from '../../src/domain/kernel/catalogue/catalogue.js';

/** An open vault for USDC without costs and limits. */
export const vaultOf = (over: Partial<Vault> & Pick<Vault, 'id'>): Vault => ({
  name: over.id,
  venue: 'Somewhere',
  chain: 'ethereum',
  asset: 'USDC',
  riskTier: 'low',
  active: true,
  capacity: null,
  entryCost: 0n,
  exitCost: 0n,
  gas: null,
  exitDelayHours: 0,
  dilution: 'none',
  lendingBaseline: false,
  returnHalfLifeHours: null,
  feed: { kind: 'simulated' },
  ...over,
});
