import { blendedApy } from '../markets/signals/statistics.js';
import {
  type Book,
  BOOK_TABLES,
  type BookKind,
  type BookRows,
  type BookRow,
} from '../books/positions/books.js';
import { type CampaignTerms, pointsOf, type PointTime, pointTime } from '../books/positions/points.js';
import type { Quotes } from '../books/positions/quotes.js';
import { type Column, instant, type RowOf } from '../kernel/store/column.js';
import { valueOf } from '../markets/vaults/yield-index.js';

type Texts<Row> = { [Name in keyof Row]: Row[Name] extends bigint ? string : Row[Name] };

/** Sums of a table of the books by asset. In stored ones, whole numbers and times are text. */
type StoredSums<K extends BookKind> = { asset: string } & Texts<RowOf<(typeof BOOK_TABLES)[K]['sums']>>;

/** Sum of the shares of one book in a vault; 18 decimals. */
export type BookShares = StoredSums<'shares'> & { book: Book; vaultId: string };

/** Point sums over positions with one campaign; '': without campaign. */
export type CampaignPoints = StoredSums<'points'> & {
  campaignId: string;
  terms: (Omit<CampaignTerms, 'fromAt' | 'startsAt' | 'endsAt'> & {
    fromAt: string;
    startsAt: string;
    endsAt: string | null;
  })[];
};

export interface StoredBooks {
  shares: BookShares[];
  totals: (StoredSums<'totals'> & { firstAt: string })[];
  revenue: StoredSums<'revenue'>[];
  points: CampaignPoints[];
  users: number;
  /** Terms from now on, basis points. */
  performanceFeeBps: number;
  revenueShareBps: number;
}

export const NO_BOOKS: StoredBooks = {
  shares: [],
  totals: [],
  revenue: [],
  points: [],
  users: 0,
  performanceFeeBps: 0,
  revenueShareBps: 0,
};

/** `carriedLoss`: what users' revenue accounts carry of losses. */
export type AssetTotals = Omit<
  BookRows['totals'][number] & BookRows['revenue'][number],
  'partnerId' | 'asset' | 'slot' | 'firstAt'
> & { firstAt: Date | null };

export const NOTHING = {
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
} satisfies AssetTotals;

/** Sum over all campaigns; points without campaign have no multiplied part. */
export const grainsOf = (carried: ReturnType<PartnerBook['points']>): bigint =>
  carried.reduce(
    (sum, { campaignId, grains }) => sum + grains.plain + (campaignId === null ? 0n : grains.campaign),
    0n,
  );

/** Sums of a partner, user or position, valued by quotes. At a closing, what positions are worth is what is posted: each sum is exact. */
export class PartnerBook {
  constructor(
    readonly stored: StoredBooks,
    readonly quotes: Quotes,
    private readonly isClosed = false,
  ) {}

  totals(asset: string): AssetTotals {
    const totals = this.stored.totals.find((row) => row.asset === asset);
    if (!totals) return NOTHING;
    const revenue = this.stored.revenue.find((row) => row.asset === asset);
    return { ...NOTHING, ...toBookRow('totals', totals), ...(revenue && toBookRow('revenue', revenue)) };
  }

  /** Values of a book by vault: the floor of each sum, which exceeds the sum of the floors by less than a micro-unit a position. */
  values(book: Book, asset: string): { vaultId: string; value: bigint }[] {
    return this.stored.shares
      .filter((row) => row.book === book && row.asset === asset && row.shares !== '0')
      .map(({ vaultId, shares }) => ({
        vaultId,
        value: valueOf(BigInt(shares), this.quotes.quoteOf(vaultId).index),
      }));
  }

  value(book: Book, asset: string): bigint {
    const sum = (of: Book): bigint => this.values(of, asset).reduce((total, { value }) => total + value, 0n);
    if (!this.isClosed) return sum(book);
    const { deposited, withdrawn, accrued, costs } = this.totals(asset);
    const posted = deposited - withdrawn + accrued - costs;
    // Baselines exclude the rounding gap between the routed sum and the sum of its floors, so that rounding is no uplift.
    return book === 'routed' ? posted : sum(book) - sum('routed') + posted;
  }

  /** Last observed APY, weighted by the funds. null when nothing is held, or the APY of any held vault is unknown or too old. */
  apy(asset: string): number | null {
    return blendedApy(
      this.values('routed', asset).map(({ vaultId, value }) => ({
        value,
        apy: this.quotes.quoteOf(vaultId).apy,
      })),
    );
  }

  /** Value above net deposits: all yield, net of costs. Signed. */
  earned(asset: string): bigint {
    const { deposited, withdrawn } = this.totals(asset);
    return this.value('routed', asset) + withdrawn - deposited;
  }

  /** Grains by campaign, inside and outside of its period. @param at not before the last deposit or withdrawal */
  points(at: Date): { campaignId: string | null; multiplierHundredths: number; grains: PointTime }[] {
    const byCampaign = Map.groupBy(this.stored.points, ({ campaignId }) => campaignId);
    return [...byCampaign]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([campaignId, rows]) => {
        const sum = (name: 'principal' | 'campaignMoment' | 'plainMoment'): bigint =>
          rows.reduce((total, row) => total + BigInt(row[name]), 0n);
        const terms = rows[0]!.terms.map(toTerms);
        const moment = { campaign: sum('campaignMoment'), plain: sum('plainMoment') };
        return {
          campaignId: campaignId === '' ? null : campaignId,
          multiplierHundredths: terms.findLast(({ fromAt }) => fromAt <= at)?.multiplierHundredths ?? 100,
          grains: pointsOf(sum('principal'), moment, pointTime(terms, at)),
        };
      });
  }
}

export const toTerms = ({
  fromAt,
  startsAt,
  endsAt,
  ...rest
}: CampaignPoints['terms'][number]): CampaignTerms => ({
  ...rest,
  fromAt: instant(fromAt),
  startsAt: instant(startsAt),
  endsAt: endsAt === null ? null : instant(endsAt),
});

/** Row of a book from JSON, where whole numbers are texts. */
export function toBookRow(kind: BookKind, stored: object): BookRow {
  const row = { ...stored } as BookRow;
  for (const [name, { read }] of Object.entries<Column<number | bigint>>(BOOK_TABLES[kind].sums))
    if (read) row[name] = read(row[name] as string);
  if (kind === 'totals') row.firstAt = instant(row.firstAt as string);
  return row;
}
