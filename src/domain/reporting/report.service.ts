import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { MarketService } from '../markets/hours/market.service.js';
import { quotesOf } from '../books/positions/quotes.js';
import { arrayText } from '../kernel/store/column.js';
import type { RowFrom } from '../kernel/store/statement.js';
import { type Page, type PageRequest, toPage } from '../kernel/store/page.js';
import { Store } from '../kernel/store/store.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import { type Balance, type Holdings, HoldingService } from '../books/positions/holding.service.js';
import { bookValue, type Position } from '../books/positions/position.js';
import { ClosingService } from './closing.service.js';
import { PartnerBook } from './partner-book.js';
import * as reports from './partner-reports.js';
import { valueOf } from '../markets/vaults/yield-index.js';
import { FIND_BOOKS, LIST_USERS, SUM_FUNDS } from './report.queries.js';

type UserRow = RowFrom<typeof LIST_USERS>;

export type AttributedUser = Omit<UserRow, 'found'> & Holdings;

/**
 * Reports on a partner's own book. Two statements each, which read a number of rows independent of the number of positions: the partner's sums and
 * the market. Amounts are micro-units.
 */
@Injectable()
export class ReportService {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly settings: DomainSettings,
    private readonly closings: ClosingService,
    private readonly past: PastPositions,
    private readonly holdings: HoldingService,
  ) {}

  readonly summary = this.report(reports.summary);
  readonly deposits = this.report(reports.deposits);
  readonly withdrawals = this.report(reports.withdrawals);
  readonly tvl = this.report(reports.tvl);
  readonly yield = this.report(reports.yieldReport);
  readonly points = this.report(reports.points);
  readonly revenue = this.report(reports.revenue);

  /**
   * The partner's end-users, newest first, each with its holdings. Two statements beside the market's.
   * @param ids only these
   * @param asOf as they were before this moment
   */
  async users(
    partnerId: string,
    page: PageRequest,
    { ids, asOf }: { ids?: string[] | undefined; asOf?: Date | undefined } = {},
  ): Promise<Page<AttributedUser>> {
    if (asOf) return this.usersAt(partnerId, page, ids, asOf);
    const [{ items, next }, view] = await Promise.all([
      this.readPage(partnerId, page, ids),
      this.market.look(this.market.marketOf(partnerId)),
    ]);
    const userIds = items.map(({ id }) => id);
    const holdings = await this.holdings.find(partnerId, userIds, view);
    const users = items.map(({ found: _found, ...user }) => ({ ...user, ...holdings.get(user.id)! }));
    return { items: users, next };
  }

  private async usersAt(
    partnerId: string,
    page: PageRequest,
    ids: string[] | undefined,
    asOf: Date,
  ): Promise<Page<AttributedUser>> {
    const quotes = await this.closings.quotesAt(partnerId, asOf, 'as_of');
    const { items, next } = await this.readPage(partnerId, page, ids, asOf);
    const users = new Map(
      items.map(({ found: _found, ...user }): [string, AttributedUser] => [
        user.id,
        { ...user, open: 0, closed: 0, netTvl: 0n, balances: [] },
      ]),
    );
    await this.past.runInTurn(partnerId, async () => {
      for await (const positions of this.past.readOfUsers([...users.keys()], quotes))
        for (const position of positions) {
          const user = users.get(position.userId)!;
          user[position.status === 'closed' ? 'closed' : 'open']++;
          user.netTvl += bookValue(position);
          if (position.status !== 'closed') addTo(user.balances, position);
        }
    });
    return { items: [...users.values()], next };
  }

  /** @param before only users created before this moment */
  async readPage(
    partnerId: string,
    { limit, after }: PageRequest,
    ids: string[] | undefined,
    before?: Date,
  ): Promise<Page<UserRow>> {
    const from = after ?? { at: before ?? ('infinity' as const), id: '' };
    const only = ids ? arrayText(ids) : null;
    const rows = await this.store.query(LIST_USERS, [partnerId, from.at, from.id, limit + 1, only]);
    return toPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }), rows[0]?.found);
  }

  /** Net TVL of partners, micro-units over all assets at par, as in their own reports. Two statements, whatever their number. */
  async netTvls(partnerIds: readonly string[]): Promise<Map<string, bigint>> {
    const funds = await this.store.query(SUM_FUNDS, [[...partnerIds]]);
    const views = await this.market.lookAtAll([...new Set(funds.map(({ marketId }) => marketId))]);
    const quotes = new Map([...views].map(([id, view]) => [id, quotesOf(view)]));
    const tvls = new Map(partnerIds.map((id) => [id, 0n]));
    for (const { partnerId, marketId, vaultId, shares } of funds) {
      const { index } = quotes.get(marketId)!.quoteOf(vaultId);
      tvls.set(partnerId, tvls.get(partnerId)! + valueOf(shares, index));
    }
    return tvls;
  }

  async book(
    partnerId: string,
    look = this.market.look(this.market.marketOf(partnerId)),
  ): Promise<PartnerBook> {
    const [[stored], view] = await Promise.all([this.store.query(FIND_BOOKS, [[partnerId]]), look]);
    return new PartnerBook(stored!, quotesOf(view));
  }

  private report<Report>(of: (context: reports.ReportContext) => Report) {
    return async (partnerId: string, asOf?: Date): Promise<Report> => {
      const book = asOf ? await this.closings.bookAt(partnerId, asOf, 'as_of') : await this.book(partnerId);
      const { assets, points } = this.settings.constants;
      const { now } = book.quotes;
      return of({ partnerId, book, assets, pointsPerUsdDay: points.perUsdDay, asOf: now });
    };
  }
}

/** What was available at a past moment is not kept. */
function addTo(balances: Balance[], position: Position): void {
  let balance = balances.find(({ asset }) => asset === position.asset);
  if (!balance)
    balances.push((balance = { asset: position.asset, value: 0n, available: null, positions: 0 }));
  balance.value += bookValue(position);
  balance.positions += 1;
}
