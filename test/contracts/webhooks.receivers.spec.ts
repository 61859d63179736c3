import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import Stripe from 'stripe';
import { VaultlinePartner } from '../../sdk/src/index.js';
import { DeliveryService } from '../../src/domain/outbound/webhooks/delivery.service.js';
import { EndpointService } from '../../src/domain/outbound/webhooks/endpoint.service.js';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { FanOutService } from '../../src/domain/outbound/webhooks/fan-out.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { type Received, Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';

/** Most sends in flight to one endpoint. */
const IN_FLIGHT = 4;

/** Operations of a partner's engineer on a receiver: secret rotation, checks, statistics. */
describe.each(eitherContract('partner'))('%s contract: a receiver', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let receiver: Receiver;
  /** The status that the receiver answers. */
  let status = 200;

  beforeAll(async () => {
    app = await startApp(contract, { WEBHOOK_TIMEOUT_MS: '1000' });
    partner = await createPartner(app.admin);
    receiver = await Receiver.start((response) => response.writeHead(status).end());
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const register = async (url = receiver.url): Promise<{ id: string; secret: string }> =>
    (await partner.api.post('/webhooks', { url, events: ['system.status'] })).body.data;
  const rotate = (id: string, body?: object, headers?: Record<string, string>) =>
    partner.api.post(`/webhooks/${id}/secret/rotate`, body, headers);
  const shown = async (id: string): Promise<any> =>
    (await partner.api.get('/webhooks')).body.data.find((row: { id: string }) => row.id === id);
  /** Sends a test event. @returns the request that the receiver got */
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
  /** Raises events of the partner, in order. @returns their ids */
  const raise = (count: number): Promise<string[]> =>
    app.application.get(EventService).raise(
      Array.from({ length: count }, (_, n) => ({
        type: 'system.status' as const,
        partnerId: partner.id,
        data: { message: `event ${n}` },
      })),
    );

  describe('whose secret is replaced', () => {
    it('A receiver whose secret is replaced verifies sends with either secret until the old one expires', async () => {
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

      // The old secret has expired, and is not erased yet.
      await app.sql(
        `UPDATE webhook_endpoints SET previous_expires_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      const delivery = await sendTest(id);
      expect([signatures(delivery), accepts(delivery, secret), accepts(delivery, old)]).toEqual([
        1,
        true,
        false,
      ]);
      expect(await app.application.get(EndpointService).eraseExpired()).toBe(1);
      const [row] = await app.sql(
        'SELECT previous_sealed AS sealed, previous_expires_at AS until FROM webhook_endpoints WHERE id = $1',
        [id],
      );
      expect(row).toEqual({ sealed: null, until: null });
      expect((await rotate(id)).status).toBe(200);
    });

    it('A receiver whose secret is replaced has one rotation at a time; previous_expires_in 0 ends all secrets but the new one', async () => {
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

    it('A receiver whose secret is replaced gets queued deliveries signed with the new secret once the rotation is answered', async () => {
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
      expect(later.every((row) => accepts(row, secret))).toBe(true);
      await partner.api.delete(`/webhooks/${id}`);
      await slow.close();
    });
  });

  it('A receiver shows its last success, the start of its failures and their number', async () => {
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
    expect(await app.sql('SELECT FROM endpoint_health WHERE webhook_id = $1', [id])).toEqual([]);
  });

  describe('that is checked', () => {
    const check = async (url: string): Promise<any> => {
      const answer = await partner.api.post('/webhooks/check', { url });
      expect(answer.status).toBe(200);
      return answer.body.data;
    };
    /** The steps `parse resolve judge connect tls answer`, with a mark each. */
    const marks = ({ steps }: { steps: { step: string; passed: boolean | null }[] }): string =>
      steps.map(({ step, passed }) => `${step}${passed === null ? '' : passed ? '+' : '!'}`).join(' ');
    const why = ({ steps }: any): string => steps.find(({ passed }: any) => passed === false).message;
    it('A receiver that is checked reports its response as the failed step, and explains a 401 by the unknown secret', async () => {
      status = 500;
      const broken = await check(receiver.url);
      expect([marks(broken), broken.passed]).toEqual(['parse+ resolve+ judge+ connect+ tls answer!', false]);
      expect(why(broken)).toBe('The receiver answered 500, and only 2xx counts as delivered.');
      status = 401;
      expect(why(await check(receiver.url))).toContain('signed with the secret in this response');
      status = 302;
      expect(why(await check(receiver.url))).toContain('redirects are not followed');
    });

    it('A receiver that is checked reports a refused connection, a timeout or a TLS failure as the failed step', async () => {
      const gone = await Receiver.start();
      await gone.close();
      const refused = await check(gone.url);
      expect(marks(refused)).toBe('parse+ resolve+ judge+ connect! tls answer');
      expect(refused.signature).toMatch(/^t=/);
      const silent = await Receiver.start(() => undefined);
      const late = await check(silent.url);
      expect([marks(late), why(late)]).toEqual([
        'parse+ resolve+ judge+ connect+ tls answer!',
        'No complete response arrived within 1 s.',
      ]);
      expect(marks(await check(silent.url.replace('http:', 'https:')))).toBe(
        'parse+ resolve+ judge+ connect+ tls! answer',
      );
      await silent.close();
    });
  });

  describe('that missed events', () => {
    let id: string;
    beforeEach(async () => {
      status = 200;
      partner = await createPartner(app.admin);
      ({ id } = await register());
      receiver.received.length = 0;
    });

    const missed = async (parameters = '', endpoint = id): Promise<any[]> => {
      const { status: code, body } = await partner.api.get(`/events?undelivered_to=${endpoint}${parameters}`);
      expect(code).toBe(200);
      return body.data;
    };
    const idsOf = (events: { id: string }[]): string[] => events.map((event) => event.id);
    const received = (): string[] => receiver.received.map(({ headers }) => headers['webhook-id'] as string);

    it('A receiver that missed events lists them after outages: all missed events, in order, each once', async () => {
      const client = new VaultlinePartner({ apiKey: partner.key, baseUrl: app.url });
      const handled: any[] = [];
      let after: string | undefined;
      const run = async (): Promise<string[]> => {
        const before = handled.length;
        for await (const event of client.listEvents({ undelivered_to: id, ...(after && { after }) })) {
          handled.push(event);
          after = event.id;
        }
        return idsOf(handled.slice(before));
      };
      const first = await raise(3);
      await untilSettled(app);
      expect(received().sort()).toEqual([...first].sort());
      expect(await run()).toEqual([]);

      status = 503;
      // More events than a page has.
      const outage = [...(await raise(70)), ...(await raise(60))];
      await untilSettled(app);
      status = 200;
      const between = await raise(2);
      await untilSettled(app);
      expect(await run()).toEqual(outage);
      const { body } = receiver.received.find(({ headers }) => headers['webhook-id'] === outage[0])!;
      expect(handled[0]).toMatchObject(JSON.parse(body.toString()));
      expect(received()).toEqual(expect.arrayContaining(between));
      expect(await run()).toEqual([]);

      status = 503;
      const second = await raise(4);
      await untilSettled(app);
      expect(await run()).toEqual(second);
    });

    it('A receiver that missed events reads the outcome of each event, and its missed events even after their deliveries are deleted', async () => {
      const [arrived] = await raise(1);
      await untilSettled(app);
      status = 500;
      const [failed] = await raise(1);
      await untilSettled(app);
      const { body } = await partner.api.get(`/events?after=${arrived}`);
      expect(body.data).toMatchObject([
        {
          id: failed,
          object: 'event',
          type: 'system.status',
          undelivered_to: [id],
          deliveries: [{ webhook_id: id, status: 'failed', failure: 'http_status', response_status: 500 }],
        },
      ]);
      const [whole] = await missed();
      expect(whole).toEqual(body.data[0]);
      await app.sql('DELETE FROM deliveries WHERE partner_id = $1', [partner.id]);
      expect(await missed()).toEqual([{ ...whole, deliveries: [] }]);
    });

    it('A receiver that missed events has missed interrupted events, and those raised while it was inactive', async () => {
      const [interrupted] = await raise(1);
      await untilSettled(app);
      // The state that a process leaves when it is killed before it recorded the outcome.
      await app.sql(
        `INSERT INTO undelivered SELECT id, $2, partner_id, type, recorded_at FROM events WHERE id = $1`,
        [interrupted, id],
      );
      await app.sql(
        `UPDATE deliveries SET status = 'failed', failure = 'interrupted', response_status = NULL, latency_ms = NULL WHERE event_id = $1`,
        [interrupted],
      );
      await app.sql('UPDATE webhook_endpoints SET active = false WHERE id = $1', [id]);
      const [unsent] = await raise(1);
      await app.application
        .get(EventService)
        .raise([{ type: 'yield.threshold', partnerId: partner.id, data: { at: 'not subscribed' } }]);
      await untilSettled(app);
      expect(await missed()).toMatchObject([
        { id: interrupted, deliveries: [{ failure: 'interrupted' }] },
        { id: unsent, deliveries: [], undelivered_to: [id] },
      ]);
      // An outcome that is recorded late.
      const { body } = await partner.api.get(
        `/webhooks/${contract === 'partner' ? 'deliveries' : 'events'}?webhook_id=${id}`,
      );
      const [row] = await app.sql(`SELECT id FROM deliveries WHERE event_id = $1`, [interrupted]);
      expect(body.data[0].id).toBe(row.id);
      await app.application.get(DeliveryService)['record'](partner.id, {
        id: row.id,
        status: 'delivered',
        attempts: 1,
        responseStatus: 200,
        failure: null,
        latencyMs: 5,
      });
      expect(idsOf(await missed())).toEqual([unsent]);
      // An endpoint that was registered after the event.
      const { id: late } = await register();
      expect(await missed('', late)).toEqual([]);
    });

    it('A receiver that missed events reads no event ahead of an earlier one that awaits its commit or fan-out', async () => {
      status = 500;
      const [before] = await raise(1);
      await untilSettled(app);
      const other = new pg.Client({
        connectionString: app.database.url,
        options: `-c search_path=${schemaOf(contract)}`,
      });
      await other.connect();
      await other.query('BEGIN');
      const early = before!.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      await other.query(
        `WITH begun AS MATERIALIZED (SELECT pg_current_xact_id())
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT $1, $2, 'system.status', json_build_object('id', $1::text, 'type', 'system.status', 'created_at', '2026-01-01T00:00:00.000Z', 'data', '{}'::json), clock_timestamp(), false FROM begun`,
        [early, partner.id],
      );
      const [later] = await raise(1);
      await until(
        async () => (await app.sql('SELECT FROM undelivered WHERE event_id = $1', [later])).length === 1,
      );
      expect(idsOf(await missed())).toEqual([before]);
      await other.query('COMMIT');
      await other.end();
      expect(idsOf(await missed())).toEqual([before]);
      await app.application.get(FanOutService).fanOut();
      await untilSettled(app);
      expect(idsOf(await missed())).toEqual([before, early, later]);
      expect(idsOf(await missed(`&after=${before}`))).toEqual([early, later]);
    });

    it('A receiver that missed events filters events by type and pages by cursor and id', async () => {
      status = 500;
      const events = await raise(3);
      await untilSettled(app);
      expect(await missed('&types=yield.threshold')).toEqual([]);
      expect(idsOf(await missed('&types=yield.threshold,system.status&limit=2'))).toEqual(events.slice(0, 2));
      const page = (await partner.api.get(`/events?undelivered_to=${id}&limit=2`)).body;
      expect(idsOf(await missed(`&limit=2&cursor=${page.meta.next_cursor}`))).toEqual(events.slice(2));
      for (const [parameters, field] of [
        ['types=position.lost', 'types'],
        ['types=', 'types'],
      ])
        expect(fieldsOf(await partner.api.get(`/events?${parameters}`))).toEqual([field]);
    });

    it('A receiver is answered event_removed for an event that is not, or no longer, among its events, and not_found for an endpoint that is not its own', async () => {
      const [event] = await raise(1);
      await untilSettled(app);
      const stranger = await createPartner(app.admin);
      const foreign = await stranger.api.get(`/events?undelivered_to=${id}`);
      expectError(foreign, 404, 'not_found');
      await app.sql(`UPDATE events SET recorded_at = recorded_at - interval '31 days' WHERE id = $1`, [
        event,
      ]);
      const removed = await partner.api.get(`/events?after=${event}`);
      expectError(removed, 404, 'event_removed');
      expect(removed.body.error.message).toContain('Read without `after`');
      const unknown = await stranger.api.get(`/events?after=evt_${'0'.repeat(26)}`);
      expectError(unknown, 404, 'event_removed');
      expect(unknown.body.error.message).toBe(removed.body.error.message);
    });
  });
});
