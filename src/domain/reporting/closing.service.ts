import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { Clock } from '../kernel/clock.js';
import { invalid } from '../kernel/domain-error.js';
import { MarketService } from '../markets/hours/market.service.js';
import type { MarketView } from '../markets/hours/market-view.js';
import { toPoints } from '../books/positions/points.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import { addHours, DAY_MS, dayOf } from '../kernel/catalogue/hour.js';
import * as queries from './closing.queries.js';
import { type CampaignPoints, grainsOf, PartnerBook } from './partner-book.js';
import type { StoredBooks } from './partner-book.js';
import { FIND_BOOKS_OF } from './report.queries.js';
import { MAX_POINTS } from './yield-history.service.js';

/** Partners whose books one statement reads. */
const PAGE = 500;
const DEFAULT_DAYS = 365;

/** A partner's book of an asset at the end of a day. Amounts are micro-units. */
interface Closing {
  partnerId: string;
  asset: string;
  netTvl: bigint;
  deposits: bigint;
  withdrawals: bigint;
  costs: bigint;
  revenue: bigint;
  /** Points, in grains. */
  grains: bigint;
  lendingValue: bigint;
  holdValue: bigint;
  settledLending: bigint;
  settledHold: bigint;
}

/** Closing as it is read, with derived figures. */
export interface DailyClosing extends Omit<Closing, 'partnerId' | 'grains'> {
  /** Start of the day. */
  day: Date;
  /** Moment of the figures: the day's end, or the time of writing when that was later. */
  asOf: Date;
  yield: bigint;
  points: number;
}

type ManyBooks = Omit<StoredBooks, 'points'> & {
  partnerId: string;
  points: (CampaignPoints & { asset: string })[];
};

/** Closings that fit an answer, in whole days. */
export interface Closings {
  /** One for each day and asset, oldest first. */
  days: DailyClosing[];
  /** The first day that does not fit; null: all fit. */
  nextFrom: Date | null;
}

export interface ClosingsQuery {
  asset?: string;
  from?: Date;
  to?: Date;
}

/**
 * Daily closings: each partner's report figures at the end of a day, one row an asset, kept for charts. They are computed from the books by the code
 * of the reports, so the cost does not grow with positions and the figures equal the reports' to the digit.
 */
@Injectable()
export class ClosingService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
  ) {}

  /**
   * Writes, once, the closings of the newest day whose statement is posted. Earlier missing days are skipped, because the books have moved on.
   * @param at moment by the market's clock; default: its now
   */
  async write(marketId: string, at?: Date): Promise<void> {
    const [due] = await this.store.query(queries.FIND_DUE, [marketId]);
    if (!due) return;
    const { dayEnd } = due;
    await this.store.transaction(async () => {
      const [locked] = await this.store.query(queries.LOCK, [marketId, dayEnd]);
      if (!locked) return;
      const view = await this.market.look(marketId, at);
      for (let after = ''; ;) {
        const page = await this.store.query(queries.FIND_PARTNERS, [marketId, after, PAGE]);
        const ids = page.map(({ partnerId }) => partnerId);
        if (ids.length > 0) await this.insert(addHours(dayEnd, -24), view, await this.closings(ids, view));
        if (ids.length < PAGE) break;
        after = ids.at(-1)!;
      }
      await this.store.query(queries.CLOSE, [marketId, dayEnd, this.clock.now()]);
    });
  }

  /** @throws DomainError `validation_failed` (asset; from after to; more than 2,000 rows up to a requested end) */
  async read(partnerId: string, { asset, from, to: asked }: ClosingsQuery): Promise<Closings> {
    const { points } = this.settings.constants;
    const counted = this.catalogue.assetsAsked(asset);
    const to = asked ?? (await this.market.now(this.market.marketOf(partnerId)));
    const first = dayOf(from ?? addHours(to, -24 * (DEFAULT_DAYS - 1)));
    if (from && from > to) throw invalid('from', 'must not be after to');
    const days = (dayOf(to).getTime() - first.getTime()) / DAY_MS + 1;
    if (asked && days * counted.length > MAX_POINTS)
      throw invalid(
        'from',
        `asks for more than ${MAX_POINTS} points; ask for a shorter time, or for one asset`,
      );
    const rows = await this.store.query(queries.READ, [partnerId, [...counted], first, to, MAX_POINTS + 1]);
    const nextFrom = rows[MAX_POINTS]?.day ?? null;
    const fit = rows.filter(({ day }) => nextFrom === null || day < nextFrom);
    const closings = fit.map(({ asset: of, day, asOf, grains, ...texts }) => {
      const amounts = bigints(texts);
      return {
        asset: of,
        day,
        asOf,
        ...amounts,
        yield: amounts.netTvl + amounts.withdrawals - amounts.deposits,
        points: toPoints(BigInt(grains) * BigInt(points.perUsdDay)),
      };
    });
    return { days: closings, nextFrom };
  }

  private async closings(partnerIds: readonly string[], view: MarketView): Promise<Closing[]> {
    const books = await this.store.query(FIND_BOOKS_OF, [partnerIds]);
    return books.flatMap((stored) => this.closingsOf(stored, view));
  }

  /** Closings of each asset with any activity. */
  private closingsOf(stored: ManyBooks, view: MarketView): Closing[] {
    const known = this.catalogue.assets.filter((asset) => stored.totals.some((row) => row.asset === asset));
    return known.map((asset) => {
      const points = stored.points.filter((row) => row.asset === asset);
      const book = new PartnerBook({ ...stored, points }, view);
      const totals = book.totals(asset);
      return {
        partnerId: stored.partnerId,
        asset,
        netTvl: book.value('routed', asset),
        deposits: totals.deposited,
        withdrawals: totals.withdrawn,
        costs: totals.costs,
        revenue: totals.partnerRevenue,
        grains: grainsOf(book.points(view.now)),
        lendingValue: book.value('lending', asset),
        holdValue: book.value('hold', asset),
        settledLending: totals.settledLending,
        settledHold: totals.settledHold,
      };
    });
  }

  private async insert(day: Date, view: MarketView, closings: readonly Closing[]): Promise<void> {
    const texts = (of: (one: Closing) => bigint): string[] => closings.map((one) => of(one).toString());
    await this.store.query(queries.INSERT, [
      day,
      view.now,
      closings.map(({ partnerId }) => partnerId),
      closings.map(({ asset }) => asset),
      texts(({ netTvl }) => netTvl),
      texts(({ deposits }) => deposits),
      texts(({ withdrawals }) => withdrawals),
      texts(({ costs }) => costs),
      texts(({ revenue }) => revenue),
      texts(({ grains }) => grains),
      texts(({ lendingValue }) => lendingValue),
      texts(({ holdValue }) => holdValue),
      texts(({ settledLending }) => settledLending),
      texts(({ settledHold }) => settledHold),
    ]);
  }
}

const bigints = <Name extends string>(texts: Record<Name, string>): Record<Name, bigint> =>
  Object.fromEntries(Object.entries<string>(texts).map(([name, one]) => [name, BigInt(one)])) as Record<
    Name,
    bigint
  >;
