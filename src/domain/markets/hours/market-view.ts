import type { RowFrom } from '../../kernel/store/statement.js';
import { hourOf } from '../../kernel/catalogue/hour.js';
import { isIdle, type Vault } from '../../kernel/catalogue/vault.js';
import type { VaultState } from '../vaults/vault-state.js';
import { advanceOf, type MarketOrigin, vaultStateAt } from './market-advance.js';
import { type Advance, unborn } from './market-path.js';
import { idleState } from '../vaults/idle.js';
import type { LOOK } from './market.queries.js';
import { toState } from './market.store.js';
import { valueOf } from '../vaults/shares.js';

/** Vault for deposits, withdrawals and routing. */
export interface MarketVault {
  vault: Vault;
  /** State at the market's newest hour. */
  state: VaultState;
  /** Last observed APY, a fraction, where the newest observation has none: a share price needs a day of prices for one. */
  earlierApy?: number | null | undefined;
  /** Fractions; null: insufficient history. */
  expectedApy: number | null;
  riskAdjustedApy: number | null;
  /** Change of index and TVL against their highest within a day, fractions, 0 or less; null: unknown. */
  indexChange: number | null;
  tvlChange: number | null;
  /** Micro-units that the service holds there for all partners, as of the read. */
  held: bigint;
  /** The reading partner's part of it; 0 without a particular partner. */
  own: bigint;
}

/** View of a market at its newest hour. */
export interface MarketView {
  marketId: string;
  /** null: never ticked. */
  hour: Date | null;
  /** Time of the read by the market's clock; never before its newest hour, whatever this process's clock says. */
  now: Date;
  /** The whole catalogue and the cash vault of each asset, by id. */
  vaults: ReadonlyMap<string, MarketVault>;
  /** Transition of its vaults from their newest hour until the next tick. */
  advance: Advance;
}

/** Row of `LOOK`: one for each vault, or a single one without vault. */
export type LookRow = RowFrom<typeof LOOK>;

const UNKNOWN: MarketOrigin = { seed: null, begunHour: null, scenario: null, scenarioFrom: null };

/** State of a vault at a market's newest hour. */
export type KnownVault = Pick<
  MarketVault,
  'state' | 'earlierApy' | 'expectedApy' | 'riskAdjustedApy' | 'indexChange' | 'tvlChange'
> & {
  /** 18 decimals, over all partners. */
  shares: bigint;
  /** Shares of the reading partner. */
  ownShares: bigint;
};

/**
 * @param catalogue returned in full: a vault without row has not reached an hour yet
 * @param at time of the read
 */
export function toMarketView(
  marketId: string,
  rows: readonly LookRow[],
  catalogue: readonly Vault[],
  at: Date,
): MarketView {
  const hour = rows[0]?.tickedHour ?? null;
  const advance = advanceOf(marketId, rows[0] ?? UNKNOWN, hour ?? hourOf(at), catalogue);
  const known = rows.flatMap((row): [string, KnownVault][] =>
    row.vaultId === null
      ? []
      : [
          [
            row.vaultId,
            { ...row, state: toState(row), shares: BigInt(row.shares), ownShares: BigInt(row.ownShares) },
          ],
        ],
  );
  return viewOf({ marketId, hour, advance }, new Map(known), catalogue, at);
}

/**
 * The same for a market in memory.
 * @param known by vault id
 */
export function viewOf(
  { marketId, hour, advance }: Pick<MarketView, 'marketId' | 'hour' | 'advance'>,
  known: ReadonlyMap<string, KnownVault>,
  catalogue: readonly Vault[],
  at: Date,
): MarketView {
  const now = hour !== null && hour > at ? hour : at;
  const view = (vault: Vault): MarketVault => {
    const found = known.get(vault.id);
    if (!found)
      return {
        vault,
        state: isIdle(vault) && hour !== null ? idleState(vault.id, hour) : unborn(vault.id),
        expectedApy: null,
        riskAdjustedApy: null,
        indexChange: null,
        tvlChange: null,
        held: 0n,
        own: 0n,
      };
    const { state, earlierApy, expectedApy, riskAdjustedApy, indexChange, tvlChange, shares, ownShares } =
      found;
    const { index } = hour === null ? state : vaultStateAt(vault, state, hour, now, advance);
    return {
      vault,
      state,
      earlierApy,
      expectedApy,
      riskAdjustedApy,
      indexChange,
      tvlChange,
      held: valueOf(shares, index),
      own: valueOf(ownShares, index),
    };
  };
  return { marketId, hour, now, vaults: new Map(catalogue.map((vault) => [vault.id, view(vault)])), advance };
}
