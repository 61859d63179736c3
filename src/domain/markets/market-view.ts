import type { Vault } from '../vaults/vault.js';
import type { VaultState } from '../vaults/vault-state.js';
import { idleState } from '../vaults/idle.js';
import { unborn } from './market-path.js';
import { type StateRow, toState } from './market.store.js';
import { valueOf } from '../vaults/shares.js';

/** A vault as deposits, withdrawals and routing see it. */
export interface MarketVault {
  vault: Vault;
  state: VaultState;
  /** Fractions; null: history is insufficient. */
  expectedApy: number | null;
  riskAdjustedApy: number | null;
  /** Of its index and its TVL against the highest within a day, fractions, 0 or less; null: not known. */
  indexChange: number | null;
  tvlChange: number | null;
  /** Micro-units that the service holds there, all partners. */
  held: bigint;
  /** How much of it is of the partner that looked; 0 where nobody in particular did. */
  own: bigint;
}

/** A market as of its newest hour. */
export interface MarketView {
  marketId: string;
  /** null: never ticked. */
  hour: Date | null;
  /** How far its clock is ahead of the wall. */
  hoursAhead: number;
  /** The whole catalogue and the cash of each asset, by id. */
  vaults: ReadonlyMap<string, MarketVault>;
}

/** What `LOOK` answers: a row a vault, or one without any. */
export type LookRow = { tickedHour: Date | null; hoursAhead: number } & (
  | (StateRow &
      Pick<MarketVault, 'expectedApy' | 'riskAdjustedApy' | 'indexChange' | 'tvlChange'> & {
        shares: string;
        ownShares: string;
      })
  | { vaultId: null }
);

/** @param catalogue shown whole: a vault without a row is one that no hour has reached yet */
export function toMarketView(
  marketId: string,
  rows: readonly LookRow[],
  catalogue: readonly Vault[],
): MarketView {
  const hour = rows[0]?.tickedHour ?? null;
  const found = new Map(rows.map((row) => [row.vaultId, row]));
  const view = (vault: Vault): MarketVault => {
    const row = found.get(vault.id);
    if (!row || row.vaultId === null)
      return {
        vault,
        state: vault.idle && hour !== null ? idleState(vault.id, hour) : unborn(vault.id),
        expectedApy: null,
        riskAdjustedApy: null,
        indexChange: null,
        tvlChange: null,
        held: 0n,
        own: 0n,
      };
    const state = toState(row);
    return {
      vault,
      state,
      expectedApy: row.expectedApy,
      riskAdjustedApy: row.riskAdjustedApy,
      indexChange: row.indexChange,
      tvlChange: row.tvlChange,
      held: valueOf(BigInt(row.shares), state.index),
      own: valueOf(BigInt(row.ownShares), state.index),
    };
  };
  const hoursAhead = rows[0]?.hoursAhead ?? 0;
  return { marketId, hour, hoursAhead, vaults: new Map(catalogue.map((vault) => [vault.id, view(vault)])) };
}
