import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inlined } from '../../src/http/openapi/share.js';
import type { Constants } from '../../src/config/constants.js';
import type { Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { expectError } from '../support/expected-error.js';
import { TIME } from '../support/fields.js';
import { listed } from '../support/catalogue.js';
import { startMarket, type TestMarket } from '../support/market.js';

/** A minimum history of two hours, so that a test need not wait for two days. */
const SHORT = ({ signals }: Constants): void => {
  signals.windowHours = 4;
  signals.minSnapshots = 2;
};
const LABEL = /^(rising|falling|stable|volatile)$/;

describe.each(['partner', 'sandbox'] as const)('%s contract: analytics', (contract) => {
  let market: TestMarket;
  let own: Api;
  let conformance: Conformance;

  beforeAll(async () => {
    const yields = {
      vlt_aave_v3_usdc: { apy: 0.05 },
      vlt_compound_v3_usdc: { apy: 0.08 },
      vlt_spark_savings_usdc: { apy: 0.085 },
    };
    market = await startMarket(contract, { adjust: SHORT, ...(contract === 'partner' && { yields }) });
    own = market.partner.api;
    conformance = await Conformance.of(contract);
    await market.advance(4);
  });
  afterAll(() => market.close());

  const read = async (api: Api, path: string): Promise<any> => {
    const answer = await api.get(`/analytics/${path}`);
    conformance.check('GET', `/analytics/${path}`, answer);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };

  describe('signals', () => {
    it('rank every vault by its yield after risk, best first', async () => {
      const { object, data, meta } = await read(own, 'signals');
      expect([object, meta]).toEqual(['list', { has_more: false }]);
      expect(data.map(({ rank }: any) => rank)).toEqual(data.map((_: unknown, index: number) => index + 1));
      expect(data.map(({ vault_id }: any) => vault_id).sort()).toEqual(
        listed(market.app.settings)
          .map(({ id }) => id)
          .sort(),
      );
      const values = data.map(({ expected_risk_adjusted_apy }: any) => expected_risk_adjusted_apy);
      expect(values).toEqual(values.toSorted((a: number, b: number) => b - a));
      for (const signal of data) expect(signal).toMatchObject({ observations: 4, as_of: TIME });
    });

    it('have too little history exactly where volatility or trend is null: four hours of a feed have no trend', async () => {
      const { data } = await read(own, 'signals');
      for (const signal of data) {
        const { volatility, trend, insufficient_history } = signal;
        expect(insufficient_history).toBe(volatility === null || trend === null);
        expect([volatility === null, trend === null]).toEqual([false, contract === 'partner']);
      }
    });

    it('are to be increased where best, reduced where a percentage point behind it, else held; and held without a trend', async () => {
      const { data } = await read(own, 'signals');
      for (const asset of market.app.settings.constants.assets) {
        const [best, ...others] = data.filter((signal: any) => signal.asset === asset);
        const known = contract === 'sandbox';
        expect(best.recommendation).toBe(known ? 'increase' : 'hold');
        for (const { expected_risk_adjusted_apy: expected, recommendation } of others)
          expect(recommendation).toBe(
            known && best.expected_risk_adjusted_apy - expected >= 0.01 - 1e-12 ? 'reduce' : 'hold',
          );
      }
      if (contract === 'sandbox') return;
      const of = (id: string) => data.find(({ vault_id }: any) => vault_id === id);
      for (const { apy, expected_apy, risk_adjusted_apy, expected_risk_adjusted_apy } of data) {
        // Yields are steady, so the forecast equals them; the signal trusts only a fraction of it.
        expect(expected_apy).toBeCloseTo(apy, 9);
        expect(expected_risk_adjusted_apy).toBeLessThan(expected_apy);
        expect(risk_adjusted_apy).toBeCloseTo(expected_risk_adjusted_apy, 9);
      }
      // 8 % with a haircut of 5 % ranks before 8.5 % with a haircut of 15 %.
      expect(of('vlt_compound_v3_usdc')).toMatchObject({
        rank: 1,
        expected_risk_adjusted_apy: expect.closeTo(0.076, 9),
        volatility: expect.closeTo(0, 9),
      });
      expect(of('vlt_spark_savings_usdc')).toMatchObject({
        rank: 2,
        expected_risk_adjusted_apy: expect.closeTo(0.07225, 9),
      });
    });

    it('discount the newest yield by risk: the tier alone, where it is also the forecast that is discounted', async () => {
      const haircuts = market.app.settings.constants.signals.riskHaircut;
      for (const signal of (await read(own, 'signals')).data) {
        const { apy, expected_apy, risk_adjusted_apy, expected_risk_adjusted_apy } = signal;
        expect(risk_adjusted_apy).toBeLessThanOrEqual(apy);
        const trust = 1 - haircuts[signal.risk_tier as keyof typeof haircuts];
        expect(risk_adjusted_apy - expected_risk_adjusted_apy).toBeCloseTo(trust * (apy - expected_apy), 9);
      }
    });

    it('are ranked among themselves where one asset is asked for, and walked page by page', async () => {
      const whole = (await read(own, 'signals')).data.filter(({ asset }: any) => asset === 'USDC');
      const { data } = await read(own, 'signals?asset=USDC');
      expect(data).toEqual(whole.map((signal: any, index: number) => ({ ...signal, rank: index + 1 })));
      for (const limit of [1, 3]) {
        const walked: any[] = [];
        for (let cursor = ''; ;) {
          const page = await read(own, `signals?asset=USDC&limit=${limit}${cursor}`);
          walked.push(...page.data);
          if (!page.meta.has_more) break;
          cursor = `&cursor=${page.meta.next_cursor}`;
        }
        expect(walked).toEqual(data);
      }
      const { meta } = await read(own, 'signals?limit=1');
      const foreign = `/analytics/signals?asset=USDC&cursor=${meta.next_cursor}`;
      expectError(await own.get(foreign), 400, 'invalid_cursor');
    });
  });

  describe('the regime', () => {
    it('is told over all assets and asset by asset, or of one', async () => {
      const { object, data } = await read(own, 'regime');
      expect(object).toBe(contract === 'partner' ? 'object' : 'regime');
      const { assets } = market.app.settings.constants;
      expect(data.assets.map(({ asset }: any) => asset)).toEqual(assets);
      for (const asset of assets) {
        const one = await read(own, `regime?asset=${asset}`);
        const [row] = data.assets.filter((found: any) => found.asset === asset);
        const { asset: _, observations: __, ...series } = row;
        expect(one.data).toEqual({ ...series, as_of: data.as_of, assets: [row] });
      }
    });

    it('is known once a week has passed, and before that not, for the reason of a short history', async () => {
      const { data } = await read(own, 'regime');
      const unknown = { regime: 'unknown', reason: 'short_history', trend: null };
      const known = { regime: expect.stringMatching(LABEL), reason: null, trend: expect.any(Number) };
      for (const series of [data, ...data.assets])
        expect(series).toMatchObject(contract === 'partner' ? unknown : known);
    });

    it('is documented as one of four labels, and `unknown` in the partner contract, null in the sandbox', () => {
      const { schemas } = inlined(conformance.document).components;
      const said = [schemas[contract === 'partner' ? 'RegimeDto' : 'Regime'], schemas.AssetRegime];
      const labels = ['rising', 'falling', 'stable', 'volatile', contract === 'partner' ? 'unknown' : null];
      for (const { properties, required } of said) {
        expect(properties.regime.enum).toEqual(labels);
        expect(properties.reason.enum).toEqual(['short_history', 'silent_feed', null]);
        expect(required).toEqual(expect.arrayContaining(['regime', 'reason']));
      }
    });

    it('has a rate of its own over all assets, between those of the assets', async () => {
      const { data } = await read(own, 'regime');
      const apys = data.assets.map(({ apy }: any) => apy);
      expect(data.apy).toBeGreaterThanOrEqual(Math.min(...apys) - 1e-12);
      expect(data.apy).toBeLessThanOrEqual(Math.max(...apys) + 1e-12);
      if (contract === 'sandbox') expect(apys).not.toContain(data.apy);
    });
  });
});
