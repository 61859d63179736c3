import { Injectable } from '@nestjs/common';
import { blendedApy } from '../markets/signals/statistics.js';
import {
  PROJECTION_DAYS,
  projectedUplift,
  type Realized,
  type RealizedUplift,
  realizedUplift,
} from '../markets/signals/uplift.js';
import { invalid } from '../kernel/domain-error.js';
import { MarketService, type MarketView } from '../markets/hours/market.service.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import type { Book, BookRows } from '../books/positions/book-sums.js';
import { contribution } from '../books/positions/books.js';
import type { Position } from '../books/positions/position.js';
import { PositionService } from '../books/positions/position.service.js';
import { type Quotes, quotesOf, vaultOf } from '../books/positions/quotes.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue, isIdle } from '../kernel/catalogue/catalogue.js';
import {
  type BookShares,
  HeldShares,
  type HeldSums,
  type PartnerBook,
  type StoredHeldSums,
  type ValuedShares,
} from './partner-book.js';
import { ClosingService } from './closing.service.js';
import * as queries from './report.queries.js';
import { ReportService } from './report.service.js';

export interface UpliftFilter {
  asset?: string;
  userId?: string;
  positionId?: string;
  from?: Date;
  /** Only what was brought before this moment; default: now. */
  to?: Date;
}

/** Uplift over one baseline. Amounts are micro-units, rates fractions. */
export interface UpliftOver {
  realized: RealizedUplift & Omit<Realized, 'capital'>;
  /** Projection at today's expected rates. null with insufficient history, or without holdings. */
  projected: {
    horizonDays: number;
    routedApy: number | null;
    baselineApy: number | null;
    uplift: bigint | null;
  };
}

export interface Uplift {
  asOf: Date;
  /** null: the beginning. */
  from: Date | null;
  asset: string | null;
  /** Open and closed positions: withdrawals leave settled uplift. */
  positions: number;
  /** Baseline: the asset's lending vault throughout. */
  lending: UpliftOver;
  /** Baseline: each position's first vault throughout. */
  hold: UpliftOver;
}

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
  ) {}

  /** @throws DomainError `validation_failed` (asset, from, to), `not_found` (user or position that is not the partner's) */
  async read(partnerId: string, filter: UpliftFilter): Promise<Uplift> {
    const { asset, from, to } = filter;
    const counted = this.catalogue.assetsAsked(asset);
    if (from && to && from >= to) throw invalid('from', 'must be before to');
    const look = this.market.look(this.market.marketOf(partnerId));
    const [{ valued, positions }, view] = await Promise.all([
      to ? this.holdingsAt(partnerId, filter, to, 'to') : this.holdings(partnerId, filter, look),
      look,
    ]);
    const before = from ? (await this.holdingsAt(partnerId, filter, from, 'from')).valued : null;
    const asOf = valued.quotes.now;
    const over = (baseline: Exclude<Book, 'routed'>): UpliftOver =>
      upliftOver(valued, before, baseline, counted, view);
    return {
      asOf,
      from: from ?? null,
      asset: asset ?? null,
      positions,
      lending: over('lending'),
      hold: over('hold'),
    };
  }

  private async holdings(
    partnerId: string,
    { asset, userId, positionId }: UpliftFilter,
    look: Promise<MarketView>,
  ): Promise<Holdings> {
    if (userId === undefined && positionId === undefined)
      return this.ofBook(await this.reports.book(partnerId, look), asset);
    const [{ shares, sums }, view] = await Promise.all([
      this.find(partnerId, asset, userId, positionId),
      look,
    ]);
    return {
      valued: new HeldShares(shares, sums, quotesOf(view)),
      positions: shares.reduce((sum, row) => sum + row.positions, 0),
    };
  }

  private ofBook(book: PartnerBook, asset: string | undefined): Holdings {
    const assets = this.catalogue.assetsAsked(asset);
    return { valued: book, positions: assets.reduce((sum, one) => sum + book.totals(one).opened, 0) };
  }

  /** @param field of the request that names the moment */
  private async holdingsAt(
    partnerId: string,
    { asset, userId, positionId }: UpliftFilter,
    at: Date,
    field: string,
  ): Promise<Holdings> {
    const book = await this.closings.bookAt(partnerId, at, field);
    if (userId === undefined && positionId === undefined) return this.ofBook(book, asset);
    await this.positions.checkOwner(partnerId, { userId, positionId });
    const ids =
      positionId === undefined
        ? (await this.store.query(queries.FIND_IDS, [[userId!], at])).map(({ id }) => id)
        : [positionId];
    const past = await this.past.at(ids, book.quotes);
    const counted = [...past.values()].filter((one) => asset === undefined || one.asset === asset);
    return heldBy(counted, book.quotes);
  }

  private async find(
    partnerId: string,
    asset: string | undefined,
    userId: string | undefined,
    positionId: string | undefined,
  ): Promise<{ shares: BookShares[]; sums: StoredHeldSums[] }> {
    await this.positions.checkOwner(partnerId, { userId, positionId });
    const [found] = await (positionId === undefined
      ? this.store.query(queries.FIND_HOLDINGS_OF_USER, [partnerId, userId ?? null, asset ?? null])
      : this.store.query(queries.FIND_HOLDINGS_OF_POSITION, [partnerId, positionId, asset ?? null]));
    return found!;
  }
}

