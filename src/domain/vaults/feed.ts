import type { Vault } from './vault.js';

/** A vault's share price on its chain. */
export interface PricedShare {
  /** Which contract it is the price of. */
  source: string;
  /** In the contract's own scale, 0 or more: only its changes count. */
  value: bigint;
  /** The finalized block that it was read at. */
  blockNumber: bigint;
  blockHash: string;
  blockAt: Date;
  /** Yield a year over 7 days, made of this price and those before it; absent: not yet. */
  weekApy?: number | null;
  /** What the second opinion says now; absent: nothing. */
  otherApy?: number | null;
}

/** What a feed saw of a vault. */
export interface Observation {
  /** Fraction: 0.0523 is 5.23 % a year. null of a price: it takes those of a day to tell. */
  apy: number | null;
  /** Micro-units; null where the feed does not say. */
  tvl: bigint | null;
  /** When it was so. */
  observedAt: Date;
  /** Per thousand of the index that the vault lost in the hour that ended, beside what it earned; absent: nothing. */
  lossPerMille?: bigint;
  /** Of a vault that is followed by its share price. */
  price?: PricedShare;
}

/** A source of yields. No data is a missing entry, never 0; trouble with one vault never costs another its observation. */
export interface Feed {
  /**
   * @param hour the UTC hour that is observed
   * @returns vault id -> what was seen; vaults without data are absent
   */
  observe(vaults: readonly Vault[], hour: Date): Promise<Map<string, Observation>>;

  /** Lets go of its connections, where it has any; nothing is asked of it afterwards. */
  close?(): Promise<void>;
}
