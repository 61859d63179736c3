import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { createTestDatabase, schemaOf, type TestDatabase, TICKED_TEMPLATE } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

describe.each(eitherContract('sandbox'))('%s contract: the end of a key', (contract) => {
  let app: TestApp;
  let admin: Api;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    admin = app.admin;
  });
  afterAll(() => app.close());

  const keysOf = async ({ id }: TestPartner): Promise<{ revoked: boolean; id: string }[]> =>
    (await admin.get('/keys?limit=500')).body.data.filter((key: any) => key.partner_id === id);
  const setStatus = async ({ id }: TestPartner, status: string): Promise<any> => {
    const answer = await admin.patch(`/partners/${id}`, { status });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  describe('revoking', () => {
    it('counts from the first time: revoking again does not move it', async () => {
      const { keyId } = await createPartner(admin);
      const revokedAt = () =>
        app.database.query(schemaOf(contract), 'SELECT revoked_at FROM api_keys WHERE id = $1', [keyId]);
      await admin.delete(`/keys/${keyId}`);
      const first = await revokedAt();
      await admin.delete(`/keys/${keyId}`);
      expect(await revokedAt()).toEqual(first);
    });

    it('holds from the moment it was answered, on another replica too', async () => {
      const replica = await startApp(
        contract,
        { BOOTSTRAP_ADMIN_KEY: app.adminKey },
        app.database,
        shortMarkets,
      );
      const { key, keyId } = await createPartner(admin);
      const everywhere = [admin, replica.admin].map((api) => api.as(key));
      for (const api of everywhere) expect((await api.get('/webhooks')).status).toBe(200);
      await admin.delete(`/keys/${keyId}`);
      for (const api of everywhere) expectError(await api.get('/webhooks'), 401, 'invalid_api_key');
      await replica.close();
    });

    it('spares the other keys of the partner', async () => {
      const partner = await createPartner(admin);
      const { body } = await admin.post('/keys', {
        label: 'second',
        partner_id: partner.id,
        scopes: ['partner:read'],
      });
      await admin.delete(`/keys/${partner.keyId}`);
      expect((await admin.as(body.data.secret).get('/webhooks')).status).toBe(200);
    });
  });

  describe('disabling a partner', () => {
    it('revokes all its keys in one go, and nobody else’s', async () => {
      const [partner, bystander] = [await createPartner(admin), await createPartner(admin)];
      const more = await Promise.all(
        [1, 2, 3].map((n) =>
          admin.post('/keys', { label: `${n}`, partner_id: partner.id, scopes: ['partner:read'] }),
        ),
      );
      const secrets = [partner.key, ...more.map(({ body }) => body.data.secret)];
      for (const secret of secrets) expect((await admin.as(secret).get('/webhooks')).status).toBe(200);
      expect(await setStatus(partner, 'disabled')).toMatchObject({
        status: 'disabled',
        disabled_at: expect.any(String),
      });
      for (const secret of secrets)
        expectError(await admin.as(secret).get('/webhooks'), 401, 'invalid_api_key');
      expect((await keysOf(partner)).map(({ revoked }) => revoked)).toEqual([true, true, true, true]);
      expect((await bystander.api.get('/webhooks')).status).toBe(200);
    });

    it('leaves no key behind that was being created at the same moment', async () => {
      const survivors: string[] = [];
      const outcomes = new Set<number>();
      for (let round = 0; round < 50; round++) {
        const partner = await createPartner(admin);
        const body = { label: 'raced', partner_id: partner.id, scopes: ['partner:read'] };
        // From 0 to 36 ms behind the disabling, so that either may come first in the database.
        const late = async () => {
          await sleep(round % 2 ? 0 : ((round / 2) % 10) * 4);
          return admin.post('/keys', body);
        };
        const disable = () => admin.patch(`/partners/${partner.id}`, { status: 'disabled' });
        const [first, second] = await Promise.all(round % 2 ? [late(), disable()] : [disable(), late()]);
        const raced = round % 2 ? first : second;
        outcomes.add(raced.status);
        if (raced.status === 201) {
          const { status } = await admin.as(raced.body.data.secret).get('/webhooks');
          if (status !== 401) survivors.push(raced.body.data.id);
        } else expectError(raced, 409, 'partner_disabled');
      }
      expect(survivors).toEqual([]);
      expect([...outcomes].sort()).toEqual([201, 409]);
      const left = `SELECT k.id FROM api_keys k JOIN partners p ON p.id = k.partner_id
        WHERE p.status = 'disabled' AND k.revoked_at IS NULL`;
      expect(await app.database.query(schemaOf(contract), left)).toEqual([]);
    }, 60_000);

    it('is undone by enabling, but for the keys: none comes back, a new one works', async () => {
      const partner = await createPartner(admin);
      await setStatus(partner, 'disabled');
      expect(await setStatus(partner, 'active')).toMatchObject({ status: 'active', disabled_at: null });
      expectError(await partner.api.get('/webhooks'), 401, 'invalid_api_key');
      expect((await keysOf(partner)).map(({ revoked }) => revoked)).toEqual([true]);
      const { body } = await admin.post('/keys', {
        label: 'new',
        partner_id: partner.id,
        scopes: ['partner:read'],
      });
      expect((await admin.as(body.data.secret).get('/webhooks')).status).toBe(200);
    });
  });
});

describe('the bootstrap administrator key', () => {
  let database: TestDatabase;
  const first = newKeySecret('live');

  beforeAll(async () => {
    database = await createTestDatabase(TICKED_TEMPLATE);
  });
  afterAll(() => database.drop());

  const start = (key: string): Promise<TestApp> =>
    startApp('partner', { BOOTSTRAP_ADMIN_KEY: key }, database);
  const administrators = () =>
    database.query(
      'live',
      `SELECT prefix, scopes FROM api_keys WHERE 'keys:admin' = ANY (scopes) AND revoked_at IS NULL`,
    );

  it('stops the boot when it is malformed or of another environment', async () => {
    for (const key of ['letmein', first.slice(0, -1), `${first}x`, newKeySecret('sandbox')]) {
      const stopped = await start(key).then(
        () => 'started',
        (error: Error) => error.message,
      );
      expect(stopped).toMatch(/vl_live_|live key/);
      expect(stopped).not.toContain(key);
    }
    expect(await administrators()).toEqual([]);
  });

  it('is installed once by two replicas that start at once, with the scopes of an administrator', async () => {
    const apps = await Promise.all([start(first), start(first)]);
    for (const { admin } of apps) expect((await admin.get('/keys')).status).toBe(200);
    expect(await administrators()).toEqual([
      { prefix: first.slice(0, 12), scopes: ['keys:admin', 'partner:admin'] },
    ]);
    await Promise.all(apps.map((app) => app.close()));
  });

  it('is not installed while another administrator is active', async () => {
    const app = await start(newKeySecret('live'));
    expectError(await app.admin.get('/keys'), 401, 'invalid_api_key');
    expect(await administrators()).toHaveLength(1);
    await app.close();
  });

  it('stays revoked, once revoked; another one is installed in its place', async () => {
    const app = await start(first);
    const { body } = await app.admin.get('/keys');
    await app.admin.delete(`/keys/${body.data[0].id}`);
    await app.close();
    const again = await start(first);
    expectError(await again.admin.get('/keys'), 401, 'invalid_api_key');
    await again.close();
    const successor = await start(newKeySecret('live'));
    expect((await successor.admin.get('/keys')).status).toBe(200);
    await successor.close();
  });
});
