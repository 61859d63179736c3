import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { SettlementResolver } from '../../src/domain/routing/settlements/settlement-resolver.js';
import { UserService } from '../../src/domain/tenants/users/user.service.js';
import type { Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { contradict } from '../support/contradict.js';
import { csvRows } from '../support/csv.js';
import { differencesOf } from '../support/differences.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { change } from '../support/change.js';

const USERS = 200;
const MONTHS = 4;
const ASSETS = ['USDC', 'USDT0'];
const CSV = { accept: 'text/csv' };
const DAY_MS = 24 * HOUR_MS;
/** Micro-units of a cell with six exact decimals. */
const micro = (cell: string | number): bigint =>
  BigInt(typeof cell === 'number' ? Math.round(cell * 1e6) : cell.replace('.', ''));
type Row = Record<string, string>;

/** Entries of an end-user in an asset whose fee is not what docs/accounting.md makes of their amounts and terms. */
function recomputed(entries: Row[]): Row[] {
  const bases = new Map<string, bigint>();
  let [carried, fee, part] = [0n, 0n, 0n];
  const inOrder = entries.toSorted((a, b) => (`${a['at']} ${a['id']}` < `${b['at']} ${b['id']}` ? -1 : 1));
  return inOrder.filter((row) => {
    const [amount, before] = [micro(row['amount']!), carried];
    carried += micro(row['cost']!);
    // The fraction that a withdrawal takes is of the value of all positions at that moment.
    if (row['type'] === 'withdrawal') carried += micro(row['carried_loss']!);
    if (row['type'] === 'yield_accrual') {
      const terms = `${row['performance_fee_bps']} ${row['revenue_share_bps']}`;
      const isReversal = row['voids'] !== '' && amount < 0n;
      const base =
        (bases.get(terms) ?? 0n) + (isReversal ? amount : amount > carried ? amount - carried : 0n);
      if (isReversal) carried += base < 0n ? -base : 0n;
      else carried = amount > carried ? 0n : carried - amount;
      bases.set(terms, base > 0n ? base : 0n);
    }
    const [feeBefore, partBefore] = [fee, part];
    [fee, part] = [0n, 0n];
    for (const [terms, base] of bases) {
      const [feeBps, shareBps] = terms.split(' ').map(BigInt);
      const charged = (base * feeBps! + 9_999n) / 10_000n;
      fee += charged;
      part += (charged * shareBps!) / 10_000n;
    }
    const added = [fee - feeBefore, part - partBefore, carried - before];
    return ['fee', 'partner_revenue', 'carried_loss'].some(
      (name, index) => micro(row[name]!) !== added[index],
    );
  });
}

describe('monthly statements, read with partner:read alone', () => {
  let market: TestMarket;
  let accountant: Api;
  const open: string[] = [];

  const cycle = async (hours: number): Promise<void> => {
    market.pass(hours * HOUR_MS);
    await market.app.application.get(HourlyCycle).run();
  };
  const csv = async (path: string): Promise<Row[]> => {
    const answer = await accountant.get(path, CSV);
    expect([path, answer.status]).toEqual([path, 200]);
    return csvRows(answer.text);
  };
  /** Closed months, each by one of its assets. */
  const months = async (): Promise<Row[]> =>
    (await csv('/partner/statements')).filter(
      ({ closed, asset }) => closed === 'true' && asset === ASSETS[0],
    );

  beforeAll(async () => {
    market = await startMarket('partner', {
      adjust: ({ signals, routing }) => {
        change(signals, { windowHours: 4, minSnapshots: 2 });
        change(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 1 });
        change(routing, { minHoursInVault: 1, returnWindowHours: 0 });
      },
    });
    market.holdClock();
    const { app, partner } = market;
    const { body } = await app.admin.post('/keys', {
      label: 'accountant',
      scopes: ['partner:read'],
      partner_id: partner.id,
    });
    accountant = app.admin.as(body.data.secret);
    const users: string[] = [];
    for (let n = 0; n < USERS; n++)
      users.push((await app.application.get(UserService).create(partner.id, { externalId: `u${n}` })).id);
    const vaults = app.settings.vaults.map(({ id }) => id);
    for (let round = 0; (await months()).length < MONTHS; round++) {
      // One vault is better than the others in turn, and the one before it loses.
      market.setYields(
        Object.fromEntries(
          vaults.map((id, n) => [
            id,
            { apy: n % 3 === round % 3 ? 0.12 : n % 3 === (round + 2) % 3 ? -0.1 : 0.03 },
          ]),
        ),
      );
      for (let n = 0; n < 24; n++) {
        const user = users[(round * 24 + n) % USERS]!;
        open.push((await market.deposit(user, 1_000.000001 + n, ASSETS[n % 2])).id);
      }
      for (let hour = 0; hour < 6; hour++) await cycle(1);
      if (round > 2) await market.withdraw(open.splice(round % open.length, 1)[0]!, null);
      await market.withdraw(open[round % open.length]!, 100.000001);
      const voided = open.splice((round * 3) % open.length, 1)[0]!;
      const settlement = await contradict(app, voided);
      await app.application
        .get(SettlementResolver)
        .resolve({ id: settlement, action: 'void', note: 'Never arrived.', partnerId: null });
      const share = {
        revenue_share_bps: 4_000 + 100 * (round % 7),
        performance_fee_bps: 1_000 + 50 * (round % 3),
      };
      expect((await app.admin.patch(`/partners/${partner.id}`, share)).status).toBe(200);
      for (let day = 0; day < 7; day++) await cycle(24);
    }
  }, 300_000);
  afterAll(() => market.close());

  it('Monthly statements read with partner:read alone reconcile with ledger, fees and journal, by user, asset and month', async () => {
    const [ledger, journal] = [await csv('/partner/ledger'), await csv('/partner/journal')];
    const types = new Set(ledger.map(({ type }) => type));
    expect(types).toEqual(new Set(['deposit', 'withdrawal', 'rebalance', 'yield_accrual']));
    expect(ledger.some(({ type, amount }) => type === 'yield_accrual' && amount!.startsWith('-'))).toBe(true);
    expect(ledger.some(({ note }) => note!.startsWith('Void of the deposit'))).toBe(true);
    expect(new Set(ledger.map(({ asset }) => asset))).toEqual(new Set(ASSETS));
    // The accrual of a midnight belongs to the day that it ends.
    const monthOf = ({ at, type, decision_id }: Row): string => {
      const time = Date.parse(at!);
      const ends = type === 'yield_accrual' && decision_id === '' && time % DAY_MS === 0;
      return new Date(ends ? time - 1 : time).toISOString().slice(0, 7);
    };
    const sums = new Map<
      string,
      { flows: bigint; earned: bigint; costs: bigint; fee: bigint; part: bigint }
    >();
    for (const entry of ledger) {
      const key = `${monthOf(entry)} ${entry['user_id']} ${entry['asset']}`;
      const sum = sums.get(key) ?? { flows: 0n, earned: 0n, costs: 0n, fee: 0n, part: 0n };
      const amount = micro(entry['amount']!);
      if (entry['type'] === 'deposit') sum.flows += amount;
      if (entry['type'] === 'withdrawal') sum.flows -= amount;
      if (entry['type'] === 'yield_accrual') sum.earned += amount;
      sum.costs += micro(entry['cost']!);
      sum.fee += micro(entry['fee']!);
      sum.part += micro(entry['partner_revenue']!);
      sums.set(key, sum);
    }
    const closed = (await months()).map(({ period }) => period!).sort();
    expect(closed.length).toBeGreaterThanOrEqual(MONTHS);
    const last = new Map<string, bigint>();
    let [lines, expected] = [0, 0n];
    for (const period of closed) {
      const { body } = await accountant.get(`/partner/statements/${period}`);
      const whole = new Map<string, bigint>(
        body.data.assets.map((row: any) => [row.asset, micro(row.closing_value)]),
      );
      const expectedOf = new Map<string, bigint>(
        body.data.assets.map((row: any) => [row.asset, micro(row.expected_costs)]),
      );
      for (const row of await csv(`/partner/statements/${period}/users`)) {
        lines++;
        const userExpected = micro(row['expected_costs']!);
        expected += userExpected;
        expectedOf.set(row['asset']!, expectedOf.get(row['asset']!)! - userExpected);
        const key = `${row['user_id']} ${row['asset']}`;
        const zero = { flows: 0n, earned: 0n, costs: 0n, fee: 0n, part: 0n };
        const sum = sums.get(`${period} ${key}`) ?? zero;
        const [opening, closing] = [micro(row['opening_value']!), micro(row['closing_value']!)];
        expect([key, micro(row['deposits']!) - micro(row['withdrawals']!)]).toEqual([key, sum.flows]);
        expect([key, micro(row['yield']!), micro(row['costs']!)]).toEqual([key, sum.earned, sum.costs]);
        expect([key, micro(row['performance_fee']!), micro(row['partner_revenue']!)]).toEqual([
          key,
          sum.fee,
          sum.part,
        ]);
        expect([key, opening]).toEqual([key, last.get(key) ?? 0n]);
        expect([key, closing]).toEqual([key, opening + sum.flows + sum.earned - sum.costs]);
        last.set(key, closing);
        whole.set(row['asset']!, whole.get(row['asset']!)! - closing);
      }
      for (const remainders of [whole, expectedOf])
        expect([period, [...remainders.values()].filter((remainder) => remainder !== 0n)]).toEqual([
          period,
          [],
        ]);
    }
    expect(expected).toBeGreaterThan(0n);
    expect(lines).toBeGreaterThan(USERS * 2);
    const { body } = await accountant.get('/partner/revenue');
    for (const row of body.data.assets) {
      const assetEntries = ledger.filter(({ asset }) => asset === row.asset);
      const sum = (name: string): bigint =>
        assetEntries.reduce((all, entry) => all + micro(entry[name]!), 0n);
      expect([row.asset, sum('fee'), sum('partner_revenue')]).toEqual([
        row.asset,
        micro(row.performance_fee),
        micro(row.partner_revenue),
      ]);
    }
    for (const [user, userEntries] of Map.groupBy(ledger, (row) => `${row['user_id']} ${row['asset']}`))
      expect([user, recomputed(userEntries)]).toEqual([user, []]);
    const sumsOf = (which: Row[]): bigint[] =>
      ['debit', 'credit'].map((side) => which.reduce((all, row) => all + micro(row[side]!), 0n));
    const booked = Map.groupBy(journal, ({ id }) => id!);
    for (const entry of ledger) {
      const [debits, credits] = sumsOf(booked.get(entry['id']!) ?? []);
      expect([entry['id'], debits]).toEqual([entry['id'], credits]);
    }
    const reported = ledger.filter((row) => monthOf(row) <= closed.at(-1)!);
    const ids = new Set(reported.map(({ id }) => id));
    for (const [asset, assetRows] of Map.groupBy(reported, (row) => row['asset'])) {
      const sum = (names: string[]): bigint =>
        assetRows.reduce((all, row) => all + names.reduce((of, name) => of + micro(row[name]!), 0n), 0n);
      const of = (account: string): bigint[] =>
        sumsOf(
          journal.filter((row) => row['account'] === account && row['asset'] === asset && ids.has(row['id'])),
        );
      const [debited, credited] = of('fees_receivable');
      expect(debited! - credited!).toBe(sum(['fee']));
      expect(of('costs_of_moves')).toEqual([sum(['cost']), sum(['cost'])]);
      const [paidIn, paidOut] = of('end_users');
      const value = [...last].filter(([key]) => key.endsWith(` ${asset}`));
      expect([asset, paidOut! - paidIn!]).toEqual([asset, value.reduce((all, [, value]) => all + value, 0n)]);
    }
    expect(await differencesOf(market.app.application)).toEqual([]);
  }, 60_000);

  it('Monthly statements, read with partner:read alone are verified: a closing altered by a micro-unit is reported, and the database refuses deletions', async () => {
    const sums = ['deposits', 'withdrawals', 'accrued', 'costs', 'fee', 'partner_revenue', 'carried_loss'];
    await market.app.sql('ALTER TABLE daily_closings DISABLE TRIGGER daily_closings_are_final');
    for (const name of sums) {
      const altered = (by: number): Promise<unknown[]> =>
        market.app.sql(`UPDATE daily_closings SET ${name} = ${name} + ${by} WHERE asset = 'USDC'
               AND day = (SELECT min(day) + interval '40 days' FROM daily_closings)`);
      await altered(1);
      expect([name, await differencesOf(market.app.application)]).toEqual([
        name,
        expect.arrayContaining([expect.stringMatching(/^daily_closings .* USDC /)]),
      ]);
      await altered(-1);
    }
    await market.app.sql('ALTER TABLE daily_closings ENABLE TRIGGER daily_closings_are_final');
    await market.app.sql('ALTER TABLE closed_books DISABLE TRIGGER closed_books_are_final');
    for (const [list, name] of [
      ['totals', 'accrued'],
      ['revenue', 'fee'],
    ])
      await market.app.sql(
        `UPDATE closed_books SET books = jsonb_set(books, '{${list},0,${name}}', to_jsonb(((books #>> '{${list},0,${name}}')::numeric + 1)::text))
          WHERE day = (SELECT min(day) + interval '4${list!.length} days' FROM closed_books)`,
      );
    await market.app.sql('ALTER TABLE closed_books ENABLE TRIGGER closed_books_are_final');
    expect(await differencesOf(market.app.application)).toEqual([
      expect.stringMatching(/^closed_books /),
      expect.stringMatching(/^closed_books /),
    ]);
    for (const table of ['daily_closings', 'closed_books'])
      for (const change of [`DELETE FROM ${table}`, `TRUNCATE ${table}`])
        await expect(market.app.sql(change)).rejects.toThrow('is append-only');
  }, 60_000);

  it('Monthly statements, read with partner:read alone have the exact text of an amount that a double cannot represent, in reports, lists and CSV', async () => {
    const conformance = await Conformance.of('partner');
    const whale = await createPartner(market.app.admin);
    const user = await market.createUser(whale);
    for (let count = 0; count < 10; count++) await market.deposit(user, 999_999_999.999999);
    const exact = '9999999999.999990';
    const summary = await whale.api.get('/partner/summary');
    conformance.check('GET', '/partner/summary', summary);
    expect(summary.body.data.totals).toMatchObject({ deposits: 9_999_999_999.99999, deposits_exact: exact });
    expect(summary.body.data.totals).not.toHaveProperty('withdrawals_exact');
    const users = await whale.api.get('/partner/users');
    conformance.check('GET', '/partner/users', users);
    expect(users.body.data[0].net_tvl_exact).toBe(exact);
    expect(csvRows((await whale.api.get('/partner/users', CSV)).text)[0]!['net_tvl']).toBe(exact);
    // The day of the deposits ends, which may have begun with this hour.
    do await cycle(1);
    while (market.now().getUTCHours() !== 0);
    const day = new Date(market.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    const path = `/partner/statements/${day}/users`;
    const [shownUser] = users.body.data;
    for (const [ids, count] of [
      [shownUser.id, 1],
      ['usr_01kaabcdefghjkmnpqrstvwxyz', 0],
    ])
      expect((await whale.api.get(`${path}?ids=${ids}`)).body.data).toHaveLength(count as number);
    const statement = await whale.api.get(path);
    conformance.check('GET', path, statement);
    const [{ assets }] = statement.body.data;
    const [row] = csvRows((await whale.api.get(path, CSV)).text);
    expect([row!['deposits'], row!['closing_value']]).toEqual([exact, assets[0].closing_value_exact]);
    expect(assets[0].deposits_exact).toBe(exact);
  }, 60_000);
});
