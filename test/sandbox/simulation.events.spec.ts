import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { EVENT_TYPES } from '../../src/domain/webhooks/event-type.js';
import { startApp, type TestApp } from '../support/app.js';
import { Conformance } from '../support/conformance.js';
import { expectError } from '../support/expected-error.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { Account } from './account.js';

const ABSENT = 'wh_01kaabcdefghjkmnpqrstvwxyz';

/** Events on request: a receiver is tested against any of them without waiting for the market. */
describe('simulated events', () => {
  let app: TestApp;
  let account: Account;
  let receiver: Receiver;
  let conformance: Conformance;

  beforeAll(async () => {
    app = await startApp('sandbox');
    account = await Account.open(app);
    conformance = await Conformance.of('sandbox');
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());
  afterAll(() => app.close());

  const register = async (input: object = {}, owner = account): Promise<any> => {
    const { status, body } = await owner.api.post('/webhooks', { url: receiver.url, ...input });
    expect(status).toBe(201);
    return body.data;
  };
  const raise = (body: object) => account.api.post('/simulation/events', body);

  it.each(EVENT_TYPES)('%s arrives signed, in the shape of the real one', async (type) => {
    const webhook = await register({ events: [type] });
    const answer = await raise({ type });
    expect(answer.status).toBe(201);
    const { id, created_at, data } = answer.body.data;
    const [got] = await receiver.waitFor(1);
    const signature = String(got!.headers['webhook-signature']);
    const event = Stripe.webhooks.constructEvent(got!.body, signature, webhook.secret);
    expect(event).toEqual({ id, type, created_at, data });
    expect(got!.headers['webhook-id']).toBe(id);
    conformance.checkEvent(got!);
    await account.api.delete(`/webhooks/${webhook.id}`);
  });

  it('is dated at the account’s time, however far ahead, and signed at the wall’s', async () => {
    const webhook = await register({ events: ['system.status'] });
    await account.advance(240);
    const { created_at } = (await raise({ type: 'system.status', webhook_id: webhook.id })).body.data;
    const clock = await account.read('/simulation/clock');
    expect(Date.parse(clock.now) - Date.parse(created_at)).toBeLessThan(60_000);
    const [got] = await receiver.waitFor(1);
    const time = Number(/^t=(\d+),/.exec(String(got!.headers['webhook-signature']))![1]) * 1000;
    expect(Math.abs(Date.parse(clock.wall_time) - time)).toBeLessThan(60_000);
    await account.api.delete(`/webhooks/${webhook.id}`);
  });

  it('a test send is dated at the account’s time too, and signed at the wall’s', async () => {
    const webhook = await register();
    await account.advance(24);
    const { body } = await account.api.post(`/webhooks/${webhook.id}/test`);
    const { payload, signature } = body.data;
    const clock = await account.read('/simulation/clock');
    expect(Date.parse(clock.now) - Date.parse(clock.wall_time)).toBeGreaterThan(23 * 3_600_000);
    expect(Date.parse(clock.now) - Date.parse(payload.created_at)).toBeLessThan(60_000);
    expect(payload.data.requested_at).toBe(payload.created_at);
    const [got] = await receiver.waitFor(1);
    expect(JSON.parse(got!.body.toString())).toEqual(payload);
    const time = Number(/^t=(\d+),/.exec(signature)![1]) * 1000;
    expect(Math.abs(Date.parse(clock.wall_time) - time)).toBeLessThan(60_000);
    await account.api.delete(`/webhooks/${webhook.id}`);
  });

  it('goes to every endpoint of the account that subscribed, and to no other account', async () => {
    const stranger = await Account.open(app);
    const registered = await Promise.all([
      register({ events: ['yield.threshold'] }),
      register({ events: ['yield.threshold', 'position.opened'] }),
      register({ events: ['position.opened'] }),
      register({ events: ['yield.threshold'], active: false }),
      register({ events: ['yield.threshold'] }, stranger),
    ]);
    const { id } = (await raise({ type: 'yield.threshold' })).body.data;
    await receiver.waitFor(2);
    await until(async () => (await sentOf(id)).length === 2);
    expect((await sentOf(id)).map(({ webhook_id }) => webhook_id).sort()).toEqual(
      [registered[0].id, registered[1].id].sort(),
    );
    expect(await stranger.list('/webhooks/events')).toEqual([]);
    for (const webhook of registered.slice(0, 4)) await account.api.delete(`/webhooks/${webhook.id}`);
  });

  const sentOf = async (eventId: string): Promise<any[]> =>
    (await account.list('/webhooks/events')).filter(
      ({ payload, status }) => payload.id === eventId && status === 'delivered',
    );

  it('goes to the one endpoint that is named, and is in the log like any other', async () => {
    const [named, other] = [await register(), await register()];
    const { id } = (await raise({ type: 'position.closed', webhook_id: named.id })).body.data;
    await until(async () => (await sentOf(id)).length > 0);
    expect(await sentOf(id)).toMatchObject([
      { webhook_id: named.id, event: 'position.closed', status: 'delivered', attempts: 1 },
    ]);
    expect(receiver.received).toHaveLength(1);
    for (const webhook of [named, other]) await account.api.delete(`/webhooks/${webhook.id}`);
  });

  it('puts given fields over the synthetic ones', async () => {
    const { data } = (await raise({ type: 'position.withdrawn', data: { amount: 12.5, note: 'mine' } })).body
      .data;
    expect(data).toMatchObject({ object: 'position', amount: 12.5, note: 'mine' });
  });

  it('refuses an endpoint that is unknown, another’s, inactive or not subscribed', async () => {
    const stranger = await Account.open(app);
    const theirs = await register({}, stranger);
    for (const webhook_id of [ABSENT, 'nonsense', theirs.id])
      expectError(await raise({ type: 'system.status', webhook_id }), 404, 'not_found');
    const inactive = await register({ active: false });
    const elsewhere = await register({ events: ['position.opened'] });
    for (const [webhook_id, message] of [
      [inactive.id, 'is inactive: it gets no events'],
      [elsewhere.id, 'is not subscribed to system.status'],
    ]) {
      const answer = await raise({ type: 'system.status', webhook_id });
      expectError(answer, 400, 'validation_failed');
      expect(answer.body.error.details).toEqual([{ field: 'webhook_id', message }]);
    }
    expect(receiver.received).toEqual([]);
  });

  it('refuses a type that there is not, and data that is no object', async () => {
    for (const body of [{}, { type: 'position.moved' }, { type: 'system.status', data: [] }])
      expectError(await raise(body), 400, 'validation_failed');
  });
});
