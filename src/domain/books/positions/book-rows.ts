export const BOOKS = ['routed', 'lending', 'hold'] as const;
export type Book = (typeof BOOKS)[number];

export interface ShareSum {
  partnerId: string;
  asset: string;
  book: Book;
  vaultId: string;
  slot: number;
  marketId: string;
  shares: bigint;
  /** Number of open positions; counted in the routed book. */
  positions: number;
}

/** Sums over a partner's positions of an asset. Micro-units and counts. */
export interface Totals {
  partnerId: string;
  asset: string;
  slot: number;
  deposited: bigint;
  withdrawn: bigint;
  deposits: number;
  withdrawals: number;
  accrued: bigint;
  costs: bigint;
  settledLending: bigint;
  settledHold: bigint;
  /** Net principal of open positions. */
  principal: bigint;
  /** Sum of each change of the principal times its time, in milliseconds since 1970. */
  capitalMoment: bigint;
  opened: number;
  closed: number;
  firstAt: Date;
}

/** Sums over the revenue accounts of a partner's users. Micro-units. */
export interface RevenueSum {
  partnerId: string;
  asset: string;
  slot: number;
  fee: bigint;
  partnerRevenue: bigint;
  carriedLoss: bigint;
}

/** Point sums over positions with the same campaign. */
export interface PointSum {
  partnerId: string;
  asset: string;
  /** '': no campaign. */
  campaignId: string;
  slot: number;
  principal: bigint;
  campaignMoment: bigint;
  plainMoment: bigint;
}

/** Holdings of the service in a vault, over all partners. */
export interface VaultSum {
  marketId: string;
  vaultId: string;
  slot: number;
  shares: bigint;
}

/** Rows of the books, one for each combination of text keys and slot. */
export interface BookRows {
  shares: ShareSum[];
  totals: Totals[];
  points: PointSum[];
  revenue: RevenueSum[];
  vaults: VaultSum[];
}
