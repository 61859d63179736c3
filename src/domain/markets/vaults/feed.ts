import type { Vault } from '../../kernel/catalogue/catalogue.js';

export interface PricedShare {
  /** Contract of the price; a new contract starts a new series. */
  source: string;
  /** In the contract's own scale, 0 or more: only relative changes matter. */
  value: bigint;
  /** Finalized block of the reading. */
  blockNumber: bigint;
  blockHash: string;
  blockAt: Date;
  /** APY over 7 days, from this price and earlier ones; absent: not enough prices yet. */
  weekApy?: number | null;
  /** APY of the second source; absent: none. */
  otherApy?: number | null;
}

export interface Observation {
  /** Fraction: 0.0523 is 5.23 % a year. null for a price: its yield needs a day of prices. */
  apy: number | null;
  /** Yield of reward tokens a year, which are claimed apart and never accrue; a fraction; absent: unknown. */
  rewardApy?: number;
  /** Total value locked as the source counts it: the whole of some vaults, what is not lent out of others. Micro-units; null: unknown. */
  tvl: bigint | null;
  /** All deposits, lent out or not; micro-units; null: unknown. */
  assets: bigint | null;
  /** Part that can be withdrawn now; micro-units; null: unknown. */
  liquidity: bigint | null;
  observedAt: Date;
  /** Loss in the hour that ended, per thousand of the index and apart from its yield; absent: none. */
  lossPerMille?: bigint;
  price?: PricedShare;
  /** Median base fee of its chain in the last blocks, wei for a unit of gas; absent: not read. */
  baseFee?: number;
  /** True for a reading that waits to be confirmed: nothing accrues by it. */
  doubted?: boolean;
}

/** Source of yields. Missing data are an absent entry, never 0; trouble with one vault does not cost another its observation. */
export interface VaultFeed {
  /** @param hour observed UTC hour @returns observations by vault id; vaults without data are absent */
  observe(vaults: readonly Vault[], hour: Date): Promise<Map<string, Observation>>;

  close?(): Promise<void>;
}
