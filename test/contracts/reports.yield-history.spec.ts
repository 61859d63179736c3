import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { addHours, Clock, hourOf } from '../../src/domain/kernel/clock.js';
import type { Answer, Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market-view.js';
import { expectRefused } from '../support/fields.js';
import { eitherContract } from '../support/long.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { change } from '../support/change.js';

/** A minimum history of two days. */
const TWO_DAYS = ({ signals }: Constants): void => {
  change(signals, { windowHours: 24, minSnapshots: 12, minCoverage: 0.5, trendDays: 2 });
};

describe.each(eitherContract('partner'))('%s contract: yield history', (contract) => {
  let market: TestMarket;
  let conformance: Conformance;
  let partnerApi: Api;

  beforeAll(async () => {
    market = await startMarket(contract, { adjust: TWO_DAYS });
    conformance = await Conformance.of(contract);
    partnerApi = market.partner.api;
    await market.advance(3 * 24);
  });
  afterAll(() => market.close());

  const get = async (path: string, api: Api = partnerApi): Promise<Answer> => {
    const answer = await api.get(path);
    conformance.check('GET', path, answer);
    return answer;
  };
  const history = async (query = '', asset = 'USDC'): Promise<any> => {
    const { status, body } = await get(`/yield/history/${asset}?${query}`);
    expect([status, body.object]).toEqual([200, 'yield_history']);
    return body.data;
  };
  /** The time of the newest hour. */
  const newest = async (): Promise<Date> => new Date((await history()).points.at(-1).at);

  it('Yield history has one point per hour for each asset, oldest first, up to now', async () => {
    for (const asset of market.app.settings.constants.assets) {
      const { points, apy, ...rest } = await history('', asset);
      expect(rest).toMatchObject({ asset, interval: 'hour', average_apy: expect.any(Number) });
      const times = points.map(({ at }: any) => Date.parse(at));
      expect(times.at(-1)).toBe(hourOf(market.now()).getTime());
      for (const [index, time] of times.entries())
        expect(time).toBe(times[0] + index * (times[1] - times[0]));
      expect(times[1] - times[0]).toBe(3_600_000);
      expect(apy).toBe(points.at(-1).apy);
      expect(points.length).toBeLessThanOrEqual(720);
    }
  });

  it('Yield history shows the vaults’ APY and TVL, and null for hours without an observation', async () => {
    if (contract === 'sandbox') return;
    const { points, average_apy } = await history();
    // No vault was observed in the hour in which the deployment began.
    expect(points[0]).toMatchObject({ apy: null, tvl: null, vaults: 0 });
    const observed = points.slice(points.findIndex(({ vaults }: any) => vaults > 0));
    expect(points.length - observed.length).toBeLessThanOrEqual(2);
    for (const { apy, tvl, vaults } of observed) {
      expect(vaults).toBe(7);
      expect(apy).toBeCloseTo(0.04, 9);
      expect(tvl).toBe(700_000_000);
    }
    expect(average_apy).toBeCloseTo(0.04, 9);
  });

  it('Yield history has the points from one time to another, both included', async () => {
    const last = await newest();
    const [from, to] = [addHours(last, -5), addHours(last, -2)];
    const { points, apy } = await history(`from=${from.toISOString()}&to=${to.toISOString()}`);
    expect(points.map(({ at }: any) => at)).toEqual(
      [-5, -4, -3, -2].map((hours) => addHours(last, hours).toISOString()),
    );
    expect(apy).toBe((await history()).apy);
    const point = await history(`from=${to.toISOString()}&to=${to.toISOString()}`);
    expect(point.points).toEqual([points[3]]);
    const later = await history(`from=${new Date(from.getTime() + 1).toISOString()}&to=${to.toISOString()}`);
    expect(later.points).toEqual(points.slice(1));
  });

  it('Yield history has no points and no mean for a period without records, and starts 30 days before `to` by default', async () => {
    const long = await history('to=2020-02-01T00:00:00Z');
    expect(long).toMatchObject({ points: [], average_apy: null, apy: expect.any(Number) });
    const last = await newest();
    expect((await history(`to=${addHours(last, 719).toISOString()}`)).points).toHaveLength(1);
    expect((await history(`to=${addHours(last, 720).toISOString()}`)).points).toEqual([]);
  });

  it('Yield history has one point per UTC day: the mean of its known hours, and its newest TVL', async () => {
    const hourly = (await history()).points;
    const { points, interval } = await history(`from=${hourly[0].at}&interval=day`);
    expect(interval).toBe('day');
    const days = Map.groupBy<string, any>(hourly, ({ at }) => at.slice(0, 10));
    expect(points).toEqual(
      [...days].map(([day, hours]) => {
        const apys = hours.map(({ apy }) => apy).filter((apy) => apy !== null);
        const mean = apys.reduce((total, apy) => total + apy, 0) / apys.length;
        return {
          at: `${day}T00:00:00.000Z`,
          apy: apys.length ? expect.closeTo(mean, 11) : null,
          tvl: hours.at(-1).tvl,
          vaults: hours.at(-1).vaults,
        };
      }),
    );
    expect(points.length).toBeGreaterThan(1);
  });

  it('Yield history has at most 2000 points, hours or days', async () => {
    const refuse = async (query: string, field: string) =>
      expectRefused(await get(`/yield/history/USDC?${query}`), field);
    await refuse('from=2026-01-01T00:00:00Z&to=2026-03-25T08:00:00Z', 'from');
    await history('from=2026-01-01T00:00:00Z&to=2026-03-25T07:59:59.999Z');
    await refuse('from=2020-01-01T23:00:00Z&to=2025-06-23T00:00:00Z&interval=day', 'from');
    await history('from=2020-01-01T00:00:00Z&to=2025-06-22T23:00:00Z&interval=day');
  });

  it('Yield history with `from` alone has 2000 points at most, and its meta has next_from for the rest', async () => {
    const old = async (table: string, more: string, values: string) =>
      market.app.sql(
        `INSERT INTO ${table} (market_id, hour, ${more}) SELECT $1, hour, ${values}
           FROM generate_series(timestamptz '2021-01-01Z', timestamptz '2021-04-30T23:00Z', interval '1 hour') AS hour`,
        [BASE_MARKET],
      );
    await old('blended_points', 'asset, apy, tvl, vaults', `'USDC', 0.03, 1, 1`);
    const [vault] = (await partnerApi.get('/vaults')).body.data;
    await old(
      'snapshots',
      'vault_id, apy, tvl, share_index, factor',
      `'${vault.id}', 0.03, 1, 1000000000000000000, 0`,
    );
    for (const path of [
      '/yield/history/USDC',
      '/partner/yield/history/USDC',
      `/vaults/${vault.id}/history`,
    ]) {
      const { status, body } = await get(`${path}?from=2020-06-01`);
      expect([status, body.data.points.length]).toEqual([200, 2000]);
      expect(body.data.points[0].at).toBe('2021-01-01T00:00:00.000Z');
      expect(body.data.points.at(-1).at).toBe('2021-03-25T07:00:00.000Z');
      expect(body.meta).toEqual({ has_more: true, next_from: '2021-03-25T08:00:00.000Z' });
      const rest = (await get(`${path}?from=${body.meta.next_from}`)).body;
      expect(rest.data.points[0].at).toBe(body.meta.next_from);
      expect(rest.data.points.length).toBeGreaterThan(880);
      expect(rest.meta).toEqual({ has_more: false });
      // Days are fewer.
      const days = (await get(`${path}?from=2020-06-01&interval=day`)).body;
      expect([days.data.points[0].at, days.meta]).toEqual(['2021-01-01T00:00:00.000Z', { has_more: false }]);
      expect((await get(path)).body.meta).toEqual({ has_more: false });
    }
  });

  describe('of a vault', () => {
    const path = (query = '', id = vaultId): string => `/vaults/${id}/history?${query}`;
    let vaultId: string;
    beforeAll(async () => {
      const { data } = (await partnerApi.get('/vaults')).body;
      vaultId = data.find((row: any) => row.asset === 'USDC' && row.lending_baseline).id;
    });
    const read = async (query = '', api: Api = partnerApi): Promise<any> => {
      const { status, body } = await get(path(query), api);
      expect([status, body.object, body.data.vault_id]).toEqual([200, 'vault_history', vaultId]);
      return body.data;
    };

    it('Yield history of a vault has one point per hour up to now, the newest one equal to vault list and signals', async () => {
      const { points, interval } = await read();
      expect(interval).toBe('hour');
      const times = points.map(({ at }: any) => Date.parse(at));
      for (const [index, time] of times.entries()) expect(time).toBe(times[0] + index * 3_600_000);
      const listed = (await partnerApi.get('/vaults')).body.data.find(({ id }: any) => id === vaultId);
      const signal = (await partnerApi.get('/analytics/signals')).body.data.find(
        ({ vault_id }: any) => vault_id === vaultId,
      );
      const last = points.at(-1);
      expect([last.at, last.apy, last.tvl]).toEqual([listed.observed_at, listed.apy, listed.tvl]);
      expect(last.expected_risk_adjusted_apy).toBe(signal.expected_risk_adjusted_apy);
      // A simulated market begins with a month of history, here three days before that of the answer; its first days are too short for signals.
      if (contract === 'sandbox') {
        const begun = addHours(new Date(times[0]), -3 * 24);
        const [first] = (await read(`from=${begun.toISOString()}`)).points;
        expect(first).toMatchObject({ expected_risk_adjusted_apy: null });
        expect(typeof points.at(-24).expected_risk_adjusted_apy).toBe('number');
      }
      for (const [index, { index: value }] of points.entries())
        if (index > 0) expect(value).toBeGreaterThanOrEqual(points[index - 1].index);
      expect(last.index).toBeGreaterThan(1);
    });
  });

  it('Yield history has an unknown regime as soon as its newest observation is too old, even before the next tick', async () => {
    if (contract === 'sandbox') return;
    /** The regime over all assets, and the regime of each asset. */
    const expectRegime = async (regime: string, reason: string | null): Promise<void> => {
      const { status, body } = await get('/analytics/regime');
      expect(status).toBe(200);
      const apy = reason === 'silent_feed' ? null : expect.closeTo(0.04, 9);
      for (const series of [body.data, ...body.data.assets])
        expect(series).toMatchObject({ regime, reason, apy });
    };
    const clock = market.app.application.get(Clock);
    market.setYields(Object.fromEntries(market.app.settings.vaults.map(({ id }) => [id, null])));
    await market.advance(2);
    try {
      clock.now = () => addHours(market.now(), 1);
      await expectRegime('stable', null);
      clock.now = () => addHours(market.now(), 2);
      await expectRegime('unknown', 'silent_feed');
    } finally {
      clock.now = () => market.now();
    }
  });
});
