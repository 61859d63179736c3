import { blendedApy } from '../markets/signals/statistics.js';
import type { Book } from '../books/positions/book-sums.js';
import { type CampaignTerms, pointsOf, type PointTime, pointTime } from '../books/positions/points.js';
import type { Quotes } from '../books/positions/quotes.js';
import { valueOf } from '../markets/vaults/yield-index.js';

/** Sum of the shares of one book in a vault; 18 decimals. */
export interface BookShares {
  asset: string;
  book: Book;
  vaultId: string;
  shares: string;
  positions: number;
}

export interface AssetTotals {
  deposited: bigint;
  withdrawn: bigint;
  deposits: number;
  withdrawals: number;
  accrued: bigint;
  costs: bigint;
  settledLending: bigint;
  settledHold: bigint;
  principal: bigint;
  capitalMoment: bigint;
  fee: bigint;
  partnerRevenue: bigint;
  /** What users' revenue accounts carry of losses. */
  carriedLoss: bigint;
  opened: number;
  closed: number;
  firstAt: Date | null;
}

/** Point sums over positions with one campaign; '': without campaign. */
export interface CampaignPoints {
  campaignId: string;
  principal: string;
  campaignMoment: string;
  plainMoment: string;
  terms: (Omit<CampaignTerms, 'fromAt' | 'startsAt' | 'endsAt'> & {
    fromAt: string;
    startsAt: string;
    endsAt: string | null;
  })[];
}

/** Value in a vault. */
export interface VaultValue {
  vaultId: string;
  value: bigint;
}

/** Whole numbers and times are text. */
export type StoredTotals = { asset: string } & {
  [Field in keyof AssetTotals]: AssetTotals[Field] extends number ? number : string;
};

export type StoredSums = Omit<StoredTotals, 'fee' | 'partnerRevenue' | 'carriedLoss'>;
export type StoredRevenue = Pick<StoredTotals, 'asset' | 'fee' | 'partnerRevenue' | 'carriedLoss'>;

const NOTHING: AssetTotals = {
  deposited: 0n,
  withdrawn: 0n,
  deposits: 0,
  withdrawals: 0,
  accrued: 0n,
  costs: 0n,
  settledLending: 0n,
  settledHold: 0n,
  principal: 0n,
  capitalMoment: 0n,
  fee: 0n,
  partnerRevenue: 0n,
  carriedLoss: 0n,
  opened: 0,
  closed: 0,
  firstAt: null,
};

/** Share books of a partner, user or position, valued at the time their market was read. */
export abstract class ValuedShares {
  constructor(
    private readonly shares: readonly BookShares[],
    readonly quotes: Quotes,
  ) {}

  /** Values of a book by vault: the floor of each sum, which exceeds the sum of the floors by less than a micro-unit a position. */
  values(book: Book, asset?: string): VaultValue[] {
    return this.shares
      .filter(
        (row) => row.book === book && (asset === undefined || row.asset === asset) && row.shares !== '0',
      )
      .map(({ vaultId, shares }) => ({
        vaultId,
        value: valueOf(BigInt(shares), this.quotes.quoteOf(vaultId).index),
      }));
  }

  value(book: Book, asset?: string): bigint {
    return this.values(book, asset).reduce((sum, { value }) => sum + value, 0n);
  }

  /** Sums over the positions of an asset, beside their value. */
  abstract heldSums(asset: string): HeldSums;

  /** Last observed APY, weighted by the funds. null when nothing is held, or the APY of any held vault is unknown or too old. */
  apy(asset?: string): number | null {
    const holdings = this.values('routed', asset).map(({ vaultId, value }) => ({
      value,
      apy: this.quotes.quoteOf(vaultId).apy,
    }));
    return blendedApy(holdings);
  }
}

/** Sum over all campaigns; points without campaign have no multiplied part. */
export const grainsOf = (carried: ReturnType<PartnerBook['points']>): bigint =>
  carried.reduce(
    (sum, { campaignId, grains }) => sum + grains.plain + (campaignId === null ? 0n : grains.campaign),
    0n,
  );

