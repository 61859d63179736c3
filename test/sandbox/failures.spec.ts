import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { answerWith, LoopbackReceiver } from '../support/loopback-receiver.js';
import { until } from '../support/until.js';
import { Account } from './account.js';

const pem = (name: string): string => readFileSync(`test/support/data/${name}.pem`, 'utf8');

/** Every way in which a delivery fails, made on purpose by whoever tests a receiver, with an event that goes the way of the real ones. */
describe('a delivery that fails', () => {
  let app: TestApp;
  let account: Account;
  let receiver: LoopbackReceiver | undefined;

  beforeAll(async () => {
    app = await startApp('sandbox', { WEBHOOK_TIMEOUT_MS: '400' });
    account = await Account.open(app);
  });
  afterAll(() => app.close());

  /** The record of an event that was sent to a URL, once it has ended. */
  const sentTo = async (url: string): Promise<any> => {
    const { body } = await account.api.post('/webhooks', { url });
    const id = body.data.id;
    await account.api.post('/simulation/events', { type: 'position.active', webhook_id: id });
    const ended = async (): Promise<any> =>
      (await account.list(`/webhooks/events?webhook_id=${id}`)).find(({ status }) => status !== 'pending');
    await until(async () => (await ended()) !== undefined);
    await account.api.delete(`/webhooks/${id}`);
    await receiver?.close();
    receiver = undefined;
    return ended();
  };
  const failed = (failure: string, response_status: number | null = null) => ({
    event: 'position.active',
    status: 'failed',
    attempts: 1,
    failure,
    response_status,
  });

  it('refused: nobody listens on the port', async () => {
    const gone = await LoopbackReceiver.open(answerWith(200));
    const url = gone.url();
    await gone.close();
    expect(await sentTo(url)).toMatchObject(failed('connect_error'));
  });

  it('reset: the connection breaks before the answer', async () => {
    receiver = await LoopbackReceiver.open((socket) => socket.resetAndDestroy());
    expect(await sentTo(receiver.url())).toMatchObject(failed('connect_error'));
  });

  it('timeout: nothing is answered', async () => {
    receiver = await LoopbackReceiver.open(() => undefined);
    expect(await sentTo(receiver.url())).toMatchObject(failed('timeout'));
  });

  it('slow drip: each byte comes in time, the whole does not', async () => {
    receiver = await LoopbackReceiver.open((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('.'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await sentTo(receiver.url())).toMatchObject(failed('timeout', 200));
  });

  it.each([301, 302, 307, 308])('%i: a redirect is not followed', async (status) => {
    const target = await LoopbackReceiver.open(answerWith(200));
    receiver = await LoopbackReceiver.open(answerWith(status, { location: target.url() }));
    expect(await sentTo(receiver.url())).toMatchObject(failed('http_status', status));
    expect(target.connections).toBe(0);
    await target.close();
  });

  it.each([400, 404, 410, 429, 500, 503])(
    '%i: anything but 2xx is a failure, and is not tried again',
    async (status) => {
      receiver = await LoopbackReceiver.open(answerWith(status, { 'retry-after': '0' }));
      const { requests } = receiver;
      expect(await sentTo(receiver.url())).toMatchObject(failed('http_status', status));
      expect(requests).toHaveLength(1);
    },
  );

  it('bad TLS: a certificate that nobody vouches for', async () => {
    receiver = await LoopbackReceiver.open(answerWith(200), {
      cert: pem('self-signed-cert'),
      key: pem('self-signed-key'),
    });
    const { requests } = receiver;
    expect(await sentTo(receiver.url('https'))).toMatchObject(failed('tls_error'));
    expect(requests).toEqual([]);
  });

  it('bad TLS: a server that speaks none', async () => {
    receiver = await LoopbackReceiver.open(answerWith(200));
    receiver.onConnection((socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await sentTo(receiver.url('https'))).toMatchObject({ status: 'failed', failure: 'tls_error' });
  });

  it('unknown name: it does not resolve when it is sent to', async () => {
    expect(await sentTo('https://receiver.invalid/hook')).toMatchObject({
      status: 'failed',
      failure: 'dns_error',
      attempts: 0,
    });
  });

  it('blocked address: refused when it is registered, and when it became forbidden since', async () => {
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/hook'])
      expectError(await account.api.post('/webhooks', { url }), 422, 'webhook_url_forbidden');
    receiver = await LoopbackReceiver.open(answerWith(200));
    const { body } = await account.api.post('/webhooks', { url: receiver.url() });
    await app.database.query(
      'sandbox',
      `UPDATE webhook_endpoints SET url = 'http://10.0.0.1/' WHERE id = $1`,
      [body.data.id],
    );
    const tested = await account.api.post(`/webhooks/${body.data.id}/test`);
    expect(tested.status).toBe(200);
    expect(tested.body.data).toMatchObject({ status: 'failed', failure: 'blocked_address', attempts: 0 });
    expect(receiver.connections).toBe(0);
    await receiver.close();
  });
});
