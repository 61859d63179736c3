import type { MarketView } from '../markets/market.service.js';
import { hoursBetween } from '../vaults/hour.js';
import type { Candidate } from './gates.js';

/** What is known of the funds that a decision is about, by vault; what is absent is as the view has it. */
export interface KnownOfFunds {
  /** What the service holds in a vault, micro-units, where it is no longer what the view says: decisions of one hour see each other. */
  held?: ReadonlyMap<string, bigint>;
  /** What their partner holds in a vault, micro-units; absent: what the view, of that partner, says. */
  own?: ReadonlyMap<string, bigint>;
  /** Since they were last moved out of a vault; absent: never. */
  hoursSinceLeft?: ReadonlyMap<string, number>;
}

/**
 * The vaults of an asset, as a decision judges them.
 *
 * @param hour in which the decision is made: a market that nobody ticks grows stale
 */
export function candidatesOf(
  view: MarketView,
  asset: string,
  hour: Date,
  { held, own, hoursSinceLeft }: KnownOfFunds = {},
): Candidate[] {
  return [...view.vaults.values()]
    .filter(({ vault }) => vault.asset === asset && !vault.idle)
    .map(({ vault, state, expectedApy, riskAdjustedApy, held: heldThen, own: ownThen }) => ({
      vaultId: vault.id,
      active: vault.active,
      lendingBaseline: vault.lendingBaseline,
      apy: state.lastApy,
      expectedApy,
      riskAdjustedApy,
      tvl: state.lastTvl?.toString() ?? null,
      capacity: vault.capacity?.toString() ?? null,
      held: (held?.get(vault.id) ?? heldThen).toString(),
      own: (own ? (own.get(vault.id) ?? 0n) : ownThen).toString(),
      switchingCost: (vault.exitCost + vault.entryCost).toString(),
      hoursSinceObserved: state.observedHour && hoursBetween(state.observedHour, hour),
      hoursSinceLeft: hoursSinceLeft?.get(vault.id) ?? null,
    }));
}
