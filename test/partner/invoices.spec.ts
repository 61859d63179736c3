import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { DAY_MS, HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { change } from '../support/change.js';
import { Conformance } from '../support/conformance.js';
import { csvRows } from '../support/csv.js';
import { differencesOf } from '../support/differences.js';
import { expectError } from '../support/expected-error.js';
import { expectRefused, TIME } from '../support/fields.js';
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

  describe('invoices', () => {
    const invoices = async (query = ''): Promise<any[]> => read(`/partner/invoices${query}`);
    const settle = async (id: string, body: object, headers = {}, of = market.partner.id): Promise<any> => {
      const answer = await market.app.admin.post(`/partners/${of}/invoices/${id}/settle`, body, headers);
      conformance.check('POST', `/partners/${of}/invoices/${id}/settle`, answer);
      return answer;
    };
    const december = () => `${year}-12`;
    const january = () => `${year + 1}-01`;
    const balancesAt = async (day: string): Promise<Map<string, bigint>> => {
      const rows = await csv(`/partner/trial-balance?as_of=${day}`);
      return new Map(rows.map((row) => [`${row['asset']} ${row['account']}`, micro(row['closing']!)]));
    };

    it('A closed month makes one invoice by asset: the fee of its statement, the part of the partner and of the protocol', async () => {
      const all = await invoices();
      expect(all.map(({ period, asset }) => [period, asset]).sort()).toEqual(
        [december(), january()].flatMap((month) => ASSETS.map((asset) => [month, asset])),
      );
      expect(all.map(({ period }) => period)).toEqual([january(), january(), december(), december()]);
      for (const { period, asset, ...invoice } of all) {
        const { assets } = await read(`/partner/statements/${period}`);
        const figures = assets.find((row: any) => row.asset === asset);
        expect(figures.performance_fee).toBeGreaterThan(0);
        expect(invoice).toMatchObject({
          fee: figures.performance_fee,
          partner_revenue: figures.partner_revenue,
          protocol_revenue: figures.protocol_revenue,
          ...{ status: 'open', reference: null, at: null, settled_at: null },
        });
      }
      expect(await csv('/partner/invoices')).toHaveLength(4);
      expect(await invoices(`?period=${december()}`)).toEqual(all.slice(2));
      expect(await invoices(`?period=${year - 1}-12`)).toEqual([]);
      const ofPartner = await market.app.admin.get(`/partners/${market.partner.id}/invoices`);
      expect(ofPartner.body.data).toEqual(all);
    });

    it('Invoices of months that were closed before the upgrade are written with the next closing, once', async () => {
      const { app } = market;
      const before = await invoices();
      const triggers = (state: string): Promise<unknown> =>
        app.sql(`ALTER TABLE invoices ${state} TRIGGER invoices_are_kept`);
      await triggers('DISABLE');
      await app.sql('DELETE FROM invoices');
      await triggers('ENABLE');
      await app.sql('UPDATE statements SET invoiced_at = NULL');
      expect(await differencesOf(app.application)).toEqual([]);
      await cycle(24);
      const without = (rows: any[]): any[] =>
        rows.map(({ id: _, created_at: __, ...row }) => row).sort((a, b) => (a.asset < b.asset ? -1 : 1));
      expect(without(await invoices())).toEqual(without(before));
      expect(await differencesOf(app.application)).toEqual([]);
    });

    it('Invoices are paid and voided over the end of the year: journal and trial balance have both, and closed months keep their bytes', async () => {
      const { app, partner } = market;
      const files = async (): Promise<string[]> => {
        const texts: string[] = [];
        for (const month of [december(), january()]) {
          const { from, to } = await read(`/partner/statements/${month}`);
          for (const path of [
            `/partner/statements/${month}`,
            `/partner/journal?from=${from}&to=${to}`,
            `/partner/trial-balance?as_of=${to}&from=${from}`,
          ])
            texts.push((await accountant.get(path, CSV)).text);
        }
        return texts;
      };
      const closed = await files();
      const today = market.now().toISOString().slice(0, 10);
      const before = await balancesAt(new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10));
      const [paid] = await invoices(`?period=${december()}&status=open`);
      const [voided] = (await invoices(`?period=${january()}`)).filter(({ asset }) => asset === paid.asset);

      for (const [at, message] of [
        [`${year}-12-31T12:00:00Z`, 'must not lie in a closed day'],
        [`${year + 2}-01-01T00:00:00Z`, 'must not lie in the future'],
      ] as const) {
        const answer = await settle(paid.id, { status: 'paid', reference: 'early', at });
        expectRefused(answer, 'at');
        expect(answer.body.error.details[0].message).toContain(message);
      }
      const key = { 'idempotency-key': 'payment' };
      const body = { status: 'paid', reference: 'SEPA 4711', at: `${today}T00:00:00Z` };
      const first = await settle(paid.id, body, key);
      expect(first.body.data).toEqual({
        ...paid,
        ...{ status: 'paid', reference: 'SEPA 4711', at: `${today}T00:00:00.000Z`, settled_at: TIME },
      });
      const replayed = await settle(paid.id, body, key);
      expect([replayed.status, replayed.text]).toEqual([200, first.text]);
      const again = await settle(paid.id, { status: 'void', reference: 'twice' });
      expectError(again, 409, 'invoice_settled');
      expect(again.body.error.message).toMatch(/is paid already.*"SEPA 4711"/);
      const second = await settle(voided.id, { status: 'void', reference: '=written off' });
      expect(second.body.data).toMatchObject({ status: 'void', reference: '=written off' });
      expect(await invoices('?status=paid')).toEqual([first.body.data]);
      expect((await invoices('?status=open')).map(({ id }) => id)).not.toContain(paid.id);

      expect(await files()).toEqual(closed);
      await cycle(24);
      expect(await files()).toEqual(closed);
      const after = await balancesAt(today);
      const { assets } = await read(`/partner/statements/${today}`);
      for (const asset of ASSETS) {
        const figures = assets.find((row: any) => row.asset === asset);
        const isOf = asset === paid.asset ? 1n : 0n;
        const of = (name: 'fee' | 'partner_revenue' | 'protocol_revenue', ...some: any[]): bigint =>
          isOf * some.reduce((sum: bigint, invoice) => sum + micro(invoice[name]), 0n);
        const change = (account: string): bigint =>
          after.get(`${asset} ${account}`)! - before.get(`${asset} ${account}`)!;
        expect(change('fees_receivable')).toBe(micro(figures.performance_fee) - of('fee', paid, voided));
        expect(change('fee_income')).toBe(-micro(figures.protocol_revenue) + of('protocol_revenue', voided));
        expect(change('owed_to_partner')).toBe(
          -micro(figures.partner_revenue) + of('partner_revenue', paid, voided),
        );
        expect(change('settled_outside')).toBe(of('protocol_revenue', paid));
      }
      const journal = await read('/partner/journal?limit=500');
      const ends = journal.filter(({ invoice_id }: any) => invoice_id !== null);
      expect(
        ends.map(({ entry_type, invoice_id, user_id }: any) => [entry_type, invoice_id, user_id]),
      ).toEqual([
        ['invoice_void', voided.id, null],
        ['invoice_paid', paid.id, null],
      ]);
      for (const { lines } of journal) expect(sumOf(lines, 'debit')).toBe(sumOf(lines, 'credit'));
      expect(journal.map(({ id }: any) => id)).toEqual(
        journal
          .map(({ id }: any) => id)
          .sort()
          .reverse(),
      );
      expect(await read('/partner/journal?type=invoice_void')).toEqual([ends[0]]);
      expect(await read(`/partner/journal?after=${ends[1].id}`)).toEqual(
        journal.slice(0, journal.indexOf(ends[1])).reverse(),
      );
      const paged: any[] = [];
      for (let cursor = ''; ;) {
        const page = (await accountant.get(`/partner/journal?limit=3${cursor}`)).body;
        paged.push(...page.data);
        if (!page.meta.has_more) break;
        cursor = `&cursor=${page.meta.next_cursor}`;
      }
      expect(paged).toEqual(journal);
      const rows = await csv('/partner/journal?type=invoice_void');
      expect(rows.map(({ note }) => note)).toEqual(
        rows.map(() => expect.stringMatching(/voided: =written off$/)),
      );

      const audit = await app.admin.get(`/audit?subject=${paid.id}`);
      expect(audit.body.data).toEqual([
        expect.objectContaining({
          operation: 'settleInvoice',
          subjects: expect.arrayContaining([partner.id, paid.id]),
          before: { [paid.id]: { status: 'open', reference: null, at: null } },
          after: { [paid.id]: { status: 'paid', reference: 'SEPA 4711', at: `${today}T00:00:00.000Z` } },
        }),
      ]);
      expect(await differencesOf(app.application)).toEqual([]);
    });

    it('An invoice of another partner is not found, and a partner cannot settle its own', async () => {
      const [invoice] = await invoices('?status=open');
      const other = await createPartner(market.app.admin);
      const body = { status: 'paid', reference: 'foreign' };
      expectError(await settle(invoice.id, body, {}, other.id), 404, 'not_found');
      expectError(await settle('inv_1', body), 404, 'not_found');
      expect((await other.api.get('/partner/invoices')).body.data).toEqual([]);
      const path = `/partners/${market.partner.id}/invoices`;
      expectError(await accountant.get(path), 403, 'insufficient_scope');
      expectError(await accountant.post(`${path}/${invoice.id}/settle`, body), 403, 'insufficient_scope');
      expect(await invoices(`?period=${invoice.period}&status=open`)).toContainEqual(invoice);
    });

    it('The verifier finds an invoice that was changed, removed, settled without the audit log, or settled otherwise', async () => {
      const { app } = market;
      const changed = async (sql: string, undo: string): Promise<string[]> => {
        const run = (text: string): Promise<unknown> =>
          app.sql(`SET session_replication_role = replica; ${text}; SET session_replication_role = origin`);
        await run(sql);
        const found = await differencesOf(app.application);
        await run(undo);
        return found;
      };
      const [open] = await invoices('?status=open');
      const [paid] = await invoices('?status=paid');
      const subject = `invoices ${market.partner.id} ${open.asset} ${open.period}`;
      const one = `WHERE id = '${open.id}'`;
      for (const name of ['fee', 'partner_revenue'])
        expect(
          await changed(
            `UPDATE invoices SET ${name} = ${name} + 1 ${one}`,
            `UPDATE invoices SET ${name} = ${name} - 1 ${one}`,
          ),
        ).toEqual([expect.stringMatching(`^${subject}: says .* but according to the closings`)]);
      expect(
        await changed(
          `CREATE TABLE kept AS SELECT * FROM invoices ${one}; DELETE FROM invoices ${one}`,
          'INSERT INTO invoices SELECT * FROM kept; DROP TABLE kept',
        ),
      ).toEqual([expect.stringMatching(`^${subject}: is not there`)]);
      expect(
        await changed(
          `INSERT INTO invoice_entries SELECT 'evt_0', id, partner_id, 'paid', 'x', now(), now() FROM invoices ${one}`,
          `DELETE FROM invoice_entries WHERE id = 'evt_0'`,
        ),
      ).toEqual([expect.stringMatching('^invoice_entries evt_0: is in no entry of the audit log')]);
      expect(
        await changed(
          `UPDATE invoice_entries SET status = 'void' WHERE invoice_id = '${paid.id}'`,
          `UPDATE invoice_entries SET status = 'paid' WHERE invoice_id = '${paid.id}'`,
        ),
      ).toEqual([
        expect.stringMatching(
          `^invoices ${paid.id}: status is "void", but according to the audit log it is "paid"`,
        ),
      ]);
      expect(await differencesOf(app.application)).toEqual([]);
    });
  });
});
