import { expect } from '@jest/globals';
import { PositionService } from '../../src/domain/books/positions/position.service.js';
import type { PositionRecord } from '../../src/domain/books/positions/quotes.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { type UpliftFilter, UpliftService } from '../../src/domain/reporting/uplift.service.js';
import type { Engine } from '../support/engine.js';

/** Checks that the reports of a partner agree with the positions, users and assets that they sum up. */
export async function expectReportsToAgree(engine: Engine, partnerId: string): Promise<void> {
  const reader = new PartnerReader(engine, partnerId);
  await expectPositionsToSum(engine, reader);
  await expectRevenueOfUsers(engine, reader);
  await expectUpliftToSum(engine, reader);
}

/** Whole asset units as micro-units. */
const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));

/** A page size above what a test creates. */
const ALL = { limit: 500, after: null };

/** The revenue of a user in an asset. */
interface UserRevenue {
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

/** Figures that one partner can read about its book, at one moment. */
class PartnerReader {
  constructor(
    private readonly engine: Engine,
    readonly partnerId: string,
  ) {}

  async all() {
    const reports = this.engine.context.get(ReportService);
    const { partnerId: id } = this;
    return {
      summary: await reports.summary(id),
      yield: await reports.yield(id),
      revenue: await reports.revenue(id),
      users: (await reports.users(id, ALL)).items,
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
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => bigint): bigint =>
  rows.reduce((total, row) => total + of(row), 0n);

/** @param bound the number of parts, each rounded down by less than a micro-unit */
function expectFloorOf(whole: bigint, parts: bigint, bound: number): void {
  expect(whole - parts).toBeGreaterThanOrEqual(0n);
  expect(whole - parts).toBeLessThan(BigInt(Math.max(1, bound)));
}

/** A partner's figure is the floor of a sum: it exceeds the sum of its positions' floors by less than a micro-unit each. */
async function expectPositionsToSum(engine: Engine, reader: PartnerReader): Promise<void> {
  const positions = await reader.positions();
  const { summary, users, yield: earned } = await reader.all();
  for (const { asset, netTvl, netDeposits } of summary.assets) {
    const assetPositions = positions.filter((position) => position.asset === asset);
    const open = assetPositions.filter(({ status }) => status !== 'closed');
    expectFloorOf(
      netTvl,
      sum(open, ({ value }) => micro(value)),
      open.length,
    );
    expect(netDeposits).toBe(sum(assetPositions, ({ principal }) => micro(principal)));
  }
  expect(users.map(({ open, closed }) => open + closed).reduce((a, b) => a + b, 0)).toBe(positions.length);
  expectFloorOf(
    summary.totals.netTvl,
    sum(users, ({ netTvl }) => netTvl),
    positions.length,
  );
  const posted = await engine.sql<{ asset: string; amount: string; cost: string }>(
    `SELECT e.asset, coalesce(sum(e.amount) FILTER (WHERE e.type = 'yield_accrual'), 0) AS amount, sum(e.cost) AS cost
       FROM ledger_entries e JOIN positions p ON p.id = e.position_id WHERE p.partner_id = $1 GROUP BY e.asset`,
    [reader.partnerId],
  );
  for (const { asset, accrued, costs } of earned.assets) {
    const entries = posted.find((row) => row.asset === asset) ?? { amount: '0', cost: '0' };
    expect([accrued + costs, costs]).toEqual([BigInt(entries.amount), BigInt(entries.cost)]);
    const assetPositions = positions.filter((position) => position.asset === asset);
    expect(costs).toBe(sum(assetPositions, (position) => micro(position.costs)));
  }
}

/** The fee is charged by user: on gains, less the user's losses and the cost of moves of all its positions. */
async function expectRevenueOfUsers(engine: Engine, reader: PartnerReader): Promise<void> {
  const { revenue } = await reader.all();
  const users = await reader.revenueOfUsers();
  for (const row of revenue.assets) {
    const assetUsers = users.filter(({ asset }) => asset === row.asset);
    expect(row.performanceFee).toBe(sum(assetUsers, ({ fee }) => fee));
    expect(row.partnerRevenue).toBe(sum(assetUsers, ({ partnerRevenue }) => partnerRevenue));
    expect(row.accrued).toBe(sum(assetUsers, ({ gains, losses }) => gains - losses));
  }
  const bps = BigInt(engine.settings.constants.revenue.performanceFeeBps);
  for (const { fee, gains, losses, carried, settled } of users) {
    // Losses that are carried now, or left with a withdrawal, were not made good.
    expect(fee * 10_000n).toBeGreaterThanOrEqual((gains - losses + carried) * bps);
    // Rounding: less than a micro-unit for each sum, and at most one sum for each entry.
    expect(fee * 10_000n).toBeLessThan(gains * bps + 10_000n * (settled + 1n));
  }
}

/** Uplift of the parts sums to the uplift of the whole; without moves the uplift over the first vault is zero. */
async function expectUpliftToSum(engine: Engine, reader: PartnerReader): Promise<void> {
  const whole = await reader.uplift({});
  const all = await reader.all();
  const { users } = all;
  const byUser = await Promise.all(users.map(({ id }) => reader.uplift({ userId: id })));
  const byAsset = await Promise.all(
    engine.settings.constants.assets.map((asset) => reader.uplift({ asset })),
  );
  for (const baseline of ['lending', 'hold'] as const) {
    for (const value of ['routedValue', 'baselineValue'] as const) {
      const of = (uplift: typeof whole): bigint => uplift[baseline].realized[value];
      expect(sum(byAsset, of)).toBe(of(whole));
      expectFloorOf(of(whole), sum(byUser, of), whole.positions);
    }
    const { realized } = whole[baseline];
    const { uplift, routedValue, baselineValue, settledUplift, costs, grossUplift } = realized;
    expect([uplift, grossUplift]).toEqual([routedValue - baselineValue + settledUplift, uplift + costs]);
    expect(costs).toBe(sum(all.yield.assets, (row) => row.costs));
    for (const part of ['settledUplift', 'costs'] as const)
      for (const parts of [byUser, byAsset])
        expect(sum(parts, (item) => item[baseline].realized[part])).toBe(realized[part]);
  }
  for (const parts of [byUser, byAsset])
    expect(parts.reduce((total, { positions }) => total + positions, 0)).toBe(whole.positions);
  const stayed = await engine.sql<{ id: string }>(
    `SELECT id FROM positions p WHERE partner_id = $1
        AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.position_id = p.id AND e.type = 'rebalance')`,
    [reader.partnerId],
  );
  for (const { id } of stayed) {
    const { hold } = await reader.uplift({ positionId: id });
    expect(hold.realized.uplift).toBe(0n);
  }
  if (stayed.length === whole.positions) expect(whole.hold.realized.uplift).toBe(0n);
}
