import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { withDomain } from '../../src/cli/context.js';
import { createDemoOrders } from '../../src/cli/demo-orders.js';
import { createDemoPartner } from '../../src/cli/demo-partner.js';
import { loadSettings } from '../../src/config/settings.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { BASE_MARKET, MarketService } from '../../src/domain/markets/hours/market.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

const DAYS = 20;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

it('A demo partner whose creation was interrupted is completed by the next start, with its orders', async () => {
  const { url } = database;
  const settings = loadSettings({ YIELDS: 'simulated', CONTRACT: 'partner', DATABASE_URL: url, SECRETS_KEY });
  const interrupted = withDomain(settings, async (context) => {
    const cycle = context.get(HourlyCycle);
    const advance = cycle.advance.bind(cycle);
    jest.spyOn(cycle, 'advance').mockImplementationOnce(advance).mockRejectedValue(new Error('interrupted'));
    return createDemoPartner(context, {}, DAYS);
  });
  await expect(interrupted).rejects.toThrow('interrupted');

  await withDomain(settings, async (context) => {
    const keys = await createDemoPartner(context, {}, DAYS);
    const { hour } = await context.get(MarketService).look(BASE_MARKET);
    expect(Date.now() - hour!.getTime()).toBeLessThan(2 * 3_600_000);
    await expect(createDemoOrders(context, settings, keys.executor_key)).resolves.toBeUndefined();
  });
});
