import type { Differs, StoredEntry, StoredPosition } from './position-check.js';

/** Reported figures of an order, as stored. Whole numbers are text. */
export interface OrderFigures {
  id: string;
  decisionId: string;
  status: string;
  redeemedAmount: string | null;
  settledAmount: string | null;
  cost: string;
  gain: string;
}

/** Sums of the entries of a decision's moves. Micro-units. */
interface Moved {
  /** Amount that arrived in cash, and in another vault. */
  cash: bigint;
  vault: bigint;
  cost: bigint;
  gain: bigint;
}

const NOTHING: Moved = { cash: 0n, vault: 0n, cost: 0n, gain: 0n };

/** Orders against the ledger: the reported payout and arrival equal the decision's entries, to the micro-unit. It holds one sum for each decision. */
export class OrderSums {
  private readonly moved = new Map<string, Moved>();
  private readonly onTheWay = new Set<string>();

  constructor(private readonly isIdle: (vaultId: string) => boolean) {}

  add({ transitId }: StoredPosition, entries: readonly StoredEntry[]): void {
    if (transitId !== null) this.onTheWay.add(transitId);
    for (const { type, decisionId, vaultId, amount, cost } of entries) {
      if (decisionId === null || (type !== 'rebalance' && type !== 'yield_accrual')) continue;
      const sums = this.moved.get(decisionId) ?? { ...NOTHING };
      sums[this.isIdle(vaultId) ? 'cash' : 'vault'] += amount;
      sums.cost += cost;
      if (type === 'yield_accrual') sums.gain += amount;
      this.moved.set(decisionId, sums);
    }
  }

  check(order: OrderFigures, differs: Differs): void {
    const { id, decisionId, status } = order;
    const made = this.moved.get(decisionId) ?? NOTHING;
    const compare = (what: string, is: string | null, should: bigint): void => {
      if (BigInt(is ?? 0) !== should) differs(id, `${what} is ${is ?? 0}, by the ledger it is ${should}`);
    };
    compare('what was redeemed', order.redeemedAmount, made.cash);
    compare('what was settled', order.settledAmount, made.vault);
    compare('its cost', order.cost, made.cost);
    compare('its gain', order.gain, made.gain);
    if (status !== 'arriving' && this.onTheWay.has(decisionId))
      differs(id, `is ${status}, and positions are on the way by ${decisionId}`);
  }
}
