import { vaultOf } from '../../books/positions/quotes.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import type { Funds } from './candidates.js';
import type { Holding } from './decision-history.js';
import type { HourOfMarket } from './evaluation.js';

/** Move that was decided, and whose funds have not arrived yet. */
export interface PlannedMove {
  partnerId: string;
  /** null: its funds have left. */
  fromVaultId: string | null;
  toVaultId: string;
  amount: bigint;
}

/** What moves bring to vaults and take out of them, so that later decisions of the same hour take it into account. Micro-units by vault. */
export class PlannedMoves {
  private readonly held = new Map<string, bigint>();
  private readonly inflows = new Map<string, bigint>();
  private readonly ownInflows = new Map<string, Map<string, bigint>>();
  private readonly own = new Map<string, Map<string, bigint>>();

  constructor(
    private readonly market: HourOfMarket,
    groups: readonly Holding[],
  ) {
    for (const { partnerId, vaultId, shares } of groups) {
      const own = this.own.get(partnerId) ?? new Map<string, bigint>();
      this.own.set(
        partnerId,
        own.set(vaultId, valueOf(BigInt(shares), vaultOf(market, vaultId).state.index)),
      );
    }
  }

  add({ partnerId, fromVaultId, toVaultId, amount }: PlannedMove): void {
    const own = this.own.get(partnerId);
    const ownInflows = this.ownInflows.get(partnerId) ?? new Map<string, bigint>();
    this.ownInflows.set(partnerId, ownInflows);
    const change = (vaultId: string, by: bigint): void => {
      this.held.set(vaultId, (this.held.get(vaultId) ?? vaultOf(this.market, vaultId).held) + by);
      for (const flows of [this.inflows, ownInflows, ...(own ? [own] : [])])
        flows.set(vaultId, (flows.get(vaultId) ?? 0n) + by);
    };
    if (fromVaultId !== null) change(fromVaultId, -amount);
    change(toVaultId, amount);
  }

  /** A partner's holdings as the moves leave them. */
  ownOf(partnerId: string): ReadonlyMap<string, bigint> {
    return this.own.get(partnerId)!;
  }

  /** Holdings and flows that a decision on a partner's funds depends on. */
  besides(partnerId: string): Pick<Funds, 'held' | 'inflows' | 'ownInflows' | 'own'> {
    const { held, inflows } = this;
    return { held, inflows, ownInflows: this.ownInflows.get(partnerId), own: this.ownOf(partnerId) };
  }
}
