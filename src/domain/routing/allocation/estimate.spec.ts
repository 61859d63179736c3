import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { candidate, decisionInputs, units } from '../../../../test/support/routing-candidate.js';
import { decide } from './choice.js';
import type { Candidate } from './decision.js';
import { bestEstimateInto, diluted, estimateMove, type MoveTerms, promiseOf, rateFor } from './estimate.js';

const UNIT = 1_000_000n;
const MILLION = 1_000_000n * UNIT;
const terms = (over: Partial<MoveTerms> = {}): MoveTerms => ({
  amount: 10_000n * UNIT,
  delta: 0.01,
  currentRate: 0.04,
  cost: 2n * UNIT,
  horizonDays: 20,
  delayHours: 0,
  ...over,
});

describe('the gain of a move', () => {
  it('The gain of a move of 10,000 at 1 pp for 20 days is 5.479452', () => {
    expect(estimateMove(terms())).toEqual({ horizonDays: 20, gain: 5_479_452n, npv: 3_479_452n });
  });

  it('The gain of a move excludes the yield lost in transit', () => {
    // 10,000 * 0.04 * 24 / 8760 = 1.095890 for a day.
    expect(estimateMove(terms({ delayHours: 24 })).gain).toBe(4_383_561n);
  });

  it('The gain of a move is negative for a lower rate, and rounded down', () => {
    expect(estimateMove(terms({ delta: -0.01 }))).toMatchObject({ gain: -5_479_453n, npv: -7_479_453n });
    expect(estimateMove(terms({ delta: 0, cost: 0n }))).toMatchObject({ gain: 0n, npv: 0n });
  });

  it('The gain of a move grows with the rate and shrinks with the delay; its net value is lower by the cost', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
    const delta = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        amount,
        delta,
        delta,
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        (funds, rate, other, cost) => {
          const at = (over: Partial<MoveTerms>) => estimateMove(terms({ amount: funds, cost, ...over }));
          const low = at({ delta: Math.min(rate, other) });
          const high = at({ delta: Math.max(rate, other) });
          expect(high.gain).toBeGreaterThanOrEqual(low.gain);
          expect(high.npv).toBe(high.gain - cost);
          expect(at({ delta: rate, delayHours: 1 }).gain).toBeLessThanOrEqual(at({ delta: rate }).gain);
        },
      ),
    );
  });
});

describe('the lasting gain of a move', () => {
  const HORIZONS = { horizonDays: 20, lastingHorizonDays: 60, returnHours: 168, kink: 0.9 };
  const leaving = { rate: 0.04, lastingRate: 0.04 };
  const of = (rate: number, lastingApy: number | null, over = leaving) =>
    bestEstimateInto(candidate({ lastingApy, cost: units(2) }), rate, over, 10_000n * UNIT, HORIZONS);

  it('The lasting gain of a move has the smaller of the deltas of expected and long-average rates, over 60 days: 0.2 pp of 10,000 is 3.287671', () => {
    const gain = { horizonDays: 60, gain: 3_287_671n, npv: 1_287_671n };
    expect(of(0.042, 0.045)).toEqual(gain);
    expect(of(0.045, 0.042)).toEqual(gain);
  });

  it('The lasting gain of a move counts if its net value exceeds that of the expected gain over 20 days', () => {
    expect(of(0.05, 0.042)).toMatchObject({ horizonDays: 20, gain: 5_479_452n });
  });

  it('The lasting gain of a move does not count for a vault that the funds left less than 168 hours ago', () => {
    const back = (hoursSinceLeft: number) =>
      bestEstimateInto(
        candidate({ lastingApy: 0.045, hoursSinceLeft }),
        0.042,
        leaving,
        10_000n * UNIT,
        HORIZONS,
      );
    expect(back(167)?.horizonDays).toBe(20);
    expect(back(168)?.horizonDays).toBe(60);
  });

  it('The lasting gain of a move does not count if the long averages are no better or unknown, or the expected rate is lower', () => {
    for (const lastingApy of [0.04, 0.03, null]) expect(of(0.045, lastingApy)?.horizonDays).toBe(20);
    expect(of(0.045, 0.045, { rate: 0.04, lastingRate: null! })?.horizonDays).toBe(20);
    expect(of(0.03, 0.05)).toMatchObject({ horizonDays: 20, gain: -5_479_453n });
  });
});

