import { blendedApy } from '../analytics/blended.js';
import type { MarketView } from '../markets/market.service.js';
import type { Book } from '../positions/book-rows.js';
import { type CampaignTerms, pointsOf, type PointTime, pointTime } from '../positions/points.js';
import { shownVault, vaultAt } from '../positions/quotes.js';
import { valueOf } from '../vaults/shares.js';

/** Shares of one book in a vault, summed; 18 decimals. */
export interface BookShares {
  asset: string;
  book: Book;
  vaultId: string;
  shares: string;
  positions: number;
}

/** What positions of an asset sum to: micro-units and counts. */
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
  opened: number;
  closed: number;
  /** Of the first deposit; null: there was none. */
  firstAt: Date | null;
}

/** What positions that carry a campaign earn points with; '': none is carried. */
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
  /** Micro-units. */
  value: bigint;
}

/** Whole numbers and times come as texts. */
export type StoredTotals = { asset: string } & {
  [Field in keyof AssetTotals]: AssetTotals[Field] extends number ? number : string;
};

export type StoredSums = Omit<StoredTotals, 'fee' | 'partnerRevenue'>;
export type StoredRevenue = Pick<StoredTotals, 'asset' | 'fee' | 'partnerRevenue'>;

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
  opened: 0,
  closed: 0,
  firstAt: null,
};

/** Books of shares, valued when their market was looked at: of a partner, a user or a position. */
export abstract class ValuedShares {
  constructor(
    private readonly shares: readonly BookShares[],
    readonly view: MarketView,
  ) {}

  /** What a book is worth, a row a vault with shares: the floor of the sum, which is less than a micro-unit a position above the sum of the floors. */
  values(book: Book, asset?: string): VaultValue[] {
    return this.shares
      .filter(
        (row) => row.book === book && (asset === undefined || row.asset === asset) && row.shares !== '0',
      )
      .map(({ vaultId, shares }) => ({
        vaultId,
        value: valueOf(BigInt(shares), vaultAt(this.view, vaultId, this.view.now).index),
      }));
  }

  /** Micro-units. */
  value(book: Book, asset?: string): bigint {
    return this.values(book, asset).reduce((sum, { value }) => sum + value, 0n);
  }

  /** What the positions of an asset sum to, beside what they are worth. */
  abstract heldSums(asset: string): HeldSums;

  /** Blended over where the funds are, by last observed APY. null where nothing is held, or an APY of anything held is not known or too old at `now`. */
  apy(now: Date, asset?: string): number | null {
    const holdings = this.values('routed', asset).map(({ vaultId, value }) => ({
      value,
      apy: shownVault(this.view, vaultId, now).apy,
    }));
    return blendedApy(holdings);
  }
}

/** Of all campaigns together: what no campaign is carried for has no multiplied part. */
export const grainsOf = (carried: ReturnType<PartnerBook['points']>): bigint =>
  carried.reduce(
    (sum, { campaignId, grains }) => sum + grains.plain + (campaignId === null ? 0n : grains.campaign),
    0n,
  );

/** What uplift is measured of, beside values. */
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

/** Of a user, or a position. */
export class HeldShares extends ValuedShares {
  constructor(
    shares: readonly BookShares[],
    private readonly sums: readonly StoredHeldSums[],
    view: MarketView,
  ) {
    super(shares, view);
  }

  heldSums(asset: string): HeldSums {
    const found = this.sums.find((row) => row.asset === asset);
    return found ? toHeldSums(found) : NOTHING;
  }
}

/** All sums of a partner, as they are stored. */
export interface StoredBooks {
  shares: BookShares[];
  totals: StoredSums[];
  revenue: StoredRevenue[];
  points: CampaignPoints[];
  users: number;
  revenueShareBps: number;
}

/** All sums of a partner. */
export class PartnerBook extends ValuedShares {
  constructor(
    private readonly stored: StoredBooks,
    view: MarketView,
  ) {
    super(stored.shares, view);
  }

  get users(): number {
    return this.stored.users;
  }

  /** The partner's share of the fee from now on, basis points. */
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
    };
  }

  heldSums(asset: string): HeldSums {
    return this.totals(asset);
  }

  /** What the funds are worth above what was put in and not taken out: all yield, net of costs. Signed. */
  earned(asset: string): bigint {
    const { deposited, withdrawn } = this.totals(asset);
    return this.value('routed', asset) + withdrawn - deposited;
  }

  /** Grains by campaign, while it ran and outside of it. @param at not before the last deposit or withdrawal */
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
