import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryService } from '../../src/domain/outbound/webhooks/delivery.service.js';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { WebhookRetention } from '../../src/domain/outbound/webhooks/webhook-retention.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';

/** Most sends in flight to one endpoint: so many may already be on their way when the endpoint changes. */
const IN_FLIGHT = 4;
const EVENTS = 16;

describe.each(eitherContract('partner'))('%s contract: deliveries', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  let app: TestApp;
  let receiver: Receiver;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, { WEBHOOK_REQUIRE_HTTPS: 'true' });
    receiver = await Receiver.start();
    partner = await createPartner(app.admin);
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const register = async (url: string): Promise<string> =>
    (await partner.api.post('/webhooks', { url })).body.data.id;
  /** Sends a test event, which succeeds whatever the receiver answers. @returns its record */
  const sendTest = async (id: string): Promise<any> => {
    const { status, body } = await partner.api.post(`/webhooks/${id}/test`);
    expect(status).toBe(contract === 'partner' ? 201 : 200);
    return body.data;
  };
  const read = async (parameters: string, owner = partner): Promise<any> =>
    (await owner.api.get(`${log}?${parameters}`)).body;
  it('Deliveries are pending for the time since their claim, and interrupted if the server stopped before their outcome', async () => {
    const endpoint = await register(receiver.url);
    const { id } = await sendTest(endpoint);
    // As if a process had claimed it, and not recorded its outcome yet.
    const claimed = (ago: string) =>
      app.sql(
        `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL, claimed_at = now() - $2::interval WHERE id = $1`,
        [id, ago],
      );
    await claimed('250 milliseconds');
    /** In the log and in the history of events. */
    const shown = async (): Promise<number[]> => {
      const [logged] = (await read(`webhook_id=${endpoint}`)).data;
      const { body } = await partner.api.get('/events?limit=500');
      const kept = body.data.flatMap(({ deliveries }: any) => deliveries);
      const [delivery] = kept.filter((row: any) => row.id === id);
      expect([logged.status, delivery.status]).toEqual(['pending', 'pending']);
      return [logged.latency_ms, delivery.latency_ms];
    };
    const [first, later] = [await shown(), await shown()];
    expect([...first, ...later].every(Number.isInteger)).toBe(true);
    expect(Math.min(...first)).toBeGreaterThanOrEqual(250);
    expect(later[0]).toBeGreaterThan(first[0]!);

    await claimed('1 minute');
    await app.application.get(DeliveryService).closeInterrupted();
    const [interrupted] = (await read(`webhook_id=${endpoint}`)).data;
    const expected = { status: 'failed', failure: 'interrupted', response_status: null };
    expect(interrupted).toMatchObject({ id, ...expected });
    // Until it was given up.
    expect(interrupted.latency_ms).toBeGreaterThanOrEqual(60_000);
    expect((await read(`webhook_id=${endpoint}`)).data).toEqual([interrupted]);
  });

  it('Deliveries are kept as the newest of their partner; older ones are hidden, and the retention job deletes them', async () => {
    const kept = contract === 'partner' ? 500 : 10_000;
    const owner = await createPartner(app.admin);
    await app.sql(
      `WITH made AS (
         SELECT lpad(n::text, 6, '0') AS tail, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 millisecond' AS at
           FROM generate_series(1, $2::int) AS n
       ), recorded AS (
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || tail, $1, 'system.status', json_build_object('id', 'evt_' || tail, 'type', 'system.status'), at, true FROM made
       )
       INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, claimed_at)
       SELECT 'del_' || tail, 'evt_' || tail, 'wh_gone', $1, 'delivered', 1, 'http://hooks.acme.example/', 't=1,v1=0', at, at FROM made`,
      [owner.id, kept + 20],
    );
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const { data, meta } = await read(`limit=500${cursor}`, owner);
      ids.push(...data.map(({ id }: { id: string }) => id));
      if (!meta.has_more) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    const newest = Array.from({ length: kept }, (_, n) => `del_${String(kept + 20 - n).padStart(6, '0')}`);
    expect(ids).toEqual(newest);
    await app.application.get(WebhookRetention).pruneDeliveries();
    const rows = await app.sql('SELECT id FROM deliveries WHERE partner_id = $1 ORDER BY at DESC', [
      owner.id,
    ]);
    expect(rows.map(({ id }) => id)).toEqual(newest);
  });

  it('Deliveries go to https only if required, except in WEBHOOK_ALLOWED_NETWORKS', async () => {
    for (const [url, status] of [
      ['http://hooks.example.com/', 422],
      ['https://hooks.example.com/', 201],
      ['http://10.0.0.1/', 422],
    ] as const)
      expect((await partner.api.post('/webhooks', { url })).status).toBe(status);
    expect((await sendTest(await register(receiver.url))).status).toBe('delivered');
  });

  // Endpoints of the sandbox do not change.
  if (contract === 'sandbox') return;

  describe('that are queued when their endpoint changes', () => {
    let slow: Receiver;
    beforeAll(async () => {
      slow = await Receiver.start((response) => setTimeout(() => response.end(), 250));
    });
    afterAll(() => slow.close());

    /** Changes an endpoint with queued deliveries. @returns its owner, and how many were sent to its first URL */
    const changed = async (change: object): Promise<{ owner: TestPartner; sent: number }> => {
      const owner = await createPartner(app.admin);
      const hook = { url: slow.url, events: ['system.status'] };
      const { id } = (await owner.api.post('/webhooks', hook)).body.data;
      const before = slow.received.length;
      const event = { type: 'system.status' as const, partnerId: owner.id, data: {} };
      await app.application.get(EventService).raise(Array.from({ length: EVENTS }, () => event));
      await slow.waitFor(before + 1);
      await owner.api.patch(`/webhooks/${id}`, change);
      const atAnswer = slow.received.length;
      await untilSettled(app);
      expect(slow.received.length).toBeLessThanOrEqual(atAnswer + IN_FLIGHT);
      return { owner, sent: slow.received.length - before };
    };

    it('Deliveries that are queued when their endpoint changes are sent to the new URL, once the change is answered', async () => {
      const already = receiver.received.length;
      const { owner, sent } = await changed({ url: receiver.url });
      const there = receiver.received.length - already;
      expect(sent + there).toBe(EVENTS);
      const records: { url: string }[] = (await read('', owner)).data;
      expect(records.filter(({ url }) => url === receiver.url)).toHaveLength(there);
    });

    it.each([
      ['unsubscribed', { events: ['yield.threshold'] }],
      ['turned off', { active: false }],
    ])(
      'Deliveries that are queued when their endpoint changes are not sent once it is %s, and the log has only attempted ones',
      async (_, change) => {
        const { owner, sent } = await changed(change);
        expect(sent).toBeLessThan(EVENTS);
        expect((await read('', owner)).data).toHaveLength(sent);
      },
    );
  });
});
