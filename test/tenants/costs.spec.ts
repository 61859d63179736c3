import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Account } from '../sandbox/account.js';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { anotherKey, createPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';

/** The number of requests that are answered before the points are used up. */
async function answered(api: Api, path: string): Promise<number> {
  for (let count = 0; ; count++) {
    const { status } = await api.get(path);
    if (status === 429) return count;
    expect(status).toBe(200);
  }
}

describe.each(eitherContract('sandbox'))('%s contract: the points of a minute', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  const POINTS = 30;
  const deliveriesOf = (app: TestApp, partnerId: string, rows: number, bytes: number): Promise<unknown> =>
    app.database.query(
      schemaOf(contract),
      `WITH made AS (SELECT n, lpad(n::text, 26, '0') AS tail, timestamptz '2026-01-01' + n * interval '1 second' AS at FROM generate_series(1, $2::int) AS n),
       recorded AS (
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || tail, $1, 'system.status', json_build_object('data', repeat('a', $3::int)), at, true FROM made)
       INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, claimed_at)
       SELECT 'del_' || tail, 'evt_' || tail, 'wh_x', $1, 'delivered', 1, 'http://hooks.acme.example/', 't=1,v1=0', at, at FROM made`,
      [partnerId, rows, bytes],
    );
  let app: TestApp;
  afterEach(() => app.close());

  it('are used up by bytes answered: a page of 100 kB is eleven of them', async () => {
    app = await startApp(contract, { RATE_LIMIT_PER_MINUTE: '60' });
    const [heavy, light] = [await createPartner(app.admin), await createPartner(app.admin)];
    await deliveriesOf(app, heavy.id, 2, 50_000);
    const pages = await answered(heavy.api, log);
    // The last page is charged when it is answered.
    expect(pages * 11).toBeLessThanOrEqual(60 + 11);
    expect(pages).toBeGreaterThanOrEqual(6);
    expect(await answered(light.api, '/webhooks')).toBeGreaterThanOrEqual(60);
  });

  it('are used up by bytes sent: a body of 60 kB is seven of them, also when it is refused', async () => {
    app = await startApp(contract, { RATE_LIMIT_PER_MINUTE: '60' });
    const { api } = await createPartner(app.admin);
    const padded = (text: string): string => text.padEnd(60_000);
    const refused: [number, string | Buffer, Record<string, string>][] = [
      [400, padded('{"zz":1}'), {}],
      [400, padded('{"zz":'), {}],
      [400, gzipSync(padded('{"zz":1}')), { 'content-encoding': 'gzip' }],
      [413, 'x'.repeat(66_000), {}],
      [415, padded('{}'), { 'content-type': 'text/plain' }],
    ];
    for (const [status, body, headers] of refused) {
      const bytes = Buffer.from(body);
      const head = rawHead('POST', '/webhooks', {
        authorization: `Bearer ${api.key}`,
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        ...headers,
      });
      const sent = await sendRaw(api.url, Buffer.concat([Buffer.from(head), bytes]));
      expect(sent.status).toBe(status);
    }
    const { headers } = await api.get('/webhooks');
    const left = Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    const used = 5 * 7 + 1;
    expect(left).toBe(60 - used);
  });

  it('are owed after an answer that cost more than was left, and Retry-After says for how long', async () => {
    app = await startApp(contract, { RATE_LIMIT_PER_MINUTE: String(POINTS) });
    const { id, api } = await createPartner(app.admin);
    await deliveriesOf(app, id, 10, 60_000);
    const { headers } = await api.get('/webhooks');
    expect(headers.get('ratelimit')).toBe(`"default";r=${POINTS - 1};t=60`);
    expect((await api.get(log)).text.length).toBeGreaterThan(600_000);
    const refused = await api.get('/webhooks');
    expectError(refused, 429, 'rate_limited');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit-reason')).toBe('points');
    expect(refused.body.error.message).toContain('points');
    expect(refused.headers.get('ratelimit-policy')).toBe(`"default";q=${POINTS};w=60`);
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`);
  });

  it('are a partner’s, with all its keys; another partner has its own', async () => {
    app = await startApp(contract, { RATE_LIMIT_PER_MINUTE: '5' });
    const [one, other] = [await createPartner(app.admin), await createPartner(app.admin)];
    const { api } = await anotherKey(app.admin, one);
    for (let turn = 0; turn < 3; turn++) expect((await one.api.get('/webhooks')).status).toBe(200);
    for (let turn = 0; turn < 2; turn++) expect((await api.get('/webhooks')).status).toBe(200);
    for (const refused of [one.api, api]) expectError(await refused.get('/webhooks'), 429, 'rate_limited');
    expect((await other.api.get('/webhooks')).status).toBe(200);
  });
});

describe('what a simulation costs', () => {
  const POINTS = 200;
  let app: TestApp;
  afterEach(() => app.close());

  it('is a point for each ten hours: an advance is charged when it is done, and a replay is not', async () => {
    app = await startApp('sandbox', { RATE_LIMIT_PER_MINUTE: String(POINTS) });
    const account = await Account.open(app);
    const advance = (key: string) =>
      account.api.post('/simulation/clock/advance', { hours: 744 }, { 'idempotency-key': key });
    expect((await advance('one')).status).toBe(200);
    for (let replay = 0; replay < 5; replay++) {
      const { status, headers } = await advance('one');
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    }
    let advances = 1;
    while ((await advance(`${advances + 1}`)).status === 200) advances++;
    expectError(await account.api.get('/simulation/clock'), 429, 'rate_limited');
    expect(advances * 75).toBeLessThanOrEqual(POINTS + 75);
    expect(advances).toBeGreaterThanOrEqual(2);
  });

  it('leaves the documented use of a sandbox alone, at the default', async () => {
    app = await startApp('sandbox');
    const account = await Account.open(app);
    for (let month = 0; month < 5; month++) await account.advance(744);
    for (let event = 0; event < 100; event++)
      expect((await account.api.post('/simulation/events', { type: 'system.status' })).status).toBe(201);
    expect((await account.read('/simulation/clock')).hours_ahead).toBe(5 * 744);
  });
});
