import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CONTRACTS } from '../../src/config/environment.js';
import type { TestApp } from '../support/app.js';
import { BreakingProxy, type Fault } from './breaking.proxy.js';
import { expectNothingLeft, startRuled } from './deployment.suite.js';
import type { Contract } from './operations.js';
import { rulesFor } from './rules.js';
import { NotRun, type Result, Session, told } from './session.js';
import { ENDS } from '../support/child-environment.js';

jest.setTimeout(120_000);

/** Works with a proxy that has the fault. */
async function behind<T>({ url }: TestApp, fault: Fault, work: (url: string) => Promise<T>): Promise<T> {
  const proxy = await BreakingProxy.start(url, fault);
  try {
    return await work(proxy.url);
  } finally {
    await proxy.close();
  }
}

const asked = (
  app: TestApp,
  contract: Contract,
  rules: readonly string[],
  fault: Fault,
): Promise<readonly Result[]> =>
  behind(app, fault, async (url) => {
    const session = await Session.open({ url, contract, adminKey: app.adminKey });
    try {
      for (const rule of rulesFor(contract)) if (rules.includes(rule.id)) await session.run(rule);
    } finally {
      expect(await session.close()).toEqual([]);
    }
    return session.results;
  });

/** A server that breaks one rule, by what it changes in its answers. */
const FAULTS: [rule: string, answered: NonNullable<Fault['answered']>][] = [
  ['answers.no-store', ({ headers }) => void delete headers['cache-control']],
  ['errors.route-not-found', (answer, { path }) => void (path === '/nowhere' && (answer.status = 400))],
  ['answers.envelope', ({ body }) => void (body?.object === 'list' && delete body.meta)],
  ['users.created', ({ body }) => void (body?.object === 'user' && (body.data.email = 'x@y.example'))],
  ['reports.summary', ({ body }) => void (body?.data?.totals && (body.data.totals.deposits += 1))],
];

describe.each(CONTRACTS)('a server of the %s contract that breaks a rule', (contract) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startRuled(contract);
  });
  afterAll(() => app.close());

  it.each(FAULTS)('is found by %s', async (rule, answered) => {
    const [result] = await asked(app, contract, [rule], { answered });
    expect([rule, result?.outcome]).toEqual([rule, 'fail']);
    expect(told(result!)).toContain(rule);
    await expectNothingLeft(app);
  });
});

describe('a run', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startRuled('partner');
  });
  afterAll(() => app.close());

  it('retries a request that got a 429, after its Retry-After', async () => {
    let rests = 0;
    const resting: Fault = {
      answered: (answer, { method, path }) => {
        if (method !== 'GET' || !path.startsWith('/keys?limit=20') || ++rests > 2) return;
        Object.assign(answer, { status: 429, headers: { 'retry-after': '0' }, body: {} });
      },
    };
    expect(await asked(app, 'partner', ['keys.revoked'], resting)).toMatchObject([{ outcome: 'pass' }]);
    expect(rests).toBe(3);
  });

  it('cleans up when it is interrupted, and skips the remaining rules', async () => {
    const session = await Session.open({ url: app.url, contract: 'partner', adminKey: app.adminKey });
    const [first, second] = rulesFor('partner').filter(({ id }) => /^(keys|users)\.created$/.test(id));
    const running = session.run(first!);
    session.interrupt();
    await running;
    expect(await session.run(second!)).toMatchObject({ outcome: 'skipped', why: 'the run was interrupted' });
    expect(await session.close()).toEqual([]);
    await expectNothingLeft(app);
  });

  it('is refused without an administrator key, for the other contract, or without a response', async () => {
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

    it('shows a broken rule with its request and request id, in output and both reports, and exits 1', async () => {
      const [, answered] = FAULTS[1]!;
      const { code, output } = await behind(app, { answered }, (url) =>
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

    it('exits 0 for a conforming server, and 2 for an unreachable one', async () => {
      expect(await command(app.url, '--only', 'keys.created')).toMatchObject({ code: 0 });
      expect(await command('http://127.0.0.1:9')).toMatchObject({ code: 2 });
    });
  });
});
