import { hourOf } from '../vaults/hour.js';
import { isIdle, type Vault } from '../vaults/vault.js';
import type { VaultState } from '../vaults/vault-state.js';
import { advanceOf, type MarketOrigin, vaultStateAt } from './market-advance.js';
import { type Advance, unborn } from './market-path.js';
import { idleState } from '../vaults/idle.js';
import { type StateRow, toState } from './market.store.js';
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
export type LookRow = { tickedHour: Date | null; hoursAhead: number } & MarketOrigin &
  (
    | (StateRow &
        Pick<MarketVault, 'expectedApy' | 'riskAdjustedApy' | 'indexChange' | 'tvlChange'> & {
          shares: string;
          ownShares: string;
        })
    | { vaultId: null }
  );

const UNKNOWN: MarketOrigin = { seed: null, begunHour: null, scenario: null, scenarioFrom: null };

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
  const now = hour !== null && hour > at ? hour : at;
  const advance = advanceOf(marketId, rows[0] ?? UNKNOWN, hour ?? hourOf(at), catalogue);
  const found = new Map(rows.map((row) => [row.vaultId, row]));
  const view = (vault: Vault): MarketVault => {
    const row = found.get(vault.id);
    if (!row || row.vaultId === null)
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
    const state = toState(row);
    const { index } = hour === null ? state : vaultStateAt(vault, state, hour, now, advance);
    return {
      vault,
      state,
      expectedApy: row.expectedApy,
      riskAdjustedApy: row.riskAdjustedApy,
      indexChange: row.indexChange,
      tvlChange: row.tvlChange,
      held: valueOf(BigInt(row.shares), index),
      own: valueOf(BigInt(row.ownShares), index),
    };
  };
  return { marketId, hour, now, vaults: new Map(catalogue.map((vault) => [vault.id, view(vault)])), advance };
}
