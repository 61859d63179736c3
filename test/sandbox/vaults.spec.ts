import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/clock.js';
import { addHours, hourOf } from '../../src/domain/vaults/hour.js';
import { MarketService } from '../../src/domain/markets/market.service.js';
import { listed } from '../support/catalogue.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

/** The sandbox's base market: simulated, and a month old when it begins. */
describe('simulated vaults', () => {
  let app: TestApp;
  let key: string;

  beforeAll(async () => {
    app = await startFreshApp('sandbox');
    key = (await app.admin.post('/keys', { label: 'reader' })).body.data.secret;
  });
  afterAll(() => app.close());

  const vaults = async () => (await app.admin.as(key).get('/vaults')).body.data;
  const snapshots = () =>
    app.database.query<{ hour: Date; vault: string; apy: number; index: string }>(
      'sandbox',
      'SELECT hour, vault_id AS vault, apy, share_index AS index FROM snapshots ORDER BY hour, vault_id',
    );

  it('show yields soon after the first start, with a month behind them', async () => {
    await until(async () => (await vaults()).every((vault: { stale: boolean }) => !vault.stale));
    const shown = await vaults();
    expect(shown.length).toBeGreaterThanOrEqual(8);
    expect(shown.map(({ id }: { id: string }) => id)).toEqual(
      listed(app.settings)
        .map(({ id }) => id)
        .sort(),
    );
    for (const vault of shown) {
      expect(vault.apy).toBeGreaterThan(0);
      expect(vault.apy).toBeLessThan(1);
      expect(vault).toMatchObject({ stale: false, tvl: expect.any(Number), observed_at: expect.any(String) });
    }
    expect(await snapshots()).toHaveLength(app.settings.vaults.length * 720);
  });

  it('leave no hour out, however long nobody ticked', async () => {
    const before = await snapshots();
    const now = addHours(hourOf(new Date()), 50);
    app.application.get(Clock).now = () => now;
    const { hours, silent } = await app.application.get(MarketService).tick();
    const added = (await snapshots()).slice(before.length);
    expect(silent).toEqual([]);
    expect(hours).toBeGreaterThanOrEqual(49);
    expect(added.every(({ apy }) => apy !== null)).toBe(true);
    expect(added).toHaveLength(hours * new Set(added.map(({ vault }) => vault)).size);
  });
});
