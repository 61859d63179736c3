import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';

/** Most sends in flight to one endpoint: so many may already be on their way when the endpoint changes. */
const IN_FLIGHT = 4;
const EVENTS = 16;

/** Endpoints of the live contract, where the operator decides which addresses are allowed. */
describe('partner contract: webhook endpoints', () => {
  let app: TestApp;
  let slow: Receiver;
  let next: Receiver;

  beforeAll(async () => {
    app = await startApp('partner', { WEBHOOK_REQUIRE_HTTPS: 'true' });
    slow = await Receiver.start((response) => setTimeout(() => response.end(), 250));
    next = await Receiver.start();
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([slow.close(), next.close()]);
  });

  it('are https only if required, except in WEBHOOK_ALLOWED_NETWORKS', async () => {
    const { api } = await createPartner(app.admin);
    expect((await api.post('/webhooks', { url: 'http://hooks.example.com/' })).body.error.code).toBe(
      'webhook_url_forbidden',
    );
    expect((await api.post('/webhooks', { url: 'https://hooks.example.com/' })).status).toBe(201);
    const { body } = await api.post('/webhooks', { url: next.url });
    expect((await api.post(`/webhooks/${body.data.id}/test`)).body.data.status).toBe('delivered');
    expect((await api.post('/webhooks', { url: 'http://10.0.0.1/' })).status).toBe(422);
  });

  describe('that change with queued deliveries', () => {
    const busyEndpoint = async (): Promise<{ partner: TestPartner; id: string; before: number }> => {
      const partner = await createPartner(app.admin);
      const { id } = (await partner.api.post('/webhooks', { url: slow.url, events: ['system.status'] })).body
        .data;
      const before = slow.received.length;
      const events = Array.from({ length: EVENTS }, (_, n) => ({
        type: 'system.status' as const,
        partnerId: partner.id,
        data: { message: `event ${n}` },
      }));
      await app.application.get(EventService).raise(events);
      await slow.waitFor(before + 1);
      return { partner, id, before };
    };

    it('get further sends at the new URL, once the change is answered', async () => {
      const already = next.received.length;
      const { partner, id, before } = await busyEndpoint();
      await partner.api.patch(`/webhooks/${id}`, { url: next.url });
      const atAnswer = slow.received.length;
      await untilSettled(app);
      const there = next.received.length - already;
      expect(slow.received.length).toBeLessThanOrEqual(atAnswer + IN_FLIGHT);
      expect(slow.received.length - before + there).toBe(EVENTS);
      const log = (await partner.api.get('/webhooks/deliveries')).body.data as { url: string }[];
      expect(log.filter(({ url }) => url === next.url)).toHaveLength(there);
    });

    it.each([
      ['unsubscribed', { events: ['yield.threshold'] }],
      ['turned off', { active: false }],
    ])('get no further sends once they are %s, and the log has only attempted ones', async (_, change) => {
      const { partner, id, before } = await busyEndpoint();
      await partner.api.patch(`/webhooks/${id}`, change);
      const atAnswer = slow.received.length;
      await untilSettled(app);
      const sent = slow.received.length - before;
      expect(slow.received.length).toBeLessThanOrEqual(atAnswer + IN_FLIGHT);
      expect(sent).toBeLessThan(EVENTS);
      expect((await partner.api.get('/webhooks/deliveries')).body.data).toHaveLength(sent);
    });
  });
});
