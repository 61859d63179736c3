import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import type { Api } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

/** A process that dies between its claim and the receiver's answer: no process sends again, and the record shows an unknown outcome. */
describe('kill -9 between claim and answer', () => {
  const adminKey = newKeySecret('live');
  let database: TestDatabase;
  let victim: Replica;
  let survivor: Replica;
  let receiver: Receiver;
  let env: Record<string, string>;
  const silent: (() => void)[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    env = {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      WEBHOOK_TIMEOUT_MS: '2000',
      LOG_LEVEL: 'warn',
    };
    victim = await Replica.start('partner', env);
    receiver = await Receiver.start((response) => silent.push(() => response.end()));
  });
  afterAll(async () => {
    await Promise.all([victim.kill(), survivor?.kill()]);
    await receiver.close();
    await database.drop();
  });

  const untilEnded = async (api: Api, webhookId: string): Promise<any> => {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const [delivery] = (await api.get(`/webhooks/deliveries?webhook_id=${webhookId}`)).body.data;
      if (delivery && delivery.status !== 'pending') return delivery;
      if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(delivery)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  const untilNoJobs = (): Promise<void> => {
    const open = `SELECT FROM live_jobs.jobs WHERE task_identifier LIKE 'webhooks.%' AND locked_at IS NULL`;
    return until(async () => (await database.query('live', open)).length === 0);
  };

  it('ends a test send as failed: interrupted, and a retry with its key answers with that record', async () => {
    const partner = await createPartner(victim.api(adminKey));
    const { id } = (await partner.api.post('/webhooks', { url: receiver.url, events: ['yield.threshold'] }))
      .body.data;
    const key = { 'idempotency-key': 'test-send-1' };
    const lost = partner.api.post(`/webhooks/${id}/test`, undefined, key).catch(() => 'connection lost');
    await receiver.waitFor(1);
    await victim.kill('SIGKILL');
    expect(await lost).toBe('connection lost');
    survivor = await Replica.start('partner', env);
    const api = survivor.api(partner.key);
    expect((await api.post(`/webhooks/${id}/test`, undefined, key)).body.error?.code).toBe(
      'idempotency_in_progress',
    );
    const delivery = await untilEnded(api, id);
    expect(delivery).toMatchObject({
      status: 'failed',
      failure: 'interrupted',
      attempts: 1,
      latency_ms: expect.any(Number),
    });
    const retried = await api.post(`/webhooks/${id}/test`, undefined, key);
    expect(retried.status).toBe(201);
    expect(retried.body.data).toEqual(delivery);
    expect(receiver.received).toHaveLength(1);
  }, 60_000);

  it('ends a queued event the same way, and no other process sends it again', async () => {
    victim = await Replica.start('partner', env);
    const partner = await createPartner(victim.api(adminKey));
    const before = receiver.received.length;
    const { id } = (await partner.api.post('/webhooks', { url: receiver.url, events: ['system.status'] }))
      .body.data;
    // The survivor is stopped, so that the victim takes the job.
    await survivor.kill();
    const [event] = await database.query<{ id: string }>(
      'live',
      `WITH raised AS (
         INSERT INTO events (id, type, envelope, recorded_at, fanned_out)
         VALUES ('evt_01m7xeh1tye6kb87x1qjzk5b5f', 'system.status', '{"id":"evt_01m7xeh1tye6kb87x1qjzk5b5f"}', now(), false)
         RETURNING id)
       SELECT id, enqueue(json_build_array(json_build_object('identifier', 'webhooks.fan_out',
         'payload', json_build_object('partnerId', null, 'eventIds', json_build_array(id))))) FROM raised`,
    );
    expect(event).toBeDefined();
    await receiver.waitFor(before + 1);
    await victim.kill('SIGKILL');
    survivor = await Replica.start('partner', env);
    const delivery = await untilEnded(survivor.api(partner.key), id);
    expect(delivery).toMatchObject({ status: 'failed', failure: 'interrupted' });
    // A further job for the endpoint, whatever may have left it in the queue, sends nothing again.
    await database.query(
      'live',
      `SELECT enqueue(json_build_array(json_build_object('identifier', 'webhooks.drain',
         'payload', json_build_object('webhookIds', json_build_array($1::text)))))`,
      [id],
    );
    await untilNoJobs();
    expect(receiver.received).toHaveLength(before + 1);
  }, 60_000);
});
