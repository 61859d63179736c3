import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertService } from '../../src/domain/cycle/alerts/alert.service.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market-view.js';
import type { Vault } from '../../src/domain/kernel/catalogue/catalogue.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { listed } from '../support/catalogue.js';
import { startMarket, type TestMarket, type Yields } from '../support/market.js';

const HOURS = 4;

describe('the feed age of vaults', () => {
  let market: TestMarket;
  let never: Vault;
  let closed: Vault;
  let late: Vault;

  beforeAll(async () => {
    const yields: Yields = {};
    market = await startMarket('partner', {
      yields,
      adjust: (_constants, settings) => {
        [never, closed, late] = listed(settings) as [Vault, Vault, Vault];
        closed.active = false;
        yields[never.id] = yields[closed.id] = null;
        // It comes into the catalogue when the market has begun.
        settings.vaults = settings.vaults.filter((vault) => vault !== late);
      },
    });
  });
  afterAll(() => market.close());

  const ages = async (): Promise<Record<string, number>> => {
    await market.app.application.get(DeploymentCounts).countBacklogs();
    const text = await market.app.metrics();
    const ages = text.matchAll(/^vaultline_feed_age_seconds\{vault="(\w+)"\} (\S+)$/gm);
    return Object.fromEntries([...ages].map(([, vault, age]) => [vault!, Number(age)]));
  };

  it('The feed age of vaults starts at a vault’s first hour if it was never observed, and is absent for an inactive vault', async () => {
    await market.advance(HOURS);
    const before = await ages();
    expect(before[never.id]).toBeGreaterThanOrEqual(HOURS * 3_600);
    expect(before).not.toHaveProperty(closed.id);
    market.app.settings.vaults = [late, ...market.app.settings.vaults];
    market.setYields({ [late.id]: null });
    // The market's next hour adds it.
    expect(await ages()).not.toHaveProperty(late.id);
    await market.advance();
    expect((await ages())[late.id]).toBeLessThan(3_600);
    const alerts = async (): Promise<unknown> => {
      await market.app.application.get(HourlyCycle).run();
      return market.app.application.get(AlertService).find(BASE_MARKET);
    };
    expect(await alerts()).toMatchObject([{ kind: 'vault_silent', subject: never.id, until: null }]);
    market.setYields({ [never.id]: { apy: 0.04 } });
    await market.advance();
    expect(await alerts()).toEqual([]);
    expect((await ages())[never.id]).toBeLessThan(3_600);
  });
});
