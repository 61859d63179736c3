import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { BASE_MARKET, MarketService } from '../../src/domain/markets/hours/market.service.js';
import { roundRate } from '../../src/domain/kernel/rate.js';
import { listed } from '../support/catalogue.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';

const TABLES = [
  'vault_states',
  'snapshots',
  'signals',
  'regimes',
  'blended_points',
  'yield_thresholds',
  'events',
];

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
    await until(async () => (await query('SELECT 1 FROM signals')).length > 0);
    [{ now }] = await query('SELECT ticked_hour AS now FROM markets');
    app.application.get(Clock).now = () => now;
  });
  afterAll(() => app.close());

  const query = (sql: string, values: unknown[] = []): Promise<any[]> =>
    app.database.query('sandbox', sql, values);
  const everything = () =>
    Promise.all(TABLES.map((table) => query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)));
  const assets = () => app.settings.constants.assets;

  it('has signals of every vault, with history, of the newest hour', async () => {
    const signals = await query('SELECT * FROM signals ORDER BY vault_id');
    expect(signals.map(({ vault_id }) => vault_id)).toEqual(
      listed(app.settings)
        .map(({ id }) => id)
        .sort(),
    );
    for (const signal of signals)
      expect(signal).toMatchObject({
        hour: now,
        insufficient_history: false,
        observations: 168,
        apy: expect.any(Number),
        trend: expect.any(Number),
        forecast_apy: expect.any(Number),
        expected_apy: expect.any(Number),
        risk_adjusted_apy: expect.any(Number),
      });
  });

  it('shows the yield of every vault of the catalogue, with a month behind it', async () => {
    const { secret } = (await app.admin.post('/keys', { label: 'reader' })).body.data;
    const shown: any[] = (await app.admin.as(secret).get('/vaults')).body.data;
    const ids = listed(app.settings).map(({ id }) => id);
    expect(shown.map(({ id }) => id)).toEqual(ids.sort());
    for (const vault of shown) {
      expect(vault).toMatchObject({ stale: false, tvl: expect.any(Number), observed_at: expect.any(String) });
      expect([vault.apy > 0, vault.apy < 1]).toEqual([true, true]);
    }
    expect(await query('SELECT FROM snapshots')).toHaveLength(app.settings.vaults.length * 720);
  });

  it('holds cash beside the vaults: it yields 0 at every hour, and is worth what it was', async () => {
    const cash = app.settings.vaults.filter(isIdle);
    expect(cash.map(({ asset }) => asset)).toEqual(assets());
    const states = await query(`SELECT * FROM vault_states WHERE ${IDLE} ORDER BY vault_id`);
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
      await query(
        `SELECT vault_id, count(*)::int AS hours, min(share_index) AS least, max(share_index) AS most, min(apy) AS low, max(apy) AS high
           FROM snapshots WHERE ${IDLE} AND tvl IS NULL GROUP BY vault_id ORDER BY vault_id`,
      ),
    ).toEqual(cash.map(({ id }) => ({ vault_id: id, hours: 720, least: ONE, most: ONE, low: 0, high: 0 })));
  });

  it('has signals that follow from the snapshots of the last week', async () => {
    const expected = await query(
      `SELECT vault_id, avg(apy) AS mean, stddev_samp(apy) AS deviation FROM snapshots
        WHERE hour > $1::timestamptz - interval '168 hours' AND NOT ${IDLE}
        GROUP BY vault_id ORDER BY vault_id`,
      [now],
    );
    const signals = await query('SELECT vault_id, mean_apy, volatility FROM signals ORDER BY vault_id');
    expect(signals).toEqual(
      expected.map(({ vault_id, mean, deviation }) => ({
        vault_id,
        mean_apy: expect.closeTo(mean, 12),
        volatility: expect.closeTo(deviation, 12),
      })),
    );
  });

  it('expects what two averages of all that was observed say, and takes a haircut and the downside of the week off', async () => {
    const observed = await query(
      `SELECT vault_id, array_agg(apy ORDER BY hour) AS apys FROM snapshots WHERE hour <= $1 AND NOT ${IDLE} GROUP BY vault_id`,
      [now],
    );
    for (const { vault_id, apys } of observed) {
      const average = (halfLife: number): number =>
        apys.reduce((mean: number, apy: number) => mean + (1 - 0.5 ** (1 / halfLife)) * (apy - mean));
      const [recent, long, reach] = [average(6), average(168), 72 / Math.log(2)];
      const expected = long + (recent - long) * (reach / 240) * (1 - Math.exp(-240 / reach));
      const week: number[] = apys.slice(-168);
      const mean = week.reduce((sum, apy) => sum + apy) / 168;
      const downside = Math.sqrt(week.reduce((sum, apy) => sum + Math.min(0, apy - mean) ** 2, 0) / 167);
      const { riskTier } = app.settings.vaults.find(({ id }) => id === vault_id)!;
      const haircut = { low: 0.05, medium: 0.15, high: 0.3 }[riskTier];
      const [signal] = await query(
        'SELECT expected_apy, risk_adjusted_apy FROM signals WHERE vault_id = $1',
        [vault_id],
      );
      expect(signal).toEqual({
        expected_apy: expect.closeTo(expected, 12),
        risk_adjusted_apy: expect.closeTo(expected * (1 - haircut) - 0.1 * downside, 12),
      });
    }
  });

  it('has a regime of each asset and one of all', async () => {
    const regimes = await query('SELECT * FROM regimes ORDER BY asset');
    expect(regimes.map(({ asset }) => asset)).toEqual(['*', ...assets()]);
    for (const regime of regimes) {
      expect(regime).toMatchObject({ hour: now, observations: 168, apy: expect.any(Number) });
      expect(['rising', 'falling', 'stable', 'volatile']).toContain(regime.regime);
    }
    // Blended points are those of the yield history: the same rate, and over all assets their mean weighted by TVL.
    const points = await query('SELECT asset, apy, tvl FROM blended_points WHERE hour = $1 ORDER BY asset', [
      now,
    ]);
    expect(regimes.slice(1).map(({ apy }) => apy)).toEqual(points.map(({ apy }) => apy));
    const [sum, tvl] = [0, 1].map((power) =>
      points.reduce((total, point) => total + Number(point.tvl) * (power === 0 ? point.apy : 1), 0),
    );
    expect(regimes[0].apy).toBeCloseTo(sum! / tvl!, 12);
  });

  it('has a blended point of each hour and asset, weighted by the whole TVL of the vaults', async () => {
    const points = await query(
      'SELECT asset, hour, apy, tvl, vaults FROM blended_points ORDER BY asset, hour',
    );
    expect(points).toHaveLength(720 * assets().length);
    const assetOf = new Map(app.settings.vaults.map(({ id, asset }) => [id, asset]));
    const snapshots = await query('SELECT vault_id, hour, apy, tvl FROM snapshots');
    const weighted = new Map<string, { apy: number; tvl: number }>();
    for (const { vault_id, hour, apy, tvl } of snapshots) {
      const key = `${assetOf.get(vault_id)} ${hour.toISOString()}`;
      const sum = weighted.get(key) ?? { apy: 0, tvl: 0 };
      weighted.set(key, { apy: sum.apy + apy * Number(tvl), tvl: sum.tvl + Number(tvl) });
    }
    for (const { asset, hour, apy, tvl, vaults } of points) {
      expect(vaults).toBe(
        listed(app.settings).filter((vault) => vault.asset === asset && vault.active).length,
      );
      const sum = weighted.get(`${asset} ${hour.toISOString()}`)!;
      expect(Number(tvl)).toBe(sum.tvl);
      expect(apy).toBeCloseTo(sum.apy / sum.tvl, 12);
    }
  });

  it('keeps blended points as they are: the database refuses a change', async () => {
    await expect(query('UPDATE blended_points SET apy = 1')).rejects.toThrow('blended_points is append-only');
  });

  it('raises no event of the month that lies behind its beginning', async () => {
    expect(await query(`SELECT id FROM events WHERE type = 'yield.threshold'`)).toEqual([]);
    expect(await query('SELECT asset, level FROM yield_thresholds')).toHaveLength(2 * assets().length);
  });

  it('changes nothing when it runs again, however many run at once', async () => {
    const before = await everything();
    await Promise.all([market.tick(), market.tick(), market.tick(addHours(now, -5))]);
    expect(await everything()).toEqual(before);
  });

  it('prepares the ledger for the month and the next', async () => {
    const partitions = await query(
      `SELECT to_regclass('ledger_entries_' || to_char($1::timestamptz + n * interval '1 month', 'YYYY_MM')) IS NOT NULL AS there
         FROM generate_series(0, 1) AS n`,
      [new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 15))],
    );
    expect(partitions).toEqual([{ there: true }, { there: true }]);
  });

  it('raises the crossings of hours that are caught up later, dated at their hours', async () => {
    const [{ levels }] = await query(
      `SELECT ARRAY[percentile_disc(0.5) WITHIN GROUP (ORDER BY apy), max(apy) FILTER (WHERE hour = $1)] AS levels
         FROM blended_points WHERE asset = 'USDC'`,
      [now],
    );
    Object.assign(app.settings.constants.yieldThresholds, { levels, rearm: 0 });
    // The state after a start, at which constants are read.
    await query('UPDATE markets SET hours_stamp = NULL');
    const began = now;
    now = addHours(now, 300);
    const { hours, silent } = await market.tick();
    expect([hours, silent]).toEqual([300, []]);
    // No hour is left out, however long no tick ran.
    const added = await query('SELECT apy FROM snapshots WHERE hour > $1', [began]);
    expect(added).toHaveLength(300 * app.settings.vaults.length);
    expect(added.every(({ apy }) => apy !== null)).toBe(true);

    const points = await query(
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
    const events = await query(
      `SELECT partner_id, envelope FROM events
        WHERE envelope->'data'->>'asset' = 'USDC' ORDER BY envelope->>'created_at', id`,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(events).toHaveLength(expected.length);
    expect(events.map(({ envelope: { id: _, ...rest } }) => rest)).toEqual(expect.arrayContaining(expected));
    expect(new Set(events.map(({ partner_id }) => partner_id))).toEqual(new Set([null]));
  });

  it('weighs the blended yield by the vaults, whatever the service holds', async () => {
    const [first, second] = app.settings.vaults.filter(({ asset }) => asset === 'USDC');
    const put = (id: string, slot: number, shares: string) =>
      query('INSERT INTO vault_shares (market_id, vault_id, slot, shares) VALUES ($1, $2, $3, $4)', [
        BASE_MARKET,
        id,
        slot,
        shares,
      ]);
    await put(first!.id, 0, '60000000000000000000000');
    await put(first!.id, 3, '1');
    await put(second!.id, 0, '40000000000000000000000');
    now = addHours(now, 1);
    await market.tick();
    const { vaults, hour } = await market.look(BASE_MARKET);
    expect(hour).toEqual(now);
    const one = vaults.get(first!.id)!;
    expect(one.held).toBe(((60_000n * 10n ** 18n + 1n) * one.state.index) / 10n ** 30n);
    const [point] = await query(`SELECT apy, tvl FROM blended_points WHERE asset = 'USDC' AND hour = $1`, [
      now,
    ]);
    const open = [...vaults.values()].filter(
      ({ vault }) => vault.asset === 'USDC' && vault.active && !isIdle(vault),
    );
    const tvl = open.reduce((sum, { state }) => sum + state.lastTvl!, 0n);
    expect(BigInt(point.tvl)).toBe(tvl);
    const weighted = open.reduce((sum, { state }) => sum + Number(state.lastTvl) * state.lastApy!, 0);
    expect(point.apy).toBeCloseTo(weighted / Number(tvl), 12);
  });

  it('shows the catalogue also of a market that was never ticked', async () => {
    for (const marketId of ['nowhere', 'empty']) {
      if (marketId === 'empty') await query(`INSERT INTO markets (id) VALUES ('empty')`);
      const { hour, vaults } = await market.look(marketId);
      expect(hour).toBeNull();
      expect(vaults.size).toBe(app.settings.vaults.length);
      for (const { state } of vaults.values())
        expect(state).toMatchObject({ index: 10n ** 18n, lastApy: null, observedHour: null });
    }
  });
});

