import type { MarketVault, MarketView } from '../markets/market.service.js';
import { hourOf } from '../vaults/hour.js';
import { isStale } from '../vaults/vault-state.js';
import type { Moment } from './accruals.js';
import type { BaselineIndexes, Quote } from './position.js';

/** What a market says to the positions in it, at a moment. @throws Error before the market's first tick, when there can be none */
export function momentOf({ marketId, hour, vaults }: MarketView, at: Date): Moment {
  if (hour === null) throw new Error(`The market ${marketId} has not begun.`);
  const quotes = new Map<string, Quote>();
  for (const [vaultId, { state }] of vaults) {
    if (state.lastApy !== null) quotes.set(vaultId, { vaultId, index: state.index, apy: state.lastApy });
  }
  return { marketId, at, hour, quotes };
}

/** The indexes of a position's two baselines. */
export function baselinesOf(
  view: MarketView,
  { lendingVaultId, holdVaultId }: { lendingVaultId: string; holdVaultId: string },
): BaselineIndexes {
  return {
    lending: vaultOf(view, lendingVaultId).state.index,
    hold: vaultOf(view, holdVaultId).state.index,
  };
}

/** What showing a position takes: an APY that is too old is not shown. @param now of the market: one that nobody ticks grows stale */
export function shownVault(
  view: MarketView,
  vaultId: string,
  now: Date,
): { index: bigint; apy: number | null } {
  const { vault, state } = vaultOf(view, vaultId);
  return { index: state.index, apy: !vault.idle && isStale(state, hourOf(now)) ? null : state.lastApy };
}

/** @throws Error for a vault that the catalogue no longer lists although a position was in it */
export function vaultOf({ vaults }: MarketView, vaultId: string): MarketVault {
  const vault = vaults.get(vaultId);
  if (!vault)
    throw new Error(`The catalogue no longer lists ${vaultId}, which positions need: list it as inactive.`);
  return vault;
}
