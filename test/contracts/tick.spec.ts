import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { MarketService } from '../../src/domain/markets/hours/market.service.js';
import { roundRate } from '../../src/domain/kernel/money.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';

/** The rows that an hour adds, in a market that begins with a month of history. */
const IDLE = `vault_id LIKE 'vlt\\_idle\\_%'`;
/** The index at which nothing was earned. */
const ONE = '1000000000000000000';

describe('the tick of a simulated market', () => {
  let app: TestApp;
  let market: MarketService;
  let now: Date;

  beforeAll(async () => {
    app = await startFreshApp('sandbox');
    market = app.application.get(MarketService);
    await until(async () => (await app.sql('SELECT 1 FROM signals')).length > 0);
    ({ now } = (await app.sql<{ now: Date }>('SELECT ticked_hour AS now FROM markets'))[0]!);
    app.application.get(Clock).now = () => now;
  });
  afterAll(() => app.close());

  const assets = () => app.settings.constants.assets;

  it('has idle vaults with an APY of 0 and a constant index in every hour', async () => {
    const cash = app.settings.vaults.filter(isIdle);
    expect(cash.map(({ asset }) => asset)).toEqual(assets());
    const states = await app.sql(`SELECT * FROM vault_states WHERE ${IDLE} ORDER BY vault_id`);
    expect(states).toMatchObject(
      cash.map(({ id }) => ({
        vault_id: id,
        share_index: ONE,
        last_apy: 0,
        last_tvl: null,
        observed_hour: now,
      })),
    );
    expect(
      await app.sql(
        `SELECT vault_id, count(*)::int AS hours, min(share_index) AS least, max(share_index) AS most, min(apy) AS low, max(apy) AS high
           FROM snapshots WHERE ${IDLE} AND tvl IS NULL GROUP BY vault_id ORDER BY vault_id`,
      ),
    ).toEqual(cash.map(({ id }) => ({ vault_id: id, hours: 720, least: ONE, most: ONE, low: 0, high: 0 })));
  });

  it('raises no threshold event for the month of history at its start', async () => {
    expect(await app.sql(`SELECT id FROM events WHERE type = 'yield.threshold'`)).toEqual([]);
    expect(await app.sql('SELECT asset, level FROM yield_thresholds')).toHaveLength(2 * assets().length);
  });

  it('raises threshold events for caught-up hours, dated at those hours', async () => {
    const [{ levels }] = await app.sql(
      `SELECT ARRAY[percentile_disc(0.5) WITHIN GROUP (ORDER BY apy), max(apy) FILTER (WHERE hour = $1)] AS levels
         FROM blended_points WHERE asset = 'USDC'`,
      [now],
    );
    Object.assign(app.settings.constants.yieldThresholds, { levels, rearm: 0 });
    const began = now;
    now = addHours(now, 300);
    const { hours, silent } = await market.tick();
    expect([hours, silent]).toEqual([300, []]);
    // No hour is left out, however long no tick ran.
    const added = await app.sql('SELECT apy FROM snapshots WHERE hour > $1', [began]);
    expect(added).toHaveLength(300 * app.settings.vaults.length);
    expect(added.every(({ apy }) => apy !== null)).toBe(true);

    const points = await app.sql(
      `SELECT hour, apy FROM blended_points WHERE asset = 'USDC' AND hour >= $1 ORDER BY hour`,
      [began],
    );
    const expected = points.slice(1).flatMap(({ hour, apy }, index) => {
      const previous = points[index].apy;
      const at = hour.toISOString();
      return levels
        .filter((level: number) => previous < level !== apy < level)
        .map((threshold: number) => ({
          created_at: at,
          type: 'yield.threshold',
          data: {
            asset: 'USDC',
            threshold: roundRate(threshold),
            direction: apy < threshold ? 'below' : 'above',
            apy: roundRate(apy),
            previous_apy: roundRate(previous),
            at,
          },
        }));
    });
    const events = await app.sql(
      `SELECT partner_id, envelope FROM events
        WHERE envelope->'data'->>'asset' = 'USDC' ORDER BY envelope->>'created_at', id`,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(events).toHaveLength(expected.length);
    expect(events.map(({ envelope: { id: _, ...rest } }) => rest)).toEqual(expect.arrayContaining(expected));
    expect(new Set(events.map(({ partner_id }) => partner_id))).toEqual(new Set([null]));
  });
});

describe('yield thresholds', () => {
  let market: TestMarket;
  let receiver: Receiver;

  beforeAll(async () => {
    market = await startMarket('partner');
    receiver = await Receiver.start();
    const { status } = await market.partner.api.post('/webhooks', {
      url: receiver.url,
      events: ['yield.threshold'],
    });
    expect(status).toBe(201);
  });
  afterAll(async () => {
    await receiver.close();
    await market.close();
  });

  /** Adds the next hour, in which every vault of the asset has this yield; null: no vault is observed. */
  const hourAt = (apy: number | null, asset = 'USDC'): Promise<void> => {
    const vaults = market.app.settings.vaults.filter((vault) => vault.asset === asset);
    market.setYields(Object.fromEntries(vaults.map(({ id }) => [id, apy === null ? null : { apy }])));
    return market.advance();
  };
  /** All crossings so far, in the order of their hours and levels. */
  const crossed = async (): Promise<string[]> => {
    const rows = await market.app.sql<{
      data: any;
    }>(`SELECT envelope->'data' AS data FROM events WHERE type = 'yield.threshold'
        ORDER BY envelope->>'created_at', envelope->'data'->>'threshold'`);
    return rows.map(({ data }) => `${data.asset} ${data.threshold} ${data.direction}`);
  };

  it('send an event to subscribed endpoints, once each way while an APY oscillates around one, for each asset', async () => {
    await hourAt(0.06);
    const [got] = await receiver.waitFor(1);
    const at = hourOf(market.now()).toISOString();
    expect(JSON.parse(got!.body.toString())).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'yield.threshold',
      created_at: at,
      data: {
        ...{ asset: 'USDC', threshold: 0.05, direction: 'above', at },
        ...{ apy: expect.closeTo(0.06, 9), previous_apy: expect.closeTo(0.04, 9) },
      },
    });
    for (const apy of [0.0495, 0.0505, null, 0.0495, 0.0505, 0.0495, 0.047, 0.09]) await hourAt(apy);
    await hourAt(0.06, 'USDT0');
    expect(await crossed()).toEqual([
      'USDC 0.05 above',
      'USDC 0.05 below',
      'USDC 0.05 above',
      'USDC 0.08 above',
      'USDT0 0.05 above',
    ]);
    await receiver.waitFor(5);
  });
});
