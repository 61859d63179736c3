import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { MarketService } from '../markets/hours/market.service.js';
import { vaultAt } from '../books/positions/quotes.js';
import type { RowFrom } from '../kernel/store/statement.js';
import { valueOf } from '../markets/vaults/shares.js';
import { type Page, type PageKey, type PageRequest, toPage } from '../kernel/store/page.js';
import { Store } from '../kernel/store/store.js';
import type { UserStatus } from '../tenants/users/user.entity.js';
import { PartnerBook } from './partner-book.js';
import * as reports from './partner-reports.js';
import { FIND_BOOKS, LIST_USERS } from './report.queries.js';

/** End-user with its holdings. */
export interface AttributedUser {
  id: string;
  externalId: string;
  label: string;
  status: UserStatus;
  wallets: string[];
  open: number;
  closed: number;
  /** Micro-units: the sum of the floors by vault, over all assets at par. */
  netTvl: bigint;
  createdAt: Date;
}

type UserRow = RowFrom<typeof LIST_USERS>;

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
  ) {}

  async summary(partnerId: string): Promise<reports.Summary> {
    return reports.summary(await this.context(partnerId));
  }

  async deposits(partnerId: string): Promise<reports.Flows> {
    return reports.deposits(await this.context(partnerId));
  }

  async withdrawals(partnerId: string): Promise<reports.Flows> {
    return reports.withdrawals(await this.context(partnerId));
  }

  async tvl(partnerId: string): Promise<reports.Tvl> {
    return reports.tvl(await this.context(partnerId));
  }

  async yield(partnerId: string): Promise<reports.YieldReport> {
    return reports.yieldReport(await this.context(partnerId));
  }

  async points(partnerId: string): Promise<reports.PointsReport> {
    return reports.points(await this.context(partnerId));
  }

  async revenue(partnerId: string): Promise<reports.RevenueReport> {
    return reports.revenue(await this.context(partnerId));
  }

  /** The partner's end-users, newest first, each with its holdings. One statement beside the market's. */
  async users(partnerId: string, { limit, after }: PageRequest): Promise<Page<AttributedUser>> {
    const [rows, view] = await Promise.all([
      this.store.query(LIST_USERS, [partnerId, after?.at ?? 'infinity', after?.id ?? '', limit + 1]),
      this.market.look(this.market.marketOf(partnerId)),
    ]);
    const keyOf = ({ createdAt, id }: UserRow): PageKey => ({ at: createdAt, id });
    const { items, next } = toPage(rows, limit, keyOf, rows[0]?.found);
    const value = ({ vaultId, shares }: UserRow['vaults'][number]): bigint =>
      valueOf(BigInt(shares), vaultAt(view, vaultId, view.now).index);
    const users = items.map(({ vaults, found: _found, ...user }) => ({
      ...user,
      netTvl: vaults.reduce((sum, held) => sum + value(held), 0n),
    }));
    return { items: users, next };
  }

  /** All sums of a partner, valued at its market. */
  async book(partnerId: string): Promise<PartnerBook> {
    const [[stored], view] = await Promise.all([
      this.store.query(FIND_BOOKS, [partnerId]),
      this.market.look(this.market.marketOf(partnerId)),
    ]);
    return new PartnerBook(stored!, view);
  }

  private async context(partnerId: string): Promise<reports.ReportContext> {
    const book = await this.book(partnerId);
    const { assets, points, revenue } = this.settings.constants;
    return {
      partnerId,
      book,
      assets,
      pointsPerUsdDay: points.perUsdDay,
      performanceFeeBps: revenue.performanceFeeBps,
      asOf: book.view.now,
    };
  }
}
