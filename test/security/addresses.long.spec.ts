import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { SystemResolver } from '../../src/domain/outbound/egress/system-resolver.js';
import { startApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/fields.js';
import { answerWith, LoopbackReceiver } from '../support/loopback-receiver.js';
import { NameServer } from '../support/name-server.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { Border } from './addresses.border.js';
import { GIVEN, OTHERWISE, type Given } from './addresses.rows.js';

const DENIED = GIVEN.filter(({ verdict }) => verdict === 'deny');
const ALLOWED = GIVEN.filter(({ verdict }) => verdict === 'allow');
const ENDPOINTS_A_PARTNER = 50;
/** Requests that a database pool serves before any of them waits too long for a connection. */
const AT_ONCE = 8;
const HARMLESS = 'https://hooks.example.com/';

jest.setTimeout(30_000);

async function asMany<T, R>(given: readonly T[], of: (one: T, n: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < given.length; at += AT_ONCE)
    results.push(...(await Promise.all(given.slice(at, at + AT_ONCE).map((one, n) => of(one, at + n)))));
  return results;
}

/** Each URL of the list, both where the API takes one and where a delivery finds one that came into the database another way. */
describe('addresses of webhooks', () => {
  let border: Border;
  let names: NameServer;
  let app: TestApp;
  let partners: TestPartner[];
  let listening: LoopbackReceiver;

  beforeAll(async () => {
    border = Border.close();
    names = await NameServer.open();
    names.otherwise = OTHERWISE;
    for (const { name, said } of GIVEN) if (name !== undefined) names.says(name, said!);
    listening = await LoopbackReceiver.open(answerWith(200));
    // The border lets connections to it through, so that only the guard can refuse them.
    border.letThrough(listening.url());
    const env = { WEBHOOK_ALLOWED_NETWORKS: '', RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' };
    app = await startApp('partner', env, undefined, ({ webhooks }) => {
      // Many rows are spellings of one host, and are sent to at once.
      webhooks.concurrencyPerHost = webhooks.sendsPerSecondPerHost = 4 * ENDPOINTS_A_PARTNER;
    });
    border.letThrough(app.url);
    border.letThrough(app.settings.feeds.defillamaBaseUrl);
    app.application.get(SystemResolver).servers = [names.address];
    const count = Math.ceil((GIVEN.length + SPELLINGS.length) / ENDPOINTS_A_PARTNER);
    partners = await Promise.all(Array.from({ length: count }, () => createPartner(app.admin)));
  });
  afterAll(async () => {
    await app.close();
    await listening.close();
    names.close();
    border.open();
  });

  const ownerOf = (n: number): TestPartner => partners[Math.floor(n / ENDPOINTS_A_PARTNER)]!;

  /** Other names of loopback, with the port of a server that listens. */
  const SPELLINGS = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0',
    'localhost',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
  ];

  const refused = (text: string, field = 'url') =>
    text === ''
      ? { status: 400, code: 'validation_failed', field }
      : { status: 422, code: 'webhook_url_forbidden', field };

  it('are refused at registration if denied, with the name of the field', async () => {
    const seen = await Promise.all(
      DENIED.map(async ({ url }) => {
        const { status, body } = await partners[0]!.api.post('/webhooks', { url });
        return { url, status, code: body.error?.code, field: body.error?.details?.[0].field };
      }),
    );
    expect(seen).toEqual(DENIED.map(({ url }) => ({ url, ...refused(url) })));
    expect((await partners[0]!.api.get('/webhooks')).body.data).toEqual([]);
  });

  it('are accepted when they are allowed, and shown as they were written', async () => {
    for (const { url } of ALLOWED) {
      const { status, body } = await partners[0]!.api.post('/webhooks', { url });
      expect({ url, status, shown: body.data?.url }).toEqual({ url, status: 201, shown: url });
      await partners[0]!.api.delete(`/webhooks/${body.data.id}`);
    }
  });

  it('are checked again at each send: no connection is made to a denied one', async () => {
    const listened = SPELLINGS.map((host): Given => ({
      verdict: 'deny',
      text: host,
      why: 'somebody listens',
      url: listening.url('http', host),
      failure: 'blocked_address',
    }));
    const given = [...GIVEN, ...listened];
    const ids = await asMany(given, async (_, n) => {
      const answer = await ownerOf(n).api.post('/webhooks', { url: HARMLESS, events: ['system.status'] });
      return dataOf(answer, 201).id as string;
    });
    await app.sql(
      `UPDATE webhook_endpoints w SET url = new.url FROM unnest($1::text[], $2::text[]) AS new(id, url) WHERE w.id = new.id`,
      [ids, given.map(({ url }) => url)],
    );
    border.crossings.length = 0;
    const sent = await asMany(ids, async (id, n) =>
      dataOf(await ownerOf(n).api.post(`/webhooks/${id}/test`), 201),
    );
    await app.application.get(EventService).broadcastStatus('All is well.');
    expect(sent.map(outcome)).toEqual(given.map(expected));
    const ended = `SELECT FROM deliveries WHERE status IN ('delivered', 'failed') AND webhook_id = ANY($1)`;
    await until(async () => (await app.sql(ended, [ids])).length === 2 * given.length, 30_000);
    const logged = (
      await Promise.all(
        partners.map(async ({ api }) => (await api.get('/webhooks/deliveries?limit=500')).body.data),
      )
    ).flat();
    for (const [n, row] of given.entries()) {
      const own = logged.filter(({ webhook_id }) => webhook_id === ids[n]);
      expect(own.map(outcome)).toEqual([expected(row), expected(row)]);
    }
    // All attempted connections: two to each allowed address, and no other.
    expect(border.crossings.map(({ to }) => to).sort()).toEqual(
      ALLOWED.flatMap(({ url }) => [targetOf(url), targetOf(url)]).sort(),
    );
    expect(listening.connections).toBe(0);
  });

  const outcome = ({ url, status, failure, attempts, response_status }: any) => ({
    url,
    status,
    failure,
    attempts,
    response_status,
  });
  /** A connection to an allowed address reaches the border. */
  const expected = ({ url, verdict, failure }: Given) => ({
    url,
    status: 'failed',
    failure: verdict === 'deny' ? failure : 'connect_error',
    attempts: verdict === 'deny' ? 0 : 1,
    response_status: null,
  });
  const targetOf = (text: string): string => {
    const { hostname, port, protocol } = new URL(text);
    const host = hostname.replace(/^\[|\]$|\.$/g, '');
    return `${host}:${port || (protocol === 'http:' ? 80 : 443)}`;
  };
});
