import { Injectable } from '@nestjs/common';
import { Meter } from '../kernel/meter.js';
import { MarketService } from '../markets/hours/market.service.js';
import { NOTHING, toBookRow, type CampaignPoints, type StoredBooks } from './partner-book.js';
import { BookSums, contribution } from '../books/positions/books.js';
import { FIND_CHANGED_SINCE } from '../books/ledger/ledger.queries.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import { rowsText } from '../kernel/store/column.js';
import type { Quotes } from '../books/positions/quotes.js';
import type { RowFrom } from '../kernel/store/statement.js';
import { Store } from '../kernel/store/store.js';
import { COUNT_USERS_SINCE, FIND_BOOKS } from './report.queries.js';

const KINDS = ['shares', 'totals', 'revenue', 'points'] as const;

/** A partner's books as they were at a moment: those of now, less what is dated at it or later. */
@Injectable()
export class PastBooks {
  constructor(
    private readonly store: Store,
    private readonly past: PastPositions,
    private readonly market: MarketService,
    private readonly meter: Meter,
  ) {}

  /** By partner, in a transaction that holds their ledgers, or in a snapshot. @param quotes of the moment */
  async at(partnerIds: readonly string[], quotes: Quotes): Promise<Map<string, StoredBooks>> {
    const books = await this.store.query(FIND_BOOKS, [[...partnerIds]]);
    const rows = await this.store.query(FIND_CHANGED_SINCE, [[...partnerIds], quotes.now]);
    this.meter.summed(rows.reduce((sum, { entries }) => sum + entries, 0));
    const joined = await this.store.query(COUNT_USERS_SINCE, [[...partnerIds], quotes.now]);
    this.meter.summed(joined.reduce((sum, { users }) => sum + users, 0));
    const changed = Map.groupBy(rows, ({ partnerId }) => partnerId);
    const joinedOf = new Map(joined.map(({ partnerId, users }) => [partnerId, users]));
    const past = new Map<string, StoredBooks>();
    for (const { partnerId, ...now } of books) {
      const stored = { ...now, users: now.users - (joinedOf.get(partnerId) ?? 0) };
      const partnerChanges = changed.get(partnerId);
      past.set(
        partnerId,
        partnerChanges ? await this.before(partnerId, stored, partnerChanges, quotes) : stored,
      );
    }
    return past;
  }

  private async before(
    partnerId: string,
    stored: StoredBooks,
    changed: readonly RowFrom<typeof FIND_CHANGED_SINCE>[],
    quotes: Quotes,
  ): Promise<StoredBooks> {
    const sums = new BookSums();
    const marketId = this.market.marketOf(partnerId);
    for (const kind of KINDS)
      for (const row of stored[kind])
        sums.addRow(kind, toBookRow(kind, { ...row, partnerId, marketId, slot: 0 }));
    for (const { asset, accrued, fee, partnerRevenue, carriedLoss } of changed) {
      const key = { partnerId, asset, slot: 0 };
      sums.addRow('revenue', { ...key, fee, partnerRevenue, carriedLoss }, -1);
      sums.addRow('totals', { ...NOTHING, ...key, accrued, firstAt: quotes.now }, -1);
    }
    // Accruals are those of the ledger: a position as it was is worth what it had earned, posted or not.
    const rest = { slot: 0, accrued: 0n };
    const ids = changed.flatMap(({ positionIds }) => positionIds);
    for await (const positions of this.past.at(ids, quotes))
      for (const { now, then } of positions) {
        sums.add(contribution({ ...now, ...rest }), -1);
        if (then) sums.add(contribution({ ...then, ...rest }));
      }
    const { shares, totals, revenue, points } = sums.nonZero;
    const terms = new Map(stored.points.map((row) => [row.campaignId, row.terms]));
    return {
      ...stored,
      shares: texts(shares),
      totals: texts(totals),
      revenue: texts(revenue),
      points: texts<CampaignPoints>(points).map((row) => ({
        ...row,
        terms: terms.get(row.campaignId) ?? [],
      })),
    };
  }
}

export const texts = <Row extends object>(rows: readonly object[]): Row[] =>
  JSON.parse(rowsText(rows)) as Row[];
