import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { EndpointService } from '../../src/domain/webhooks/endpoint.service.js';
import { EventService } from '../../src/domain/webhooks/event.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { type Received, Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';

/** Sends in flight to one endpoint at a time. */
const IN_FLIGHT = 4;

/** What a partner's engineer does to a receiver in its life: replaces its secret, sees how it fares. */
describe.each(['partner', 'sandbox'] as const)('%s contract: a receiver', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let receiver: Receiver;
  /** What it answers. */
  let status = 200;

  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
    receiver = await Receiver.start((response) => response.writeHead(status).end());
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const query = (sql: string, values: unknown[] = []): Promise<any[]> =>
    app.database.query(schemaOf(contract), sql, values);
  const register = async (url = receiver.url): Promise<{ id: string; secret: string }> =>
    (await partner.api.post('/webhooks', { url, events: ['system.status'] })).body.data;
  const rotate = (id: string, body?: object, headers?: Record<string, string>) =>
    partner.api.post(`/webhooks/${id}/secret/rotate`, body, headers);
  const shown = async (id: string): Promise<any> =>
    (await partner.api.get('/webhooks')).body.data.find((one: { id: string }) => one.id === id);
  /** A test send, and what came of it. */
  const sendTest = async (id: string): Promise<Received> => {
    await partner.api.post(`/webhooks/${id}/test`);
    return receiver.received.at(-1)!;
  };
  const accepts = ({ body, headers }: Received, secret: string): boolean => {
    try {
      Stripe.webhooks.constructEvent(body, headers['webhook-signature'] as string, secret);
      return true;
    } catch {
      return false;
    }
  };
  const signatures = ({ headers }: Received): number =>
    (headers['webhook-signature'] as string).split(',v1=').length - 1;
  /** Events of the partner, in order. */
  const raise = (count: number): Promise<string[]> =>
    app.application.get(EventService).raise(
      Array.from({ length: count }, (_, n) => ({
        type: 'system.status' as const,
        partnerId: partner.id,
        data: { message: `event ${n}` },
      })),
    );

  describe('whose secret is replaced', () => {
    it('accepts what is sent with either secret, until the old one ends', async () => {
      const { id, secret: old } = await register();
      const rotated = await rotate(id, { previous_expires_in: 3600 });
      expect(rotated.status).toBe(200);
      const { secret, ...rest } = rotated.body.data;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(secret).not.toBe(old);
      const until = Date.parse(rest.previous_secret_expires_at);
      expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(60_000);
      expect(await shown(id)).toEqual({ ...rest, secret: `whsec_****${secret.slice(-4)}` });

      const both = await sendTest(id);
      expect([signatures(both), accepts(both, secret), accepts(both, old)]).toEqual([2, true, true]);

      // Its time is over, and nobody has erased it yet.
      await query(
        `UPDATE webhook_endpoints SET previous_expires_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      const one = await sendTest(id);
      expect([signatures(one), accepts(one, secret), accepts(one, old)]).toEqual([1, true, false]);
      expect(await app.application.get(EndpointService).eraseExpired()).toBe(1);
      const [row] = await query(
        'SELECT previous_sealed AS sealed, previous_expires_at AS until FROM webhook_endpoints WHERE id = $1',
        [id],
      );
      expect(row).toEqual({ sealed: null, until: null });
      expect((await rotate(id)).status).toBe(200);
    });

    it('has one rotation at a time, and 0 ends all secrets but the new one', async () => {
      const { id, secret: first } = await register();
      const second = (await rotate(id)).body.data.secret as string;
      const again = await rotate(id, { previous_expires_in: 60 });
      expectError(again, 409, 'rotation_in_progress');
      expect(again.body.error.message).toContain((await shown(id)).previous_secret_expires_at);
      const last = await rotate(id, { previous_expires_in: 0 });
      expect(last.body.data.previous_secret_expires_at).toBeNull();
      const sent = await sendTest(id);
      expect([first, second, last.body.data.secret].map((secret) => accepts(sent, secret))).toEqual([
        false,
        false,
        true,
      ]);
      expect(signatures(sent)).toBe(1);
    });

    it('is rotated once a key, and answered with the same secret', async () => {
      const { id } = await register();
      const headers = { 'idempotency-key': `rotate-${id}` };
      const [first, replay] = [await rotate(id, {}, headers), await rotate(id, {}, headers)];
      expect(replay.text).toBe(first.text);
      expect(replay.headers.get('idempotency-replayed')).toBe('true');
    });

    it('keeps both secrets where no dump of the database shows them', async () => {
      const { id, secret: old } = await register();
      const { secret } = (await rotate(id)).body.data;
      const [row] = await query(
        'SELECT w::text AS row, previous_sealed FROM webhook_endpoints w WHERE id = $1',
        [id],
      );
      expect(row.previous_sealed.length).toBeGreaterThan(40);
      for (const one of [secret, old] as string[])
        for (const form of [one, one.slice(-20), Buffer.from(one).toString('hex')])
          expect(row.row).not.toContain(form);
    });

    it.each([-1, 604_801, 1.5, '60'])('refuses %p seconds', async (seconds) => {
      const { id } = await register();
      const answer = await rotate(id, { previous_expires_in: seconds });
      expectError(answer, 400, 'validation_failed');
      expect(fieldsOf(answer)).toEqual(['previous_expires_in']);
    });

    it('gets what was queued before signed with the new secret, though it was read with the old one', async () => {
      const slow = await Receiver.start((response) => setTimeout(() => response.end(), 100));
      const { id } = await register(slow.url);
      await raise(16);
      await slow.waitFor(1);
      const { secret } = (await rotate(id, { previous_expires_in: 0 })).body.data;
      const atAnswer = slow.received.length;
      await untilSettled(app);
      expect(slow.received).toHaveLength(16);
      const later = slow.received.slice(atAnswer + IN_FLIGHT);
      expect(later.length).toBeGreaterThan(0);
      expect(later.every((one) => accepts(one, secret))).toBe(true);
      await partner.api.delete(`/webhooks/${id}`);
      await slow.close();
    });
  });

  it('shows how it fares: its last success, and since when and how often it has failed', async () => {
    const { id } = await register();
    const health = async () => {
      const {
        last_success_at: success,
        failing_since: since,
        consecutive_failures: failures,
      } = await shown(id);
      return { success, since, failures };
    };
    expect(await health()).toEqual({ success: null, since: null, failures: 0 });
    await sendTest(id);
    const { success } = await health();
    expect(await health()).toEqual({ success: expect.stringMatching(/Z$/), since: null, failures: 0 });
    status = 500;
    await sendTest(id);
    const { since } = await health();
    expect(Date.parse(since)).toBeGreaterThanOrEqual(Date.parse(success));
    await raise(5);
    await untilSettled(app);
    expect(await health()).toEqual({ success, since, failures: 6 });
    status = 200;
    await sendTest(id);
    const after = await health();
    expect(after).toMatchObject({ since: null, failures: 0 });
    expect(Date.parse(after.success)).toBeGreaterThan(Date.parse(success));
    await partner.api.delete(`/webhooks/${id}`);
    expect(await query('SELECT FROM endpoint_health WHERE webhook_id = $1', [id])).toEqual([]);
  });
});
