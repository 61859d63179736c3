import { PositionService } from '../../src/domain/books/positions/position.service.js';
import type { PositionRecord } from '../../src/domain/books/positions/position-record.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { type UpliftFilter, UpliftService } from '../../src/domain/reporting/uplift.service.js';
import type { Engine } from '../support/engine.js';

/** A page size above what a test creates. */
const ALL = { limit: 500, after: null };

/** The revenue of a user in an asset. */
export interface UserRevenue {
  userId: string;
  asset: string;
  fee: bigint;
  partnerRevenue: bigint;
  /** Losses and costs that no gain has made good yet. */
  carried: bigint;
  /** The number of settled entries. */
  settled: bigint;
  gains: bigint;
  /** Losses and costs. */
  losses: bigint;
}

/** Every figure that one partner can read about its book, at one moment. */
export class PartnerReader {
  constructor(
    private readonly engine: Engine,
    readonly partnerId: string,
  ) {}

  async all() {
    const reports = this.engine.context.get(ReportService);
    const { partnerId: id } = this;
    return {
      summary: await reports.summary(id),
      deposits: await reports.deposits(id),
      withdrawals: await reports.withdrawals(id),
      tvl: await reports.tvl(id),
      yield: await reports.yield(id),
      points: await reports.points(id),
      revenue: await reports.revenue(id),
      users: (await reports.users(id, ALL)).items,
      uplift: await this.uplift({}),
    };
  }

  uplift(filter: UpliftFilter) {
    return this.engine.context.get(UpliftService).read(this.partnerId, filter);
  }

  async positions(): Promise<PositionRecord[]> {
    const { partnerId } = this;
    return (await this.engine.context.get(PositionService).list({ partnerId }, ALL)).items;
  }

  /** The ledger's figures of each user in an asset, with their settled revenue: micro-units. */
  async revenueOfUsers(): Promise<UserRevenue[]> {
    const rows = await this.engine.sql<Record<keyof UserRevenue, string>>(
      `SELECT a.user_id AS "userId", a.asset, a.total_fee AS fee, a.total_partner AS "partnerRevenue", a.carried_loss AS carried, a.settled,
              coalesce(sum(e.amount) FILTER (WHERE e.type = 'yield_accrual' AND e.amount > 0), 0) AS gains,
              coalesce(sum(e.cost), 0) - coalesce(sum(e.amount) FILTER (WHERE e.type = 'yield_accrual' AND e.amount < 0), 0) AS losses
         FROM revenue_accounts a LEFT JOIN ledger_entries e ON e.user_id = a.user_id AND e.asset = a.asset
        WHERE a.partner_id = $1 GROUP BY a.user_id, a.asset`,
      [this.partnerId],
    );
    return rows.map(({ userId, asset, ...sums }) => ({
      userId,
      asset,
      fee: BigInt(sums.fee),
      partnerRevenue: BigInt(sums.partnerRevenue),
      carried: BigInt(sums.carried),
      settled: BigInt(sums.settled),
      gains: BigInt(sums.gains),
      losses: BigInt(sums.losses),
    }));
  }

  /** All figures as one string: equal strings are equal figures, wherever and whenever they were read. */
  async text(): Promise<string> {
    return textOf(await this.all());
  }
}

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, one: unknown) => {
    if (name === 'asOf') return undefined;
    return typeof one === 'bigint' ? `${one}n` : one;
  });
