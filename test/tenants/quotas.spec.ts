import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.js';
import { IdempotencyService } from '../../src/domain/idempotency/idempotency.service.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { bounded, fill, MIB, NOTES, prefillRecords, prefillTraffic, storedBy } from './stored.js';

let count = 0;
const user = (over: object = {}): object => ({
  external_id: `quotas:${++count}`,
  metadata: NOTES,
  ...over,
});

describe.each(eitherContract('partner'))('%s contract: what one partner may store', (contract) => {
  const schema = schemaOf(contract);
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, bounded({ records: 1, traffic: 1 }));
  });
  afterAll(() => app.close());

  it('end-users: bounded in bytes, with another partner as free as before, and room once some are gone', async () => {
    const [full, other] = [await createPartner(app.admin), await createPartner(app.admin)];
    const { taken, refusal } = await fill(() => full.api.post('/users', user()));
    expect(taken).toBeGreaterThan(150);
    expect(refusal.body.error.message).toMatch(/End-users.* 1 MiB.*Delete end-users/);
    const stored = await storedBy(app.database, schema, full.id);
    expect(stored.records).toBeGreaterThan(MIB - 8192);
    expect(stored.records).toBeLessThanOrEqual(MIB);

    expect((await other.api.post('/users', user())).status).toBe(201);
    expect((await full.api.get('/partner/users')).body.data).toHaveLength(100);
    expect((await full.api.get('/partner/summary')).body.data.users).toBe(taken);
    // Requests that make room, or that add no record of that kind, are still accepted.
    expect((await full.api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).status).toBe(201);

    await app.database.query(
      schema,
      `DELETE FROM users WHERE id IN (SELECT id FROM users WHERE partner_id = $1 LIMIT 10)`,
      [full.id],
    );
    expect((await full.api.post('/users', user())).status).toBe(201);
  });

  it('end-users, by many requests at once: no byte beyond the bound', async () => {
    const { id, api } = await createPartner(app.admin);
    await prefillRecords(app.database, schema, id, 0.85 * MIB);
    for (let wave = 0; wave < 2; wave++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => api.post('/users', user())));
      answers
        .filter(({ status }) => status !== 201)
        .forEach((answer) => expectError(answer, 409, 'quota_exceeded'));
    }
    const { records } = await storedBy(app.database, schema, id);
    expect(records).toBeGreaterThan(MIB - 8192);
    expect(records).toBeLessThanOrEqual(MIB);
  });

  it('wallets, changes and a user with its wallets that goes are counted to the byte', async () => {
    const { id, api } = await createPartner(app.admin);
    const records = async (): Promise<number> => (await storedBy(app.database, schema, id)).records;
    const before = await records();
    const wallets = Array.from({ length: 20 }, () => `0x${(++count).toString(16).padStart(40, '0')}`);
    const { body } = await api.post('/users', user({ wallets }));
    const made = (await records()) - before;
    expect(made).toBeGreaterThan(4_000 + 20 * 300);
    await app.database.query(schema, `UPDATE users SET metadata = '{}' WHERE id = $1`, [body.data.id]);
    expect((await records()) - before).toBeLessThan(made - 4_000);
    await app.database.query(
      schema,
      'WITH first AS (DELETE FROM wallets WHERE user_id = $1) DELETE FROM users WHERE id = $1',
      [body.data.id],
    );
    expect(await records()).toBe(before);
  });

  it('campaigns and keys that an administrator makes for it count with its end-users', async () => {
    const { id } = await createPartner(app.admin);
    await prefillRecords(app.database, schema, id, 0.95 * MIB);
    const path = `/partners/${id}/campaigns`;
    const campaign = { name: 'Summer', metadata: NOTES };
    await fill(() => app.admin.post(path, campaign));
    expectError(
      await app.admin.post('/keys', { label: 'x', scopes: ['read'], partner_id: id }).then(async (answer) =>
        // A key is smaller than a campaign: there may be room for some.
        answer.status === 201
          ? (await fill(() => app.admin.post('/keys', { label: 'x', scopes: ['read'], partner_id: id })))
              .refusal
          : answer,
      ),
      409,
      'quota_exceeded',
    );
    expect((await storedBy(app.database, schema, id)).records).toBeLessThanOrEqual(MIB);
    // Neither bound prevents an administrator from disabling the partner.
    expect((await app.admin.patch(`/partners/${id}`, { status: 'disabled' })).status).toBe(200);
  });

  it('answers kept for Idempotency-Keys: bounded apart, until they are forgotten', async () => {
    const { id, api } = await createPartner(app.admin);
    const hook = { url: 'http://127.0.0.1:9/', description: 'd'.repeat(500) };
    await prefillTraffic(app.database, schema, id, 0.9 * MIB);
    const registered = (key?: string) =>
      api.post('/webhooks', hook, key === undefined ? {} : { 'idempotency-key': key });
    const { refusal } = await fill(async (index) => {
      const answer = await registered(`${index} ${'k'.repeat(200)}`.replace(' ', '-'));
      if (answer.status === 201) await api.delete(`/webhooks/${answer.body.data.id}`);
      return answer;
    });
    expect(refusal.body.error.message).toMatch(/answers kept for Idempotency-Keys.* 1 MiB.*after a day/);
    expect((await storedBy(app.database, schema, id)).traffic).toBeLessThanOrEqual(MIB);
    expect((await api.get('/webhooks')).body.data).toEqual([]);
    // Without a key no answer is kept.
    expect((await registered()).status).toBe(201);

    await app.database.query(
      schema,
      `UPDATE idempotency_claims SET claimed_at = claimed_at - interval '25 hours'`,
    );
    await app.application.get(IdempotencyService).prune();
    expect((await storedBy(app.database, schema, id)).traffic).toBeLessThan(0.9 * MIB);
    expect((await registered('once-more')).status).toBe(201);
  });

  it('test sends: their events and records are bounded', async () => {
    const { id, api } = await createPartner(app.admin);
    const { body } = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' });
    await prefillTraffic(app.database, schema, id, 0.97 * MIB);
    await fill(() => api.post(`/webhooks/${body.data.id}/test`));
    expect((await storedBy(app.database, schema, id)).traffic).toBeLessThanOrEqual(MIB);
  });

  it('what was stored before it was counted is counted by the migration, all the same', async () => {
    const rows = (): Promise<unknown[]> =>
      app.database.query(
        schema,
        `SELECT partner_id, sum(records) AS records, sum(traffic) AS traffic, sum(book) AS book FROM stored_bytes
          GROUP BY 1 HAVING sum(records) + sum(traffic) + sum(book) > 0 ORDER BY 1`,
      );
    const counted = await rows();
    expect(counted.length).toBeGreaterThan(4);
    await app.database.query(
      schema,
      `DO $$
       DECLARE f regprocedure;
       BEGIN
         FOR f IN SELECT oid::regprocedure FROM pg_proc
                   WHERE pronamespace = current_schema()::regnamespace AND proname ~ '^(count_|add_stored_bytes|name_partner_of_wallet)' LOOP
           EXECUTE 'DROP FUNCTION ' || f || ' CASCADE';
         END LOOP;
         DROP TABLE stored_bytes;
         DELETE FROM migrations WHERE name LIKE 'Storage%';
       END $$`,
    );
    await migrate(app.settings, app.database.url, silentLogger());
    expect(await rows()).toEqual(counted);
  });
});
