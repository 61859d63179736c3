import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';

/** Two processes of one deployment on one database: an effect that one process has acknowledged is visible on the other at once. */
describe('two replicas of one contract', () => {
  const adminKey = newKeySecret('live');
  let database: TestDatabase;
  let a: Replica;
  let b: Replica;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      LOG_LEVEL: 'warn',
    };
    [a, b] = await Promise.all([Replica.start('partner', env), Replica.start('partner', env)]);
  });
  afterAll(async () => {
    await Promise.all([a.kill(), b.kill()]);
    await database.drop();
  });

  it('installed the bootstrap key once, although both started at once', async () => {
    const keys = await a.api(adminKey).get('/keys');
    expect(keys.body.data).toHaveLength(1);
    expect((await b.api(adminKey).get('/keys')).status).toBe(200);
  });

  it('refuses on B a key that A revoked, 300 times out of 300', async () => {
    const refused = { used: 0, afterwards: 0 };
    const once = async (): Promise<void> => {
      const { id, secret } = (
        await a.api(adminKey).post('/keys', { label: 'short-lived', scopes: ['keys:admin'] })
      ).body.data;
      // The key was used on B before, so that a cache in B would show.
      if ((await b.api(secret).get('/keys?limit=1')).status !== 200) refused.used++;
      await a.api(adminKey).delete(`/keys/${id}`);
      if ((await b.api(secret).get('/keys?limit=1')).status === 401) refused.afterwards++;
    };
    for (let batch = 0; batch < 30; batch++) await Promise.all(Array.from({ length: 10 }, once));
    expect(refused).toEqual({ used: 0, afterwards: 300 });
  }, 120_000);

  it('makes one webhook of fifty posts with one Idempotency-Key to both', async () => {
    const partner = await createPartner(a.api(adminKey));
    const send = (replica: Replica) =>
      replica
        .api(partner.key)
        .post('/webhooks', { url: 'https://hooks.example.com/x' }, { 'idempotency-key': 'fifty-at-once' });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, turn) => send(turn % 2 === 0 ? a : b)));
    const created = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(created.length + waiting.length).toBe(50);
    expect(waiting.every(({ body }) => body.error.code === 'idempotency_in_progress')).toBe(true);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(created.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    const later = await send(b);
    expect(later.text).toBe(created[0]!.text);
    expect((await a.api(partner.key).get('/webhooks')).body.data).toHaveLength(1);
  });

  it('gives two racing users with one external id to one of them', async () => {
    const [first, second] = await Promise.all([
      createPartner(a.api(adminKey)),
      createPartner(b.api(adminKey)),
    ]);
    for (let round = 0; round < 20; round++) {
      const body = { external_id: `race-${round}` };
      const answers = await Promise.all([
        a.api(first.key).post('/users', body),
        b.api(second.key).post('/users', body),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });
});
