import { type PositionName, ROUTES, VAULTS, type VaultName } from './golden.history.js';
import { indexAt, roundedUp, SCALE, worth } from './golden.market.js';

/** A book that never moves and pays no cost. */
interface Baseline {
  readonly vault: VaultName;
  shares: bigint;
  /** What withdrawals paid more than the same part of this book would have. */
  settled: bigint;
}

/** One position on its way through the history. */
export class SheetPosition {
  shares = 0n;
  readonly lending: Baseline;
  readonly hold: Baseline;
  deposited = 0n;
  withdrawn = 0n;
  accrued = 0n;
  costs = 0n;
  /** In and out: withdrawals are below 0. */
  readonly flows: { at: number; amount: bigint }[] = [];
  vault: VaultName;
  readonly first: VaultName;
  opened = Infinity;
  closed = false;

  constructor(readonly name: PositionName) {
    this.vault = this.first = ROUTES[name];
    const lendingVault = VAULTS[this.first].asset === 'first' ? 'anchor' : 'delta';
    this.lending = { vault: lendingVault, shares: 0n, settled: 0n };
    this.hold = { vault: this.first, shares: 0n, settled: 0n };
  }

  /** Of a user in an asset: `A first`. */
  get owner(): string {
    return `${this.name[0]!} ${VAULTS[this.first].asset}`;
  }

  get open(): boolean {
    return this.deposited > 0n && !this.closed;
  }

  value(moment: number): bigint {
    return worth(this.shares, this.vault, moment);
  }

  deposit(amount: bigint, moment: number): void {
    const bought = (vault: VaultName): bigint => roundedUp(amount * SCALE, indexAt(vault, moment));
    this.shares = bought(this.vault);
    for (const book of [this.lending, this.hold]) book.shares = bought(book.vault);
    this.deposited = amount;
    this.flows.push({ at: moment, amount });
    this.opened = moment;
  }

  /** @returns what was earned since it was asked last */
  accrue(moment: number): bigint {
    const earned = this.value(moment) - (this.deposited - this.withdrawn + this.accrued - this.costs);
    this.accrued += earned;
    return earned;
  }

  /**
   * The part that is paid of the value leaves both baselines too. One that is the same shares of the same vault loses the same shares: what never moved has
   * no uplift over where it is.
   *
   * @param amount null: everything
   * @returns what was paid
   */
  withdraw(amount: bigint | null, moment: number): bigint {
    const value = this.value(moment);
    const paid = amount ?? value;
    const burned = amount === null ? this.shares : roundedUp(paid * SCALE, indexAt(this.vault, moment));
    for (const book of [this.lending, this.hold]) {
      const isSame = book.vault === this.vault && book.shares === this.shares;
      const part = isSame ? burned : roundedUp(book.shares * paid, value);
      book.settled += paid - worth(part, book.vault, moment);
      book.shares -= part;
    }
    this.shares -= burned;
    this.closed = amount === null;
    this.withdrawn += paid;
    this.flows.push({ at: moment, amount: -paid });
    return paid;
  }

  /** What is left after its part of the cost arrives. */
  move(to: VaultName, cost: bigint, moment: number): void {
    this.shares = roundedUp((this.value(moment) - cost) * SCALE, indexAt(to, moment));
    this.vault = to;
    this.costs += cost;
  }
}
