import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EndpointService } from '../../src/domain/outbound/webhooks/endpoint.service.js';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { HangingReceivers } from './load/hanging-receivers.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const HANGING = 500;
/** Events an endpoint: in all, as many sends as the process has send slots. */
const EVENTS_EACH = 2;
const HEALTHY = 20;
const ENDPOINTS_A_PARTNER = 50;
/** A send timeout longer than the rest of the test. */
const TIMEOUT_MS = 8_000;

/** Receivers that accept connections and never answer occupy send slots until their timeout; they must not occupy those of others. */
describe(`${HANGING} receivers that hang`, () => {
  let app: TestApp;
  let hanging: HangingReceivers;
  let receiver: Receiver;
  let healthy: TestPartner;

  beforeAll(async () => {
    hanging = await HangingReceivers.open();
    receiver = await Receiver.start();
    const env = { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS), RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' };
    app = await startApp('partner', env, undefined, ({ webhooks }) => {
      webhooks.concurrency = HANGING * EVENTS_EACH;
    });
    const endpoints = app.application.get(EndpointService);
    for (let partner = 0; partner < HANGING / ENDPOINTS_A_PARTNER; partner++) {
      const { id } = await createPartner(app.admin);
      for (let number = 0; number < ENDPOINTS_A_PARTNER; number++)
        await endpoints.register(id, { url: hanging.url(partner * ENDPOINTS_A_PARTNER + number) });
    }
    healthy = await createPartner(app.admin);
    for (let number = 0; number < HEALTHY; number++) {
      const url = new URL(`/healthy/${number}`, receiver.url).href;
      expect((await healthy.api.post('/webhooks', { url })).status).toBe(201);
    }
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await receiver?.close();
    await hanging?.close();
  });

  /** Deliveries of the hanging receivers by state. */
  const states = async (): Promise<Record<string, number>> => {
    const rows = await app.database.query<{ state: string; count: number }>(
      'live',
      `SELECT concat_ws(' ', status, failure, attempts) AS state, count(*)::int AS count FROM deliveries
        WHERE partner_id <> $1 GROUP BY 1`,
      [healthy.id],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };

  it('hold up no event of anybody else: all of those arrive while every other send still waits', async () => {
    const events = app.application.get(EventService);
    const partners = await app.database.query<{ id: string }>(
      'live',
      'SELECT DISTINCT partner_id AS id FROM webhook_endpoints WHERE partner_id <> $1',
      [healthy.id],
    );
    await events.raise(
      partners.flatMap(({ id: partnerId }) =>
        Array.from({ length: EVENTS_EACH }, () => ({
          type: 'position.opened' as const,
          partnerId,
          data: {},
        })),
      ),
    );
    await until(async () => hanging.sockets.size >= HANGING, TIMEOUT_MS);
    await events.raise(
      Array.from({ length: EVENTS_EACH }, () => ({
        type: 'position.opened' as const,
        partnerId: healthy.id,
        data: {},
      })),
    );
    await receiver.waitFor(HEALTHY * EVENTS_EACH, TIMEOUT_MS);
    // No send has reached its timeout: every delivery is `queued` or `pending`.
    const { 'queued 0': queued = 0, 'pending 1': pending = 0 } = await states();
    expect(queued + pending).toBe(HANGING * EVENTS_EACH);
  }, 60_000);

  it('hold up no request', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        healthy.api.post('/users', { external_id: `hang:${number}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect((await states())['failed timeout 1']).toBeUndefined();
  });

  it('end as failed: timeout, after one attempt each, and nobody is sent anything twice', async () => {
    await until(async () => (await states())['failed timeout 1'] === HANGING * EVENTS_EACH, 60_000);
    expect(await states()).toEqual({ 'failed timeout 1': HANGING * EVENTS_EACH });
    const arrived = receiver.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(arrived).toHaveLength(HEALTHY * EVENTS_EACH);
  }, 90_000);

  it('cost no more connections than there are places, and leave none', async () => {
    expect(hanging.mostAtOnce).toBeLessThanOrEqual(app.settings.constants.webhooks.concurrency);
    expect(hanging.requests).toBe(HANGING * EVENTS_EACH);
    await until(async () => hanging.sockets.size === 0);
  });
});
