import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { MarketService } from '../../src/domain/markets/hours/market.service.js';
import { roundRate } from '../../src/domain/kernel/money.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

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

  it('The tick of a simulated market raises no threshold event for the month of history at its start', async () => {
    expect(await app.sql(`SELECT id FROM events WHERE type = 'yield.threshold'`)).toEqual([]);
    expect(await app.sql('SELECT asset, level FROM yield_thresholds')).toHaveLength(2 * assets().length);
  });

  it('The tick of a simulated market raises threshold events for caught-up hours, dated at those hours', async () => {
    const [{ levels }] = await app.sql(
      `SELECT ARRAY[percentile_disc(0.5) WITHIN GROUP (ORDER BY apy), max(apy) FILTER (WHERE hour = $1)] AS levels
         FROM blended_points WHERE asset = 'USDC'`,
      [now],
    );
    using _ = change(app.settings.constants.yieldThresholds, { levels, rearm: 0 });
    const began = now;
    now = addHours(now, 300);
    const { hours, silent } = await market.tick();
    expect([hours, silent]).toEqual([300, []]);
    // No hour is left out, however long no tick ran.
    const added = await app.sql('SELECT apy FROM snapshots WHERE hour > $1', [began]);
    expect(added).toHaveLength(300 * app.settings.vaults.length);
    expect(added.every(({ apy }) => apy !== null)).toBe(true);

    const events = await app.sql(
      `SELECT partner_id, envelope FROM events WHERE envelope->'data'->>'asset' = 'USDC'`,
    );
    expect(events.length).toBeGreaterThan(0);
    for (const { partner_id, envelope } of events) {
      const { threshold, direction, apy, previous_apy, at } = envelope.data;
      expect([partner_id, envelope.type, envelope.created_at]).toEqual([null, 'yield.threshold', at]);
      expect([hourOf(new Date(at)).toISOString(), at > began.toISOString()]).toEqual([at, true]);
      expect(levels.map(roundRate)).toContain(threshold);
      const [lower, higher] = direction === 'above' ? [previous_apy, apy] : [apy, previous_apy];
      expect([lower < threshold, higher >= threshold]).toEqual([true, true]);
    }
  });
});

describe('a market whose hours are not known', () => {
  let market: TestMarket;

  beforeAll(async () => {
    market = await startMarket('partner');
    await market.advance(3);
  });
  afterAll(() => market.close());

  const indexes = () =>
    market.app.sql(
      'SELECT hours, sum FROM (SELECT count(*) AS hours FROM snapshots) AS h, (SELECT sum(share_index) FROM vault_states) AS v',
    );
  const deposit = async (user_id: string): Promise<number> => {
    const input = { user_id, asset: 'USDC', amount: 100, tx_hash: newTxHash() };
    return (await market.protocol.post('/positions', input)).status;
  };
  const newest = 'UPDATE markets SET ticked_hour =';

  it.each([
    ['is missing', 503, `${newest} NULL`],
    ['is missing like the first one', 503, `${newest} NULL, begun_hour = NULL`],
    ['lies in the future', 503, `${newest} ticked_hour + interval '90 days'`],
    ['is infinite', 500, `${newest} 'infinity'`],
    ['lies before our era', 500, `${newest} '0044-03-15 12:00:00+00 BC'`],
    ['lies before hours that were added', 503, `${newest} ticked_hour - interval '1 hour'`],
  ])(
    'A market whose hours are not known grows by no hour where the newest one %s, until it is corrected',
    async (_, deposited, change) => {
      const user = await market.createUser();
      const before = await indexes();
      const [kept] = await market.app.sql('SELECT ticked_hour AS ticked, begun_hour AS begun FROM markets');
      await market.app.sql(change);
      const ticked = await market.app.application
        .get(MarketService)
        .tick()
        .then(String, (error: Error) => error.message);
      const status = await deposit(user);
      await market.app.sql(`${newest} $1, begun_hour = $2`, [kept.ticked, kept.begun]);
      expect(ticked).toMatch(/is unknown|in the future|infinity|BC/);
      expect(await indexes()).toEqual(before);
      expect([status, await deposit(user)]).toEqual([deposited, 201]);
    },
  );

  it.each([
    [
      'one with a booking in the far future',
      `UPDATE markets SET booked_hour = ticked_hour + interval '90 days'`,
      /hour of a booking .* lies in the future/,
    ],
    [
      'one that lost the state of a vault',
      `DELETE FROM vault_states WHERE vault_id = 'vlt_aave_v3_usdc'`,
      /vlt_aave_v3_usdc has hours since .*, but no state/,
    ],
  ])('A market whose hours are not known gets no hour: %s', async (_, change, reason) => {
    const before = await market.app.sql('SELECT count(*) FROM snapshots');
    const kept = await market.app.sql('SELECT * FROM vault_states');
    await market.app.sql(change);
    await expect(market.advance()).rejects.toThrow(reason);
    expect(await market.app.sql('SELECT count(*) FROM snapshots')).toEqual(before);
    await market.app.sql('UPDATE markets SET booked_hour = NULL');
    await market.app.sql(
      'INSERT INTO vault_states SELECT * FROM json_populate_recordset(NULL::vault_states, $1) ON CONFLICT DO NOTHING',
      [JSON.stringify(kept)],
    );
    await market.advance();
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

  it('Yield thresholds send an event to subscribed endpoints, once each way while an APY oscillates around one, for each asset', async () => {
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
        at,
        apy: expect.closeTo(0.06, 9),
        previous_apy: expect.closeTo(0.04, 9),
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
