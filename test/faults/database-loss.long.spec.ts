import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

/** The connections of the queue itself break too, while jobs run; the process must neither exit nor stop taking jobs. */
describe('a database that is away for a while', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('finds the queue at work when it is back', async () => {
    const adminKey = newKeySecret('live');
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const proxy = await DatabaseProxy.open(database.url);
    closing.push(() => proxy.cut());
    const replica = await Replica.start('partner', {
      DATABASE_URL: proxy.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      LOG_LEVEL: 'warn',
    });
    closing.push(() => replica.kill());
    const receiver = await Receiver.start();
    closing.push(() => receiver.close());
    const partner = await createPartner(replica.api(adminKey));
    await partner.api.post('/webhooks', { url: receiver.url, events: ['system.status'] });
    const broadcast = (n: number, recorded: string) =>
      database.query(
        'live',
        `WITH raised AS (
           INSERT INTO events (id, type, envelope, recorded_at, fanned_out)
           VALUES ($1, 'system.status', json_build_object('id', $1::text), now() + $2::interval, false) RETURNING id)
         SELECT enqueue(json_build_array(json_build_object('identifier', 'webhooks.fan_out',
           'payload', json_build_object('partnerId', null, 'eventIds', json_build_array(id))))) FROM raised`,
        [`evt_01m7xeh1tye6kb87x1qjzk5b${n}f`, recorded],
      );
    const ended = () =>
      database.query<{ status: string; failure: string | null }>(
        'live',
        `SELECT status, failure FROM deliveries WHERE status IN ('delivered', 'failed') ORDER BY event_id`,
      );
    for (const round of [1, 2, 3]) {
      // Jobs complete, or fail to, at the moment at which the database goes.
      const raised = broadcast(round, '0');
      await proxy.cut();
      await raised;
      await sleep(700);
      await proxy.restore();
      // A delivery ends at once; or later, when its event is found overdue because its job was lost; or without a send, when the answer to its claim
      // was lost.
      await until(async () => (await ended()).length === round, 40_000);
    }
    // These events never become overdue, so that only the queue can deliver them.
    await broadcast(4, '1 hour');
    await until(async () => (await ended()).length === 4);
    const outcomes = await ended();
    expect(outcomes.at(-1)).toEqual({ status: 'delivered', failure: null });
    for (const { status, failure } of outcomes) {
      expect([
        { status: 'delivered', failure: null },
        { status: 'failed', failure: 'interrupted' },
      ]).toContainEqual({ status, failure });
    }
    const delivered = outcomes.filter(({ status }) => status === 'delivered');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.length).toBeGreaterThanOrEqual(delivered.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(replica.child.exitCode).toBeNull();
  }, 120_000);

  it('gets the outcome of a send that ended during the outage from the process that made it', async () => {
    const adminKey = newKeySecret('live');
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const proxy = await DatabaseProxy.open(database.url);
    closing.push(() => proxy.cut());
    const env = { BOOTSTRAP_ADMIN_KEY: adminKey, LOG_LEVEL: 'warn', WEBHOOK_TIMEOUT_MS: '1000' };
    const replica = await Replica.start('partner', { DATABASE_URL: proxy.url, ...env });
    closing.push(() => replica.kill());
    // Another process never loses the database, and releases sends whose outcome is not recorded in time.
    const other = await Replica.start('partner', { DATABASE_URL: database.url, ...env });
    closing.push(() => other.kill());
    let answer = (): void => undefined;
    const receiver = await Receiver.start((response) => (answer = () => void response.end()));
    closing.push(() => receiver.close());
    const partner = await createPartner(replica.api(adminKey));
    const { id } = (await partner.api.post('/webhooks', { url: receiver.url })).body.data;
    const sent = partner.api.post(`/webhooks/${id}/test`).catch(() => null);
    await receiver.waitFor(1);
    await proxy.cut();
    answer();
    const outcome = async () =>
      (
        await database.query<{ outcome: string }>(
          'live',
          'SELECT coalesce(failure, status) AS outcome FROM deliveries',
        )
      )[0]!.outcome;
    await until(async () => (await outcome()) === 'interrupted', 15_000);
    await proxy.restore();
    await until(async () => (await outcome()) === 'delivered', 15_000);
    await sent;
    expect(receiver.received).toHaveLength(1);
  }, 60_000);
});
