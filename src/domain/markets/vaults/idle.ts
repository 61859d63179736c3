import type { Observation } from './feed.js';
import type { VaultState } from './vault-state.js';
import { INDEX_SCALE } from './yield-index.js';

/** Cash yields 0, which is an observation at every hour and not a guess. Its TVL is not used. */
export const idleObservation = (hour: Date): Observation => ({
  apy: 0,
  tvl: null,
  assets: null,
  liquidity: null,
  observedAt: hour,
});

export const idleState = (vaultId: string, hour: Date): VaultState => ({
  vaultId,
  index: INDEX_SCALE,
  factor: 0n,
  lastApy: 0,
  lastTvl: null,
  lastAssets: null,
  lastLiquidity: null,
  observedHour: hour,
  smoothed: null,
  simulated: null,
  price: null,
  baseFees: [],
  doubtedSince: null,
  quarantine: null,
});
