import type { Vault } from '../../src/domain/kernel/catalogue/catalogue.js';
import { NOTHING_RECENT } from '../../src/domain/markets/vaults/recent.js';
import type { RoutingVault } from '../../src/domain/routing/allocation/candidates.js';

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

/** A vault that routing knows, of which nothing but an observation at 5 % is known. */
export const routingVault = (observedHour: Date, over: Partial<RoutingVault> = {}): RoutingVault => ({
  vault: vaultOf({ id: 'vlt_one' }),
  state: {
    lastApy: 0.05,
    lastTvl: null,
    lastAssets: null,
    lastLiquidity: null,
    quarantine: null,
    observedHour,
    smoothed: null,
  },
  expectedApy: null,
  riskAdjustedApy: null,
  ...NOTHING_RECENT,
  indexChange: 0,
  held: 0n,
  own: 0n,
  ...over,
});
