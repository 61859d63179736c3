import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_MARKET } from '../../src/domain/markets/hours/market-view.js';
import { DailyAccrualService } from '../../src/domain/books/positions/daily-accrual.service.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import type { Answer, Api } from '../support/api.js';
import { change } from '../support/change.js';
import { Conformance } from '../support/conformance.js';
import { csvRows } from '../support/csv.js';
import { expectRefused, TIME } from '../support/fields.js';
import { eitherContract } from '../support/long.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';

const REPORTS = ['summary', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue'] as const;
type Report = (typeof REPORTS)[number];

const DAY_MS = 24 * HOUR_MS;
const micro = (units: number): number => Math.round(units * 1e6);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + micro(amount), 0);

describe.each(eitherContract('partner'))('%s contract: reports', (contract) => {
  let market: TestMarket;
  let conformance: Conformance;
  let partner: TestPartner;
  let users: string[];
  let positions: any[];
  let assets: string[];

  beforeAll(async () => {
    market = await startMarket(contract, { early: true });
    conformance = await Conformance.of(contract);
    partner = market.partner;
    ({ assets } = market.app.settings.constants);
    users = [
      await market.createUser(partner),
      await market.createUser(partner),
      await market.createUser(partner),
    ];
    const first = await market.deposit(users[0]!, 1000);
    await market.app.admin.post(`/partners/${partner.id}/campaigns`, {
      name: 'Twice',
      points_multiplier: 2,
    });
    const more = [await market.deposit(users[1]!, 500), await market.deposit(users[1]!, 250, assets[1])];
    await market.advance(24);
    await market.withdraw(first.id, 100);
    await market.withdraw(more[1]!.id, null);
    await market.advance(2);
    market.holdClock();
    positions = [];
    for (const user of users) positions.push(...(await read(`user/${user}/positions`)));
  });
  afterAll(() => market.close());

  const answer = async (path: string, api: Api = partner.api): Promise<any> => {
    const got = await api.get(`/partner/${path}`);
    conformance.check('GET', `/partner/${path}`, got);
    expect(got.status).toBe(200);
    return got.body;
  };
  const read = async (path: string, api?: Api): Promise<any> => (await answer(path, api)).data;
  const all = async (api: Api): Promise<Record<Report, any>> =>
    Object.fromEntries(
      await Promise.all(REPORTS.map(async (report) => [report, await read(report, api)] as const)),
    ) as Record<Report, any>;

  it('Reports are zero for a new partner, and null for unknown figures', async () => {
    const fresh = await createPartner(market.app.admin);
    const { api } = fresh;
    const { summary, points, revenue, ...others } = await all(api);
    const money = { deposits: 0, withdrawals: 0, net_deposits: 0, net_tvl: 0, yield: 0 };
    expect(summary).toEqual({
      as_of: TIME,
      partner_id: fresh.id,
      users: 0,
      positions: { open: 0, closed: 0 },
      assets: assets.map((asset) => ({ asset, ...money, apy: null })),
      totals: money,
      points: 0,
      revenue: 0,
    });
    const campaigns = [{ campaign_id: null, multiplier: 1, points: 0 }];
    expect(points).toEqual({ as_of: TIME, per_usd_day: 1, total: 0, campaigns });
    expect(revenue).toMatchObject({ performance_fee_bps: 1000, revenue_share_bps: 4000 });
    const figures = JSON.stringify([revenue.totals, revenue.assets, Object.values(others)]).match(
      /":-?[\d.]+/g,
    );
    expect(new Set(figures)).toEqual(new Set(['":0']));
    expect(await read('users', api)).toEqual([]);
    const uplift = (await api.get('/analytics/uplift')).body.data;
    for (const { realized, projected } of Object.values<any>(uplift.baselines ?? { lending: uplift })) {
      expect(realized).toMatchObject({ routed_value: 0, baseline_value: 0, uplift: 0, uplift_pct: null });
      expect(projected).toMatchObject({ routed_apy: null, baseline_apy: null, uplift: null });
    }
  });

  it('A partner in the administrator’s list has the net TVL of its own summary, read in two statements for all of them', async () => {
    const { admin, application } = market.app;
    const fresh = await createPartner(admin);
    const other = await createPartner(admin);
    await market.deposit(await market.createUser(other), 750, assets[1]);
    const store = application.get(Store);
    const query = store.query.bind(store);
    const asked: string[] = [];
    const counted: typeof query = (statement, values) => {
      asked.push(statement.name);
      return query(statement, values);
    };
    let list: any[];
    {
      using _ = change(store, { query: counted });
      list = (await admin.get('/partners?limit=500')).body.data;
    }
    expect(asked.filter((name) => /^(reporting|markets)\./.test(name))).toEqual([
      'reporting.sum_funds',
      'markets.look_at_all',
    ]);
    const tvlOf = (id: string): unknown => list.find((row) => row.id === id).net_tvl;
    for (const { id, api } of [partner, other, fresh])
      expect([id, tvlOf(id)]).toEqual([id, (await read('summary', api)).totals.net_tvl]);
    expect(tvlOf(other.id)).toBeGreaterThan(749);
    expect(tvlOf(fresh.id)).toBe(0);
    for (const { body } of [
      await admin.get(`/partners/${other.id}`),
      await admin.patch(`/partners/${other.id}`, { metadata: { seen: true } }),
    ])
      expect(body.data.net_tvl).toBe(tvlOf(other.id));
    const { text } = await admin.get('/partners', { accept: 'text/csv; header=present' });
    const row = csvRows(text).find(({ id }) => id === other.id);
    expect(Number(row?.['net_tvl'])).toBe(tvlOf(other.id));
  });

  it('Reports have the revenue share that was in force at the time that is asked for', async () => {
    const { id, api } = await createPartner(market.app.admin);
    const before = market.now().toISOString();
    market.pass(1_000);
    await market.app.admin.patch(`/partners/${id}`, { revenue_share_bps: 10_000 });
    const shareAt = async (query: string): Promise<unknown> =>
      (await read(`revenue${query}`, api)).revenue_share_bps;
    expect([await shareAt(`?as_of=${before}`), await shareAt('')]).toEqual([4_000, 10_000]);
  });

  it('Reports include the yield of closed positions', async () => {
    const past = await createPartner(market.app.admin);
    const { id } = await market.deposit(await market.createUser(past), 10_000);
    await market.advance(3);
    const paid = await market.withdraw(id, null);
    await market.advance(1);
    const { summary, tvl, yield: earned } = await all(past.api);
    expect(summary).toMatchObject({ positions: { open: 0, closed: 1 }, totals: { net_tvl: 0 } });
    expect(summary.assets[0]).toMatchObject({ withdrawals: paid.amount, apy: null });
    expect(micro(summary.totals.yield)).toBe(micro(paid.amount) - micro(10_000));
    expect(earned.assets[0]).toMatchObject({ accrued: summary.totals.yield, pending: 0 });
    expect(tvl.assets[0].vaults).toEqual([]);
  });

  describe('daily closings', () => {
    const history = async (query = ''): Promise<any[]> => (await read(`history${query}`)).points;
    const rowOf = (rows: any[], asset: string): any => rows.find((row) => row.asset === asset);

    it('Daily closings equal the reports as of midnight, also if written late, and are written once', async () => {
      expect(await history()).toEqual([]);
      const { application } = market.app;
      await application.get(DailyAccrualService).postDue(BASE_MARKET);
      const closings = application.get(ClosingService);
      // Two processes write the closings at once.
      await Promise.all([closings.write(BASE_MARKET), closings.write(BASE_MARKET)]);
      const rows = await history();
      const midnight = new Date(Math.floor(market.now().getTime() / DAY_MS) * DAY_MS).toISOString();
      const reports = Object.fromEntries(
        await Promise.all(
          REPORTS.map(async (report) => [report, await read(`${report}?as_of=${midnight}`)] as const),
        ),
      ) as Record<Report, any>;
      const day = new Date(Math.floor(market.now().getTime() / DAY_MS - 1) * DAY_MS).toISOString();
      const used = assets.filter((asset) => rowOf(reports.deposits.assets, asset).count > 0);
      expect(rows.map(({ at, asset }) => [at, asset])).toEqual(used.map((asset) => [day, asset]));
      for (const row of rows) {
        const of = (report: Report): any => rowOf(reports[report].assets, row.asset);
        const { lending, ...more } = await baselinesOf(row.asset, midnight);
        expect(row).toMatchObject({
          as_of: midnight,
          net_tvl: of('summary').net_tvl,
          deposits: of('deposits').amount,
          withdrawals: of('withdrawals').amount,
          yield: of('yield').total,
          costs: of('yield').costs,
          revenue: of('revenue').partner_revenue,
          settled_uplift: { lending: lending.settled_uplift },
        });
        for (const [name, { baseline_value: value, uplift }] of Object.entries<any>({ lending, ...more }))
          expect([row.baselines[`${name}_value`], row.uplift[name]]).toEqual([value, uplift]);
        expect(Object.keys(row.uplift)).toEqual(['lending', 'hold']);
        expect(micro(row.uplift.lending) + micro(row.costs)).toBe(micro(lending.gross_uplift));
      }
      expect(sum(rows.map(({ points }) => points))).toBeCloseTo(micro(reports.points.total), -1);
      await closings.write(BASE_MARKET);
      market.pass(DAY_MS / 24);
      expect(await history()).toEqual(rows);
      const next = new Date(market.now().getTime() + DAY_MS).toISOString().slice(0, 10);
      const { status, body } = await partner.api.get(`/partner/statements/${next}`);
      expect([status, body.error?.details]).toEqual([
        400,
        [{ field: 'period', message: 'must not lie in the future' }],
      ]);
    });

    it('Daily closings are filtered by asset and day, limited in length, append-only, and the partner’s own', async () => {
      const rows = await history();
      const [first] = rows;
      expect(await history(`?asset=${first.asset}`)).toEqual([first]);
      expect(await history(`?from=${first.at}&to=${first.as_of}`)).toEqual(rows);
      expect(await history(`?to=${new Date(Date.parse(first.at) - 1).toISOString()}`)).toEqual([]);
      expect(await history('?from=2021-01-01T00:00:00Z&to=2023-09-27T00:00:00Z')).toEqual([]);
      const day = first.at.slice(0, 10);
      expect(await history(`?from=${day}&to=${day}`)).toEqual(rows);
      for (const [query, field] of [
        ['asset=DOGE', 'asset'],
        ['from=2021-01-01T00:00:00Z&to=2023-09-28T00:00:00Z', 'from'],
        ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
        ['from=x', 'from'],
      ])
        expectRefused(await partner.api.get(`/partner/history?${query}`), field!);
      const other = await createPartner(market.app.admin);
      expect((await read('history', other.api)).points).toEqual([]);
      await expect(market.app.sql('UPDATE daily_closings SET deposits = 0')).rejects.toThrow('append-only');
    });

    it('Daily closings with `from` alone have at most 2000 rows of whole days, and next_from in meta for the rest; a CSV of more is refused', async () => {
      const { id, api } = await createPartner(market.app.admin);
      await market.app.sql(
        `INSERT INTO daily_closings
         SELECT $1, asset, day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
           FROM generate_series(timestamptz '2021-01-01Z', timestamptz '2024-01-01Z', interval '1 day') AS day, unnest($2::text[]) AS asset
          WHERE (day, asset) <> ('2021-01-01Z', $3)`,
        [id, assets, assets[0]],
      );
      const page = async (query: string): Promise<any> => (await api.get(`/partner/history?${query}`)).body;
      const first = await page('from=2020-01-01');
      // The first day has one row, so that the 2000th row would be the first of two.
      expect(first.data.points).toHaveLength(1999);
      expect(first.data.points.at(-1).at).toBe('2023-09-27T00:00:00.000Z');
      expect(first.meta).toEqual({ has_more: true, next_from: '2023-09-28T00:00:00.000Z' });
      const rest = await page(`from=${first.meta.next_from}`);
      expect([rest.data.points[0].at, rest.meta]).toEqual([first.meta.next_from, { has_more: false }]);
      expect(first.data.points.length + rest.data.points.length).toBe(2 * 1096 - 1);
      const csv = (query: string): Promise<Answer> =>
        api.get(`/partner/history?${query}`, { accept: 'text/csv' });
      const refused = await csv('from=2020-01-01');
      expectRefused(refused, 'to');
      expect(refused.text).toContain(first.meta.next_from);
      const rows = csvRows((await csv(`from=${first.meta.next_from}`)).text);
      expect(rows).toHaveLength(rest.data.points.length);
    });

    const baselinesOf = async (asset: string, to: string): Promise<any> => {
      const { data } = (await partner.api.get(`/analytics/uplift?asset=${asset}&to=${to}`)).body;
      const each = Object.entries<any>(data.baselines ?? { lending: data });
      return Object.fromEntries(each.map(([name, { realized }]) => [name, realized]));
    };
  });
});
