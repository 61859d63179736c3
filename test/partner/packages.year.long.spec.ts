import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { SettlementResolver } from '../../src/domain/routing/settlements/settlement-resolver.js';
import { UserService } from '../../src/domain/tenants/users/user.service.js';
import type { Api } from '../support/api.js';
import { change } from '../support/change.js';
import { packageOf, verified } from '../support/closing-package.js';
import { contradict } from '../support/contradict.js';
import { csvRows } from '../support/csv.js';
import { differencesOf } from '../support/differences.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { zipFiles } from '../support/zip.js';

const USERS = 200;
const ASSETS = ['USDC', 'USDT0'];
const DEPOSITS_A_MONTH = 40;
/** MONTHS: how many are closed. */
const MONTHS = Number(process.env['MONTHS'] ?? 12);

type Row = Record<string, string>;
const micro = (cell: string): bigint => BigInt(cell.replace('.', ''));

/** Adds amounts by key. */
class Sums {
  private readonly sums = new Map<string, bigint>();

  add(key: string, amount: bigint): void {
    this.sums.set(key, this.of(key) + amount);
  }

  of(key: string): bigint {
    return this.sums.get(key) ?? 0n;
  }
}

describe('a year of two assets and 200 users, closed from packages alone', () => {
  let market: TestMarket;
  let accountant: Api;
  const open: string[] = [];

  const pass = async (hours: number): Promise<void> => {
    market.pass(hours * HOUR_MS);
    await market.app.application.get(HourlyCycle).run();
  };

  /** Ends the invoices of the month before the last one, so that those of December end in February. One in three is voided. */
  const settle = async (month: number): Promise<void> => {
    const { app, partner } = market;
    const path = `/partners/${partner.id}/invoices`;
    const { data } = (await app.admin.get(`${path}?status=open&limit=50`)).body;
    const [newest] = data;
    const due = data.filter(({ period }: any) => period !== newest.period);
    for (const { id } of due) {
      const status = month % 3 === 0 ? 'void' : 'paid';
      const answer = await app.admin.post(`${path}/${id}/settle`, { status, reference: `month ${month}` });
      expect(answer.status).toBe(200);
    }
  };

  const live = async (users: readonly string[], month: number): Promise<void> => {
    const { app, partner } = market;
    const vaults = app.settings.vaults.map(({ id }) => id);
    // One vault is better than the others in turn, and the one before it loses.
    const apyOf = (n: number): number =>
      n % 3 === month % 3 ? 0.12 : n % 3 === (month + 2) % 3 ? -0.1 : 0.03;
    market.setYields(Object.fromEntries(vaults.map((id, n) => [id, { apy: apyOf(n) }])));
    for (let n = 0; n < DEPOSITS_A_MONTH; n++) {
      const amount = Number((1_000.000001 + n).toFixed(6));
      const user = users[(month * DEPOSITS_A_MONTH + n) % USERS]!;
      open.push((await market.deposit(user, amount, ASSETS[n % 2])).id);
    }
    for (let hour = 0; hour < 6; hour++) await pass(1);
    await market.withdraw(open.splice(month % open.length, 1)[0]!, null);
    await market.withdraw(open[month % open.length]!, 100.000001);
    const settlement = await contradict(app, open.splice((month * 3) % open.length, 1)[0]!);
    await app.application
      .get(SettlementResolver)
      .resolve({ id: settlement, action: 'void', note: 'Never arrived.', partnerId: null });
    const terms = { revenue_share_bps: 4_100 + 100 * month, performance_fee_bps: 1_000 + 50 * (month % 3) };
    expect((await app.admin.patch(`/partners/${partner.id}`, terms)).status).toBe(200);
    await settle(month);
    const present = market.now().getUTCMonth();
    while (market.now().getUTCMonth() === present) await pass(24);
  };

  beforeAll(async () => {
    market = await startMarket('partner', {
      env: { RATE_LIMIT_PER_MINUTE: '0' },
      adjust: ({ signals, routing }) => {
        change(signals, { windowHours: 4, minSnapshots: 2 });
        change(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 1 });
        change(routing, { minHoursInVault: 1, returnWindowHours: 0 });
      },
    });
    market.holdClock();
    const { app, partner } = market;
    const key = { label: 'accountant', scopes: ['partner:read'], partner_id: partner.id };
    accountant = app.admin.as((await app.admin.post('/keys', key)).body.data.secret);
    const users: string[] = [];
    for (let n = 0; n < USERS; n++)
      users.push((await app.application.get(UserService).create(partner.id, { externalId: `u${n}` })).id);
    for (let month = 0; month < MONTHS; month++) await live(users, month);
  }, 1_200_000);
  afterAll(() => market.close());

  it('A year is closed from packages alone: each verifies and is the same twice, each line ties to the ledger, and each month begins where the last one ended', async () => {
    const { body } = await accountant.get('/partner/statements?limit=50');
    const months: string[] = body.data
      .filter(({ closed }: any) => closed)
      .map(({ period }: any) => period)
      .toReversed();
    expect(months).toHaveLength(MONTHS);
    const [values, balances] = [new Sums(), new Sums()];
    const [types, terms, ends] = [new Set<string>(), new Set<string>(), new Set<string>()];
    let lines = 0;
    for (const period of months) {
      const zip = await packageOf(accountant, period);
      expect((await packageOf(accountant, period)).equals(zip)).toBe(true);
      const files = zipFiles(zip);
      expect([period, await verified(files)]).toEqual([period, '']);
      const rowsOf = (name: string): Row[] => csvRows(files.get(`${name}.csv`)!.toString());
      const sums = new Sums();
      for (const row of rowsOf('ledger')) {
        types.add(row['voids'] === '' ? row['type']! : `void ${row['type']}`);
        const line = `${row['user_id']} ${row['asset']}`;
        const sign = row['type'] === 'withdrawal' ? -1n : row['type'] === 'rebalance' ? 0n : 1n;
        const isFlow = row['type'] === 'deposit' || row['type'] === 'withdrawal';
        sums.add(`${line} ${isFlow ? 'flow' : 'yield'}`, sign * micro(row['amount']!));
        for (const name of ['cost', 'fee', 'partner_revenue']) sums.add(`${line} ${name}`, micro(row[name]!));
      }
      for (const row of rowsOf('users')) {
        lines++;
        const line = `${row['user_id']} ${row['asset']}`;
        const of = (name: string): bigint => micro(row[name]!);
        expect([line, of('opening_value')]).toEqual([line, values.of(line)]);
        expect([line, of('deposits') - of('withdrawals'), of('yield'), of('costs')]).toEqual([
          line,
          ...['flow', 'yield', 'cost'].map((name) => sums.of(`${line} ${name}`)),
        ]);
        expect([line, of('performance_fee'), of('partner_revenue')]).toEqual([
          line,
          ...['fee', 'partner_revenue'].map((name) => sums.of(`${line} ${name}`)),
        ]);
        values.add(line, of('closing_value') - of('opening_value'));
      }
      const journal = new Sums();
      for (const row of rowsOf('journal')) {
        ends.add(row['entry_type']!);
        journal.add(`${row['asset']} ${row['account']}`, micro(row['debit']!) - micro(row['credit']!));
      }
      for (const row of rowsOf('trial-balance')) {
        const account = `${row['asset']} ${row['account']}`;
        const [opening, closing] = [micro(row['opening']!), micro(row['closing']!)];
        expect([account, opening]).toEqual([account, balances.of(account)]);
        expect([account, closing - opening]).toEqual([account, journal.of(account)]);
        balances.add(account, closing - opening);
      }
      const held = rowsOf('terms').map((row) => `${row['from_at']} ${row['performance_fee_bps']}`);
      // What held before holds in each later package.
      expect([...terms].filter((row) => !held.includes(row))).toEqual([]);
      held.forEach((row) => terms.add(row));
    }
    // A void is of the last transfer of a position: of a deposit, or of a withdrawal.
    for (const type of ['deposit', 'withdrawal', 'rebalance', 'yield_accrual', 'void withdrawal'])
      expect([type, types.has(type)]).toEqual([type, true]);
    expect(terms.size).toBe(MONTHS + 1);
    expect([ends.has('invoice_paid'), ends.has('invoice_void')]).toEqual([MONTHS > 3, MONTHS > 3]);
    // What is receivable at the end of the year are the fees of invoices that were open then.
    const invoices = (await accountant.get('/partner/invoices?limit=50')).body.data;
    for (const asset of ASSETS) {
      const due = invoices.filter((invoice: any) => invoice.asset === asset && invoice.status === 'open');
      const fees = due.reduce((sum: bigint, { fee }: any) => sum + micro(Number(fee).toFixed(6)), 0n);
      expect([asset, balances.of(`${asset} fees_receivable`)]).toEqual([asset, fees]);
    }
    expect(lines).toBeGreaterThan(USERS * 2);
    expect(await differencesOf(market.app.application)).toEqual([]);
  }, 600_000);
});
