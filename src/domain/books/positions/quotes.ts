import { hourOf } from '../../kernel/clock.js';
import { roundRate, toUnits } from '../../kernel/money.js';
import type { RowOf } from '../../kernel/store/column.js';
import { vaultStateAt } from '../../markets/hours/market-view.js';
import type { MarketVault, MarketView } from '../../markets/hours/market.service.js';
import type { VaultState } from '../../markets/vaults/vault-state.js';
import { isStale, valueOf } from '../../markets/vaults/yield-index.js';
import { type BaselineIndexes, holdVaultOf, POSITION, type Position, type Quote } from './position.js';

/** Valuation of one market's positions at a moment. */
export interface Moment {
  marketId: string;
  /** Not before `hour`. */
  at: Date;
  /** Newest known hour of the market; earlier ones are read from snapshots. */
  hour: Date;
  /** Quote of a vault at a moment from `hour` on. @throws Error for a vault without index */
  quoteAt(this: void, vaultId: string, at: Date): Quote;
}

/** Valuation of a market's positions, not before its newest hour. @throws Error before its first tick, when there can be no positions */
export function momentOf(view: MarketView, at: Date): Moment {
  const { marketId, hour } = view;
  if (hour === null) throw new Error(`The market ${marketId} has not begun.`);
  return { marketId, at, hour, quoteAt: (vaultId, time) => quoteIn(view, vaultId, time) };
}

/** @throws Error for a vault that was never observed, which no position can be in */
function quoteIn(view: MarketView, vaultId: string, at: Date): Quote {
  const state = vaultAt(view, vaultId, at);
  if (state.observedHour === null) throw new Error(`${vaultId} has no index.`);
  return { vaultId, index: state.index, apy: state.lastApy ?? vaultOf(view, vaultId).earlierApy ?? null };
}

/** Indexes of a position's two baselines, at a moment. */
export const baselinesOf = (
  view: MarketView,
  position: Pick<Position, 'lendingVaultId' | 'originVaultId' | 'vaultId'>,
  at: Date,
): BaselineIndexes => ({
  lending: vaultAt(view, position.lendingVaultId, at).index,
  hold: vaultAt(view, holdVaultOf(position), at).index,
});

/** Vault data to render a position with. @param now of the market: without ticks it becomes stale */
export const shownVault = (view: MarketView, vaultId: string, now: Date): ShownVault =>
  shownState(vaultAt(view, vaultId, now), now);

export interface Quotes {
  now: Date;
  /** @throws Error for a vault that was removed from the catalogue although a position was in it */
  quoteOf(this: void, vaultId: string): ShownVault;
}

export const quotesOf = (view: MarketView): Quotes => ({
  now: view.now,
  quoteOf: (vaultId) => shownVault(view, vaultId, view.now),
});

/** A vault's index, and its APY unless unknown or too old. */
export interface ShownVault {
  index: bigint;
  apy: number | null;
}

/** @param state of the vault at `now` */
export const shownState = (state: VaultState, now: Date): ShownVault => ({
  index: state.index,
  apy: isStale(state, hourOf(now)) ? null : state.lastApy,
});

/** Vault with its index at a moment from the market's newest hour on. @throws Error for a vault that the catalogue no longer lists */
export function vaultAt(view: MarketView, vaultId: string, at: Date): VaultState {
  const { vault, state } = vaultOf(view, vaultId);
  const { hour, advance } = view;
  return hour === null ? state : vaultStateAt(vault, state, hour, at, advance);
}

/** @throws Error for a vault that was removed from the catalogue although a position was in it */
export function vaultOf<Known>({ vaults }: { vaults: ReadonlyMap<string, Known> }, vaultId: string): Known {
  const vault = vaults.get(vaultId);
  if (vault === undefined)
    throw new Error(`The catalogue no longer lists ${vaultId}, which positions need: list it as inactive.`);
  return vault;
}

export function vaultsAt(view: MarketView, at: Date): Map<string, MarketVault> {
  return new Map([...view.vaults].map(([id, vault]) => [id, { ...vault, state: vaultAt(view, id, at) }]));
}

const { id, userId, asset, depositId, vaultId, originVaultId, status, shares, deposited, withdrawn, costs } =
  POSITION;
const { openedAt, activeAt, closedAt } = POSITION;
/** Shown columns of a position, without its vault. */
export const SHOWN_POSITION = {
  id,
  userId,
  asset,
  depositId,
  vaultId,
  originVaultId,
  status,
  shares,
  deposited,
  withdrawn,
  costs,
  openedAt,
  activeAt,
  closedAt,
};

/** Position as the API and webhooks show it: plain JSON. Amounts are whole asset units with up to 6 decimals, rates are fractions, times ISO 8601. */
export type PositionRecord = ReturnType<typeof positionRecord>;
export type WithdrawnRecord = PositionRecord & { amount: number };

/** The only rendering of a position. */
export function positionRecord(position: RowOf<typeof SHOWN_POSITION>, vault: ShownVault) {
  const value = valueOf(position.shares, vault.index);
  const principal = position.deposited - position.withdrawn;
  return {
    id: position.id,
    object: 'position' as const,
    user_id: position.userId,
    asset: position.asset,
    deposit_id: position.depositId,
    vault_id: position.vaultId,
    origin_vault_id: position.originVaultId,
    status: position.status,
    /** Deposited less withdrawn: negative once more was withdrawn than deposited. */
    principal: toUnits(principal),
    value: toUnits(value),
    yield: toUnits(value - principal),
    costs: toUnits(position.costs),
    apy: position.status === 'closed' ? null : roundRate(vault.apy),
    opened_at: position.openedAt.toISOString(),
    active_at: position.activeAt?.toISOString() ?? null,
    closed_at: position.closedAt?.toISOString() ?? null,
  };
}
