import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { bounded, fill, MIB, prefillTraffic } from './stored.js';

describe('events that an account raises on request', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, (constants) => {
      bounded({ traffic: 1 })(constants);
      constants.simulation.historyHours = 9 * 24;
    });
  });
  afterAll(() => app.close());

  const raise = (api: Api, over: object = {}) =>
    api.post('/simulation/events', { type: 'system.status', ...over });
  const register = async (api: Api, events = ['system.status']): Promise<string> =>
    (await api.post('/webhooks', { url: 'http://127.0.0.1:9/', events })).body.data.id;

  it('cost a point for each endpoint that gets them, once however often the database has their transactions tried again', async () => {
    const { api } = await createPartner(app.admin);
    for (let hook = 0; hook < 4; hook++) await register(api);
    await register(api, ['position.closed']);
    const sql = (text: string): Promise<unknown[]> => app.database.query('sandbox', text);
    await sql(
      `CREATE SEQUENCE tries;
       CREATE FUNCTION fail_first_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('tries') % 2 = 1 THEN RAISE EXCEPTION 'somebody else was faster' USING ERRCODE = 'serialization_failure'; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER fail_first_try BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail_first_try()`,
    );
    const left = async (): Promise<number> =>
      Number(/r=(\d+)/.exec((await api.get('/simulation/clock')).headers.get('ratelimit')!)![1]);
    const before = await left();
    for (let count = 0; count < 3; count++) {
      const headers = count === 0 ? {} : { 'idempotency-key': `event-${count}` };
      expect((await api.post('/simulation/events', { type: 'system.status' }, headers)).status).toBe(201);
    }
    expect(before - (await left())).toBe(3 * (1 + 4) + 1);
    expect(await sql('SELECT last_value::int AS tries FROM tries')).toEqual([{ tries: 2 * 3 }]);
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
    // Text that PostgreSQL does not compress.
    const event = (): object => ({
      type: 'system.status',
      data: { text: randomBytes(2_900).toString('base64') },
    });
    const { refusal } = await fill(app, 'sandbox', () => api.post('/simulation/events', event()));
    expect(refusal.body.error.message).toMatch(/Events, deliveries.* 1 MiB/);
  });
});
