import { roundedUp } from './golden.market.js';

/** Basis points of gains. */
const FEE_BPS = 1_000n;

/**
 * Revenue of a user in an asset, over all of its positions: gains beyond losses are written into a column, a new one at each change of the partner's share.
 * What was charged is always the rounded fee of a column's sum, whatever entries it came of.
 */
export class SheetAccount {
  private readonly columns: { shareBps: bigint; gains: bigint }[] = [];
  /** Losses and costs that no gain has made good yet. */
  lost = 0n;

  constructor(shareBps: bigint) {
    this.begin(shareBps);
  }

  /** A column of its own for what is earned from now on. */
  begin(shareBps: bigint): void {
    this.columns.push({ shareBps, gains: 0n });
  }

  /** What a position earned; below 0 it is a loss. A gain makes good first what was lost. */
  earn(amount: bigint): void {
    const rest = amount - this.lost;
    this.lost = rest < 0n ? -rest : 0n;
    if (rest > 0n) this.columns.at(-1)!.gains += rest;
  }

  lose(amount: bigint): void {
    this.lost += amount;
  }

  /** Who takes a part of the funds takes that part of what was lost as well, rounded down. */
  leave(amount: bigint, whole: bigint): void {
    this.lost -= (this.lost * amount) / whole;
  }

  get fee(): bigint {
    return this.columns.reduce((sum, column) => sum + feeOf(column), 0n);
  }

  get partnerRevenue(): bigint {
    return this.columns.reduce((sum, column) => sum + (feeOf(column) * column.shareBps) / 10_000n, 0n);
  }
}

const feeOf = ({ gains }: { gains: bigint }): bigint => roundedUp(gains * FEE_BPS, 10_000n);