describe('the diluted rate for an amount', () => {
  const pool = { riskAdjustedApy: 0.05, dilution: 'pool' as const };
  const wide = { ...pool, assets: (60n * MILLION).toString(), liquidity: (18n * MILLION).toString() };
  const tight = { ...wide, liquidity: (3n * MILLION).toString() };
  const of = (over: Parameters<typeof candidate>[0], amount = MILLION) =>
    rateFor(candidate(over), amount, { kink: 0.9 });

  it('The diluted rate for an amount is 4.918033 % for a million added to a pool of 60 million at 5 %', () => {
    expect(of(wide)).toBeCloseTo(0.04918033, 8);
  });

  it('The diluted rate for an amount above the kink falls faster: 3.75 % with 3 of 60 million liquid, 3 % after another million', () => {
    expect(of(tight)).toBeCloseTo(0.0375, 12);
    expect(of({ ...tight, inflow: MILLION.toString() })).toBeCloseTo(0.03, 12);
  });

  it('The diluted rate for an amount includes the dilution of the service’s funds that are already there', () => {
    // 2 million at 3 % instead of one at 3.75 %.
    expect(of({ ...tight, inflow: MILLION.toString(), ours: MILLION.toString() })).toBeCloseTo(0.0225, 12);
  });

  it('The diluted rate for an amount is below the pool’s rate for a withdrawn part, as the remaining funds earn more', () => {
    const there = candidate({ ...wide, ours: (8n * MILLION).toString() });
    expect(diluted(0.05, there, -8n * MILLION, { kink: 0.9 })).toBeCloseTo(0.05, 12);
    // 7 million at 5 % * 60 / 59 stay.
    expect(diluted(0.05, there, -MILLION, { kink: 0.9 })).toBeCloseTo(0.4 - 0.35 * (60 / 59), 12);
  });

  it('The diluted rate for an amount is the vault’s own rate without dilution or with unknown assets', () => {
    expect(of({ ...wide, dilution: 'none' })).toBe(0.05);
    expect(of({ ...pool, assets: null, liquidity: null })).toBe(0.05);
    expect(of({ ...pool, assets: '0', liquidity: '0' })).toBe(0.05);
    expect(of({ ...wide, riskAdjustedApy: null })).toBeNull();
  });
});

describe('a promise', () => {
  const promised = (target: Partial<Candidate> = {}, over: Partial<Candidate> = {}) => {
    const current = {
      vaultId: 'vlt_current',
      riskAdjustedApy: 0.02,
      promisedApy: 0.05,
      promisedShortApy: 0.05,
    };
    const short = { promisedShortApy: target.promisedApy ?? 0.06 };
    const candidates = [
      candidate({ ...current, ...over }),
      candidate({ riskAdjustedApy: 0.04, promisedApy: 0.06, ...short, ...target }),
    ];
    const holding = { currentVaultId: 'vlt_current', hoursInVault: 100 };
    return promiseOf(decide(decisionInputs(candidates, holding)));
  };

  const pool = { dilution: 'pool' as const, assets: units(990_000), liquidity: units(990_000) };
  it.each<[string, Partial<Candidate>, Partial<Candidate>, bigint | null]>([
    ['the gain over the horizon by the expected rates, less the cost', {}, {}, 3_479_452n],
    // By a hundredth of 6 %: 0.94 pp instead of 1.
    ['lowered by the dilution of a pool', pool, {}, 3_150_684n],
    // 10,000 * 0.05 * 24 / 8760
    ['lowered by the yield lost in transit', {}, { exitDelayHours: 24 }, 2_109_589n],
    ['lowered by lower means of 6 hours', { promisedShortApy: 0.058 }, {}, 2_383_561n],
    ['not raised by higher means of 6 hours', { promisedShortApy: 0.2 }, {}, 3_479_452n],
    ['possibly negative for an eviction', { promisedApy: 0.045 }, { active: false }, -4_739_727n],
    ['null with an unknown rate', {}, { promisedApy: null, active: false }, null],
  ])('A promise is %s', (_, target, current, promise) => expect(promised(target, current)).toBe(promise));
});
