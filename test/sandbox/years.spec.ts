import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { csvRows } from '../support/csv.js';
import type { TestApp } from '../support/app.js';
import { Account, startSandboxAt } from './account.js';

const micro = (amount: number): number => Math.round(amount * 1e6);
const FLOWS = ['deposits', 'withdrawals', 'yield', 'costs', 'performance_fee', 'partner_revenue'];
/** Figures of a row as whole numbers, without those that only some answers have. */
const figuresOf = ({ asset: _, expected_costs: __, uplift, ...row }: any): Record<string, number> =>
  Object.fromEntries(Object.entries({ ...row, ...uplift }).map(([name, of]) => [name, micro(of as number)]));
const sumOf = (rows: any[], name: string): number => rows.reduce((total, row) => total + micro(row[name]), 0);

describe('statements of a year', () => {
  let app: TestApp;
  let account: Account;
  let second: string;

  beforeAll(async () => {
    app = await startSandboxAt('2026-12-20T09:10:00.000Z');
    account = await Account.open(app, 'years');
    const [asset, other] = app.settings.constants.assets;
    second = (await account.api.post('/users', { external_id: 'second' })).body.data.id;
    const first = await account.deposit(10_000.000001, asset);
    await account.deposit(2_000, other);
    await account.deposit(3_000.5, asset, second);
    await account.advance(5 * 24);
    await account.withdraw(first.id, 4_000.123456);
    await account.advance(10 * 24);
    await account.deposit(500, asset);
    await account.withdraw(first.id);
    await account.advance(2 * 24);
  }, 120_000);
  afterAll(() => app.close());

  it('The list of years, months and days has the figures of each statement, as JSON and CSV', async () => {
    for (const interval of ['year', 'month', 'day']) {
      const listed = await account.list(`/partner/statements?interval=${interval}`, 2);
      expect(new Set(listed.map(({ period }) => period)).size).toBe(listed.length);
      for (const { assets, totals, ...period } of listed) {
        const statement = await account.read(`/partner/statements/${period.period}`);
        expect(statement).toMatchObject(period);
        expect(assets.map(figuresOf)).toEqual(statement.assets.map(figuresOf));
        expect(figuresOf(totals)).toEqual(figuresOf(statement.totals));
        expect(assets.map(({ asset }: any) => asset)).toEqual(app.settings.constants.assets);
      }
      const csv = await account.api.get(`/partner/statements?interval=${interval}`, { accept: 'text/csv' });
      const lines = listed.flatMap(({ period, assets }) => assets.map((row: any) => ({ period, ...row })));
      expect(
        csvRows(csv.text).map(({ period, asset, closing_value }) => [period, asset, closing_value]),
      ).toEqual(lines.map(({ period, asset, closing_value }) => [period, asset, closing_value.toFixed(6)]));
    }
  }, 60_000);

  it('A year is the sum of its months, closes with its last day, and until then ends with the last closed one', async () => {
    const years = await account.list('/partner/statements?interval=year');
    expect(years.map(({ period, from, to, closed }) => [period, from, to, closed])).toEqual([
      ['2027', '2027-01-01T00:00:00.000Z', '2027-01-06T00:00:00.000Z', false],
      ['2026', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', true],
    ]);
    const months = await account.list('/partner/statements');
    expect(months.map(({ period }) => period)).toEqual(['2027-01', '2026-12']);
    for (const [index, { totals }] of years.entries())
      for (const name of FLOWS) expect(totals[name]).toBe(months[index].totals[name]);
    expect(years[0].totals.opening_value).toBe(years[1].totals.closing_value);
    expect(years[1].totals.opening_value).toBe(0);
    for (const [period, message] of [
      ['2028', 'must not lie in the future'],
      ['202', 'must be a year, YYYY, a month, YYYY-MM, or a day, YYYY-MM-DD'],
      ['2026-13', 'must be a year, YYYY, a month, YYYY-MM, or a day, YYYY-MM-DD'],
    ])
      for (const path of [`/partner/statements/${period}`, `/partner/statements/${period}/users`])
        expect((await account.api.get(path)).body.error.details).toEqual([{ field: 'period', message }]);
  });

  it('The year of an end-user is what its ledger has of it, by asset and at par, and end-users add up to the statement', async () => {
    const ledger = await account.list('/partner/ledger');
    for (const year of ['2026', '2027']) {
      const statement = await account.read(`/partner/statements/${year}`);
      const users = await account.list(`/partner/statements/${year}/users`, 1);
      expect(users.map(({ user_id }) => user_id).sort()).toEqual([account.userId, second].sort());
      for (const { user_id, assets, totals } of users) {
        expect(await account.list(`/partner/statements/${year}/users?ids=${user_id}`)).toEqual([
          expect.objectContaining({ user_id, assets, totals }),
        ]);
        for (const row of assets) {
          const entries = ledger.filter(
            ({ asset, user_id: of, at, type }) =>
              asset === row.asset &&
              of === user_id &&
              // The accrual of the first midnight belongs to the year that it ends.
              (at > statement.from || (at === statement.from && type !== 'yield_accrual')) &&
              (at < statement.to || (at === statement.to && type === 'yield_accrual')),
          );
          const sum = (type: string): number =>
            sumOf(
              entries.filter((entry) => entry.type === type),
              'amount',
            );
          const expected = {
            deposits: sum('deposit'),
            withdrawals: sum('withdrawal'),
            yield: sum('yield_accrual'),
            costs: sumOf(entries, 'cost'),
            performance_fee: sumOf(entries, 'fee'),
          };
          expect(figuresOf(row)).toMatchObject(expected);
          const { opening_value, closing_value } = figuresOf(row);
          expect(closing_value).toBe(
            opening_value! + expected.deposits - expected.withdrawals + expected.yield - expected.costs,
          );
        }
        for (const name of [...FLOWS, 'opening_value', 'closing_value'])
          expect([name, micro(totals[name])]).toEqual([name, sumOf(assets, name)]);
      }
      for (const { asset, ...whole } of statement.assets) {
        const parts = users.flatMap(({ assets }) => assets.filter((row: any) => row.asset === asset));
        for (const name of [...FLOWS, 'opening_value', 'closing_value'])
          expect([asset, name, sumOf(parts, name)]).toEqual([asset, name, micro(whole[name])]);
      }
      const csv = await account.api.get(`/partner/statements/${year}/users`, { accept: 'text/csv' });
      expect(csvRows(csv.text)).toHaveLength(users.flatMap(({ assets }) => assets).length);
    }
  });
});
