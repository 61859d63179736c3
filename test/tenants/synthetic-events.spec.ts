import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { bounded, fill, MIB, prefillTraffic } from './stored.js';

const SENDS = 20;

describe('events that an account raises on request', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, (constants) => {
      bounded({ traffic: 1 })(constants);
      Object.assign(constants.simulation, { sendsPerMinute: SENDS, historyHours: 9 * 24 });
    });
  });
  afterAll(() => app.close());

  const raise = (api: Api, over: object = {}) =>
    api.post('/simulation/events', { type: 'system.status', ...over });
  const register = async (api: Api, events = ['system.status']): Promise<string> =>
    (await api.post('/webhooks', { url: 'http://127.0.0.1:9/', events })).body.data.id;

  it('are bounded a minute, by sends: an event counts once for each endpoint that gets it', async () => {
    const [one, two] = [await createPartner(app.admin), await createPartner(app.admin)];
    const hooks: string[] = [];
    for (let hook = 0; hook < 4; hook++) hooks.push(await register(one.api));
    await register(one.api, ['position.closed']);
    for (let event = 0; event < SENDS / 4 - 1; event++) expect((await raise(one.api)).status).toBe(201);
    // Each event goes to one endpoint only, so that four are allowed.
    for (const webhook_id of hooks) expect((await raise(one.api, { webhook_id })).status).toBe(201);
    const refused = await raise(one.api);
    expectError(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const [{ events }] = (await app.database.query(
      'sandbox',
      `SELECT count(*)::int AS events FROM events WHERE partner_id = $1`,
      [one.id],
    )) as [{ events: number }];
    expect(events).toBe(SENDS / 4 - 1 + 4);
    // The limit is by account, and for events alone.
    expect((await raise(two.api)).status).toBe(201);
    expect((await one.api.get('/simulation/clock')).status).toBe(200);
  });

  it('are counted once, however often the database has their transactions tried again', async () => {
    const { api } = await createPartner(app.admin);
    const sql = (text: string): Promise<unknown[]> => app.database.query('sandbox', text);
    await sql(
      `CREATE SEQUENCE tries;
       CREATE FUNCTION fail_first_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('tries') % 2 = 1 THEN RAISE EXCEPTION 'somebody else was faster' USING ERRCODE = 'serialization_failure'; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER fail_first_try BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail_first_try()`,
    );
    const event = { type: 'system.status' };
    for (let count = 0; count < SENDS; count++) {
      const headers = count % 2 === 0 ? {} : { 'idempotency-key': `event-${count}` };
      expect((await api.post('/simulation/events', event, headers)).status).toBe(201);
    }
    expectError(await raise(api), 429, 'rate_limited');
    expect(await sql('SELECT last_value::int AS tries FROM tries')).toEqual([{ tries: 2 * SENDS }]);
    await sql('DROP TRIGGER fail_first_try ON events; DROP FUNCTION fail_first_try; DROP SEQUENCE tries');
  });

  it('carry at most 4 KiB of data', async () => {
    const { api } = await createPartner(app.admin);
    const data = (bytes: number) => ({ text: 'd'.repeat(bytes - '{"text":""}'.length) });
    expect((await raise(api, { data: data(4096) })).status).toBe(201);
    const refused = await raise(api, { data: data(4097) });
    expectError(refused, 400, 'validation_failed');
    expect(fieldsOf(refused)).toEqual(['data']);
    expectError(await raise(api, { data: { text: '✓'.repeat(1_400) } }), 400, 'validation_failed');
  });
});

describe('events on request, however slowly they are raised', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, bounded({ traffic: 1 }));
  });
  afterAll(() => app.close());

  it('end at the bound of what an account may store', async () => {
    const { id, api } = await createPartner(app.admin);
    await prefillTraffic(app.database, 'sandbox', id, 0.9 * MIB);
    const event = { type: 'system.status', data: { text: 'd'.repeat(4_000) } };
    const { refusal } = await fill(app, 'sandbox', () => api.post('/simulation/events', event));
    expect(refusal.body.error.message).toMatch(/Events, deliveries.* 1 MiB/);
  });
});
