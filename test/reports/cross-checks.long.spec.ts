import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Engine } from '../support/engine.js';
import { micro } from './golden.units.js';
import { type PartnerReader, textOf } from './partner.reader.js';
import { given, Life, lively, sightsOf } from './random.life.js';

jest.setTimeout(120_000);

/** Short histories, whose figures are all checked after each step. `REPORT_RUNS` is the number of histories. */
const RUNS = Number(process.env['REPORT_RUNS'] ?? 2);

describe('the reports of a partner, whatever happened', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await lively();
    engine.sights = sightsOf(engine, [400]);
    await engine.hours(3);
  });
  afterAll(() => engine.stop());

  /** Runs random histories, each with a partner of its own, and checks after each step. */
  const always = (check: (life: Life) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 5, maxLength: 14 }), async (steps) => {
        const life = await Life.begin(engine);
        for (const one of steps) {
          await life.act(one);
          await check(life);
        }
      }),
      { numRuns: RUNS, includeErrorInReport: true, endOnFailure: true },
    );

  it('agree with each other, and with the positions that they are of', async () => {
    await always(async ({ reader }) => {
      expectPartsToSum(await reader.all());
      await expectPositionsToSum(engine, reader);
      await expectRevenueOfUsers(engine, reader);
      await expectUpliftToSum(engine, reader);
    });
    const row = await engine.row<{ moved: number }>(
      'SELECT coalesce(sum(moved), 0)::int AS moved FROM moves',
    );
    // A history without moves would prove little.
    expect(row.moved).toBeGreaterThan(0);
  });

  it('do not move when another partner acts', async () => {
    const other = await Life.begin(engine);
    await always(async ({ reader }) => {
      const before = await reader.text();
      await other.act({ does: 'deposit', user: 1, asset: 0, amount: 12_345_678n });
      await other.act({ does: 'withdraw', position: other.positions.length - 1, part: 500_000n });
      await other.act({ does: 'campaign', hundredths: 250, off: false });
      await other.act({ does: 'share', bps: 7_777 });
      // Points grow with time: the clock is set back to the moment at which the reports were read.
      engine.now = new Date(engine.now.getTime() - 28);
      expect(await reader.text()).toBe(before);
    });
  });

  it('do not move when terms change: only what is earned from then on is earned at the new ones', async () => {
    await always(async (life) => {
      const { reader } = life;
      const before = await reader.all();
      await life.act({ does: 'share', bps: before.revenue.revenueShareBps === 9_000 ? 1_000 : 9_000 });
      engine.now = new Date(engine.now.getTime() - 7);
      const settled = await reader.all();
      expect(withoutSettled(settled)).toBe(withoutSettled(before));
      await life.act({ does: 'campaign', hundredths: 330, off: false });
      await life.act({ does: 'campaign', hundredths: 440, off: true });
      engine.now = new Date(engine.now.getTime() - 14);
      expect(textOf(withoutTerms(await reader.all()))).toBe(textOf(withoutTerms(settled)));
    });
  });
});

type Everything = Awaited<ReturnType<PartnerReader['all']>>;

/** The present terms are shown beside the figures, and did change. A campaign without positions is not shown. */
function withoutTerms(all: Everything): object {
  const { revenueShareBps: _, ...revenue } = all.revenue;
  const campaigns = all.points.campaigns.map(({ campaignId, points }) => ({ campaignId, points }));
  return { ...all, revenue, points: { ...all.points, campaigns } };
}

/** A change posts what was earned until then, at the old terms (`terms.spec.ts`): what was pending is accrued, and its fee is settled. */
const SETTLED = new Set([
  'accrued',
  'pending',
  'performanceFee',
  'partnerRevenue',
  'protocolRevenue',
  'revenueShareBps',
]);
const withoutSettled = ({ summary: { revenue: _, ...summary }, ...all }: Everything): string =>
  textOf(
    JSON.parse(textOf(withoutTerms({ ...all, summary } as Everything)), (name, value: unknown) =>
      SETTLED.has(name) ? undefined : value,
    ),
  );

const sum = <Row>(rows: readonly Row[], of: (row: Row) => bigint): bigint =>
  rows.reduce((total, row) => total + of(row), 0n);

/** A figure that several reports show is the same in all of them. */
function expectPartsToSum(all: Everything): void {
  const { summary, deposits, withdrawals, tvl, revenue, points } = all;
  const { totals, assets } = summary;
  for (const money of [totals, ...assets]) {
    expect(money.deposits - money.withdrawals).toBe(money.netDeposits);
    expect(money.deposits - money.withdrawals + money.yield).toBe(money.netTvl);
  }
  for (const field of ['deposits', 'withdrawals', 'netDeposits', 'netTvl', 'yield'] as const)
    expect(sum(assets, (row) => row[field])).toBe(totals[field]);
  expect([deposits.total, withdrawals.total, tvl.netTvl, all.yield.total]).toEqual([
    totals.deposits,
    totals.withdrawals,
    totals.netTvl,
    totals.yield,
  ]);
  expect(deposits.count).toBe(summary.positions.open + summary.positions.closed);
  assets.forEach((row, place) => {
    const [held, earned, settled] = [tvl.assets[place]!, all.yield.assets[place]!, revenue.assets[place]!];
    expect(sum(held.vaults, ({ value }) => value)).toBe(row.netTvl);
    expect(held.netTvl).toBe(row.netTvl);
    expect(earned.accrued + earned.pending).toBe(earned.total);
    expect(earned.costs).toBeGreaterThanOrEqual(0n);
    expect(earned.total).toBe(row.yield);
    expect(earned.apy).toBe(row.apy);
    expect([settled.yield, settled.accrued]).toEqual([row.yield, earned.accrued]);
    expect(settled.partnerRevenue + settled.protocolRevenue).toBe(settled.performanceFee);
  });
  for (const field of ['yield', 'accrued', 'performanceFee', 'partnerRevenue', 'protocolRevenue'] as const)
    expect(sum(revenue.assets, (row) => row[field])).toBe(revenue.totals[field]);
  expect(summary.revenue).toBe(revenue.totals.partnerRevenue);
  expect(summary.points).toBe(points.total);
  const rounded = points.total - points.campaigns.reduce((total, row) => total + row.points, 0);
  expect(Math.round(rounded * 1e6)).toBeGreaterThanOrEqual(0);
  expect(Math.round(rounded * 1e6)).toBeLessThan(points.campaigns.length);
}

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
    const own = positions.filter((position) => position.asset === asset);
    const open = own.filter(({ status }) => status !== 'closed');
    expectFloorOf(
      netTvl,
      sum(open, ({ value }) => micro(value)),
      open.length,
    );
    expect(netDeposits).toBe(sum(own, ({ principal }) => micro(principal)));
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
    const own = positions.filter((position) => position.asset === asset);
    expect(costs).toBe(sum(own, (position) => micro(position.costs)));
  }
}

/** The fee is charged by user: on gains, less the user's losses and the cost of moves of all its positions. */
async function expectRevenueOfUsers(engine: Engine, reader: PartnerReader): Promise<void> {
  const { revenue } = await reader.all();
  const users = await reader.revenueOfUsers();
  for (const row of revenue.assets) {
    const own = users.filter(({ asset }) => asset === row.asset);
    expect(row.performanceFee).toBe(sum(own, ({ fee }) => fee));
    expect(row.partnerRevenue).toBe(sum(own, ({ partnerRevenue }) => partnerRevenue));
    expect(row.accrued).toBe(sum(own, ({ gains, losses }) => gains - losses));
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
        expect(sum(parts, (one) => one[baseline].realized[part])).toBe(realized[part]);
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
