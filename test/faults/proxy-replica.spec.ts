import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startMarket, type TestMarket } from '../support/market.js';

describe('a read replica that nothing is heard of', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let market: TestMarket;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.url);
    market = await startMarket('partner', {
      env: { DATABASE_REPLICA_URL: proxy.url, LOG_LEVEL: 'fatal' },
      adjust: ({ database: bounds }) => {
        Object.assign(bounds, { replica_timeout_ms: 300, answer_grace_ms: 100 });
      },
    });
  }, 60_000);
  afterAll(async () => {
    await market?.close();
    await proxy?.cut();
    await database?.drop();
  });

  it('is done without, and then left alone for a while', async () => {
    const read = async (): Promise<number> => (await market.partner.api.get('/partner/deposits')).status;
    expect(await read()).toBe(200);
    expect(proxy.connections).toBeGreaterThan(0);
    proxy.silence();
    expect(await read()).toBe(200);
    const asked = proxy.messages;
    for (let turn = 0; turn < 5; turn++) expect(await read()).toBe(200);
    expect(proxy.messages).toBe(asked);
  });
});
