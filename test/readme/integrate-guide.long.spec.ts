import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTRACTS } from '../../src/config/deployments.js';
import { newSigningSecret, sign } from '../../src/domain/outbound/webhooks/signature.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import type { Api } from '../support/api.js';
import { childEnvironment, ENDS, SERVES } from '../support/child-environment.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { freePort } from '../support/replica.js';
import { buildSdkCopy, installSdk } from '../support/sdk-package.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';

const guide = readFileSync('docs/integrate.md', 'utf8');
const [, program = ''] = /<!-- program:wallet -->\s*```ts\n(.*?)^```/ms.exec(guide) ?? [];
const EXTERNAL_ID = /userOf\('([^']+)'/.exec(program)![1]!;
const WAIT_MS = 30_000;

/** The folder of the integration: the installed SDK and the program. */
const folder = mkdtempSync(join(tmpdir(), 'vaultline-integrate-'));
const source = join(folder, 'wallet.mts');

beforeAll(() => {
  installSdk(buildSdkCopy(mkdtempSync(join(folder, 'sdk-'))), folder);
  mkdirSync(join(folder, 'node_modules/@types'));
  symlinkSync(resolve('node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  writeFileSync(source, program);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('The program of docs/integrate.md compiles against the packed SDK, and has at most 120 lines', () => {
  const strictest = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const settings = ['--noEmit', ...strictest, '--module', 'nodenext', '--types', 'node'];
  const compile = (): Buffer =>
    execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...settings, source], {
      cwd: folder,
      stdio: 'pipe',
      ...ENDS,
    });
  expect(compile).not.toThrow();
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
}, 120_000);

/** The program of the guide beside its files, which outlive its process. */
class Wallet {
  private child: ChildProcess | undefined;
  private output = '';

  constructor(
    private readonly cwd: string,
    private readonly env: Record<string, string>,
  ) {}

