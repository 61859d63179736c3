import type { RowFrom } from '../../kernel/store/statement.js';
import type { FIND_CHECKED_MOVES } from './checkpoint.queries.js';
import type { PAGE_OF_ORDERS } from './ledger-verifier.queries.js';
import type { Differs, StoredEntry } from './position-verifier.js';

export type Moved = RowFrom<typeof FIND_CHECKED_MOVES>;
export type ReportedOrder = RowFrom<typeof PAGE_OF_ORDERS>;

const NOTHING = { cash: 0n, vault: 0n, cost: 0n, gain: 0n };

/** Orders against the ledger: the reported payout and arrival equal the decision's entries, to the micro-unit. It holds one sum for each decision. */
export class OrderSums {
  private readonly moved = new Map<string, Omit<Moved, 'decisionId'>>();
  private readonly touched = new Set<string>();

  /** @param inTransit decisions by which positions are in transit @param before sums of the entries before */
  constructor(
    private readonly isIdle: (vaultId: string) => boolean,
    private readonly inTransit: ReadonlySet<string>,
    before: readonly Moved[],
  ) {
    for (const { decisionId, ...sums } of before) this.moved.set(decisionId, sums);
  }

  add(entries: readonly StoredEntry[]): void {
    for (const { type, decisionId, vaultId, amount, cost } of entries) {
      if (decisionId === null) continue;
      // A deposit by a decision that has moved funds is what arrived beyond the received one.
      if (type === 'deposit' && !this.moved.has(decisionId)) continue;
      const sums = this.moved.get(decisionId) ?? { ...NOTHING };
      if (type !== 'rebalance') sums.gain += amount;
      else sums[this.isIdle(vaultId) ? 'cash' : 'vault'] += amount;
      sums.cost += cost;
      this.moved.set(decisionId, sums);
      this.touched.add(decisionId);
    }
  }

  /** Sums that were added to. */
  get changed(): Moved[] {
    return [...this.touched].map((decisionId) => ({ decisionId, ...this.moved.get(decisionId)! }));
  }

  check(order: ReportedOrder, differs: Differs): void {
    const { id, decisionId, status } = order;
    const made = this.moved.get(decisionId) ?? NOTHING;
    const compare = (what: string, is: bigint, should: bigint, source = 'the ledger'): void => {
      if (is !== should) differs(id, `${what} is ${is}, by ${source} it is ${should}`);
    };
    const [redeemed, settled] = [
      split(order.redeemedAmount, order.redeemedValue),
      split(order.settledAmount, order.settledValue),
    ];
    compare('what was redeemed', redeemed.amount, made.cash);
    compare('what was settled', settled.amount, made.vault);
    compare('its cost', order.cost, made.cost);
    compare('its gain', order.gain, made.gain);
    const unbooked = (order.reviewGain ?? 0n) - (order.reviewBooked ?? 0n);
    const waits = 'what waits of its gain';
    compare(waits, unbooked, redeemed.gain + settled.gain - made.gain, 'its reports');
    const pending = order.reviewStatus === 'pending_review' ? unbooked : 0n;
    compare(waits, pending, order.waiting, 'its positions');
    if (status !== 'arriving' && this.inTransit.has(decisionId))
      differs(id, `is ${status}, and positions are in transit by ${decisionId}`);
  }
}

/** Reported amount up to the expected value, and the gain beyond it. */
function split(amount: bigint | null, value: bigint | null): { amount: bigint; gain: bigint } {
  const [reported, expected] = [amount ?? 0n, value ?? 0n];
  return reported > expected
    ? { amount: expected, gain: reported - expected }
    : { amount: reported, gain: 0n };
}
