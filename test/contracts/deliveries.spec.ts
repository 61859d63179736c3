import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryService } from '../../src/domain/outbound/webhooks/delivery.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';

describe.each(['partner', 'sandbox'] as const)('%s contract: what became of a delivery', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  let app: TestApp;
  let receiver: Receiver;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, { WEBHOOK_TIMEOUT_MS: '300' });
    receiver = await Receiver.start();
    partner = await createPartner(app.admin);
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const query = (sql: string, values: unknown[] = []): Promise<any[]> =>
    app.database.query(schemaOf(contract), sql, values);
  const register = async (url: string, input: object = {}, owner = partner): Promise<string> => {
    const { status, body } = await owner.api.post('/webhooks', { url, ...input });
    expect(status).toBe(201);
    return body.data.id;
  };
  /** Sends a test event and returns its delivery record. The operation succeeds whatever the receiver answers. */
  const sendTest = async (id: string, owner = partner): Promise<any> => {
    const { status, body } = await owner.api.post(`/webhooks/${id}/test`);
    expect(status).toBe(contract === 'partner' ? 201 : 200);
    return body.data;
  };
  const read = async (parameters = '', owner = partner): Promise<any> => {
    const { status, body } = await owner.api.get(`${log}?${parameters}`);
    expect(status).toBe(200);
    return body;
  };

  const outcome = async (url: string, endpoint?: string): Promise<any> => {
    const { id } = await sendTest(endpoint ?? (await register(url)));
    const { data } = await read('limit=1');
    expect(data[0].id).toBe(id);
    return data[0];
  };
  const answering = (status: number, headers: Record<string, string> = {}): Promise<Receiver> =>
    Receiver.start((response) => response.writeHead(status, headers).end());

  it('delivered: the receiver answered 2xx', async () => {
    const noContent = await answering(204);
    const delivery = await outcome(noContent.url);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      failure: null,
    });
    expect(Number.isInteger(delivery.latency_ms)).toBe(true);
    expect(delivery.signature).toMatch(/^t=\d{10}(,v1=[0-9a-f]{64}){1,2}$/);
    expect(noContent.received[0]!.headers['webhook-signature']).toBe(delivery.signature);
    expect(JSON.parse(noContent.received[0]!.body.toString())).toEqual(delivery.payload);
    await noContent.close();
  });

  it('http_status: it answered something else', async () => {
    const broken = await answering(500);
    const failed = { status: 'failed', attempts: 1, failure: 'http_status' };
    expect(await outcome(broken.url)).toMatchObject({ ...failed, response_status: 500 });
    expect(broken.received).toHaveLength(1);
    await broken.close();
  });

  it('http_status: a redirect is not followed', async () => {
    const before = receiver.received.length;
    const moved = await answering(302, { location: receiver.url });
    expect(await outcome(moved.url)).toMatchObject({
      status: 'failed',
      failure: 'http_status',
      response_status: 302,
    });
    expect(receiver.received).toHaveLength(before);
    await moved.close();
  });

  it('connect_error: nobody listens', async () => {
    const gone = await Receiver.start();
    await gone.close();
    const expected = { status: 'failed', attempts: 1, failure: 'connect_error', response_status: null };
    expect(await outcome(gone.url)).toMatchObject(expected);
  });

  it('timeout: it did not answer in time, or did not end its answer', async () => {
    const silent = await Receiver.start(() => undefined);
    const expected = { status: 'failed', attempts: 1, failure: 'timeout' };
    expect(await outcome(silent.url)).toMatchObject({ ...expected, response_status: null });
    const endless = await Receiver.start((response) => response.writeHead(200).write('and'));
    expect(await outcome(endless.url)).toMatchObject({ ...expected, response_status: 200 });
    await silent.close();
    await endless.close();
  });

  it('tls_error: it does not speak TLS', async () => {
    const url = receiver.url.replace('http:', 'https:');
    expect(await outcome(url)).toMatchObject({ status: 'failed', failure: 'tls_error', attempts: 1 });
  });

  it('dns_error: its name does not resolve when it is sent to', async () => {
    const expected = { status: 'failed', failure: 'dns_error', attempts: 0, response_status: null };
    expect(await outcome('https://receiver.invalid/hook')).toMatchObject(expected);
  });

  it('blocked_address: the URL is forbidden by now; nothing was sent', async () => {
    const id = await register(receiver.url);
    const before = receiver.received.length;
    for (const url of [
      'http://10.0.0.1/hook',
      'http://169.254.169.254/',
      receiver.url.replace('127.0.0.1', '[::1]'),
    ]) {
      await query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [id, url]);
      const expected = {
        status: 'failed',
        attempts: 0,
        failure: 'blocked_address',
        response_status: null,
        url,
      };
      expect(await outcome('', id)).toMatchObject(expected);
    }
    expect(receiver.received).toHaveLength(before);
  });

  it('interrupted: the server stopped between claim and outcome', async () => {
    const id = await register(receiver.url);
    const delivery = await sendTest(id);
    await query(
      `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL,
              claimed_at = now() - interval '1 minute' WHERE id = $1`,
      [delivery.id],
    );
    await app.application.get(DeliveryService).closeInterrupted();
    const expected = { status: 'failed', failure: 'interrupted', response_status: null };
    const [interrupted] = (await read(`webhook_id=${id}`)).data;
    expect(interrupted).toMatchObject({ id: delivery.id, ...expected });
    // Until it was given up.
    expect(Number.isInteger(interrupted.latency_ms)).toBe(true);
    expect(interrupted.latency_ms).toBeGreaterThanOrEqual(60_000);
    expect((await read(`webhook_id=${id}`)).data).toEqual([interrupted]);
  });

  it('pending: latency_ms is what has passed so far, in the log and in the history of events', async () => {
    const id = await register(receiver.url);
    const delivery = await sendTest(id);
    await query(
      `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL,
              claimed_at = now() - interval '250 milliseconds' WHERE id = $1`,
      [delivery.id],
    );
    const shown = async (): Promise<number[]> => {
      const [logged] = (await read(`webhook_id=${id}`)).data;
      const { body } = await partner.api.get('/events?limit=500');
      const kept = body.data.flatMap(({ deliveries }: any) => deliveries);
      const [outcome] = kept.filter((one: any) => one.id === delivery.id);
      expect([logged.status, outcome.status]).toEqual(['pending', 'pending']);
      return [logged.latency_ms, outcome.latency_ms];
    };
    const [first, later] = [await shown(), await shown()];
    expect([...first, ...later].every(Number.isInteger)).toBe(true);
    expect(Math.min(...first)).toBeGreaterThanOrEqual(250);
    expect(later[0]).toBeGreaterThan(first[0]!);
  });

  it('a test send works on an inactive endpoint', async () => {
    expect(await sendTest(await register(receiver.url, { active: false }))).toMatchObject({
      status: 'delivered',
    });
  });
});
