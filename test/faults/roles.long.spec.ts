import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/config/environment.js';
import { newKeySecret } from '../../src/domain/access/key-secret.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

const EVENTS = 20;

/** The roles `api` and `worker` in separate processes on one database: each continues without the other. */
describe('roles apart', () => {
  const adminKey = newKeySecret('sandbox');
  const running = new Set<Replica>();
  let database: TestDatabase;
  let receiver: Receiver;
  let partner: TestPartner;
  let api: Replica;

  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await Receiver.start();
    api = await start('api');
    partner = await createPartner(api.api(adminKey));
    expect((await partner.api.post('/webhooks', { url: receiver.url })).status).toBe(201);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...running].map((replica) => replica.kill()));
    await receiver.close();
    await database.drop();
  });

  const start = async (role: Role): Promise<Replica> => {
    const replica = await Replica.start('sandbox', {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      WEBHOOK_TIMEOUT_MS: '1000',
      ROLE: role,
    });
    running.add(replica);
    return replica;
  };
  /** @returns ids of the accepted events */
  const raise = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { status, body } = await partner.api.post('/simulation/events', { type: 'position.closed' });
        expect(status).toBe(201);
        return body.data.id as string;
      }),
    );
  const ready = async ({ url }: Replica): Promise<unknown> => (await fetch(`${url}/health/ready`)).json();
  const received = (): unknown[] => receiver.received.map(({ headers }) => headers['webhook-id']);
  const unfinished = async (): Promise<number> =>
    (
      await database.query(
        'sandbox',
        `SELECT FROM events WHERE NOT fanned_out UNION ALL SELECT FROM deliveries WHERE status IN ('queued', 'pending')`,
      )
    ).length;

  it('an API without a worker accepts and queues, and sends nothing; a worker that comes sends it, each once', async () => {
    const ids = await raise(EVENTS);
    expect(await ready(api)).toEqual({ status: 'ready', role: 'api' });
    expect(await unfinished()).toBe(EVENTS);
    expect(receiver.received).toEqual([]);
    const worker = await start('worker');
    expect(await ready(worker)).toEqual({ status: 'ready', role: 'worker', worker: 'running' });
    await receiver.waitFor(EVENTS);
    await until(async () => (await unfinished()) === 0);
    expect(received().sort()).toEqual(ids.sort());
    expect(await worker.kill()).toBe(0);
  }, 60_000);

  it('a worker without an API sends what that left, also where its own thread was one of those that were killed', async () => {
    receiver.received.length = 0;
    const ids = await raise(EVENTS);
    const all = await start('all');
    await until(async () => receiver.received.length > 0);
    await all.kill('SIGKILL');
    await api.kill('SIGKILL');
    await start('worker');
    await until(async () => (await unfinished()) === 0, 30_000);
    const sent = received();
    expect(new Set(sent).size).toBe(sent.length);
    // Sends that were in flight are recorded as interrupted, whether or not they arrived.
    const interrupted = await database.query<{ id: string }>(
      'sandbox',
      `SELECT event_id AS id FROM deliveries WHERE failure = 'interrupted'`,
    );
    const lost = ids.filter((id) => !sent.includes(id));
    expect(interrupted.map(({ id }) => id)).toEqual(expect.arrayContaining(lost));
  }, 90_000);

  it('a process of both says how its thread is, and takes both with it when it ends', async () => {
    const all = await start('all');
    await until(async () => ((await ready(all)) as { worker: string }).worker === 'running');
    expect(await ready(all)).toEqual({ status: 'ready', role: 'all', worker: 'running' });
    expect(await all.kill()).toBe(0);
    expect(all.logs).toContain('"msg":"jobs are taken"');
  }, 60_000);
});
