export const BOOKS = ['routed', 'lending', 'hold'] as const;
export type Book = (typeof BOOKS)[number];

/** Shares of a partner in one book of a vault. */
export interface ShareSum {
  partnerId: string;
  asset: string;
  book: Book;
  vaultId: string;
  slot: number;
  marketId: string;
  shares: bigint;
  /** Open positions, in the routed book. */
  positions: number;
}

/** What a partner's positions of an asset sum to. Micro-units and counts. */
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
  /** Changes of the principal times milliseconds since 1970, summed. */
  capitalMoment: bigint;
  opened: number;
  closed: number;
  /** Of the first deposit. */
  firstAt: Date;
}

/** What the revenue accounts of a partner's users sum to. Micro-units. */
export interface RevenueSum {
  partnerId: string;
  asset: string;
  slot: number;
  fee: bigint;
  partnerRevenue: bigint;
}

/** What positions that carry one campaign earn points with. */
export interface PointSum {
  partnerId: string;
  asset: string;
  /** '': none is carried. */
  campaignId: string;
  slot: number;
  principal: bigint;
  campaignMoment: bigint;
  plainMoment: bigint;
}

/** What the service holds in a vault, over all partners. */
export interface VaultSum {
  marketId: string;
  vaultId: string;
  slot: number;
  shares: bigint;
}

/** Rows of the books, one for each combination of their texts and slot. */
export interface BookRows {
  shares: ShareSum[];
  totals: Totals[];
  points: PointSum[];
  revenue: RevenueSum[];
  vaults: VaultSum[];
}
