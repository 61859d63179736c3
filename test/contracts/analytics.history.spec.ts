import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { Conformance } from '../support/conformance.js';
import { eitherContract } from '../support/long.js';
import { startMarket, type TestMarket } from '../support/market.js';

/** A minimum history so long that no vault reaches it. */
const NEVER = ({ signals }: Constants): void => {
  signals.minSnapshots = 1344;
};

describe.each(eitherContract('sandbox'))('%s contract: analytics with too little history', (contract) => {
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

  it('Analytics with too little history have null figures, insufficient_history, the recommendation hold and no known regime', async () => {
    const signals = await read('signals');
    expect(signals.length).toBeGreaterThan(4);
    for (const signal of signals)
      expect(signal).toMatchObject({
        apy: expect.any(Number),
        volatility: null,
        trend: null,
        forecast_apy: null,
        expected_apy: null,
        risk_adjusted_apy: null,
        expected_risk_adjusted_apy: null,
        recommendation: 'hold',
        insufficient_history: true,
      });
    const { assets, ...overall } = await read('regime');
    for (const series of [overall, ...assets])
      expect(series).toMatchObject({
        regime: contract === 'partner' ? 'unknown' : null,
        reason: 'short_history',
        apy: expect.any(Number),
        trend: null,
        volatility: null,
      });
    const uplift = await read('uplift');
    const { realized, projected } = contract === 'partner' ? uplift : uplift.baselines.lending;
    expect(realized).toMatchObject({
      routed_value: expect.any(Number),
      uplift: 0,
      costs: 0,
      settled_uplift: 0,
    });
    expect(projected).toEqual({
      basis: 'current_rates',
      horizon_days: 365,
      routed_apy: null,
      baseline_apy: null,
      uplift: null,
    });
  });

  it('Analytics with too little history have no opportunities in the advisor', async () => {
    if (contract === 'partner') return;
    const advice = await read('advisor');
    expect(advice).toMatchObject({
      headline: 'There is too little history to say how yields behave.',
      opportunities: [],
      regime: { regime: null, reason: 'short_history' },
    });
  });
});
