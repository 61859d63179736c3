import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/webhooks/event.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Sends in flight to one endpoint at a time: what may already be on its way when an endpoint changes. */
const IN_FLIGHT = 4;
const EVENTS = 16;

/** An endpoint that changes while events wait for it: what has not begun follows the endpoint as it is now. */
describe('changing an endpoint with events waiting', () => {
  let app: TestApp;
  let slow: Receiver;
  let next: Receiver;

  beforeAll(async () => {
    app = await startApp('partner');
    slow = await Receiver.start((response) => setTimeout(() => response.end(), 250));
    next = await Receiver.start();
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([slow.close(), next.close()]);
  });

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
  const idle = (partner: TestPartner) =>
    until(
      async () =>
        (
          await app.database.query(
            'live',
            `SELECT FROM deliveries WHERE partner_id = $1 AND status IN ('queued', 'pending')`,
            [partner.id],
          )
        ).length === 0,
    );

  it('sends to the new address from the answer on', async () => {
    const { partner, id, before } = await busyEndpoint();
    await partner.api.patch(`/webhooks/${id}`, { url: next.url });
    const atAnswer = slow.received.length;
    await idle(partner);
    expect(slow.received.length).toBeLessThanOrEqual(atAnswer + IN_FLIGHT);
    expect(slow.received.length - before + next.received.length).toBe(EVENTS);
    const log = (await partner.api.get('/webhooks/deliveries')).body.data as { url: string }[];
    expect(log.filter(({ url }) => url === next.url)).toHaveLength(next.received.length);
  });

  it.each([
    ['unsubscribed', { events: ['yield.threshold'] }],
    ['turned off', { active: false }],
  ])('sends nothing more once it is %s, and records nothing that it did not attempt', async (_, change) => {
    const { partner, id, before } = await busyEndpoint();
    await partner.api.patch(`/webhooks/${id}`, change);
    const atAnswer = slow.received.length;
    await idle(partner);
    const sent = slow.received.length - before;
    expect(slow.received.length).toBeLessThanOrEqual(atAnswer + IN_FLIGHT);
    expect(sent).toBeLessThan(EVENTS);
    expect((await partner.api.get('/webhooks/deliveries')).body.data).toHaveLength(sent);
  });
});
