import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { createTestDatabase, schemaOf, type TestDatabase, TICKED_TEMPLATE } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';
import { keysLookedUp, statementsDuring } from '../support/statements.js';

/** The documented default. */
const LIMIT = 300;

/** All callers share one address, and the process has just started. */
describe.each(eitherContract('sandbox'))('%s contract: behind one address, after a restart', (contract) => {
  const environment = schemaOf(contract);
  let database: TestDatabase;
  let app: TestApp;
  let stranger: Api;
  let adminKey: string;
  let partners: TestPartner[];

  beforeAll(async () => {
    database = await createTestDatabase(TICKED_TEMPLATE);
    const before = await startApp(contract, {}, database, shortMarkets);
    adminKey = before.adminKey;
    partners = [];
    for (let n = 0; n < 3; n++) partners.push(await createPartner(before.admin));
    await before.close();
  });
  afterAll(() => database.drop());

  const restart = async (limit = LIMIT): Promise<void> => {
    const env = { AUTH_FAILURES_PER_MINUTE: String(limit), BOOTSTRAP_ADMIN_KEY: adminKey };
    app = await startApp(contract, env, database, shortMarkets);
    stranger = app.admin.as(undefined);
  };
  const present = (authorization: string): Promise<Answer> => stranger.get('/webhooks', { authorization });
  const call = (partner: TestPartner): Promise<Answer> => app.admin.as(partner.key).get('/webhooks');
  const statusesOf = (answers: Answer[]): number[] => [...new Set(answers.map(({ status }) => status))];

  describe('what cannot be a key of this deployment', () => {
    beforeAll(() => restart());
    afterAll(() => app.close());

    it('is answered 401 however much of it comes, asks the database nothing, and shuts nobody out', async () => {
      const good = newKeySecret(environment);
      const forms = [
        'Bearer nonsense',
        `Bearer ${good.slice(0, -1)}${good.endsWith('a') ? 'b' : 'a'}`,
        `Bearer ${newKeySecret(environment === 'live' ? 'sandbox' : 'live')}`,
        `Basic ${btoa('user:password')}`,
      ];
      const asked = await statementsDuring(async () => {
        for (let sent = 0; sent < 2 * LIMIT; sent += 20) {
          const answers = await Promise.all(
            Array.from({ length: 20 }, (_, n) => present(forms[n % forms.length]!)),
          );
          expect(statusesOf(answers)).toEqual([401]);
        }
      });
      expect(asked).toEqual([]);
      for (const partner of partners) expect((await call(partner)).status).toBe(200);
      expectError(await present(`Bearer ${good}`), 401, 'invalid_api_key');
    });
  });

  describe('bodies that may hold a one-time code', () => {
    beforeAll(() => restart(60));
    afterAll(() => app.close());

    it('are read fifty at a time; a further caller is told to come again, and not counted as one that failed', async () => {
      const head = rawHead('POST', '/sessions', {
        'Content-Type': 'application/json',
        'Content-Length': '30',
      });
      const answers = await Promise.all(Array.from({ length: 80 }, () => sendRaw(app.url, head)));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(30);
      for (const { body } of refused)
        expect(body.error).toMatchObject({
          code: 'rate_limited',
          message: 'Too many one-time codes are being sent. Try again in 1 s.',
        });
    });
  });

  describe('well-formed keys that nobody has', () => {
    beforeAll(() => restart());
    afterAll(() => app.close());

    const unknown = (): Promise<Answer> => present(`Bearer ${newKeySecret(environment)}`);

    it('are answered 429 from the limit on; the keys that there are still pass, and each is looked up', async () => {
      for (let sent = 0; sent < LIMIT; sent += 20)
        expect(statusesOf(await Promise.all(Array.from({ length: 20 }, unknown)))).toEqual([401]);
      expectError(await unknown(), 429, 'rate_limited');
      const asked = await statementsDuring(async () => {
        for (const partner of partners) expect((await call(partner)).status).toBe(200);
      });
      expect(keysLookedUp(asked)).toBe(partners.length);
    });

    it('ask the database once a second at most from there on, however many come at once', async () => {
      const startedAt = performance.now();
      const asked = await statementsDuring(async () => {
        const answers = await Promise.all(Array.from({ length: 200 }, unknown));
        expect(statusesOf(answers)).toEqual([429]);
      });
      const seconds = (performance.now() - startedAt) / 1000;
      expect(keysLookedUp(asked)).toBe(0);
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    });

    it('leave a revoked key refused at once, and a new one shut out for a second at most', async () => {
      const [first] = partners;
      await app.admin.as(adminKey).delete(`/keys/${first!.keyId}`);
      expectError(await call(first!), 401, 'invalid_api_key');
      // From here on the key is unknown to the process.
      expectError(await call(first!), 429, 'rate_limited');
      const { body } = await app.admin.as(adminKey).post('/keys', {
        label: 'new',
        partner_id: partners[1]!.id,
        scopes: ['partner:read'],
      });
      const fresh = app.admin.as(body.data.secret);
      const until = performance.now() + 20_000;
      let status = 0;
      while (status !== 200 && performance.now() < until) {
        status = (await fresh.get('/webhooks')).status;
        if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(status).toBe(200);
    });
  });
});
