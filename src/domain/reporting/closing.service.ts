import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { Clock, addHours, DAY_MS, dayOf } from '../kernel/clock.js';
import { checkPeriod, invalid } from '../kernel/domain-error.js';
import { MarketService } from '../markets/hours/market.service.js';
import { toPoints } from '../books/positions/points.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import { rowsText } from '../kernel/store/column.js';
import type { Quotes } from '../books/positions/quotes.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import * as queries from './closing.queries.js';
import { ClosedMonths } from './package/closed-months.js';
import { InvoiceService } from './invoice.service.js';
import * as invoiceQueries from './invoice.queries.js';
import { grainsOf, NO_BOOKS, PartnerBook, type StoredBooks } from './partner-book.js';
import { PastBooks } from './past-books.js';
import { MAX_POINTS } from './yield-history.service.js';

/** Partners whose ledgers one transaction takes. */
const PAGE = 20;
const DEFAULT_DAYS = 365;

/** Sums of a partner's book of an asset as a day ended. Amounts are micro-units, points grains. */
export type ClosedBook = { partnerId: string; asset: string } & Record<queries.ClosedSum, bigint>;

export type Closings = Awaited<ReturnType<ClosingService['read']>>;
export type DailyClosing = Closings['days'][number];

export interface ClosingsQuery {
  asset?: string;
  from?: Date;
  to?: Date;
}

/**
 * Daily closings: each partner's books at midnight, before anything of the new day but the accruals of that moment, whenever they are written. They are
 * written once, equal the ledger up to then, and are all that statements are made of.
 */
@Injectable()
export class ClosingService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly past: PastPositions,
    private readonly books: PastBooks,
    private readonly months: ClosedMonths,
    private readonly invoices: InvoiceService,
  ) {}

  /** Writes, once, the closings of all days whose statement is posted, oldest first, and the invoices of months that end with them. */
  async write(marketId: string): Promise<void> {
    let invoiced = await this.writeMissingInvoices(marketId);
    for (let due = await this.due(marketId); due !== null; due = await this.due(marketId)) {
      const quotes = await this.past.quotesAt(marketId, due);
      for await (const partnerIds of this.partners(marketId))
        await this.close(partnerIds, due, quotes, invoiced);
      await this.store.query(queries.CLOSE, [marketId, due, this.clock.now()]);
      invoiced = due;
    }
  }

  /** Of months that were closed by a version without invoices. @returns end of the last closed day; null: none is closed */
  private async writeMissingInvoices(marketId: string): Promise<Date | null> {
    const [progress] = await this.store.query(invoiceQueries.FIND_PROGRESS, [marketId]);
    const { closed, invoiced } = progress!;
    if (closed === null || (invoiced !== null && invoiced >= closed)) return closed;
    for await (const partnerIds of this.partners(marketId))
      await this.invoices.write(partnerIds, invoiced, closed);
    await this.store.query(invoiceQueries.MARK, [marketId, closed, this.clock.now()]);
    return closed;
  }

  /** Pages of the partners with current or past holdings. */
  private async *partners(marketId: string): AsyncGenerator<string[]> {
    for (let [after, size] = ['', PAGE]; size === PAGE;) {
      const page = await this.store.query(queries.FIND_PARTNERS, [marketId, after, PAGE]);
      size = page.length;
      after = page.at(-1)?.partnerId ?? after;
      if (size > 0) yield page.map(({ partnerId }) => partnerId);
    }
  }

  private async due(marketId: string): Promise<Date | null> {
    return (await this.store.query(queries.FIND_DUE, [marketId]))[0]?.dayEnd ?? null;
  }

  /** @param invoiced end of the day that was closed before */
  private async close(
    partnerIds: string[],
    dayEnd: Date,
    quotes: Quotes,
    invoiced: Date | null,
  ): Promise<void> {
    await this.store.transaction(async () => {
      await this.store.query(queries.LOCK_LEDGER_HEADS, [partnerIds, dayEnd]);
      const day = addHours(dayEnd, -24);
      const books = await this.books.at(partnerIds, quotes);
      const { assets } = this.catalogue;
      const closings = [...books].flatMap(([partnerId, sums]) => closingsOf(assets, partnerId, sums, quotes));
      await this.store.query(queries.INSERT, [rowsText(closings.map((closing) => ({ day, ...closing })))]);
      for (const [partnerId, sums] of books)
        await this.store.query(queries.INSERT_BOOKS, [partnerId, day, closedText(sums, quotes)]);
      await this.invoices.write(partnerIds, invoiced, dayEnd);
      if (isMonthEnd(dayEnd)) await this.months.keep(partnerIds, dayEnd);
    });
  }

  /**
   * Closings that fit an answer, in whole days, the oldest first, and the first day that does not; null: all fit.
   * @throws DomainError `validation_failed` (asset; from after to; more than 2,000 rows up to a requested end)
   */
  async read(partnerId: string, { asset, from, to: requestedEnd }: ClosingsQuery) {
    const { points } = this.settings.constants;
    const counted = this.catalogue.requestedAssets(asset);
    const to = requestedEnd ?? (await this.market.now(this.market.marketOf(partnerId)));
    const first = dayOf(from ?? addHours(to, -24 * (DEFAULT_DAYS - 1)));
    checkPeriod(from, to);
    const days = (dayOf(to).getTime() - first.getTime()) / DAY_MS + 1;
    if (requestedEnd && days * counted.length > MAX_POINTS)
      throw invalid('from', `covers more than ${MAX_POINTS} points; request a shorter period, or one asset`);
    const rows = await this.store.query(queries.READ, [partnerId, [...counted], first, to, MAX_POINTS + 1]);
    const nextFrom = rows[MAX_POINTS]?.day ?? null;
    const fit = rows.filter(({ day }) => nextFrom === null || day < nextFrom);
    const closings = fit.map(({ asset: of, day, grains, ...amounts }) => {
      const earned = amounts.accrued - amounts.costs;
      return {
        asset: of,
        day,
        ...amounts,
        netTvl: amounts.deposits - amounts.withdrawals + earned,
        yield: earned,
        points: toPoints(grains * BigInt(points.perUsdDay)),
      };
    });
    return { days: closings, nextFrom };
  }

  /** The newest closing of each asset before each of some midnights. @returns the closings of an asset, by midnight */
  async readBefore(
    partnerId: string,
    midnights: Date[],
  ): Promise<(asset: string, midnight: Date) => ClosedBook | undefined> {
    const days = midnights.map((midnight) => addHours(midnight, -24));
    const rows = await this.store.query(queries.READ_NEWEST, [partnerId, days, [...this.catalogue.assets]]);
    const keyOf = (asset: string, midnight: Date): string => `${asset} ${midnight.getTime()}`;
    const closings = new Map(
      rows.map(({ day: _, upTo, ...sums }) => [
        keyOf(sums.asset, addHours(upTo, 24)),
        { partnerId, ...sums },
      ]),
    );
    return (asset, midnight) => closings.get(keyOf(asset, midnight));
  }

  /**
   * A partner's books at a moment, before anything dated at it or later: at the end of a closed day, or at any moment since.
   * @param field of the request that names the moment
   * @throws DomainError `validation_failed` for any other moment
   */
  bookAt(partnerId: string, at: Date, field: string): Promise<PartnerBook> {
    const read = async (): Promise<PartnerBook> => {
      const { quotes, terms, closed } = await this.look(partnerId, at, field);
      if (closed) return new PartnerBook({ ...closed, ...terms }, quotes, true);
      const sums = (await this.books.at([partnerId], quotes)).get(partnerId)!;
      return new PartnerBook({ ...sums, ...terms }, quotes);
    };
    return this.past.runInTurn(partnerId, () => this.store.snapshot(read));
  }

  /** Quotes of the vaults in those books. @throws DomainError as `bookAt` */
  async quotesAt(partnerId: string, at: Date, field: string): Promise<Quotes> {
    return (await this.look(partnerId, at, field)).quotes;
  }

  /** `closed`: the books of a closed day; null: the day is open. */
  private async look(partnerId: string, at: Date, field: string) {
    const marketId = this.market.marketOf(partnerId);
    if (at > (await this.market.now(marketId))) throw invalid(field, 'must not lie in the future');
    const dayBefore = addHours(dayOf(at), -24);
    const [row] = await this.store.query(queries.FIND_CLOSED_BOOKS, [partnerId, dayBefore, at]);
    const { books, closedUntil, terms } = row!;
    if (closedUntil === null || at > closedUntil)
      return { quotes: await this.past.quotesAt(marketId, at), terms, closed: null };
    if (at.getTime() !== dayOf(at).getTime())
      throw invalid(
        field,
        `must be the end of a UTC day, or a moment since ${closedUntil.toISOString()}, when the last day was closed`,
      );
    const { quotes, ...closed } = books ?? { ...NO_BOOKS, quotes: {} };
    return { quotes: closedQuotes(quotes, at), terms, closed };
  }
}

