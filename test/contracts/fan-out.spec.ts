import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Store } from '../../src/domain/kernel/store/store.js';
import { Dispatcher } from '../../src/domain/outbound/webhooks/dispatcher.js';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { FanOutService } from '../../src/domain/outbound/webhooks/fan-out.service.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { DeliveryUpkeep } from '../../src/jobs/delivery-upkeep.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

/** A partner with so many endpoints and events; the endpoints take four sends each at once. */
const LOUD = { endpoints: 50, events: 10, atOnce: 4 * 50 };

/** Fan-out of an event to its subscribed endpoints: each gets it once. */
describe.each(eitherContract('sandbox'))('%s contract: events', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  let app: TestApp;
  let replica: TestApp;
  let events: EventService;
  let receiver: Receiver;
  let partner: TestPartner;

  beforeAll(async () => {
    const settings = { WEBHOOK_TIMEOUT_MS: '30000', RATE_LIMIT_PER_MINUTE: '0' };
    app = await startApp(contract, settings, undefined, shortMarkets);
    replica = await startApp(contract, settings, app.database, shortMarkets);
    // The periodic sweep, which would look for work every two seconds, is stopped: the tests start the work themselves.
    for (const { application } of [app, replica]) {
      await application.get(HousekeepingTimer).stop();
    }
    events = app.application.get(EventService);
    receiver = await Receiver.start();
  });
  beforeEach(async () => {
    jest.restoreAllMocks();
    receiver.received.length = 0;
    await app.sql('DELETE FROM webhook_endpoints');
    partner = await createPartner(app.admin);
  });
  afterAll(async () => {
    await receiver.close();
    await replica.close();
    await app.close();
  });

  const register = async (
    owner: TestPartner,
    path: string,
    input: object = {},
    at = receiver,
  ): Promise<string> => {
    const { status, body } = await owner.api.post('/webhooks', {
      url: at.url.replace('/hook', path),
      ...input,
    });
    expect(status).toBe(201);
    return body.data.id;
  };
  const paths = (): string[] => receiver.received.map(({ path }) => path).sort();
  const status = { events: ['system.status'] };

  it('A broadcast is queued for and reaches every active subscribed endpoint of every active partner exactly once', async () => {
    const [second, disabled] = [await createPartner(app.admin), await createPartner(app.admin)];
    const subscribed = [
      await register(partner, '/first/all'),
      await register(partner, '/first/status', status),
      await register(second, '/second/status', status),
    ];
    const others = await register(partner, '/first/other-events', {
      events: ['position.opened', 'yield.threshold'],
    });
    const inactive = await register(partner, '/first/inactive', { active: false });
    const off = await register(disabled, '/disabled', status);
    await app.admin.patch(`/partners/${disabled.id}`, { status: 'disabled' });

    // Nothing is sent meanwhile, and nothing that is unwanted is dropped.
    const wake = jest.spyOn(Dispatcher.prototype, 'wake').mockReturnValue(undefined);
    const eventId = await events.broadcastStatus('Maintenance at noon.');
    const [event] = await events.raise([{ type: 'system.status', partnerId: disabled.id, data: {} }]);
    await until(async () => (await app.sql('SELECT FROM events WHERE NOT fanned_out')).length === 0);
    const queued = await app.sql('SELECT webhook_id AS id FROM deliveries WHERE event_id IN ($1, $2)', [
      eventId,
      event,
    ]);
    expect(queued.map(({ id }) => id).sort()).toEqual(subscribed.sort());
    // Who did not subscribe to its type has not missed it.
    const missed = await app.sql('SELECT webhook_id AS id FROM undelivered WHERE event_id = $1', [eventId]);
    for (const id of [inactive, off]) expect(missed).toContainEqual({ id });
    expect(missed).not.toContainEqual({ id: others });
    wake.mockRestore();
    await app.application.get(Dispatcher).wakeForgotten();
    await untilSettled(app);
    expect(paths()).toEqual(['/first/all', '/first/status', '/second/status']);
    const bodies = new Set(receiver.received.map(({ body }) => body.toString()));
    expect(bodies.size).toBe(1);
    expect(JSON.parse([...bodies][0]!)).toEqual({
      id: eventId,
      type: 'system.status',
      created_at: expect.any(String),
      data: { message: 'Maintenance at noon.', requested_at: expect.any(String) },
    });
    expect((await second.api.get(log)).body.data).toMatchObject([
      { status: 'delivered', payload: { id: eventId } },
    ]);
  });

  it('An event of a rolled-back transaction is neither stored nor sent', async () => {
    await register(partner, '/hook');
    const before = await app.sql('SELECT id FROM events');
    const impossible = { type: 'position.opened' as const, partnerId: 'ptn_nobody', data: {} };
    await expect(
      events.raise([{ type: 'position.opened', partnerId: partner.id, data: {} }, impossible]),
    ).rejects.toThrow(/foreign key/);
    await untilSettled(app);
    expect(receiver.received).toEqual([]);
    expect(await app.sql('SELECT id FROM events')).toEqual(before);
  });

  it('A repeated or concurrent fan-out in two processes sends once', async () => {
    await register(partner, '/a');
    await register(partner, '/b');
    await events.broadcastStatus('Once.');
    const fanOuts = [app, replica].map(({ application }) => application.get(FanOutService));
    await Promise.all([1, 2, 3, 4].flatMap(() => fanOuts.map((fanOut) => fanOut.fanOut())));
    await untilSettled(app);
    await fanOuts[0]!.fanOut();
    await untilSettled(app);
    expect(paths()).toEqual(['/a', '/b']);
  });

  it('Events left behind are fanned out once they are overdue; a partner whose fan-out fails stops no other', async () => {
    const fanOut = app.application.get(FanOutService);
    const other = await createPartner(app.admin);
    for (const [owner, path] of [[partner, '/failing'] as const, [other, '/other'] as const]) {
      await register(owner, path);
      await events.record({ type: 'position.opened', partnerId: owner.id, data: {} }, false);
    }
    expect(await fanOut.fanOutOverdue()).toBe(0);
    await app.sql(`UPDATE events SET recorded_at = recorded_at - interval '16 s' WHERE NOT fanned_out`);
    await app.sql(`ALTER TABLE deliveries ADD CONSTRAINT refused CHECK (partner_id <> '${partner.id}')`);
    await expect(fanOut.fanOutOverdue()).rejects.toThrow('refused');
    await until(async () => receiver.received.length > 0);
    expect(paths()).toEqual(['/other']);
    await app.sql('ALTER TABLE deliveries DROP CONSTRAINT refused');
    expect(await fanOut.fanOutOverdue()).toBe(1);
    await untilSettled(app);
    expect(paths()).toEqual(['/failing', '/other']);
    expect(await fanOut.fanOutOverdue()).toBe(0);
  });

  /** Queues deliveries as a fan-out leaves them, for an endpoint whose dispatch is not triggered. */
  const queue = async (owner: TestPartner, webhookId: string, count = 1): Promise<string[]> => {
    const status = { type: 'system.status', partnerId: owner.id, data: {} } as const;
    const ids: string[] = [];
    while (ids.length < count) ids.push(await events.record(status, true));
    await app.sql(
      `INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
       SELECT 'del_' || event, event, $2, $3, 'queued', 0, now() FROM unnest($1::text[]) AS event`,
      [ids, webhookId, owner.id],
    );
    return ids;
  };
  const wake = (webhookId: string): void => {
    for (const { application } of [app, replica]) {
      application.get(Dispatcher).wake({ webhookId, partnerId: partner.id });
    }
  };

  it('Two processes that drain an endpoint resend nothing, and together send at most 4 at once', async () => {
    const heldResponses: ServerResponse[] = [];
    let [atOnce, mostAtOnce] = [0, 0];
    const slow = await Receiver.start((response) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      response.on('finish', () => atOnce--);
      void (heldResponses.length < 4 ? heldResponses.push(response) : response.end());
    });
    const { body } = await partner.api.post('/webhooks', { url: slow.url });
    const eventIds = await queue(partner, body.data.id, 12);
    const [first, second] = [app, replica].map(({ application }) => application.get(Dispatcher));
    const outlet = { webhookId: body.data.id, partnerId: partner.id };
    first!.wake(outlet);
    await until(async () => heldResponses.length === 4);
    second!.wake(outlet);
    // Its claims are refused meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(mostAtOnce).toBe(4);
    heldResponses.forEach((response) => response.end());
    await slow.waitFor(12);
    expect(mostAtOnce).toBe(4);
    await untilSettled(app);
    const again = await queue(partner, body.data.id);
    first!.wake(outlet);
    await untilSettled(app);
    const sent = slow.received.map(({ headers }) => headers['webhook-id']);
    expect(sent.sort()).toEqual([...eventIds, ...again].sort());
    for (const process of [app, replica]) expect(process.logs()).not.toContain('sending stopped');
    await slow.close();
  });

  it('A queued delivery is not sent once its endpoint is inactive or deleted, or its partner disabled', async () => {
    const late = await createPartner(app.admin);
    const [inactive, deleted, ofDisabled, wanted] = [
      await register(partner, '/inactive'),
      await register(partner, '/deleted'),
      await register(late, '/disabled'),
      await register(partner, '/wanted'),
    ];
    for (const id of [inactive, deleted, wanted]) await queue(partner, id);
    await queue(late, ofDisabled);
    await app.sql('UPDATE webhook_endpoints SET active = false WHERE id = $1', [inactive]);
    await partner.api.delete(`/webhooks/${deleted}`);
    await app.admin.patch(`/partners/${late.id}`, { status: 'disabled' });
    for (const id of [inactive, deleted, ofDisabled, wanted]) wake(id);
    await untilSettled(app);
    expect(paths()).toEqual(['/wanted']);
    const rows = await app.sql('SELECT webhook_id FROM deliveries WHERE partner_id IN ($1, $2)', [
      partner.id,
      late.id,
    ]);
    expect(rows).toEqual([{ webhook_id: wanted }]);
  });

  it('The oldest queued deliveries beyond a partner’s limit are dropped, recorded, counted and logged', async () => {
    const neighbour = await createPartner(app.admin);
    const ids = [await register(partner, '/a', status), await register(partner, '/b', status)];
    const next = await register(neighbour, '/next', status);
    const both = [app, replica];
    const raised: string[] = [];
    const queued = async (): Promise<number> =>
      (
        await app.sql(`SELECT FROM deliveries WHERE status = 'queued' AND webhook_id = ANY($1)`, [
          [...ids, next],
        ])
      ).length;
    // No endpoint has a free slot: what is queued stays so.
    const bounds = both.map(({ settings }) => settings.constants.webhooks);
    const { concurrencyPerEndpoint, queuedPerPartner } = bounds[0]!;
    for (const limits of bounds) change(limits, { concurrencyPerEndpoint: 0, queuedPerPartner: 4 });
    for (let count = 1; count <= 3; count++) {
      raised.push(await events.broadcastStatus(`Number ${count}`));
      await until(async () => (await queued()) === count * 3);
    }
    for (const { application } of both) await application.get(DeliveryUpkeep).dropExcess();
    const read = async (owner: TestPartner): Promise<any[]> => (await owner.api.get(log)).body.data;
    const dropped = await read(partner);
    expect(dropped).toHaveLength(2);
    for (const delivery of dropped) {
      const expected = {
        status: 'failed',
        failure: 'dropped',
        attempts: 0,
        signature: '',
        response_status: null,
      };
      expect(delivery).toMatchObject({ ...expected, latency_ms: 0 });
      expect(delivery.payload.id).toBe(raised[0]);
    }
    expect(dropped.map(({ webhook_id }) => webhook_id).sort()).toEqual([...ids].sort());
    expect(await read(neighbour)).toEqual([]);
    const texts = await Promise.all(both.map(({ application }) => application.get(Metrics).text()));
    expect(texts.some((text) => text.includes('vaultline_deliveries_dropped_total 2'))).toBe(true);
    expect(app.logs() + replica.logs()).toContain('deliveries were dropped');
    for (const limits of bounds) change(limits, { concurrencyPerEndpoint, queuedPerPartner });
    await untilSettled(app);
    expect(paths()).toEqual(['/a', '/a', '/b', '/b', '/next', '/next', '/next']);
    const sent = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(sent).toEqual(new Set(raised));
  });

  it('A partner with many unsent deliveries delays another by no more sends than its endpoints take at once', async () => {
    const isQuiet = ({ path }: { path: string }): boolean => path === '/quiet';
    // Nothing is answered before the other partner's send has come, however fast the machine is.
    let heldResponses: ServerResponse[] = [];
    const both = await Receiver.start((response) => {
      heldResponses.push(response);
      if (!both.received.some(isQuiet)) return;
      heldResponses.forEach((connection) => connection.end());
      heldResponses = [];
    });
    for (let number = 0; number < LOUD.endpoints; number++)
      await register(partner, `/loud/${number}`, {}, both);
    const quiet = await createPartner(app.admin);
    await register(quiet, '/quiet', {}, both);
    const raise = ({ id }: TestPartner, count: number) =>
      events.raise(Array(count).fill({ type: 'position.opened', partnerId: id, data: {} }));
    await app.application.get(Store).transaction(async () => {
      await raise(partner, LOUD.events);
      await raise(quiet, 1);
    });
    await until(async () => both.received.some(isQuiet), 60_000);
    expect(both.received.findIndex(isQuiet)).toBeLessThanOrEqual(LOUD.atOnce);
    await both.waitFor(LOUD.endpoints * LOUD.events + 1, 120_000);
    await untilSettled(app);
    const sent = both.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`);
    expect(new Set(sent).size).toBe(LOUD.endpoints * LOUD.events + 1);
    expect(sent).toHaveLength(LOUD.endpoints * LOUD.events + 1);
    await both.close();
  }, 240_000);
});
