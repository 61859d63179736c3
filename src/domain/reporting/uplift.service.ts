import { Injectable } from '@nestjs/common';
import { blendedApy } from '../markets/signals/statistics.js';
import {
  PROJECTION_DAYS,
  projectedUplift,
  type RealizedGain,
  realizedUplift,
} from '../markets/signals/uplift.js';
import { invalid } from '../kernel/domain-error.js';
import { MarketService, type MarketView } from '../markets/hours/market.service.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import { type Book, BookSums, contribution } from '../books/positions/books.js';
import type { Position } from '../books/positions/position.js';
import { PositionService } from '../books/positions/position.service.js';
import { quotesOf, vaultOf } from '../books/positions/quotes.js';
import { Meter } from '../kernel/meter.js';
import { Store } from '../kernel/store/store.js';
import { sharesFor, valueOf } from '../markets/vaults/yield-index.js';
import { Catalogue, isIdle } from '../kernel/catalogue/catalogue.js';
import { NO_BOOKS, PartnerBook } from './partner-book.js';
import { texts } from './past-books.js';
import { ClosingService } from './closing.service.js';
import * as queries from './report.queries.js';
import { ReportService } from './report.service.js';

export interface UpliftFilter {
  asset?: string;
  userId?: string;
  positionId?: string;
  from?: Date;
  /** Only uplift from before this moment; default: now. */
  to?: Date;
}

type Baseline = Exclude<Book, 'routed'>;

export type UpliftOver = ReturnType<typeof compareWith>;
export type Uplift = Awaited<ReturnType<UpliftService['read']>>;

/** Uplift of routing over two passive baselines, to which every deposit and withdrawal was applied as well. */
@Injectable()
export class UpliftService {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly reports: ReportService,
    private readonly positions: PositionService,
    private readonly catalogue: Catalogue,
    private readonly closings: ClosingService,
    private readonly past: PastPositions,
    private readonly meter: Meter,
  ) {}

  /**
   * `positions`: open and closed ones, since withdrawals leave settled uplift. Baselines: `lending`, the asset's lending vault throughout; `hold`, each
   * position's first vault throughout.
   * @throws DomainError `validation_failed` (asset, from, to), `not_found` (user or position that is not the partner's)
   */
  async read(partnerId: string, filter: UpliftFilter) {
    const { asset, from, to } = filter;
    const counted = this.catalogue.requestedAssets(asset);
    if (from && to && from >= to) throw invalid('from', 'must be before to');
    const look = this.market.look(this.market.marketOf(partnerId));
    const [book, view] = await Promise.all([
      to ? this.bookAt(partnerId, filter, to, 'to') : this.book(partnerId, filter, look),
      look,
    ]);
    const before = from ? await this.bookAt(partnerId, filter, from, 'from') : null;
    const over = (baseline: Baseline) => compareWith(book, before, baseline, counted, view);
    return {
      asOf: book.quotes.now,
      from: from ?? null,
      asset: asset ?? null,
      positions: counted.reduce((sum, part) => sum + book.totals(part).opened, 0),
      lending: over('lending'),
      hold: over('hold'),
    };
  }

  private async book(
    partnerId: string,
    { userId, positionId }: UpliftFilter,
    look: Promise<MarketView>,
  ): Promise<PartnerBook> {
    if (userId === undefined && positionId === undefined) return this.reports.book(partnerId, look);
    await this.positions.checkOwner(partnerId, { userId, positionId });
    const [holdings] = await this.store.query(queries.FIND_HOLDINGS, [
      partnerId,
      userId ?? null,
      positionId ?? null,
    ]);
    this.meter.summed(holdings!.totals.reduce((sum, { opened }) => sum + opened, 0));
    return new PartnerBook({ ...NO_BOOKS, ...holdings }, quotesOf(await look));
  }

  /** @param field of the request that names the moment */
  private async bookAt(
    partnerId: string,
    { userId, positionId }: UpliftFilter,
    at: Date,
    field: string,
  ): Promise<PartnerBook> {
    const book = await this.closings.bookAt(partnerId, at, field);
    if (userId === undefined && positionId === undefined) return book;
    await this.positions.checkOwner(partnerId, { userId, positionId });
    const sums = new BookSums();
    const worth = (shares: bigint, vaultId: string): bigint =>
      shares === 0n ? 0n : valueOf(shares, book.quotes.quoteOf(vaultId).index);
    const add = (position: Position): void => {
      const { totals, shares } = contribution({ ...position, slot: 0 });
      // As they were, each position is worth what is posted: its own value, rounded down.
      sums.add({ totals, shares: shares.map((row) => ({ ...row, shares: worth(row.shares, row.vaultId) })) });
    };
    await this.past.runInTurn(partnerId, async () => {
      if (userId !== undefined && positionId === undefined)
        for await (const positions of this.past.readOfUsers([userId], book.quotes)) positions.forEach(add);
      else
        for await (const positions of this.past.at([positionId!], book.quotes))
          positions.forEach(({ then }) => then && add(then));
    });
    const { totals, shares } = sums.nonZero;
    const valued = shares.map((row) => ({
      ...row,
      shares: row.shares === 0n ? 0n : sharesFor(row.shares, book.quotes.quoteOf(row.vaultId).index),
    }));
    return new PartnerBook({ ...NO_BOOKS, shares: texts(valued), totals: texts(totals) }, book.quotes);
  }
}

