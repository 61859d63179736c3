import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { vaultline } from '../support/command.js';
import { eitherContract } from '../support/long.js';
import { createTestDatabase, type TestDatabase, TICKED_TEMPLATE } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { secretsIn } from '../support/secret-watch.js';
import { until } from '../support/until.js';

/** Secrets in logs and tables. All other suites are searched as well, see `secret-watch.ts`; this suite covers what they might not do. */
describe.each(eitherContract('partner'))('%s contract: a deployment at log level trace', (contract) => {
  /** A secret without a known form, which only the omission of whole values keeps out. */
  const stray = `stray${randomBytes(12).toString('hex')}`;
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, { LOG_LEVEL: 'trace' });
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  it('A deployment at log level trace refuses secrets in paths, queries, headers and bodies', async () => {
    const { admin } = app;
    const sent: Promise<Answer>[] = [
      admin.get(`/${stray}`),
      admin.get(`/keys/${stray}`),
      admin.delete(`/keys/${stray}`),
      admin.get(`/keys?cursor=${stray}`),
      admin.get(`/keys?${stray}=1`),
      admin.get(`/keys?limit=${stray}`),
      admin.post('/keys', { label: 'a', scopes: [stray] }),
      admin.post('/keys', { label: 'a', environment: stray }),
      admin.post('/keys', { label: 'a', partner_id: stray }),
      admin.post('/keys', `{"label": ${stray}}`),
      admin.post('/keys', { label: 'a', [stray]: 1 }),
      admin.get('/keys', { accept: stray }),
      admin.post('/keys', '{}', { 'content-type': `application/${stray}` }),
      admin.post('/keys', { label: 'a' }, { 'idempotency-key': `${stray} ${stray}`.repeat(9) }),
      admin.as(`${stray}x`).get('/keys'),
      admin.as(stray).get('/keys'),
      partner.api.post('/webhooks', { url: `https://${stray}:x@hooks.example.com/` }),
      partner.api.post('/webhooks', { url: `http://127.0.0.1:9/${stray}`, events: [stray] }),
    ];
    for (const { status, headers } of await Promise.all(sent)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect([...headers].join()).not.toContain(stray);
    }
  });

  it('A deployment at log level trace sends a receiver no secret, and signs with its secret', async () => {
    const receiver = await Receiver.start();
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const body = { url: `${receiver.url}?token=${stray}` };
    const created = await partner.api.post('/webhooks', body, key);
    expect((await partner.api.post('/webhooks', body, key)).text).toBe(created.text);
    await partner.api.post(`/webhooks/${created.body.data.id}/test`);
    const [got] = await receiver.waitFor(1);
    expect(secretsIn(JSON.stringify(got!.headers) + got!.body.toString())).toEqual([]);
    await partner.api.delete(`/webhooks/${created.body.data.id}`);
    await receiver.close();
  });

  it('A deployment at log level trace has logged all these requests without a secret', () => {
    expect(app.logs().split('\n').length).toBeGreaterThan(20);
    expect(app.logs()).toContain('"level":20');
    expect(secretsIn(app.logs())).toEqual([]);
    // The last filter of every log line removes what looks like a secret; no secret came that far.
    expect(app.logs()).not.toContain('[removed]');
    expect(app.logs()).not.toContain(stray);
    expect(app.logs()).not.toMatch(/authorization|Bearer/i);
  });
});

describe('a process', () => {
  const password = `pw-${randomBytes(12).toString('hex')}`;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(TICKED_TEMPLATE);
  });
  afterAll(() => database.drop());

  const hasNoSecret = (text: string): void => {
    expect(text).not.toBe('');
    expect(secretsIn(text)).toEqual([]);
  };

  it('A process that ends unexpectedly logs the error without its parameters', async () => {
    // Waits until the process has started: if it installs its own handler, it has done so by then.
    const fault = `let turns = 0;
    const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0 && ++turns < 1000) return;
      clearInterval(timer);
      throw Object.assign(new Error('out of the blue'), { parameters: ['${password}'] });
    }, 5);`;
    const replica = await Replica.spawn('partner', {
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import data:text/javascript;base64,${Buffer.from(fault).toString('base64')}`,
    });
    expect(await replica.exit()).toBe(1);
    await until(async () => replica.logs.includes('unexpected end'));
    hasNoSecret(replica.logs);
    const { err } = JSON.parse(replica.logs.split('\n').find((line) => line.includes('unexpected end'))!) as {
      err: object;
    };
    expect(err).toEqual({ type: 'Error', message: 'out of the blue', stack: expect.any(String) });
  });
});

describe('the operator command', () => {
  const env = {
    BOOTSTRAP_ADMIN_KEY: newKeySecret('live'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(TICKED_TEMPLATE);
  });
  afterAll(() => database.drop());

  const run = async (args: string[], url = database.url): Promise<string> => {
    const { output } = await vaultline(['--contract', 'partner', ...args], {
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
      DATABASE_URL: url,
      ...env,
    });
    expect(output).not.toBe('');
    for (const secret of [...Object.values(env), new URL(url).password]) expect(output).not.toContain(secret);
    return output;
  };

  it('The operator command prints the key that it creates, once, and revokes it', async () => {
    const output = await run(['keys', 'create', '--label', 'ops', '--scopes', 'keys:admin']);
    const [secret = ''] = /vl_\w+_[0-9A-Za-z]{38}/.exec(output) ?? [];
    expect(output.split(secret)).toHaveLength(2);
    expect(secretsIn(await run(['keys', 'list']))).toEqual([]);
    const [id = ''] = /key_\w+/.exec(output) ?? [];
    expect(await run(['keys', 'revoke', id])).toBe(`${id} is revoked.\n`);
  });

  it('The operator command prints no other secret', async () => {
    expect(secretsIn(await run(['keys', 'revoke', env.BOOTSTRAP_ADMIN_KEY]))).toEqual([]);
    const url = new URL(database.url);
    url.password = `pw-${randomBytes(12).toString('hex')}`;
    expect(await run(['keys', 'list'], url.href)).toContain('password authentication failed');
  });
});
