import type { RiskTier } from '../../kernel/catalogue/catalogue.js';

/** Micro-units as decimal digits, so that a decision survives a JSON round trip. */
export type Micro = string;

/** Vault of the asset at the time of the decision. */
export interface Candidate {
  vaultId: string;
  active: boolean;
  lendingBaseline: boolean;
  /** Absent in records from before policies existed. */
  riskTier?: RiskTier;
  venue?: string;
  apy: number | null;
  /** APY, a fraction; null: insufficient history. No gate uses it. */
  expectedApy: number | null;
  /** Of the expected APY, a fraction; null: insufficient history. */
  riskAdjustedApy: number | null;
  /** Of the observed APY, likewise. No gate uses it; absent in records from before it was kept. */
  currentRiskAdjustedApy?: number | null;
  /** Fraction a year, over the horizon, as a promise has it; null: history is insufficient. */
  promisedApy: number | null;
  /** Risk-adjusted APY at its long average, a fraction; null: insufficient history. */
  lastingApy: number | null;
  /** Risk-adjusted APY at the mean of 72 hours; null: insufficient history. Absent in records from before it was kept. */
  steadyApy?: number | null;
  /** Like `promisedApy`, over the longer horizon. */
  promisedLastingApy: number | null;
  /** Like `promisedApy` and `promisedLastingApy`, from the mean yield of 6 hours instead of the newest one. */
  promisedShortApy: number | null;
  promisedShortLastingApy: number | null;
  /** As the feed counts it; null: unknown. */
  tvl: Micro | null;
  /** All deposits, and the part of them that can be withdrawn now; null: unknown. */
  assets: Micro | null;
  liquidity: Micro | null;
  /** The highest liquidity within 6 hours; null: unknown. */
  highLiquidity: Micro | null;
  /** What earlier decisions of the hour bring there, less what they take out. */
  inflow: Micro;
  /** The part of it that is not the partner's, at two digits; absent: none. */
  inflowOfOthers?: Micro;
  dilution: 'pool' | 'none';
  /** Change of the index against its highest within a day, and of assets against the median of a week; fractions; null: unknown. */
  indexChange: number | null;
  assetsChange: number | null;
  /** Hours until its quarantine ends; null: none. */
  quarantineHours: number | null;
  /** Limit on this service's holdings; null: none. */
  capacity: Micro | null;
  /** This service's holdings before the decision, over all partners. */
  held: Micro;
  /** The partner's part of them, on which limits on exposure depend. */
  own: Micro;
  /** Holdings as rates take them into account: the partner's own exactly, those of others at two digits, as a rate shows them. */
  ours: Micro;
  /** Cost of moving the funds there; 0 for a deposit, and for the current vault. */
  cost: Micro;
  /** Median base fee of its chain, from which its part of the cost follows, wei for a unit of gas; absent: the cost is fixed. */
  baseFee?: number;
  /** Hours from a withdrawal until the funds are available elsewhere. */
  exitDelayHours: number;
  hoursSinceObserved: number | null;
  /** Whether no vault of the asset is observed. */
  silentEverywhere: boolean;
  /** Age of its newest reading, and distance of readings of its source, in hours; absent: those of observations. */
  reading?: { hours: number; step: number };
  hoursSinceLeft: number | null;
  /**
   * Of a vault that is followed by its share price, fractions: the step that the index has yet to take, relative to the vault's known worth; the difference
   * between its APY and its second source's, null: one is unknown.
   */
  price?: {
    pendingChange: number;
    maximumStep: number;
    divergence: number | null;
    maximumDivergence: number;
  };
}

/** Part of the deposits that is lent out; null: unknown. */
export const utilisation = (assets: Micro | null, liquidity: Micro | null): number | null => {
  const free = assets === null || liquidity === null ? null : ratio(BigInt(liquidity), BigInt(assets));
  return free === null ? null : 1 - free;
};

/** Liquidity that counts for a part of the size, and the part of the deposits that counts as liquid where that is unknown. */
const SIZE_OF_LIQUIDITY = 5n;
const LIQUID_PART = 10n;

/** Size by which a vault's fill is evaluated: its deposits, or five times what can be withdrawn of them if that is less. null: neither is known. */
export function sizeOf({ assets, liquidity }: Pick<Candidate, 'assets' | 'liquidity'>): bigint | null {
  if (assets === null && liquidity === null) return null;
  const all = BigInt(assets ?? liquidity!);
  const free = SIZE_OF_LIQUIDITY * (liquidity === null ? all / LIQUID_PART : BigInt(liquidity));
  return free < all ? free : all;
}

/** Ratio of micro-units; null for a division by zero. */
export function ratio(part: bigint, whole: bigint): number | null {
  return whole > 0n ? Number(part) / Number(whole) : null;
}
