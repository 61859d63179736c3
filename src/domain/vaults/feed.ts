import type { Vault } from './vault.js';

/** What a feed saw of a vault. */
export interface Observation {
  /** Fraction: 0.0523 is 5.23 % a year. */
  apy: number;
  /** Micro-units; null where the feed does not say. */
  tvl: bigint | null;
  /** When it was so. */
  observedAt: Date;
  /** Per thousand of the index that the vault lost in the hour that ended, beside what it earned; absent: nothing. */
  lossPerMille?: bigint;
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
