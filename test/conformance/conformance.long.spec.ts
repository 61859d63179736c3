import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { BreakingProxy, type Fault } from './breaking.proxy.js';
import { expectNothingLeft, startRuled } from './deployment.suite.js';
import { FAULTS } from './faults.js';
import type { Contract } from './operations.js';
import type { Rule } from './rule.js';
import { rulesFor } from './rules.js';
import { NotRun, type Result, Session, told } from './session.js';

jest.setTimeout(120_000);

const rulesNamed = (...ids: string[]): Rule[] => rulesFor('partner').filter(({ id }) => ids.includes(id));
describe('a server that breaks one rule', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startRuled('partner');
  });
  afterAll(() => app.close());

  /** Works with a proxy that has the fault. */
  async function behind<T>(fault: Fault, work: (url: string) => Promise<T>): Promise<T> {
    const proxy = await BreakingProxy.start(app.url, fault);
    try {
      return await work(proxy.url);
    } finally {
      await proxy.close();
    }
  }

  const asked = (rules: readonly Rule[], fault: Fault): Promise<readonly Result[]> =>
    behind(fault, async (url) => {
      const session = await Session.open({ url, contract: 'partner', adminKey: app.adminKey });
      try {
        for (const rule of rules) await session.run(rule);
      } finally {
        expect(await session.close()).toEqual([]);
      }
      return session.results;
    });

  it('would pass without its fault', async () => {
    const results = await asked(rulesNamed(...FAULTS.map(({ rule }) => rule)), {});
    expect(results).toHaveLength(FAULTS.length);
    expect(results.filter(({ outcome }) => outcome !== 'pass').map(told)).toEqual([]);
  });

  it.each(FAULTS.map(({ does, rule, make }): [string, string, Fault] => [does, rule, make()]))(
    'that %s is found by %s',
    async (_does, rule, fault) => {
      const [result] = await asked(rulesNamed(rule), fault);
      expect([result?.id, result?.outcome]).toEqual([rule, 'fail']);
      expect(result!.why).toMatch(/\S/);
      expect(told(result!)).toContain(rule);
      await expectNothingLeft(app);
    },
  );

  it('is asked again when it has asked for rest, after what Retry-After says', async () => {
    let rests = 0;
    const resting: Fault = {
      answered: (answer, { method, path }) => {
        if (method !== 'GET' || !path.startsWith('/keys?limit=20') || ++rests > 2) return;
        Object.assign(answer, { status: 429, headers: { 'retry-after': '0' }, body: {} });
      },
    };
    expect(await asked(rulesNamed('keys.masked'), resting)).toMatchObject([{ outcome: 'pass' }]);
    expect(rests).toBe(3);
  });

  it('is left clean when the run is interrupted, and what was not asked is skipped', async () => {
    const session = await Session.open({ url: app.url, contract: 'partner', adminKey: app.adminKey });
    const [first, second] = rulesNamed('keys.created', 'users.created');
    const running = session.run(first!);
    session.interrupt();
    await running;
    expect(await session.run(second!)).toMatchObject({ outcome: 'skipped', why: 'the run was interrupted' });
    expect(await session.close()).toEqual([]);
    await expectNothingLeft(app);
  });

  it('is not run without an administrator, against the other contract, or where nobody answers', async () => {
    const open = (url: string, contract: Contract, adminKey: string): Promise<Session> =>
      Session.open({ url, contract, adminKey });
    await expect(open(app.url, 'partner', 'vl_live_wrong')).rejects.toThrow(NotRun);
    await expect(open(app.url, 'sandbox', app.adminKey)).rejects.toThrow('serves the partner contract');
    await expect(open('http://127.0.0.1:9', 'partner', app.adminKey)).rejects.toThrow('gives no answer');
    await expect(open('nonsense', 'partner', app.adminKey)).rejects.toThrow('no http or https URL');
  });

  describe('by the command', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-conformance-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    const command = (url: string, ...more: string[]): Promise<{ code: number; output: string }> =>
      new Promise((resolve) => {
        const program = ['--import', './test/runner/typescript.mjs', 'test/conformance/conformance.main.ts'];
        const given = ['--url', url, '--contract', 'partner', '--admin-key', app.adminKey, ...more];
        execFile(process.execPath, [...program, ...given], (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
        });
      });

    it('is told with the request, the answer and its id, in both reports, by exit code 1', async () => {
      const [{ make }] = FAULTS.filter(({ rule }) => rule === 'errors.route-not-found') as [
        (typeof FAULTS)[0],
      ];
      const { code, output } = await behind(make(), (url) =>
        command(url, '--only', 'errors.route-not-found', 'keys.created', '--report', folder),
      );
      expect([code, output]).toEqual([1, expect.stringContaining('1 passed, 1 failed, 0 skipped')]);
      const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
      for (const text of [output, read('conformance.xml'), read('conformance.html')]) {
        expect(text).toMatch(/req_[0-9a-z]{26}/);
        expect(text).toContain('GET /api/v1/nowhere');
        expect(text).not.toContain(app.adminKey);
      }
      expect(read('conformance.xml')).toContain('tests="2" failures="1"');
    });

    it('that is right is exit code 0, one that is not there 2', async () => {
      expect(await command(app.url, '--only', 'keys.created')).toMatchObject({ code: 0 });
      expect(await command('http://127.0.0.1:9')).toMatchObject({ code: 2 });
    });
  });
});
