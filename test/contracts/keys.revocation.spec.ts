import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/kernel/clock.js';
import { Authenticator, newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { createTestDatabase, type TestDatabase, TICKED_TEMPLATE } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';

describe.each(eitherContract('sandbox'))('%s contract: API keys', (contract) => {
  let app: TestApp;
  let admin: Api;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    admin = app.admin;
  });
  afterAll(() => app.close());

  it('Disabling a partner leaves no valid key from a concurrent creation', async () => {
    const survivors: string[] = [];
    const outcomes = new Set<number>();
    for (let round = 0; round < 20; round++) {
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
    const validKeys = `SELECT k.id FROM api_keys k JOIN partners p ON p.id = k.partner_id
      WHERE p.status = 'disabled' AND k.revoked_at IS NULL`;
    expect(await app.sql(validKeys)).toEqual([]);
  }, 60_000);

  it('A use recorded late does not move last_used_at back', async () => {
    const { id, secret } = (await admin.post('/keys', { label: 'used', scopes: ['keys:admin'] })).body.data;
    const second = 1_000 * Math.ceil(Date.now() / 1_000);
    try {
      for (const [ms, shown] of [
        [1_678, 1_000],
        [-90_000, 1_000],
        [3_000, 3_000],
      ] as const) {
        app.application.get(Clock).now = () => new Date(second + ms);
        await admin.as(secret).get('/keys?limit=1');
        await app.application.get(Authenticator).flushLastUsed();
        const keys = (await admin.get('/keys?limit=500')).body.data;
        const { last_used_at: at } = keys.find((key: { id: string }) => key.id === id);
        expect(Date.parse(at)).toBe(second + shown);
      }
    } finally {
      Reflect.deleteProperty(app.application.get(Clock), 'now');
    }
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

  it('The bootstrap administrator key stops the start if it is malformed or of another environment', async () => {
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

  it('The bootstrap administrator key is installed once by two replicas that start together, with the scopes of an administrator', async () => {
    const apps = await Promise.all([start(first), start(first)]);
    for (const { admin } of apps) expect((await admin.get('/keys')).status).toBe(200);
    expect(await administrators()).toEqual([
      { prefix: first.slice(0, 12), scopes: ['keys:admin', 'partner:admin'] },
    ]);
    await Promise.all(apps.map((app) => app.close()));
  });

  it('The bootstrap administrator key is not installed while another administrator is active', async () => {
    const app = await start(newKeySecret('live'));
    expectError(await app.admin.get('/keys'), 401, 'invalid_api_key');
    expect(await administrators()).toHaveLength(1);
    await app.close();
  });

  it('The bootstrap administrator key stays revoked across restarts; a different one can then be installed', async () => {
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
