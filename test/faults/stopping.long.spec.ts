import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { WebhookRetention } from '../../src/domain/outbound/webhooks/webhook-retention.service.js';
import { Dispatcher } from '../../src/domain/outbound/webhooks/dispatcher.js';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { FanOutService } from '../../src/domain/outbound/webhooks/fan-out.service.js';
import { startApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const receiver = async (...answer: Parameters<typeof Receiver.start>): Promise<Receiver> => {
  const started = await Receiver.start(...answer);
  closing.push(() => started.close());
  return started;
};
const events = (partnerId: string, count: number) =>
  Array.from({ length: count }, () => ({ type: 'position.opened' as const, partnerId, data: {} }));

describe('a fan-out', () => {
  it('A fan-out sends nothing when it runs again after its deliveries were pruned, also not to new endpoints', async () => {
    const app = await startApp(
      'partner',
      {},
      undefined,
      (constants) => (constants.webhooks.deliveriesKept = 2),
    );
    closing.push(() => app.close());
    const hook = await receiver();
    const partner = await createPartner(app.admin);
    await partner.api.post('/webhooks', { url: hook.url });
    const ids = await app.application.get(EventService).raise(events(partner.id, 5));
    await untilSettled(app);
    await app.sql(`UPDATE deliveries SET claimed_at = claimed_at - interval '1 hour'`);
    await app.application.get(WebhookRetention).pruneDeliveries();
    expect((await partner.api.get('/webhooks/deliveries')).body.data).toHaveLength(2);
    await partner.api.post('/webhooks', { url: hook.url.replace('/hook', '/later') });
    await app.application.get(FanOutService).fanOut();
    await untilSettled(app);
    expect(hook.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...ids].sort());
  });
});

describe('a wait for a send slot', () => {
  it('A wait for a send slot may outlast the lease, and every endpoint gets its event once', async () => {
    const silent = await receiver(() => undefined);
    const app = await startApp('partner', { WEBHOOK_TIMEOUT_MS: '200' }, undefined, ({ webhooks }) => {
      webhooks.concurrency = 1;
      webhooks.interruptedGraceSeconds = 0.2;
    });
    closing.push(() => app.close());
    const partner = await createPartner(app.admin);
    const endpoints = Array.from({ length: 8 }, (_, number) => `${silent.url}/${number}`);
    for (const url of endpoints) await partner.api.post('/webhooks', { url });
    await app.application.get(EventService).raise(events(partner.id, 1));
    await untilSettled(app);
    expect(silent.received.map(({ path }) => path).sort()).toEqual(
      endpoints.map((url) => new URL(url).pathname).sort(),
    );
  });
});

describe('a stop', () => {
  it('A stop starts no send that still waits for a slot', async () => {
    const hook = await receiver((response) => setTimeout(() => response.end(), 300));
    const app = await startApp('partner', {}, undefined, (constants) => (constants.webhooks.concurrency = 1));
    closing.push(() => app.close());
    const partner = await createPartner(app.admin);
    await partner.api.post('/webhooks', { url: hook.url });
    await app.application.get(EventService).raise(events(partner.id, 8));
    await hook.waitFor(1);
    await app.application.get(Dispatcher).stop();
    expect(hook.received).toHaveLength(1);
  });

  it('A stop answers every request that arrived before it, also on connections in the backlog', async () => {
    const app = await startApp('partner');
    closing.push(() => app.close());
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const caller = new Worker(new URL('../support/fresh-calls.thread.mjs', import.meta.url), {
      workerData: { port: new URL(app.url).port, path: '/api/v1/keys', key: app.adminKey, count: 20, sent },
    });
    closing.push(() => caller.terminate());
    // The event loop is blocked, so that connections are in the backlog and not accepted before the stop begins.
    expect(Atomics.wait(sent, 0, 0, 10_000)).not.toBe('timed-out');
    void app.application.stop();
    const [answers] = (await once(caller, 'message')) as [string[]];
    expect(answers).toEqual(Array(20).fill('HTTP/1.1 200 OK'));
  });

  it('A stop answers running requests with Connection: close, and accepts no new connection', async () => {
    const app = await startApp('partner');
    closing.push(() => app.close());
    const holding = new Client({ connectionString: app.database.url, options: '-c search_path=live' });
    await holding.connect();
    const asked = (): Promise<Response> =>
      fetch(`${app.url}/api/v1/keys`, { headers: { authorization: `Bearer ${app.adminKey}` } });
    const before = await asked();
    expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
    await before.bytes();
    await holding.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const under = asked();
    // Locks of this database alone: databases copied from one template have the same table numbers.
    const isHeld = `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database()
                     WHERE NOT granted AND relation = 'api_keys'::regclass`;
    await until(async () => (await app.sql(isHeld)).length > 0);
    void app.application.stop();
    const isRefused = (error: { cause?: { code?: string } }): boolean => error.cause?.code === 'ECONNREFUSED';
    await until(() => fetch(`${app.url}/health/live`, { keepalive: false }).then(() => false, isRefused));
    await holding.end();
    const answer = await under;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await answer.bytes();
  });

  it('A stop ends a process that waits for another one to migrate', async () => {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const migrating = new Client({ connectionString: database.url });
    await migrating.connect();
    closing.push(() => migrating.end());
    await migrating.query(`SELECT pg_advisory_lock(hashtext('vaultline.migrate'), hashtext('live'))`);
    const replica = await Replica.spawn('partner', {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: newKeySecret('live'),
    });
    closing.push(() => replica.kill());
    await until(
      async () =>
        (
          await database.query(
            'live',
            // Sessions of this database alone: other tests share the server.
            `SELECT FROM pg_stat_activity
              WHERE query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid() AND datname = current_database()`,
          )
        ).length > 0,
    );
    expect(await replica.kill('SIGTERM')).toBe(0);
  });
});