  /** Starts it, and waits for what it prints. */
  async start(printed: RegExp, meanwhile = async (): Promise<void> => undefined): Promise<void> {
    this.output = '';
    const child = spawn(process.execPath, [source], {
      cwd: this.cwd,
      env: { ...childEnvironment(), ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...SERVES,
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.output += chunk));
    await meanwhile();
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`It ended: ${this.output}`);
      return printed.test(this.output);
    }, WAIT_MS).catch((error: unknown) => {
      throw new Error(`${String(error)} ${this.output}`);
    });
  }

  async kill(): Promise<void> {
    if (this.child?.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** The ids of handled events, in the order of handling. */
  handled(): string[] {
    return this.lines().flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  /** The event up to which the list was read. */
  after(): string | undefined {
    return this.lines().findLast(({ after }) => after !== undefined)?.after;
  }

  secret(): string {
    return JSON.parse(readFileSync(join(this.cwd, 'webhook.json'), 'utf8')).secret;
  }

  private lines(): { id?: string; after?: string }[] {
    const journal = join(this.cwd, 'events.jsonl');
    if (!existsSync(journal)) return [];
    const written = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    return written.map((line) => JSON.parse(line));
  }
}

describe.each(CONTRACTS)('the program of docs/integrate.md in the %s contract', (contract) => {
  const isLive = contract === 'partner';
  let app: TestApp;
  let partner: TestPartner;
  /** A key with the scope `write`; in the sandbox the account itself. */
  let executor: Api;
  let wallet: Wallet;
  let hook: string;
  /** Another user of the partner, to whom things happen. */
  let other: string;

  beforeAll(async () => {
    app = await startFreshApp(contract, isLive ? { YIELDS: 'simulated', SETTLEMENT: 'reported' } : {});
    partner = await createPartner(app.admin);
    const { body } = await app.admin.post('/keys', { label: 'executor', scopes: ['write'] });
    executor = isLive ? app.admin.as(body.data.secret) : partner.api;
    other = dataOf(await partner.api.post('/users', { external_id: 'acme:customer-2' }), 201).id;
    const port = String(await freePort());
    hook = `http://127.0.0.1:${port}/vaultline`;
    const cwd = join(folder, contract);
    mkdirSync(cwd);
    wallet = new Wallet(cwd, {
      VAULTLINE_URL: app.url,
      VAULTLINE_API_KEY: partner.key,
      VAULTLINE_CONTRACT: contract,
      HOOK_URL: hook,
      PORT: port,
    });
  }, 60_000);
  afterAll(async () => {
    await wallet.kill();
    await app.close();
  });

  const deposit = async (user_id: string, amount: number): Promise<void> => {
    const transfer = isLive ? { tx_hash: newTxHash() } : {};
    dataOf(await executor.post('/positions', { user_id, asset: 'USDC', amount, ...transfer }), 201);
  };
  const deposits = async (count: number): Promise<void> => {
    for (let n = 1; n <= count; n++) await deposit(other, n);
  };
  /** The executor reports the user's deposit, then takes and pays its withdrawal. */
  const execute = async (): Promise<void> => {
    const search = `/partner/users?external_id=${EXTERNAL_ID}`;
    await until(async () => dataOf(await partner.api.get(search), 200).length === 1, WAIT_MS);
    const [user] = dataOf(await partner.api.get(search), 200);
    await deposit(user.id, 250);
    const open = async (): Promise<any[]> => dataOf(await executor.get('/withdrawals?status=requested'), 200);
    await until(async () => (await open()).length === 1, WAIT_MS);
    const [{ id }] = await open();
    dataOf(await executor.post(`/withdrawals/${id}/taken`), 201);
    dataOf(await executor.post(`/withdrawals/${id}/paid`, { tx_hash: newTxHash() }), 201);
  };
  /** All events of the partner, oldest first. */
  const events = async (): Promise<any[]> => {
    const all: any[] = [];
    for (let cursor = ''; ;) {
      const { body } = await partner.api.get(`/events?limit=50${cursor}`);
      all.push(...body.data);
      if (!body.meta.has_more) return all;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
  };
  const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
  const statusesOf = (rows: any[]): string[] =>
    rows.flatMap(({ deliveries }) => deliveries.map(({ status }: any) => status));
  const untilHandled = (count: number): Promise<void> =>
    until(async () => wallet.handled().length >= count, WAIT_MS);

  it('The program of docs/integrate.md has a deposit, reads the balance, and has a withdrawal paid', async () => {
    await wallet.start(/^wdr_\w+ paid 100 USDC\.$/m, isLive ? execute : undefined);
    await untilSettled(app);
    const [user] = dataOf(await partner.api.get(`/partner/users?external_id=${EXTERNAL_ID}`), 200);
    expect(user.balances).toMatchObject([{ asset: 'USDC', positions: 1 }]);
    expect(Math.floor(user.balances[0].available)).toBe(150);
    await untilHandled((await events()).length);
    expect(wallet.handled().toSorted()).toEqual(idsOf(await events()).toSorted());
    expect(new Set(statusesOf(await events()))).toEqual(new Set(['delivered']));
  }, 90_000);

  it('The program of docs/integrate.md refuses a webhook with another signature, and does not handle a repeated one again', async () => {
    const before = wallet.handled();
    const send = async (id: string, secret: string): Promise<number> => {
      const body = JSON.stringify({ id, type: 'system.status', data: { message: 'Pay me.' } });
      const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body));
      const headers = { 'webhook-signature': signature };
      return (await fetch(hook, { method: 'POST', body, headers })).status;
    };
    expect(await send('evt_forged', newSigningSecret())).toBe(400);
    expect(await send(before[0]!, wallet.secret())).toBe(204);
    expect(wallet.handled()).toEqual(before);
  });

  it('The program of docs/integrate.md handles each event exactly once over a kill, an outage and a restart', async () => {
    const before = wallet.handled().length;
    const burst = deposits(12);
    await untilHandled(before + 3);
    await wallet.kill();
    await burst;
    const already = new Set(wallet.handled());
    await deposits(3);
    await untilSettled(app);
    const missed = (await events()).filter(({ id }) => !already.has(id));
    expect(statusesOf(missed)).toContain('failed');
    await wallet.start(/ has [\d.]+ USDC, of which/);
    await untilHandled(already.size + missed.length);
    await deposits(2);
    await untilSettled(app);
    const all = await events();
    await untilHandled(all.length);
    expect(wallet.handled().toSorted()).toEqual(idsOf(all).toSorted());
    expect(new Set(statusesOf(all.slice(-2)))).toEqual(new Set(['delivered']));
    const positions = dataOf(await partner.api.get('/positions?limit=100'), 200);
    expect(positions.filter(({ user_id }: any) => user_id !== other)).toHaveLength(1);
    expect(dataOf(await partner.api.get('/withdrawals'), 200)).toHaveLength(1);
  }, 120_000);

  it('The program of docs/integrate.md begins with the oldest event where the last one that it handled was removed', async () => {
    await wallet.kill();
    const all = idsOf(await events());
    const after = wallet.after()!;
    expect(all).toContain(after);
    await app.sql(`UPDATE events SET recorded_at = recorded_at - interval '31 days' WHERE id = $1`, [after]);
    await deposits(2);
    await untilSettled(app);
    const kept = idsOf(await events());
    expect(kept).not.toContain(after);
    await wallet.start(new RegExp(`^${after} is removed`, 'm'));
    const every = [...new Set([...all, ...kept])].toSorted();
    await untilHandled(every.length);
    await until(async () => wallet.after() === kept.at(-1));
    expect(wallet.handled().toSorted()).toEqual(every);
  }, 90_000);
});
