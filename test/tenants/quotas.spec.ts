import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyService } from '../../src/domain/kernel/idempotency/idempotency.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { bounded, countStored, fill, MIB, prefillRecords, prefillTraffic, storedBy } from './stored.js';

/** Notes of 4,000 bytes that do not compress. */
const notes = (): object => ({ note: randomBytes(2_960).toString('base64') });
let count = 0;
const user = (over: object = {}): object => ({
  external_id: `quotas:${++count}`,
  metadata: notes(),
  ...over,
});

describe.each(eitherContract('partner'))('%s contract: the storage limit of a partner', (contract) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, bounded({ records: 1, traffic: 1 }));
  });
  afterAll(() => app.close());

  const counted = async (id: string) => {
    await countStored(app);
    return storedBy(app, id);
  };

  it('End-users: refused at the bound, which each partner has of its own; deletions free storage', async () => {
    const [full, other] = [await createPartner(app.admin), await createPartner(app.admin)];
    await prefillRecords(app, full.id, 0.9 * MIB);
    const { taken, refusal } = await fill(app, () => full.api.post('/users', user()));
    // Some 23 of 4.6 KB are a tenth of a mebibyte; the rest came before the next count.
    expect(taken).toBeGreaterThan(15);
    expect(taken).toBeLessThan(40);
    expect(refusal.body.error.message).toMatch(/End-users.* 1 MiB.*Delete end-users/);
    expect((await storedBy(app, full.id)).records).toBeGreaterThan(MIB);

    expect((await other.api.post('/users', user())).status).toBe(201);
    const { body } = await full.api.get('/partner/users');
    expect(body.data).toHaveLength(100);
    // Requests that make room, or that add no record of that kind, are still accepted.
    expect((await full.api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).status).toBe(201);
    const [createdUser] = body.data;
    expectError(
      await full.api.patch(`/users/${createdUser.id}`, { metadata: notes() }),
      409,
      'quota_exceeded',
    );
    expect((await full.api.patch(`/users/${createdUser.id}`, { status: 'blocked' })).status).toBe(200);
    expect((await full.api.delete(`/users/${createdUser.id}`)).status).toBe(200);

    await app.sql(`DELETE FROM users WHERE id IN (SELECT id FROM users WHERE partner_id = $1 LIMIT 100)`, [
      full.id,
    ]);
    await countStored(app);
    expect((await full.api.post('/users', user())).status).toBe(201);
  });

  it('End-users: none of many concurrent requests is stored beyond the bound', async () => {
    const { id, api } = await createPartner(app.admin);
    expect((await api.post('/users', user())).status).toBe(201);
    await prefillRecords(app, id, 1.1 * MIB);
    const before = await counted(id);
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post('/users', user())));
    answers.forEach((answer) => expectError(answer, 409, 'quota_exceeded'));
    expect(await counted(id)).toEqual(before);
  });

  it('The storage limit of a partner counts campaigns and keys that an administrator creates for the partner', async () => {
    const { id, api } = await createPartner(app.admin);
    expect((await api.post('/users', user())).status).toBe(201);
    await prefillRecords(app, id, 0.95 * MIB);
    await fill(app, () => app.admin.post(`/partners/${id}/campaigns`, { name: 'Summer', metadata: notes() }));
    const key = { label: 'x', scopes: ['read'], partner_id: id };
    expectError(await app.admin.post('/keys', key), 409, 'quota_exceeded');
    // No bound prevents an administrator from disabling the partner.
    expect((await app.admin.patch(`/partners/${id}`, { status: 'disabled' })).status).toBe(200);
  });

  it('Answers kept for Idempotency-Keys have a storage limit of their own, and free it after a day', async () => {
    const { id, api } = await createPartner(app.admin);
    const hook = { url: 'http://127.0.0.1:9/', description: 'd'.repeat(500) };
    const registered = (key?: string) =>
      api.post('/webhooks', hook, key === undefined ? {} : { 'idempotency-key': key });
    const first = await registered('first');
    await prefillTraffic(app, id, 0.97 * MIB);
    const { refusal } = await fill(app, async (index) => {
      const answer = await registered(`${index}-${'k'.repeat(200)}`);
      if (answer.status === 201) await api.delete(`/webhooks/${answer.body.data.id}`);
      return answer;
    });
    expect(refusal.body.error.message).toMatch(/answers kept for Idempotency-Keys.* 1 MiB.*after a day/);
    expect((await api.get('/webhooks')).body.data).toHaveLength(1);
    // An earlier answer is replayed, and without a key none is kept.
    expect((await registered('first')).text).toBe(first.text);
    expect((await registered()).status).toBe(201);

    await app.sql(`UPDATE idempotency_claims SET claimed_at = claimed_at - interval '25 hours'`);
    await app.application.get(IdempotencyService).prune();
    expect((await counted(id)).traffic).toBeLessThan(0.98 * MIB);
    expect((await registered('once-more')).status).toBe(201);
  });

  it('The storage limit of a partner refuses test sends once events and deliveries exceed it', async () => {
    const { id, api } = await createPartner(app.admin);
    const { body } = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' });
    const send = () => api.post(`/webhooks/${body.data.id}/test`);
    expect((await send()).status).toBe(contract === 'partner' ? 201 : 200);
    const { traffic } = await counted(id);
    await prefillTraffic(app, id, 1.1 * MIB);
    expect((await counted(id)).traffic).toBeGreaterThan(traffic + MIB);
    expectError(await send(), 409, 'quota_exceeded');
    const sent = await app.sql('SELECT FROM deliveries WHERE partner_id = $1', [id]);
    expect(sent).toHaveLength(1);
  });
});
