import type { ChainSource, DefiLlamaPool } from '../../config/vault-catalogue.js';

export type { ChainSource } from '../../config/vault-catalogue.js';

export const RISK_TIERS = ['low', 'medium', 'high'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];

/** Where a vault's APY and TVL come from. */
export type FeedSource =
  | { kind: 'simulated' }
  /** Cash: it yields 0, at every hour. */
  | { kind: 'idle' }
  /** `pool`: its id in the DefiLlama yields API. `apr`: true where the project reports an APR under `apyBase`: the adapter converts. */
  | DefiLlamaPool
  /** The contract itself, by its share price. */
  | ChainSource;

/** A place where deposits earn, as the catalogue names it. */
export interface Vault {
  /** `vlt_` and a readable slug. */
  id: string;
  name: string;
  venue: string;
  /** Where its contract is; null for cash, which is on none. */
  chain: string | null;
  asset: string;
  riskTier: RiskTier;
  /** An inactive vault takes no deposits and is no target. */
  active: boolean;
  /** Most that this service may hold there, in micro-units; null: no bound. */
  capacity: bigint | null;
  /** Cost of moving funds into it, and out of it, whatever their amount; micro-units. */
  entryCost: bigint;
  exitCost: bigint;
  /** Hours from leaving it until the funds can go elsewhere. */
  exitDelayHours: number;
  /** `pool`: what is put in shares the interest with what is there already; `none`: the rate does not depend on it. */
  dilution: 'pool' | 'none';
  /** The asset's passive baseline; one an asset. */
  lendingBaseline: boolean;
  /** Hours in which half of its yield's distance from the long average is gone; null: as the constants say. */
  returnHalfLifeHours: number | null;
  feed: FeedSource;
}

/** Cash of the asset: no vault that anybody chooses, and no part of the market. One an asset. */
export const isIdle = ({ feed }: Pick<Vault, 'feed'>): boolean => feed.kind === 'idle';