/** Values and sums of holdings over one baseline. */
function realizedGain(book: PartnerBook, baseline: Baseline, assets: readonly string[]): RealizedGain {
  const value = (of: Book): bigint => assets.reduce((sum, asset) => sum + book.value(of, asset), 0n);
  const totals = assets.map((asset) => book.totals(asset));
  const sum = (name: 'costs' | 'principal' | 'capitalMoment' | 'settledLending' | 'settledHold'): bigint =>
    totals.reduce((all, total) => all + total[name], 0n);
  const firsts = totals.flatMap(({ firstAt }) => firstAt ?? []).map(Number);
  return {
    routedValue: value('routed'),
    baselineValue: value(baseline),
    settledUplift: sum(baseline === 'lending' ? 'settledLending' : 'settledHold'),
    costs: sum('costs'),
    capital: {
      principal: sum('principal'),
      moment: sum('capitalMoment'),
      firstAt: firsts.length === 0 ? null : new Date(Math.min(...firsts)),
    },
  };
}

/**
 * Uplift over one baseline; micro-units, rates are fractions. `before`: holdings at the beginning of the period; null: the beginning of everything.
 * `projected`: at today's expected rates; null with insufficient history, or without holdings.
 */
function compareWith(
  book: PartnerBook,
  before: PartnerBook | null,
  baseline: Baseline,
  assets: readonly string[],
  view: MarketView,
) {
  const { now } = book.quotes;
  const { capital, ...realized } = realizedGain(book, baseline, assets);
  const since = before === null ? null : { ...realizedGain(before, baseline, assets), at: before.quotes.now };
  const routedApy = blend(book, view, assets, 'routed');
  const baselineApy = blend(book, view, assets, baseline);
  return {
    realized: {
      ...realized,
      settledUplift: realized.settledUplift - (since?.settledUplift ?? 0n),
      costs: realized.costs - (since?.costs ?? 0n),
      ...realizedUplift({ ...realized, capital }, now, since),
    },
    projected: {
      horizonDays: PROJECTION_DAYS,
      routedApy,
      baselineApy,
      uplift: projectedUplift(realized.routedValue, routedApy, baselineApy),
    },
  };
}

/**
 * Expected yield of the routed value if it were distributed as in a book: within an asset by that book's values, across assets by the routed values. Cash earns 0.
 */
function blend(book: PartnerBook, view: MarketView, assets: readonly string[], of: Book): number | null {
  const expected = (vaultId: string): number | null => {
    const { vault, expectedApy } = vaultOf(view, vaultId);
    return isIdle(vault) ? 0 : expectedApy;
  };
  return blendedApy(
    assets.map((asset) => ({
      value: book.value('routed', asset),
      apy: blendedApy(
        book.values(of, asset).map(({ vaultId, value }) => ({ value, apy: expected(vaultId) })),
      ),
    })),
  );
}
