import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '../sandbox/account.js';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { anotherKey, createPartner } from '../support/partner.js';
import { expectReplay } from '../support/posts.js';
import { rawHead, sendRaw } from '../support/raw.js';
import { bounded, fill, MIB, prefillTraffic } from './stored.js';

const POINTS = 60;

/** In the sandbox, where an advance costs points, too. */
describe('rate-limit points', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(
      'sandbox',
      { RATE_LIMIT_PER_MINUTE: String(POINTS) },
      undefined,
      (constants, settings) => {
        constants.http.requestTimeoutSeconds = 1;
        shortMarkets(constants, settings);
      },
    );
  });
  afterAll(() => app.close());

  /** The points that are left to a partner once it has asked for them, which costs one. */
  const remainingPoints = async (api: Api): Promise<number> =>
    Number(/r=(\d+)/.exec((await api.get('/webhooks')).headers.get('ratelimit')!)![1]);

  const padded = (text: string): string => text.padEnd(60_000);
  const bytesOf = (body: Buffer | string) => ({ 'content-length': String(Buffer.byteLength(body)) });
  const GZIP = { 'content-encoding': 'gzip' };
  const CHUNKED = { 'transfer-encoding': 'chunked' };
  const chunked = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
  const packed = gzipSync(padded('{"zz":1}'));
  const noise = gzipSync(randomBytes(70_000));

  it.each<
    [
      string,
      method: string,
      status: number,
      headers: Record<string, string>,
      body: Buffer | string,
      points: number,
    ]
  >([
    ['60 kB of JSON', 'POST', 400, bytesOf(padded('{}')), padded('{"zz":1}'), 7],
    ['60 kB that are no JSON', 'POST', 400, bytesOf(padded('')), padded('{"zz":'), 7],
    ['packed bytes: by what they unpack to', 'POST', 400, { ...GZIP, ...bytesOf(packed) }, packed, 7],
    ['packed bytes that unpack to less', 'POST', 413, { ...GZIP, ...CHUNKED }, chunked(noise), 7],
    ['a body that is refused by its length', 'POST', 413, { 'content-length': '70000000' }, '{}', 1],
    [
      'a body of another type',
      'POST',
      415,
      { ...bytesOf(padded('')), 'content-type': 'text/plain' },
      padded('{}'),
      1,
    ],
    ['a body that a read does not take', 'GET', 200, { 'content-length': '70000000' }, '{}', 1],
    ['the same, to delete', 'DELETE', 404, { 'content-length': '70000000' }, '{}', 1],
    ['the same, for a head', 'HEAD', 200, { 'content-length': '70000000' }, '{}', 1],
    ['a body beyond the limit, in chunks', 'POST', 413, CHUNKED, chunked(Buffer.alloc(1_000_000, ' ')), 7],
    ['20 kB of a body that stalls', 'POST', 408, { 'content-length': '60000' }, ' '.repeat(20_000), 3],
  ])(
    'Rate-limit points are one for a request, and one for each 10 kB of its body that was read: %s',
    async (...given) => {
      const [, method, status, headers, body, points] = given;
      const { api } = await createPartner(app.admin);
      const fields = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json', ...headers };
      const head = rawHead(method, method === 'DELETE' ? '/webhooks/wh_x' : '/webhooks', fields);
      const answer = await sendRaw(api.url, Buffer.concat([Buffer.from(head), Buffer.from(body)]));
      expect(answer.status).toBe(status);
      expect(await remainingPoints(api)).toBe(POINTS - points - 1);
    },
  );

  it('The bytes of a response cost rate-limit points, even beyond the limit; Retry-After covers the debt', async () => {
    const { id, api } = await createPartner(app.admin);
    await app.sql(
      `WITH made AS (SELECT n, lpad(n::text, 26, '0') AS tail, timestamptz '2026-01-01' + n * interval '1 second' AS at FROM generate_series(1, 20) AS n),
       recorded AS (
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || tail, $1, 'system.status', json_build_object('data', repeat('a', 60000)), at, true FROM made)
       INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, at, claimed_at)
       SELECT 'del_' || tail, 'evt_' || tail, 'wh_x', $1, 'delivered', 1, 'http://hooks.acme.example/', 't=1,v1=0', at, at FROM made`,
      [id],
    );
    expect((await api.get('/webhooks')).headers.get('ratelimit')).toBe(`"default";r=${POINTS - 1};t=60`);
    // A page of 60 kB costs seven.
    expect((await api.get('/webhooks/events?limit=1')).status).toBe(200);
    expect(await remainingPoints(api)).toBe(POINTS - 1 - 7 - 1);
    expect((await api.get('/webhooks/events')).text.length).toBeGreaterThan(900_000);
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

  describe('of a read', () => {
    const [POSITIONS, ENTRIES] = [450, 2_500];
    let account: Account;
    let past: string;
    beforeAll(async () => {
      account = await Account.open(app);
      const { id } = await account.deposit(100);
      const copies = (table: string, count: number, key: string) =>
        `INSERT INTO ${table} SELECT copy.* FROM ${table} row, generate_series(2, ${count}) AS n, jsonb_populate_record(row, jsonb_build_object(
           'id', left(row.id, 4) || lpad(n::text, 26, '0'), '${key}', 'pos_' || lpad(n::text, 26, '0'))) AS copy WHERE row.${key} = $1`;
      await app.sql(copies('positions', POSITIONS, 'id'), [id]);
      await app.sql(copies('ledger_entries', ENTRIES, 'position_id'), [id]);
      past = encodeURIComponent((await account.read('/simulation/clock')).now);
    });

    const costOf = async (path: string): Promise<number> => {
      const before = await remainingPoints(account.api);
      expect((await account.api.get(path)).status).toBe(200);
      return before - 1 - (await remainingPoints(account.api));
    };

    it('A report as of a past time costs a point per 100 rows read, two rows per position, however few rows it returns', async () => {
      const rows = 1 + Math.floor((2 * POSITIONS) / 100);
      expect(await costOf(`/partner/users?limit=1&as_of=${past}`)).toBe(rows);
      expect(await costOf(`/analytics/uplift?user_id=${account.userId}&from=${past}`)).toBe(rows);
    });

    it('A read costs a point per 1,000 rows that its filter excludes', async () => {
      expect(await costOf('/partner/ledger?type=rebalance')).toBe(1 + Math.floor(ENTRIES / 1_000));
    });

    it('A read costs the points of its bytes if those are more', async () => {
      const { text } = await account.api.get('/positions?limit=50');
      expect(await costOf('/positions?limit=50')).toBe(1 + Math.floor(text.length / 10_000));
      expect(await costOf('/partner/users?limit=1')).toBe(1);
    });

    it('A read is refused once the rate-limit points are spent', async () => {
      const read = () => account.api.get(`/partner/users?limit=1&as_of=${past}`);
      let [reads, refused] = [0, await read()];
      for (; refused.status === 200; reads++) refused = await read();
      expect(reads).toBeLessThan(POINTS / 10);
      expectError(refused, 429, 'rate_limited');
      expect(refused.headers.get('ratelimit-reason')).toBe('points');
    });
  });

  it('Rate-limit points are shared by all keys of a partner, and separate for each partner', async () => {
    const [first, other] = [await createPartner(app.admin), await createPartner(app.admin)];
    const { api } = await anotherKey(app.admin, first);
    const before = await remainingPoints(first.api);
    expect([await remainingPoints(api), await remainingPoints(first.api)]).toEqual([before - 1, before - 2]);
    while ((await api.get('/webhooks')).status === 200);
    for (const refused of [first.api, api]) expectError(await refused.get('/webhooks'), 429, 'rate_limited');
    expect((await other.api.get('/webhooks')).status).toBe(200);
  });

  it('An advance costs a rate-limit point per ten hours, charged at its end; a replay costs none', async () => {
    const HOURS = 100;
    const account = await Account.open(app);
    const advance = (key: string) =>
      account.api.post('/simulation/clock/advance', { hours: HOURS }, { 'idempotency-key': key });
    const before = await remainingPoints(account.api);
    expect((await advance('one')).status).toBe(200);
    const after = await remainingPoints(account.api);
    // Some points came back while the hours ran.
    expect(before - after).toBeGreaterThan(HOURS / 10 / 2);
    expect(before - after).toBeLessThanOrEqual(2 + HOURS / 10);
    for (let replay = 0; replay < 5; replay++) {
      const { status, headers } = await advance('one');
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    }
    expect(await remainingPoints(account.api)).toBeGreaterThanOrEqual(after - 6);
  });
});

