import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { MarketService } from '../../src/domain/markets/hours/market.service.js';
import { expectError } from '../support/expected-error.js';
import { startApp, type TestApp } from '../support/app.js';
import { answerOf, json, LlamaServer, row, status } from '../support/llama-server.js';

/** The market of the partner contract, hour by hour, on a feed that answers, sends wrong data, fails, and recovers. */
describe('vaults and the hourly tick', () => {
  let yields: LlamaServer;
  let app: TestApp;
  let market: MarketService;
  const start = hourOf(new Date());
  let now = start;

  beforeAll(async () => {
    yields = await LlamaServer.open();
    yields.pools = status(500);
    app = await startApp('partner', { DEFILLAMA_BASE_URL: yields.url });
    app.application.get(Clock).now = () => now;
    market = app.application.get(MarketService);
  });
  afterAll(async () => {
    await app.close();
    yields.close();
  });

  const settled = async (hour: number) => {
    now = addHours(start, hour);
    return market.tick();
  };
  const vault = async (id: string) =>
    (await app.admin.as(await readKey()).get('/vaults')).body.data.find(
      (entry: { id: string }) => entry.id === id,
    );
  let key: string | undefined;
  const readKey = async (): Promise<string> =>
    (key ??= (await app.admin.post('/keys', { label: 'reader' })).body.data.secret as string);
  const list = () =>
    app.sql<{ hour: Date; apy: number | null; index: string }>(
      'SELECT hour, apy, share_index AS index FROM snapshots WHERE vault_id = $1 ORDER BY hour',
      [AAVE.id],
    );

  const AAVE = { id: 'vlt_aave_v3_usdc', pool: '' };

  it('The hourly tick converts percentages to fractions, and an APR to an APY if the catalogue marks it', async () => {
    const entry = app.settings.vaults.find(({ id }) => id === AAVE.id)!;
    if (entry.feed.kind !== 'defillama' || !entry.feed.apr) throw new Error('the catalogue changed');
    AAVE.pool = entry.feed.pool;
    yields.pools = json(answerOf([row({ pool: AAVE.pool, apyBase: 10, tvlUsd: 1_000_000.5 })]));
    yields.lending = json(
      JSON.stringify([{ pool: AAVE.pool, totalSupplyUsd: 6_000_000, totalBorrowUsd: 4_999_999.5 }]),
    );
    const { hours } = await settled(1);
    expect(hours).toBe(1);
    const shownVault = await vault(AAVE.id);
    expect(shownVault.apy).toBeCloseTo(0.10517029, 8);
    expect(shownVault).toMatchObject({
      tvl: 1_000_000.5,
      assets: 6_000_000,
      liquidity: 1_000_000.5,
      observed_at: addHours(start, 1).toISOString(),
      stale: false,
    });
  });

  it('The hourly tick changes nothing when it runs again, and sends no request to a provider', async () => {
    const before = await list();
    const requests = yields.asked.length;
    expect((await market.tick()).hours).toBe(0);
    expect(await list()).toEqual(before);
    expect(yields.asked).toHaveLength(requests);
  });

  it('The hourly tick adds an hour once for concurrent ticks', async () => {
    now = addHours(start, 2);
    const ticks = await Promise.all(Array.from({ length: 8 }, () => market.tick()));
    expect(ticks.map(({ hours }) => hours).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(await list()).toHaveLength(3);
  });

  it('The hourly tick catches up missed hours, stops accruing after a gap of 24 hours, and marks the vault as stale', async () => {
    yields.pools = status(500);
    const { hours, silent, troubles } = await settled(60);
    expect([hours, silent]).toEqual([58, expect.arrayContaining([AAVE.id])]);
    expect(troubles.join()).toContain('/pools');
    const rows = await list();
    expect(rows).toHaveLength(61);
    expect(rows[3]!.apy).toBeNull();
    // The observation of hour 2 earns for a day, from hour 3 on.
    expect(rows[27]!.index).not.toBe(rows[26]!.index);
    expect(rows.slice(27).every(({ index }) => index === rows[27]!.index)).toBe(true);
    expect(await vault(AAVE.id)).toMatchObject({
      stale: true,
      observed_at: addHours(start, 2).toISOString(),
    });
  });

  it('The hourly tick stores no yield in an hour in which the source knows neither base nor rewards', async () => {
    yields.pools = json(answerOf([row({ pool: AAVE.pool, apyBase: null, apy: 0 })]));
    const { silent } = await settled(61);
    expect(silent).toContain(AAVE.id);
    expect((await list()).at(-1)!.apy).toBeNull();
    expect(await vault(AAVE.id)).toMatchObject({ observed_at: addHours(start, 2).toISOString() });
  });

  it('A vault shows its quarantine until an administrator ends it, with an audit entry', async () => {
    const assets = (millions: number) => {
      const supply = { pool: AAVE.pool, totalSupplyUsd: millions * 1e6, totalBorrowUsd: 1e6 };
      yields.lending = json(JSON.stringify([supply]));
    };
    const path = `/vaults/${AAVE.id}/quarantine`;
    yields.pools = json(answerOf([row({ pool: AAVE.pool, apyBase: 4, tvlUsd: 2_000_000 })]));
    const free = { id: AAVE.id, quarantined_until: null, quarantine_reason: null };
    for (let hour = 66; hour < 76; hour++) {
      assets(hour < 72 ? 6 : 2);
      await settled(hour);
    }
    const until = addHours(start, 75 + 720).toISOString();
    const closed = { quarantined_until: until, quarantine_reason: 'outflow' };
    expect(await vault(AAVE.id)).toMatchObject(closed);
    expectError(await app.admin.send('DELETE', '/vaults/vlt_nobody/quarantine'), 404, 'not_found');
    // A repeat ends nothing, and leaves no entry.
    for (let time = 0; time < 2; time++) {
      const { status, body } = await app.admin.send('DELETE', path);
      expect([status, body.object, body.data]).toMatchObject([200, 'vault', free]);
      const { data } = (await app.admin.get(`/audit?subject=${AAVE.id}`)).body;
      const after = { [AAVE.id]: { quarantined_until: null, quarantine_reason: null } };
      expect(data).toMatchObject([{ operation: 'endQuarantine', before: { [AAVE.id]: closed }, after }]);
    }
    expect(await vault(AAVE.id)).toMatchObject(free);
    // Its assets are still less than half of their median: the next hour begins the quarantine anew.
    await settled(76);
    expect(await vault(AAVE.id)).toMatchObject({ quarantine_reason: 'outflow' });
    assets(6);
    await settled(77);
    expect((await app.admin.send('DELETE', path)).status).toBe(200);
    await settled(78);
    expect(await vault(AAVE.id)).toMatchObject(free);
  });

  it('The hourly tick refuses a future hour', async () => {
    await expect(market.tick(addHours(now, 1))).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