export type HeldSums = Pick<
  AssetTotals,
  'costs' | 'settledLending' | 'settledHold' | 'principal' | 'capitalMoment' | 'firstAt'
>;
export type StoredHeldSums = Pick<StoredTotals, keyof HeldSums | 'asset'>;

const toHeldSums = (stored: StoredHeldSums): HeldSums => ({
  costs: BigInt(stored.costs),
  settledLending: BigInt(stored.settledLending),
  settledHold: BigInt(stored.settledHold),
  principal: BigInt(stored.principal),
  capitalMoment: BigInt(stored.capitalMoment),
  firstAt: new Date(stored.firstAt),
});

export class HeldShares extends ValuedShares {
  constructor(
    shares: readonly BookShares[],
    private readonly sums: readonly StoredHeldSums[],
    quotes: Quotes,
  ) {
    super(shares, quotes);
  }

  heldSums(asset: string): HeldSums {
    const found = this.sums.find((row) => row.asset === asset);
    return found ? toHeldSums(found) : NOTHING;
  }
}

export interface StoredBooks {
  shares: BookShares[];
  totals: StoredSums[];
  revenue: StoredRevenue[];
  points: CampaignPoints[];
  users: number;
  performanceFeeBps: number;
  revenueShareBps: number;
}

/** All sums of a partner. At a closing, what positions are worth is what is posted: each sum is exact. */
export class PartnerBook extends ValuedShares {
  constructor(
    private readonly stored: StoredBooks,
    quotes: Quotes,
    private readonly isClosed = false,
  ) {
    super(stored.shares, quotes);
  }

  get users(): number {
    return this.stored.users;
  }

  /** Terms from now on, basis points. */
  get performanceFeeBps(): number {
    return this.stored.performanceFeeBps;
  }

  get revenueShareBps(): number {
    return this.stored.revenueShareBps;
  }

  totals(asset: string): AssetTotals {
    const found = this.stored.totals.find((row) => row.asset === asset);
    if (!found) return NOTHING;
    const revenue = this.stored.revenue.find((row) => row.asset === asset);
    return {
      ...found,
      ...toHeldSums(found),
      deposited: BigInt(found.deposited),
      withdrawn: BigInt(found.withdrawn),
      accrued: BigInt(found.accrued),
      fee: BigInt(revenue?.fee ?? 0),
      partnerRevenue: BigInt(revenue?.partnerRevenue ?? 0),
      carriedLoss: BigInt(revenue?.carriedLoss ?? 0),
    };
  }

  override value(book: Book, asset?: string): bigint {
    if (!this.isClosed || asset === undefined) return super.value(book, asset);
    const { deposited, withdrawn, accrued, costs } = this.totals(asset);
    const posted = deposited - withdrawn + accrued - costs;
    // The baselines without what the routed sum exceeds the sum of its floors by, so that rounding is no uplift.
    return book === 'routed' ? posted : super.value(book, asset) - super.value('routed', asset) + posted;
  }

  heldSums(asset: string): HeldSums {
    return this.totals(asset);
  }

  /** Value above net deposits: all yield, net of costs. Signed. */
  earned(asset: string): bigint {
    const { deposited, withdrawn } = this.totals(asset);
    return this.value('routed', asset) + withdrawn - deposited;
  }

  /** Grains by campaign, inside and outside of its period. @param at not before the last deposit or withdrawal */
  points(at: Date): { campaignId: string | null; multiplierHundredths: number; grains: PointTime }[] {
    return this.stored.points.map(({ campaignId, principal, campaignMoment, plainMoment, terms }) => {
      const known = terms.map(toTerms);
      const moment = { campaign: BigInt(campaignMoment), plain: BigInt(plainMoment) };
      return {
        campaignId: campaignId === '' ? null : campaignId,
        multiplierHundredths: known.at(-1)?.multiplierHundredths ?? 100,
        grains: pointsOf(BigInt(principal), moment, pointTime(known, at)),
      };
    });
  }
}

const toTerms = ({ fromAt, startsAt, endsAt, ...rest }: CampaignPoints['terms'][number]): CampaignTerms => ({
  ...rest,
  fromAt: new Date(fromAt),
  startsAt: new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
});
