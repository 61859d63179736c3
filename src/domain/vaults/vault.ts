export const RISK_TIERS = ['low', 'medium', 'high'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];

/** Where a vault's APY and TVL come from. */
export type FeedSource =
  | { kind: 'simulated' }
  | {
      kind: 'defillama';
      /** Pool id of the DefiLlama yields API. */
      pool: string;
      /** True where the project reports an APR under `apyBase`: the adapter converts. */
      apr: boolean;
    };

/** A place where deposits earn, as the catalogue names it. */
export interface Vault {
  /** `vlt_` and a readable slug. */
  id: string;
  name: string;
  venue: string;
  asset: string;
  riskTier: RiskTier;
  /** An inactive vault takes no deposits and is no target. */
  active: boolean;
  /** Most that this service may hold there, in micro-units; null: no bound. */
  capacity: bigint | null;
  /** Cost of moving funds into it, in micro-units. */
  switchingCost: bigint;
  /** The asset's passive baseline; one an asset. */
  lendingBaseline: boolean;
  /** Hours in which half of its yield's distance from the long average is gone; null: as the constants say. */
  returnHalfLifeHours: number | null;
  feed: FeedSource;
}