const isMonthEnd = (dayEnd: Date): boolean => dayEnd.getUTCDate() === 1;

/** Closings of a partner's books, of assets that are in them. */
export function closingsOf(
  assets: readonly string[],
  partnerId: string,
  stored: StoredBooks,
  quotes: Quotes,
): ClosedBook[] {
  const usedAssets = assets.filter((asset) => stored.totals.some((row) => row.asset === asset));
  return usedAssets.map((asset) => {
    const points = stored.points.filter((row) => row.asset === asset);
    const book = new PartnerBook({ ...stored, points }, quotes, true);
    const totals = book.totals(asset);
    return {
      partnerId,
      asset,
      deposits: totals.deposited,
      withdrawals: totals.withdrawn,
      accrued: totals.accrued,
      costs: totals.costs,
      fee: totals.fee,
      partnerRevenue: totals.partnerRevenue,
      carriedLoss: totals.carriedLoss,
      grains: grainsOf(book.points(quotes.now)),
      lendingValue: book.value('lending', asset),
      holdValue: book.value('hold', asset),
      settledLending: totals.settledLending,
      settledHold: totals.settledHold,
    };
  });
}

/** Quotes as they are stored with a closing. */
export const closedQuotes = (quotes: queries.ClosedBooks['quotes'], at: Date): Quotes => ({
  now: at,
  quoteOf: (vaultId) => {
    const quote = quotes[vaultId];
    if (!quote) throw new Error(`${vaultId} was not held at ${at.toISOString()}.`);
    return { index: BigInt(quote.index), apy: quote.apy };
  },
});

const closedText = (sums: StoredBooks, quotes: Quotes): string => {
  const vaultIds = new Set(sums.shares.filter(({ shares }) => shares !== '0').map(({ vaultId }) => vaultId));
  const quoted = [...vaultIds].map((vaultId) => {
    const { index, apy } = quotes.quoteOf(vaultId);
    return [vaultId, { index: index.toString(), apy }] as const;
  });
  return JSON.stringify({ ...sums, quotes: Object.fromEntries(quoted) });
};