describe('synthetic events of an account', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, (constants, settings) => {
      bounded({ traffic: 1 })(constants);
      shortMarkets(constants, settings);
    });
  });
  afterAll(() => app.close());

  const raise = (api: Api, over: object = {}) =>
    api.post('/simulation/events', { type: 'system.status', ...over });
  const register = async (api: Api, events = ['system.status']): Promise<string> =>
    (await api.post('/webhooks', { url: 'http://127.0.0.1:9/', events })).body.data.id;

  it('Synthetic events of an account cost a point for each subscribed endpoint, once even if their transaction is retried', async () => {
    const { api } = await createPartner(app.admin);
    for (let hook = 0; hook < 4; hook++) await register(api);
    await register(api, ['position.closed']);
    await app.sql(
      `CREATE SEQUENCE tries;
       CREATE FUNCTION fail_first_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('tries') % 2 = 1 THEN RAISE EXCEPTION 'somebody else was faster' USING ERRCODE = 'serialization_failure'; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER fail_first_try BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail_first_try()`,
    );
    const remainingPoints = async (): Promise<number> =>
      Number(/r=(\d+)/.exec((await api.get('/simulation/clock')).headers.get('ratelimit')!)![1]);
    const before = await remainingPoints();
    for (let count = 0; count < 3; count++) {
      const headers = count === 0 ? {} : { 'idempotency-key': `event-${count}` };
      expect((await api.post('/simulation/events', { type: 'system.status' }, headers)).status).toBe(201);
    }
    expect(before - (await remainingPoints())).toBe(3 * (1 + 4) + 1);
    expect(await app.sql('SELECT last_value::int AS tries FROM tries')).toEqual([{ tries: 2 * 3 }]);
    await app.sql('DROP TRIGGER fail_first_try ON events; DROP FUNCTION fail_first_try; DROP SEQUENCE tries');
  });

  it('Synthetic events of an account carry at most 4 KiB of data', async () => {
    const { api } = await createPartner(app.admin);
    const data = (bytes: number) => ({ text: 'd'.repeat(bytes - '{"text":""}'.length) });
    expect((await raise(api, { data: data(4096) })).status).toBe(201);
    const refused = await raise(api, { data: data(4097) });
    expectError(refused, 400, 'validation_failed');
    expect(fieldsOf(refused)).toEqual(['data']);
    expectError(await raise(api, { data: { text: '✓'.repeat(1_400) } }), 400, 'validation_failed');
  });

  it('Synthetic events of an account are stored once: the stored response for a retry omits the data of the request', async () => {
    const { api } = await createPartner(app.admin);
    const data = { note: randomBytes(2_900).toString('base64') };
    const send = () =>
      api.post('/simulation/events', { type: 'system.status', data }, { 'idempotency-key': 'large' });
    const first = await send();
    expect(first.text.length).toBeGreaterThan(3_800);
    const [{ bytes }] = (await app.sql<{ bytes: number }>(
      `SELECT coalesce(length(answer), 0) + coalesce(length(packed), 0) AS bytes FROM idempotency_claims WHERE key = 'large'`,
    )) as [{ bytes: number }];
    expect(bytes).toBeLessThan(1_024);
    expectReplay(await send(), first);
  });

  it('Synthetic events of an account are refused at the storage limit of the account', async () => {
    const { id, api } = await createPartner(app.admin);
    await prefillTraffic(app, id, 0.9 * MIB);
    // Text that PostgreSQL does not compress.
    const event = (): object => ({
      type: 'system.status',
      data: { text: randomBytes(2_900).toString('base64') },
    });
    const { refusal } = await fill(app, () => api.post('/simulation/events', event()));
    expect(refusal.body.error.message).toMatch(/Events, deliveries.* 1 MiB/);
  });
});
