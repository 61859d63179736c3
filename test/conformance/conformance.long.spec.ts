import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { PublishedDocument } from '../support/published-document.js';
import { AlteringProxy } from './altering-proxy.js';
import { expectNothingLeft, startRuled } from './deployment.suite.js';
import { BrokenRule } from './check.js';
import type { Contract } from './operations.js';
import { rulesFor } from './rules.js';
import { NotRun, Session } from './session.js';
import { ENDS } from '../support/child-environment.js';

jest.setTimeout(120_000);

describe('a run', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startRuled('partner');
  });
  afterAll(() => app.close());

  it('A run retries a request that got a 429, after its Retry-After', async () => {
    const limited = await startRuled('partner', { RATE_LIMIT_PER_MINUTE: '30' });
    while ((await limited.admin.get('/keys')).status === 200);
    const session = await Session.open({ url: limited.url, contract: 'partner', adminKey: limited.adminKey });
    const [rule] = rulesFor('partner').filter(({ id }) => id === 'keys.revoked');
    expect(await session.run(rule!)).toMatchObject({ outcome: 'pass' });
    await session.close();
    await limited.close();
  });

  it('A run cleans up when it is interrupted, and skips the remaining rules', async () => {
    const session = await Session.open({ url: app.url, contract: 'partner', adminKey: app.adminKey });
    const [first, second] = rulesFor('partner').filter(({ id }) => /^(keys|users)\.created$/.test(id));
    const running = session.run(first!);
    session.interrupt();
    await running;
    expect(await session.run(second!)).toMatchObject({ outcome: 'skipped', why: 'the run was interrupted' });
    expect(await session.close()).toEqual([]);
    await expectNothingLeft(app);
  });

  it('A run cleans up although connections are dropped', async () => {
    const proxy = await AlteringProxy.start(app.url, new PublishedDocument('partner').content);
    const session = await Session.open({ url: proxy.url, contract: 'partner', adminKey: app.adminKey });
    const made = /^(keys\.created|partners\.created|positions\.deposited|alerts\.registered)$/;
    for (const rule of rulesFor('partner').filter(({ id }) => made.test(id)))
      expect(await session.run(rule)).toMatchObject({ outcome: 'pass' });
    const dropped = new Set<string>();
    const isFirst = (request: string): boolean => !dropped.has(request) && !!dropped.add(request);
    proxy.alteration = {
      asked: ({ operation, url }) => (isFirst(`${operation} ${url.pathname}`) ? 'drop' : undefined),
    };
    expect(await session.close()).toEqual([]);
    expect(dropped.size).toBeGreaterThan(5);
    await expectNothingLeft(app);
    await proxy.close();
  });

  it('A run asks a rule again that failed while the market went on to its next hour', async () => {
    const session = await Session.open({ url: app.url, contract: 'partner', adminKey: app.adminKey });
    const at = async (minutes: string): Promise<string> => {
      let asked = 0;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`2026-01-31T12:${minutes}Z`));
      const fails = async (): Promise<void> => {
        if (++asked === 1) throw new BrokenRule('it was of another hour');
      };
      const { outcome } = await session.run({ id: 'a.rule', says: 'It holds.', run: fails });
      clock.mockRestore();
      return outcome;
    };
    expect([await at('00:30.000'), await at('30:00.000')]).toEqual(['pass', 'fail']);
    await session.close();
  });

  it('A run waits for an event that a transaction of somebody else holds up', async () => {
    const session = await Session.open({ url: app.url, contract: 'partner', adminKey: app.adminKey });
    const transaction = app.sql(
      'WITH begun AS MATERIALIZED (SELECT pg_current_xact_id()) SELECT pg_sleep(2) FROM begun',
    );
    for (const id of ['alerts.tested', 'webhooks.raised'])
      expect(await session.run(rulesFor('partner').find((row) => row.id === id)!)).toMatchObject({
        outcome: 'pass',
      });
    await transaction;
    expect(await session.close()).toEqual([]);
  });

  it('A run has a list of more than a page where nothing may be deposited', async () => {
    const { url, adminKey } = app;
    const session = await Session.open({ url, contract: 'partner', adminKey, deposits: false });
    const [rule] = rulesFor('partner').filter(({ id }) => id === 'paging.default');
    expect(await session.run(rule!)).toMatchObject({ outcome: 'pass' });
    expect(await session.close()).toEqual([]);
  });

  it('A run is refused without an administrator key, for the other contract, or without a response', async () => {
    const open = (url: string, contract: Contract, adminKey: string): Promise<Session> =>
      Session.open({ url, contract, adminKey });
    await expect(open(app.url, 'partner', 'vl_live_wrong')).rejects.toThrow(NotRun);
    await expect(open(app.url, 'sandbox', app.adminKey)).rejects.toThrow('serves the partner contract');
    await expect(open('http://127.0.0.1:9', 'partner', app.adminKey)).rejects.toThrow('gives no answer');
    await expect(open('nonsense', 'partner', app.adminKey)).rejects.toThrow('no http or https URL');
  });

  describe('from the command line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-conformance-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    const command = (url: string, ...more: string[]): Promise<{ code: number; output: string }> =>
      new Promise((resolve) => {
        const program = ['--import', './test/runner/typescript.mjs', 'test/conformance/conformance.main.ts'];
        const given = ['--url', url, '--contract', 'partner', '--admin-key', app.adminKey, ...more];
        execFile(process.execPath, [...program, ...given], ENDS, (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
        });
      });

    it('A run from the command line shows a broken rule with its request and request id, in output and both reports, and exits 1', async () => {
      const lending = app.settings.vaults.find(({ lendingBaseline }) => lendingBaseline)!;
      lending.lendingBaseline = false;
      const rules = ['--only', 'vaults.listed', 'keys.created'];
      const { code, output } = await command(app.url, ...rules, '--report', folder);
      lending.lendingBaseline = true;
      expect([code, output]).toEqual([1, expect.stringContaining('1 passed, 1 failed, 0 skipped')]);
      const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
      for (const text of [output, read('conformance.xml'), read('conformance.html')]) {
        expect(text).toMatch(/req_[0-9a-z]{26}/);
        expect(text).toContain('GET /api/v1/vaults?limit=500');
        expect(text).not.toContain(app.adminKey);
      }
      expect(read('conformance.xml')).toContain('tests="2" failures="1"');
    });

    it('A run from the command line lists what it could not clean, with its remedy, in output and reports, cleans the rest, and exits 1', async () => {
      const proxy = await AlteringProxy.start(app.url, new PublishedDocument('partner').content);
      let kept: string | undefined;
      let wasReported = false;
      proxy.alteration = {
        asked: ({ operation, url }) => {
          if (operation !== 'PATCH /partners/{id}') return;
          wasReported ||= existsSync(join(folder, 'left', 'conformance.html'));
          kept ??= url.pathname.replace(/.*\//, '');
          if (url.pathname.endsWith(kept)) return 'drop';
        },
      };
      const rules = ['--only', 'partners.created', 'partners.first-key'];
      const { code, output } = await command(proxy.url, ...rules, '--report', join(folder, 'left'));
      await proxy.close();
      expect([code, wasReported]).toEqual([1, true]);
      for (const file of ['conformance.xml', 'conformance.html'])
        for (const text of [output, readFileSync(join(folder, 'left', file), 'utf8')]) {
          expect(text).toContain(`To clean it: PATCH /partners/${kept}`);
          expect(text).not.toContain('had not ended');
        }
      const active = (await app.admin.get('/partners?status=active')).body.data;
      expect(active.map(({ id }: { id: string }) => id)).toEqual([kept]);
      await app.admin.patch(`/partners/${kept}`, { status: 'disabled' });
    });

    it('A run from the command line exits 0 for a conforming server, and 2 for an unreachable one', async () => {
      expect(await command(app.url, '--only', 'keys.created')).toMatchObject({ code: 0 });
      expect(await command('http://127.0.0.1:9')).toMatchObject({ code: 2 });
    });
  });
});