describe('thresholds of the yield', () => {
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
  const crossed = async (): Promise<[threshold: string, direction: string][]> => {
    const rows = await market.app.database.query<{ data: any }>(
      'live',
      `SELECT envelope->'data' AS data FROM events WHERE type = 'yield.threshold'
        ORDER BY envelope->>'created_at', envelope->'data'->>'threshold'`,
    );
    return rows.map(({ data }) => [String(data.threshold), data.direction]);
  };

  it('reach every partner that asked when they are crossed', async () => {
    await hourAt(0.06);
    const [got] = await receiver.waitFor(1);
    const at = hourOf(market.now()).toISOString();
    expect(JSON.parse(got!.body.toString())).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'yield.threshold',
      created_at: at,
      data: {
        asset: 'USDC',
        threshold: 0.05,
        direction: 'above',
        apy: expect.closeTo(0.06, 9),
        previous_apy: expect.closeTo(0.04, 9),
        at,
      },
    });
  });

  it('are crossed once each way by a yield that wavers around one, whatever is not heard in between', async () => {
    for (const apy of [0.0495, 0.0505, null, 0.0495, 0.0505, 0.0495]) await hourAt(apy);
    await receiver.waitFor(2);
    expect(await crossed()).toEqual([
      ['0.05', 'above'],
      ['0.05', 'below'],
    ]);
  });

  it('are crossed again once the yield has gone back far enough', async () => {
    await hourAt(0.047);
    await hourAt(0.09);
    expect((await crossed()).slice(2)).toEqual([
      ['0.05', 'above'],
      ['0.08', 'above'],
    ]);
    await receiver.waitFor(4);
  });

  it('are those of each asset by itself', async () => {
    await hourAt(0.06, 'USDT0');
    const got = await receiver.waitFor(5);
    const assets = got.map(({ body }) => JSON.parse(body.toString()).data.asset);
    expect(assets.sort()).toEqual(['USDC', 'USDC', 'USDC', 'USDC', 'USDT0']);
  });
});
