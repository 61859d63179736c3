import { Injectable } from '@nestjs/common';
import type { PositionRecord, Quotes } from '../../domain/books/positions/quotes.js';
import { type PositionFilter, PositionService } from '../../domain/books/positions/position.service.js';
import { PastPositions } from '../../domain/books/ledger/past-positions.js';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { ClosingService } from '../../domain/reporting/closing.service.js';
import type { PageRequest } from '../../domain/kernel/store/page.js';
import { defined } from '../../http/defined.js';
import { type ListPage, type ListIdentity, Paginator } from '../../http/request/paging.js';
import { type AsOfPageQuery, requestedMoment } from './as-of.js';
import type { PositionsQuery } from './position.dto.js';

@Injectable()
export class PositionReader {
  constructor(
    private readonly positions: PositionService,
    private readonly closings: ClosingService,
    private readonly past: PastPositions,
    private readonly market: MarketService,
    private readonly paging: Paginator,
  ) {}

  list(partnerId: string | null, query: PositionsQuery): Promise<ListPage<PositionRecord>> {
    const { user_id: userId, asset, status, as_of } = query;
    const identity = ['positions', partnerId ?? undefined, userId, asset, status, as_of] as const;
    return this.serve(identity, query, { partnerId, ...defined({ userId, asset, status }) });
  }

  listOfUser(partnerId: string, userId: string, query: AsOfPageQuery): Promise<ListPage<PositionRecord>> {
    const identity = ['user positions', partnerId, userId, query.as_of] as const;
    return this.serve(identity, query, { partnerId, userId });
  }

  private serve(
    identity: ListIdentity,
    query: AsOfPageQuery,
    filter: PositionFilter,
  ): Promise<ListPage<PositionRecord>> {
    const find = async (page: PageRequest) =>
      this.positions.list(filter, page, await this.requestedQuotes(filter.partnerId, query.as_of));
    return this.paging.serve(identity, query, find, (position) => position);
  }

  /** Quotes of the moment that was asked for; null: now. */
  private async requestedQuotes(partnerId: string | null, asOf: string | undefined): Promise<Quotes | null> {
    const at = requestedMoment(asOf);
    if (at === undefined) return null;
    if (partnerId !== null) return this.closings.quotesAt(partnerId, at, 'as_of');
    return this.past.quotesAt(this.market.marketOf(null), at);
  }
}
