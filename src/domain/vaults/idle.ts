import type { Observation } from './feed.js';
import type { VaultState } from './vault-state.js';
import { INDEX_SCALE } from './yield-index.js';

/** Cash yields 0: that is observed, at every hour, and no guess. How much of it there is anywhere, nobody asks. */
export const idleObservation = (hour: Date): Observation => ({ apy: 0, tvl: null, observedAt: hour });

/** Cash in a market that has not reached it yet, as in one that has. */
export const idleState = (vaultId: string, hour: Date): VaultState => ({
  vaultId,
  index: INDEX_SCALE,
  factor: 0n,
  lastApy: 0,
  lastTvl: null,
  observedHour: hour,
  smoothed: null,
  simulated: null,
  price: null,
});
