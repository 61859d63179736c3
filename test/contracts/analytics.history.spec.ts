import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { Conformance } from '../support/conformance.js';
import { startMarket, type TestMarket } from '../support/market.js';

/** No vault ever has enough. */
const NEVER = ({ signals }: Constants): void => {
  signals.min_snapshots = 1344;
};

describe.each(['partner', 'sandbox'] as const)(
  '%s contract: analytics with too little history',
  (contract) => {
    let market: TestMarket;
    let conformance: Conformance;
    let read: (path: string) => Promise<any>;

    beforeAll(async () => {
      market = await startMarket(contract, { adjust: NEVER });
      conformance = await Conformance.of(contract);
      read = async (path) => {
        const answer = await market.partner.api.get(`/analytics/${path}`);
        conformance.check('GET', `/analytics/${path}`, answer);
        expect([path, answer.status]).toEqual([path, 200]);
        return answer.body.data;
      };
      await market.deposit(await market.createUser(), 500);
      await market.advance(1);
    });
    afterAll(() => market.close());

    it('say so and guess nothing: null, insufficient_history, hold, unknown', async () => {
      const signals = await read('signals');
      expect(signals.length).toBeGreaterThan(4);
      for (const signal of signals)
        expect(signal).toMatchObject({
          apy: expect.any(Number),
          volatility: null,
          trend: null,
          forecast_apy: null,
          risk_adjusted_apy: null,
          recommendation: 'hold',
          insufficient_history: true,
        });
      const { regime, assets } = await read('regime');
      expect(regime).toBe('unknown');
      for (const asset of assets)
        expect(asset).toMatchObject({ regime: 'unknown', trend: null, volatility: null });
      const uplift = await read('uplift');
      const { realized, projected } = contract === 'partner' ? uplift : uplift.baselines.lending;
      expect(realized).toMatchObject({ routed_value: expect.any(Number), uplift: 0, uplift_pct: 0 });
      expect(projected).toEqual({ horizon_days: 365, routed_apy: null, baseline_apy: null, uplift: null });
    });

    it('send a deposit to the lending vault, and the decision says why', async () => {
      const [decision] = await read('decisions');
      const lending = market.app.settings.vaults.find(
        ({ lendingBaseline, asset }) => lendingBaseline && asset === 'USDC',
      );
      expect(decision).toMatchObject({
        kind: 'route',
        reason: 'insufficient_history',
        to_vault_id: lending!.id,
        expected_uplift: { apy_delta: null, amount: null },
        rationale: expect.stringContaining('insufficient_history'),
      });
    });

    it('give no advice', async () => {
      if (contract === 'partner') return;
      const advice = await read('advisor');
      expect(advice).toMatchObject({
        headline: 'There is too little history to say how yields behave.',
        opportunities: [],
        regime: { regime: 'unknown' },
      });
    });
  },
);
