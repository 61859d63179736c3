import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { DAY_MS, HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { change } from '../support/change.js';
import { Conformance } from '../support/conformance.js';
import { csvRows } from '../support/csv.js';
import { expectRefused } from '../support/fields.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';

const ASSETS = ['USDC', 'USDT0'];
const CSV = { accept: 'text/csv' };
type Row = Record<string, string>;

/** Micro-units of a cell with six exact decimals, or of an amount. */
const micro = (cell: string | number): bigint =>
  BigInt(typeof cell === 'number' ? Math.round(cell * 1e6) : cell.replace('.', ''));
const sumOf = (rows: readonly any[], name: string): bigint =>
  rows.reduce((sum: bigint, row) => sum + micro(row[name]), 0n);

describe('months over the end of a year', () => {
  let market: TestMarket;
  let accountant: Api;
  let conformance: Conformance;
  let year: number;

  const cycle = async (hours: number): Promise<void> => {
    market.pass(hours * HOUR_MS);
    await market.app.application.get(HourlyCycle).run();
  };
  const cycleTo = async (day: string): Promise<void> => {
    while (market.now().toISOString() < day) await cycle(24);
  };
  const csv = async (path: string): Promise<Row[]> => {
    const answer = await accountant.get(path, CSV);
    expect([path, answer.status]).toEqual([path, 200]);
    return csvRows(answer.text);
  };
  const read = async (path: string): Promise<any> => {
    const answer = await accountant.get(path);
    conformance.check('GET', path.replace(/\?.*/, ''), answer);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body.data;
  };

  beforeAll(async () => {
    market = await startMarket('partner', {
      early: true,
      adjust: ({ signals, routing }) => {
        change(signals, { windowHours: 4, minSnapshots: 2 });
        change(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 1 });
        change(routing, { minHoursInVault: 1, returnWindowHours: 0 });
      },
    });
    conformance = await Conformance.of('partner');
    market.holdClock();
    const { app, partner } = market;
    const begin = new Date(Date.UTC(market.now().getUTCFullYear(), 11, 3, 1));
    year = begin.getUTCFullYear() + (begin < market.now() ? 1 : 0);
    market.pass(Date.UTC(year, 11, 3, 1) - market.now().getTime());
    for (let hour = 0; hour < 6; hour++) await cycle(1);
    const { body } = await app.admin.post('/keys', {
      label: 'accountant',
      scopes: ['partner:read'],
      partner_id: partner.id,
    });
    accountant = app.admin.as(body.data.secret);
    const user = await market.createUser();
    const first = await market.deposit(user, 100_000.000001);
    await market.deposit(user, 5_000, 'USDT0');
    await cycleTo(`${year}-12-28`);
    // A move, and with it a cost; and a withdrawal.
    const [vault] = (await accountant.get('/partner/tvl')).body.data.assets[0].vaults;
    market.setYields({ [vault.vault_id]: { apy: 0.001 } });
    for (let hour = 0; hour < 12; hour++) await cycle(1);
    await market.withdraw(first.id, 1_000);
    await cycleTo(`${year + 1}-02-03`);
  }, 300_000);
  afterAll(() => market.close());

  it('The trial balance at a closing is the journal of the month by account, and ties to the statement', async () => {
    const months = [`${year}-12`, `${year + 1}-01`];
    const closing = new Map<string, string>();
    for (const month of months) {
      const statement = await read(`/partner/statements/${month}`);
      const lastDay = new Date(Date.parse(statement.to) - DAY_MS).toISOString().slice(0, 10);
      const balance = await read(`/partner/trial-balance?as_of=${lastDay}`);
      expect([balance.from, balance.as_of]).toEqual([statement.from, statement.to]);
      const rows = await csv(`/partner/trial-balance?as_of=${statement.to}&from=${month}-01`);
      const journal = await csv(`/partner/journal?from=${statement.from}&to=${statement.to}`);
      expect(rows.some(({ account, debits }) => account === 'costs_of_moves' && micro(debits!) > 0n)).toBe(
        month === months[0],
      );
      for (const row of rows) {
        const key = `${row['asset']} ${row['account']}`;
        const lines = journal.filter(({ asset, account }) => `${asset} ${account}` === key);
        expect([key, micro(row['debits']!)]).toEqual([key, sumOf(lines, 'debit')]);
        expect([key, micro(row['credits']!)]).toEqual([key, sumOf(lines, 'credit')]);
        expect([key, row['opening']]).toEqual([key, closing.get(key) ?? '0.000000']);
        expect(micro(row['opening']!) + micro(row['debits']!) - micro(row['credits']!)).toBe(
          micro(row['closing']!),
        );
        closing.set(key, row['closing']!);
      }
      for (const asset of ASSETS) {
        const accounts = rows.filter((row) => row['asset'] === asset);
        expect(sumOf(accounts, 'debits')).toBe(sumOf(accounts, 'credits'));
        expect(sumOf(accounts, 'debits')).toBeGreaterThan(0n);
        for (const name of ['opening', 'closing']) expect(sumOf(accounts, name)).toBe(0n);
        const figures = statement.assets.find((row: any) => row.asset === asset);
        const of = (account: string, name: string): bigint =>
          micro(accounts.find((row) => row['account'] === account)![name]!);
        expect(of('vaults', 'closing')).toBe(micro(figures.closing_value));
        expect(of('vaults', 'opening')).toBe(micro(figures.opening_value));
        expect(of('end_users', 'closing')).toBe(-micro(figures.closing_value));
        expect(of('fees_receivable', 'debits')).toBe(micro(figures.performance_fee));
        expect(of('fee_income', 'credits')).toBe(micro(figures.protocol_revenue));
        expect(of('owed_to_partner', 'credits')).toBe(micro(figures.partner_revenue));
      }
    }
  });

  it('A trial balance of an open day, of part of a day or of a period that ends before it begins is refused', async () => {
    const { as_of: closedUntil } = await read('/partner/trial-balance');
    expect(closedUntil).toBe(`${market.now().toISOString().slice(0, 10)}T00:00:00.000Z`);
    const refused = async (query: string, field: string, message: string): Promise<void> => {
      const answer = await accountant.get(`/partner/trial-balance?${query}`);
      expectRefused(answer, field);
      expect(answer.body.error.details).toEqual([{ field, message: expect.stringContaining(message) }]);
    };
    const last = `the last one ended at ${closedUntil}`;
    await refused(`as_of=${closedUntil.slice(0, 10)}`, 'as_of', last);
    await refused(`as_of=${year + 2}-01-01`, 'as_of', last);
    await refused(`as_of=${year}-12-31T12:00:00Z`, 'as_of', last);
    await refused(`as_of=${year}-12-31&from=${year}-12-30T01:00:00Z`, 'from', 'beginning of a UTC day');
    await refused(`as_of=${year}-12-31&from=${year + 1}-01-02`, 'from', 'must not be after to');
  });

  it('The trial balance of a new partner is zero', async () => {
    const { api } = await createPartner(market.app.admin);
    const { accounts } = (await api.get('/partner/trial-balance')).body.data;
    expect(
      new Set(accounts.flatMap((row: any) => [row.opening, row.debits, row.credits, row.closing])),
    ).toEqual(new Set([0]));
  });
});
