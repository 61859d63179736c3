import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childEnvironment, SERVES } from '../support/child-environment.js';
import Stripe from 'stripe';
import { Api } from '../support/api.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { freePort } from '../support/replica.js';

const dist = (path: string): string => fileURLToPath(new URL(`../../dist/bundle/${path}`, import.meta.url));

function launch(program: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [program, ...args], { env, stdio, ...SERVES });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

/** `npm start` in a fresh clone, and the commands used beside it. */
describe('quickstart', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vaultline-quickstart-'));
  let env: NodeJS.ProcessEnv;
  let started: { child: ChildProcess; output: () => string };

  const run = (script: string, ...args: string[]) => launch(dist(script), env, ...args);
  const command = async (...args: string[]): Promise<{ code: number | null; output: string }> => {
    const { child, output } = run('cli/main.js', ...args);
    await once(child, 'close');
    return { code: child.exitCode, output: output() };
  };
  const quickstart = () => JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8'));
  const start = async (): Promise<void> => {
    started = run('cli/quickstart.js');
    const deadline = Date.now() + 300_000;
    while (!started.output().includes('Vaultline is ready.')) {
      if (started.child.exitCode !== null || Date.now() > deadline) throw new Error(started.output());
      await sleep(50);
    }
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (started.child.exitCode === null && started.child.signalCode === null) {
      started.child.kill(signal);
      await once(started.child, 'exit');
    }
  };

  beforeAll(async () => {
    env = {
      ...childEnvironment(),
      DATA_DIR: dataDir,
      PARTNER_PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      RATE_LIMIT_PER_MINUTE: '7',
      SETTLEMENT: 'reported',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
    };
    await start();
  }, 320_000);
  afterAll(async () => {
    await stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }, 30_000);

  it('Quickstart prints API root, docs and administrator key of each contract, and stores them in a file of mode 0600', () => {
    const { partner, sandbox } = quickstart();
    expect(partner.admin_key).toMatch(/^vl_live_/);
    expect(sandbox.admin_key).toMatch(/^vl_sandbox_/);
    for (const { url, admin_key } of [partner, sandbox]) {
      for (const shown of [`${url}/api/v1`, `${url}/docs`, admin_key])
        expect(started.output()).toContain(shown);
    }
    expect(statSync(join(dataDir, 'quickstart.json')).mode & 0o777).toBe(0o600);
    const isBuilt = existsSync(new URL('../../dist/console/index.html', import.meta.url));
    for (const [{ url }, environment] of [
      [partner, 'live'],
      [sandbox, 'sandbox'],
    ]) {
      const links = new RegExp(`${url}/console#code=vlc_${environment}_\\w{38}\\n`, 'g');
      expect([...started.output().matchAll(links)]).toHaveLength(isBuilt ? 2 : 0);
    }
    expect(JSON.stringify([partner, sandbox])).not.toContain('vlc_');
  });

  it('The script of the bundled documentation page has no helper of the bundler', async () => {
    const script = await (await fetch(`${quickstart().partner.url}/docs/swagger-ui-init.js`)).text();
    expect(script).toContain('() => SwaggerUIBundle.plugins.DownloadUrl');
    expect(script).not.toContain('__name');
  });

  it('Quickstart creates a sandbox demo account with 40 days of history, and prints its key', async () => {
    const { url, account_key } = quickstart().sandbox;
    expect(started.output()).toContain(account_key);
    const api = new Api(url, account_key);
    expect((await api.get('/simulation/clock')).body.data.hours_ahead).toBe(40 * 24);
    expect((await api.get('/positions')).body.data).toHaveLength(8);
    expect((await api.get('/partner/summary')).body.data.totals.yield).toBeGreaterThan(0);
  });

  it('Quickstart creates a live demo partner with simulated yields, and an executor key that can report deposits', async () => {
    const { url, account_key, executor_key } = quickstart().partner;
    for (const shown of [account_key, executor_key, 'on simulated yields'])
      expect(started.output()).toContain(shown);
    const api = new Api(url, account_key);
    const users = (await api.get('/partner/users')).body.data as { id: string }[];
    expect(users).toHaveLength(4);
    const deposit = { user_id: users[0]!.id, asset: 'USDC', amount: 1_000, tx_hash: `0x${'5'.repeat(64)}` };
    expect((await new Api(url, executor_key).post('/positions', deposit)).body.data.status).toBe('active');
  });

  it('Quickstart passes its settings to both processes; the sandbox ignores reported moves', async () => {
    expect(started.output()).toContain('the sandbox ignores it');
    const { sandbox } = quickstart();
    const api = new Api(sandbox.url, sandbox.admin_key);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await api.get('/keys')).status),
    );
    expect(statuses).toContain(429);
  });

  it('Quickstart sends a status that a command broadcasts to subscribed endpoints, signed', async () => {
    const receiver = await Receiver.start();
    const { url, admin_key } = quickstart().partner;
    const partner = await createPartner(new Api(url, admin_key));
    const { secret } = (await partner.api.post('/webhooks', { url: receiver.url, events: ['system.status'] }))
      .body.data;
    const { code, output } = await command(
      '--contract',
      'partner',
      'status',
      'broadcast',
      '--message',
      'Back at 10:00 ✓',
    );
    expect(code).toBe(0);
    const [got] = await receiver.waitFor(1);
    expect(output).toBe(`${String(got!.headers['webhook-id'])} is queued.\n`);
    const signature = String(got!.headers['webhook-signature']);
    expect(Stripe.webhooks.constructEvent(got!.body, signature, secret)).toMatchObject({
      type: 'system.status',
      data: { message: 'Back at 10:00 ✓' },
    });
    await receiver.close();
  });

  it('Quickstart refuses a second start with the same data folder, and leaves the first one’s file unchanged', async () => {
    const before = quickstart();
    const second = run('cli/quickstart.js');
    await once(second.child, 'close');
    expect(second.child.exitCode).toBe(1);
    expect(second.output()).toMatch(/^Another npm start still runs at http:\/\/127.0.0.1:\d+/m);
    expect(quickstart()).toEqual(before);
  });

  it('Quickstart exits 1 when a port is in use, and names the setting to change', async () => {
    const other = mkdtempSync(join(tmpdir(), 'vaultline-quickstart-'));
    const taken = new URL(quickstart().sandbox.url).port;
    const ports = { PARTNER_PORT: String(await freePort()), SANDBOX_PORT: taken };
    const { child, output } = launch(dist('cli/quickstart.js'), { ...env, DATA_DIR: other, ...ports });
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(output()).toContain('set SANDBOX_PORT to another one');
    expect(output()).not.toContain('Vaultline is ready');
    rmSync(other, { recursive: true, force: true });
  });

  it('Quickstart stops on Ctrl-C, and restarts with the same keys and data, but not with yields of another kind', async () => {
    const before = quickstart();
    await stop('SIGINT');
    expect(started.child.exitCode).toBe(0);
    env['YIELDS'] = 'live';
    const refused = run('cli/quickstart.js');
    await once(refused.child, 'close');
    delete env['YIELDS'];
    expect(refused.child.exitCode).toBe(1);
    expect(refused.output()).toMatch(/YIELDS is live, .*Set YIELDS=simulated, or .*another DATA_DIR/);
    expect(quickstart()).toEqual(before);
    await start();
    expect(quickstart()).toEqual(before);
    expect((await new Api(before.partner.url, before.partner.admin_key).get('/keys')).status).toBe(200);
    const accounts = await new Api(before.sandbox.url, before.sandbox.admin_key).get('/partners');
    expect(accounts.body.data.map(({ name }: { name: string }) => name)).toEqual(['Demo account']);
  }, 320_000);

  it('Quickstart leaves no process when it is killed; a start without its file replaces the administrator keys', async () => {
    const { partner, sandbox } = quickstart();
    await stop('SIGKILL');
    const deadline = Date.now() + 15_000;
    for (const { url } of [partner, sandbox]) {
      while (await fetch(`${url}/health/live`).catch(() => null)) {
        if (Date.now() > deadline) throw new Error(`${url} still answers`);
        await sleep(50);
      }
    }
    // Deleting the file creates new administrators, and revokes the former ones.
    rmSync(join(dataDir, 'quickstart.json'));
    await start();
    for (const [contract, { url, admin_key: former }] of Object.entries({ partner, sandbox })) {
      expect((await new Api(url, quickstart()[contract].admin_key).get('/keys')).status).toBe(200);
      expect((await new Api(url, former).get('/keys')).body.error.code).toBe('invalid_api_key');
    }
  }, 320_000);
});
