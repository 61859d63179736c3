import type { MarketView } from '../markets/market.service.js';
import { hoursBetween } from '../vaults/hour.js';
import type { Candidate } from './gates.js';

/**
 * The vaults of an asset, as a decision judges them.
 *
 * @param hour in which the decision is made: a market that nobody ticks grows stale
 * @param held what the service holds in a vault, micro-units, where it is no longer what the view says: decisions of one hour see each other
 * @param hoursSinceLeft since the funds in question were last moved out of a vault; absent: never
 */
export function candidatesOf(
  view: MarketView,
  asset: string,
  hour: Date,
  held: ReadonlyMap<string, bigint> = new Map(),
  hoursSinceLeft: ReadonlyMap<string, number> = new Map(),
): Candidate[] {
  return [...view.vaults.values()]
    .filter(({ vault }) => vault.asset === asset)
    .map(({ vault, state, riskAdjustedApy, held: heldThen }) => ({
      vaultId: vault.id,
      active: vault.active,
      lendingBaseline: vault.lendingBaseline,
      apy: state.lastApy,
      riskAdjustedApy,
      tvl: state.lastTvl?.toString() ?? null,
      capacity: vault.capacity?.toString() ?? null,
      held: (held.get(vault.id) ?? heldThen).toString(),
      switchingCost: vault.switchingCost.toString(),
      hoursSinceObserved: state.observedHour && hoursBetween(state.observedHour, hour),
      hoursSinceLeft: hoursSinceLeft.get(vault.id) ?? null,
    }));
}
