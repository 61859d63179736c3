import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VaultlinePartner } from '../../sdk/src/partner.client.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { LedgerService } from '../../src/domain/books/ledger/ledger.service.js';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { Clock, DAY_MS } from '../../src/domain/kernel/clock.js';
import { UserService } from '../../src/domain/tenants/users/user.service.js';
import type { Api } from '../support/api.js';
import { change } from '../support/change.js';
import { filesOf, packageOf, verified } from '../support/closing-package.js';
import { vaultline } from '../support/command.js';
import { csvRows } from '../support/csv.js';
import { expectError } from '../support/expected-error.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { until } from '../support/until.js';

const FILES = [
  ...['statement.csv', 'users.csv', 'trial-balance.csv', 'journal.csv', 'ledger.csv', 'terms.csv'],
  ...['reserves.csv', 'statement.html', 'manifest.json'],
];
const NAMES = ['o;=1+1', '"quoted", user', 'plain'];

describe('closing packages, read with partner:read alone', () => {
  let market: TestMarket;
  let accountant: Api;
  let period: string;
  let first: Buffer;
  const path = (of = period): string => `/partner/statements/${of}/package`;

  /** Days up to the next month. */
  const passMonth = async (): Promise<void> => {
    const month = market.now().getUTCMonth();
    while (market.now().getUTCMonth() === month) await passDay();
  };
  const passDay = async (): Promise<void> => {
    market.pass(DAY_MS);
    await market.app.application.get(HourlyCycle).run();
  };
  const pay = async (): Promise<void> => {
    const users = await accountant.get('/partner/users');
    for (const { id } of users.body.data) {
      const { id: position } = await market.deposit(id, 1_000.000001, 'USDC');
      await market.deposit(id, 500, 'USDT0');
      await market.withdraw(position, 10.5);
    }
  };

  beforeAll(async () => {
    market = await startMarket('partner', { early: true });
    market.holdClock();
    const { app, partner } = market;
    const key = { label: 'accountant', scopes: ['partner:read'], partner_id: partner.id };
    accountant = app.admin.as((await app.admin.post('/keys', key)).body.data.secret);
    await app.admin.patch(`/partners/${partner.id}`, { name: 'A & B <Ltd>' });
    for (const externalId of NAMES) await app.application.get(UserService).create(partner.id, { externalId });
    await app.application.get(LedgerVerifier).runNightly(() => undefined);
    period = market.now().toISOString().slice(0, 7);
    await pay();
    await passMonth();
    first = await packageOf(accountant, period);
  }, 120_000);
  afterAll(() => market.close());

  it('A closed month is a ZIP of its files, which the script of docs/accounting.md verifies', async () => {
    const files = await filesOf(accountant, period);
    expect([...files.keys()]).toEqual(FILES);
    expect(await verified(files)).toBe('');
    // The date that ZIP has of the first file: the last day of the month, at noon, without a time zone.
    const day = new Date(Date.parse(`${market.now().toISOString().slice(0, 7)}-01`) - DAY_MS);
    expect([first.readUInt16LE(10), first.readUInt16LE(12)]).toEqual([
      12 << 11,
      ((day.getUTCFullYear() - 1980) << 9) | ((day.getUTCMonth() + 1) << 5) | day.getUTCDate(),
    ]);
    const manifest = JSON.parse(files.get('manifest.json')!.toString());
    expect(manifest).toMatchObject({
      format: 1,
      partner_id: market.partner.id,
      period,
      at_closing: {
        partner_name: 'A & B <Ltd>',
        version: '1.0.0',
        configuration: { environment: 'live', settlement: 'instant', custody: 'shared' },
        verification: { full: true, differences: 0 },
        audit_head: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    const page = files.get('statement.html')!.toString();
    expect(page).toContain('A &amp; B &lt;Ltd&gt;');
    expect(page).not.toMatch(/<script|https?:/);
    const rowsOf = (name: string) => csvRows(files.get(name)!.toString());
    expect(new Set(rowsOf('users.csv').map(({ external_id }) => external_id))).toEqual(
      new Set(["o;'=1+1", '"quoted", user', 'plain']),
    );
    const ledger = await accountant.get(`/partner/ledger?from=${manifest.from}&to=${manifest.to}&limit=500`);
    expect(rowsOf('ledger.csv').map(({ id }) => id)).toEqual(
      ledger.body.data.map(({ id }: any) => id).toReversed(),
    );
    const { body } = await accountant.get(`/partner/statements/${period}`);
    for (const row of rowsOf('statement.csv'))
      expect(body.data.assets.find(({ asset }: any) => asset === row['asset'])).toMatchObject({
        closing_value: Number(row['closing_value']),
        performance_fee: Number(row['performance_fee']),
        uplift: { lending: Number(row['lending_uplift']), hold: Number(row['hold_uplift']) },
      });
  });

  it('A common ZIP program reads a package', async () => {
    const out = join(await mkdtemp(join(tmpdir(), 'zip-')), 'package.zip');
    const { code } = await command('--partner', market.partner.id, '--period', period, '--out', out);
    expect(code).toBe(0);
    const { status, stdout } = spawnSync('python3', ['-m', 'zipfile', '-t', out], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, 'Done testing\n']);
  });

  const command = async (...args: string[]) => {
    // A command has its own clock, which is behind the test's.
    using _ = change(Clock.prototype, { now: () => market.now() });
    return await vaultline(['--contract', 'partner', 'closing', 'package', ...args], {
      DATABASE_URL: market.app.database.url,
      SECRETS_KEY: market.app.settings.secretsKey.toString('base64'),
    });
  };

  it('A changed digit, a missing row and a changed manifest do not pass the script', async () => {
    const files = await filesOf(accountant, period);
    const altered = (name: string, alter: (text: string) => string) =>
      verified(new Map([...files, [name, Buffer.from(alter(files.get(name)!.toString()))]]));
    expect(await altered('ledger.csv', (text) => text.replace('1000.000001', '1000.000002'))).toMatch(
      /SHA-256 of ledger.csv[\s\S]*amount of USDC in ledger.csv/,
    );
    expect(await altered('users.csv', (text) => text.replace(/[^\n]*\n$/, ''))).toMatch(/rows of users.csv/);
    expect(
      await altered('manifest.json', (text) =>
        text.replace('"opening_value": "0.0', '"opening_value": "0.1'),
      ),
    ).toMatch(/opening_value of \w+ in statement.csv/);
  });

  it('A package is the same bytes after payments, a released id, a new name, deleted readings and other assets', async () => {
    const { app, partner } = market;
    await pay();
    await passDay();
    await app.application.get(UserService).release(partner.id, 'plain');
    await app.admin.patch(`/partners/${partner.id}`, { name: 'Renamed' });
    await app.sql('DELETE FROM reserves');
    await app.application.get(UserService).create(partner.id, { externalId: 'plain' });
    {
      using _assets = change(app.settings.constants, { assets: app.settings.constants.assets.toReversed() });
      expect((await packageOf(accountant, period)).equals(first)).toBe(true);
    }
    const client = new VaultlinePartner({ baseUrl: accountant.url, apiKey: accountant.key! });
    const answer = await client.downloadPartnerPackage(period);
    expect(Buffer.from(await answer.arrayBuffer()).equals(first)).toBe(true);
    const out = join(await mkdtemp(join(tmpdir(), 'zip-')), 'package.zip');
    const { code, output } = await command('--partner', partner.id, '--period', period, '--out', out);
    expect([code, output]).toEqual([0, `${out} has the closing package of ${partner.id} for ${period}.\n`]);
    expect(readFileSync(out).equals(first)).toBe(true);
  });

  it('Vaultline closing package names what is wrong with its options, and leaves no file', async () => {
    const { id } = market.partner;
    const out = join(await mkdtemp(join(tmpdir(), 'zip-')), 'no', 'package.zip');
    for (const [partner, month, message] of [
      [id, period, /^--out is ".*": ENOENT/],
      ['ptn_unknown', period, /^No such partner/],
      [id, market.now().toISOString().slice(0, 7), /is not closed yet/],
      [id, '2026', /period must be a month/],
    ] as const) {
      const { code, stderr } = await command('--partner', partner, '--period', month, '--out', out);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    }
  });

  it('A month that is open, in the future or no month is refused, and another partner has none', async () => {
    expectError(await accountant.get(path(market.now().toISOString().slice(0, 7))), 409, 'month_open');
    for (const wrong of ['2100-01', `${period}-01`, '2026-13'])
      expectError(await accountant.get(path(wrong)), 400, 'validation_failed');
    const other = await createPartner(market.app.admin, 'Other');
    expectError(await other.api.get(path()), 409, 'month_open');
    expectError(await market.app.admin.get(path()), 403, 'partner_key_required');
  });

  it('The package of a month before the first deposit has empty tables, and verifies', async () => {
    const files = await filesOf(accountant, '2020-01');
    expect(await verified(files)).toBe('');
    expect(csvRows(files.get('ledger.csv')!.toString())).toEqual([]);
    expect(JSON.parse(files.get('manifest.json')!.toString())).toMatchObject({
      at_closing: null,
      at_closing_reason: expect.stringMatching(/^The partner had no funds/),
    });
  });

  it('HEAD of a package has its headers and no body', async () => {
    const { status, headers, text } = await accountant.send('HEAD', path());
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toEqual(
      expect.stringMatching(/^attachment; filename="vaultline-\S+-statement-package-20\d\d-\d\d\.zip"$/),
    );
    expect((await accountant.get(path(), { accept: 'application/zip' })).status).toBe(200);
    expectError(await accountant.get(path(), { accept: 'text/csv' }), 406, 'not_acceptable');
  });

  it('A caller that hangs up stops the work, and a tenant has one package under way', async () => {
    let pages = 0;
    let isHeld = true;
    const ledger = market.app.application.get(LedgerService);
    const read = ledger.readPeriod.bind(ledger);
    // A ledger without an end.
    using _ = change(ledger, {
      readPeriod: async function* (...of: Parameters<typeof read>) {
        for (;;) {
          for await (const page of read(...of)) yield (pages++, page);
          while (isHeld && pages > 20) await new Promise((wake) => setTimeout(wake, 10));
        }
      },
    });
    const sent = request(`${accountant.url}/api/v1${path()}`, {
      headers: { authorization: `Bearer ${accountant.key}` },
    });
    sent.on('response', (response) => response.resume()).on('error', () => undefined);
    sent.end();
    await until(async () => pages > 20);
    expectError(await accountant.get(path()), 429, 'rate_limited');
    sent.destroy();
    isHeld = false;
    await until(async () => (await accountant.send('HEAD', path())).status === 200);
    const counted = pages;
    await new Promise((wake) => setTimeout(wake, 200));
    expect(pages - counted).toBeLessThan(3);
  });
});