interface Holdings {
  valued: ValuedShares;
  positions: number;
}

/** Holdings of positions as they were. */
function heldBy(positions: readonly Position[], quotes: Quotes): Holdings {
  const shares = positions.flatMap((one): BookShares[] =>
    contribution(one).shares.map(({ asset, book, vaultId, shares: own, positions: open }) => ({
      asset,
      book,
      vaultId,
      shares: own.toString(),
      positions: open,
    })),
  );
  const sums = [...Map.groupBy(positions, ({ asset }) => asset)].map(([asset, own]): StoredHeldSums => {
    const totals = own.map((one) => contribution(one).totals[0]!);
    const sum = (of: (one: BookRows['totals'][number]) => bigint): string =>
      totals.reduce((total, one) => total + of(one), 0n).toString();
    return {
      asset,
      costs: sum(({ costs }) => costs),
      settledLending: sum(({ settledLending }) => settledLending),
      settledHold: sum(({ settledHold }) => settledHold),
      principal: sum(({ principal }) => principal),
      capitalMoment: sum(({ capitalMoment }) => capitalMoment),
      firstAt: new Date(Math.min(...totals.map(({ firstAt }) => firstAt.getTime()))).toISOString(),
    };
  });
  return { valued: new HeldShares(shares, sums, quotes), positions: positions.length };
}

/** Values and sums of holdings over one baseline. */
function realizedOf(
  valued: ValuedShares,
  baseline: Exclude<Book, 'routed'>,
  assets: readonly string[],
): Realized {
  const total = (book: Book): bigint => assets.reduce((sum, asset) => sum + valued.value(book, asset), 0n);
  const sums = assets.map((asset) => valued.heldSums(asset));
  const add = (of: (one: HeldSums) => bigint): bigint => sums.reduce((sum, one) => sum + of(one), 0n);
  const firsts = sums.flatMap(({ firstAt }) => firstAt ?? []).map(Number);
  return {
    routedValue: total('routed'),
    baselineValue: total(baseline),
    settledUplift: add(baseline === 'lending' ? (one) => one.settledLending : (one) => one.settledHold),
    costs: add(({ costs }) => costs),
    capital: {
      principal: add(({ principal }) => principal),
      moment: add(({ capitalMoment }) => capitalMoment),
      firstAt: firsts.length === 0 ? null : new Date(Math.min(...firsts)),
    },
  };
}

/** @param before holdings at the beginning of the period; null: the beginning of everything */
function upliftOver(
  valued: ValuedShares,
  before: ValuedShares | null,
  baseline: Exclude<Book, 'routed'>,
  assets: readonly string[],
  view: MarketView,
): UpliftOver {
  const { now } = valued.quotes;
  const { capital, ...realized } = realizedOf(valued, baseline, assets);
  const since = before === null ? null : { ...realizedOf(before, baseline, assets), at: before.quotes.now };
  const routedApy = blend(valued, view, assets, 'routed');
  const baselineApy = blend(valued, view, assets, baseline);
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
 * Expected yield of the routed value if it were distributed as in a book: within an asset by that book's values, over the assets by the routed
 * values. Cash earns 0.
 */
function blend(valued: ValuedShares, view: MarketView, assets: readonly string[], book: Book): number | null {
  const expected = (vaultId: string): number | null => {
    const { vault, expectedApy } = vaultOf(view, vaultId);
    return isIdle(vault) ? 0 : expectedApy;
  };
  return blendedApy(
    assets.map((asset) => ({
      value: valued.value('routed', asset),
      apy: blendedApy(
        valued.values(book, asset).map(({ vaultId, value }) => ({ value, apy: expected(vaultId) })),
      ),
    })),
  );
}
