import type { RowFrom } from '../store/statement.js';
import { hourOf } from '../vaults/hour.js';
import { isIdle, type Vault } from '../vaults/vault.js';
import type { VaultState } from '../vaults/vault-state.js';
import { advanceOf, type MarketOrigin, vaultStateAt } from './market-advance.js';
import { type Advance, unborn } from './market-path.js';
import { idleState } from '../vaults/idle.js';
import type { LOOK } from './market.queries.js';
import { toState } from './market.store.js';
import { valueOf } from '../vaults/shares.js';

/** A vault as deposits, withdrawals and routing see it. */
export interface MarketVault {
  vault: Vault;
  /** As of the market's newest hour. */
  state: VaultState;
  /** Fractions; null: history is insufficient. */
  expectedApy: number | null;
  riskAdjustedApy: number | null;
  /** Of its index and its TVL against the highest within a day, fractions, 0 or less; null: not known. */
  indexChange: number | null;
  tvlChange: number | null;
  /** Micro-units that the service holds there, all partners, when the market was looked at. */
  held: bigint;
  /** How much of it is of the partner that looked; 0 where nobody in particular did. */
  own: bigint;
}

/** A market as of its newest hour. */
export interface MarketView {
  marketId: string;
  /** null: never ticked. */
  hour: Date | null;
  /** When it was looked at, by its own clock; never before its newest hour, whatever the clock of this process says. */
  now: Date;
  /** The whole catalogue and the cash of each asset, by id. */
  vaults: ReadonlyMap<string, MarketVault>;
  /** How its vaults go on from their newest hour until the next tick. */
  advance: Advance;
}

/** What `LOOK` answers: a row a vault, or one without any. */
export type LookRow = RowFrom<typeof LOOK>;

const UNKNOWN: MarketOrigin = { seed: null, begunHour: null, scenario: null, scenarioFrom: null };

/** What is known of a vault at a market's newest hour. */
export type KnownVault = Pick<
  MarketVault,
  'state' | 'expectedApy' | 'riskAdjustedApy' | 'indexChange' | 'tvlChange'
> & {
  /** 18 decimals, of all partners. */
  shares: bigint;
  /** Of the partner that looks. */
  ownShares: bigint;
};

/**
 * @param catalogue shown whole: a vault without a row is one that no hour has reached yet
 * @param at when it was looked at
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

/** The same of a market that is in memory. @param known by vault id */
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
    const { state, expectedApy, riskAdjustedApy, indexChange, tvlChange, shares, ownShares } = found;
    const { index } = hour === null ? state : vaultStateAt(vault, state, hour, now, advance);
    return {
      vault,
      state,
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
