import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readConstants } from '../../config/constants.js';

import {
  type Candidate,
  deltaOver,
  depositGates,
  estimateMove,
  gainGates,
  type Gate,
  type GateName,
  targetGates,
} from './gates.js';
import { routingConstants } from './routing-constants.js';

const ROUTING_CONSTANTS = routingConstants(readConstants('partner').constants);
const UNIT = 1_000_000n;
const units = (count: number): string => (BigInt(count) * UNIT).toString();

const candidate = (over: Partial<Candidate> = {}): Candidate => ({
  vaultId: 'vlt_target',
  active: true,
  lendingBaseline: false,
  apy: 0.06,
  riskAdjustedApy: 0.052,
  tvl: units(1_000_000),
  capacity: null,
  held: '0',
  switchingCost: units(2),
  hoursSinceObserved: 0,
  hoursSinceLeft: null,
  ...over,
});
const AMOUNT = 10_000n * UNIT;
const find = (gates: Gate[], name: GateName) => gates.find(({ gate }) => gate === name);
const gain = (over: Partial<Candidate>, delta: number | null, hours = 100) =>
  gainGates(candidate(over), AMOUNT, delta, hours, ROUTING_CONSTANTS);
const target = (over: Partial<Candidate>, amount = AMOUNT) =>
  targetGates(candidate(over), amount, ROUTING_CONSTANTS);

describe('what a move brings', () => {
  it('of 10,000 at 1.2 pp and a cost of 2 is 0.328767 a day, back in 6.083 days', () => {
    const move = estimateMove(AMOUNT, 0.012, 2n * UNIT, 90);
    expect(move.gainPerDay).toBe(328_767n);
    expect(move.breakevenDays).toBeCloseTo(6.083, 3);
    // 10,000 * 0.012 * 90 / 365 - 2.
    expect(move.expectedUplift).toBe(27_589_041n);
  });

  it('is a loss where the rate is lower, never back', () => {
    expect(estimateMove(AMOUNT, -0.012, 2n * UNIT, 90)).toEqual({
      gainPerDay: -328_768n,
      breakevenDays: null,
      expectedUplift: -31_589_042n,
    });
    expect(estimateMove(AMOUNT, 0, 0n, 90)).toEqual({
      gainPerDay: 0n,
      breakevenDays: null,
      expectedUplift: 0n,
    });
  });

  it('grows with the rate, and shrinks with the cost', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
    const delta = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(amount, delta, delta, fc.bigInt({ min: 0n, max: 10n ** 9n }), (held, one, other, cost) => {
        const low = estimateMove(held, Math.min(one, other), cost, 90);
        const high = estimateMove(held, Math.max(one, other), cost, 90);
        expect(high.expectedUplift).toBeGreaterThanOrEqual(low.expectedUplift);
        expect(high.breakevenDays).toBeLessThanOrEqual(low.breakevenDays!);
        expect(estimateMove(held, one, cost, 90).expectedUplift).toBe(
          estimateMove(held, one, 0n, 90).expectedUplift - cost,
        );
      }),
    );
  });
});

describe('gates of the gain', () => {
  it.each<[GateName, Partial<Candidate>, number | null, number, number | null, number | null, boolean]>([
    ['delta', {}, 0.01, 100, 0.01, 0.01, true],
    ['delta', {}, 0.0099, 100, 0.0099, 0.01, false],
    ['delta', {}, null, 100, null, 0.01, false],
    ['breakeven', { switchingCost: '0' }, 0.012, 100, 0, 10, true],
    ['breakeven', {}, 0.0073, 100, 10, 10, true],
    ['breakeven', {}, 0.00729, 100, 10.013718, 10, false],
    ['breakeven', {}, -0.01, 100, null, 10, false],
    ['net_gain', { switchingCost: '28589041' }, 0.012, 100, 1, 1, true],
    ['net_gain', { switchingCost: '28589042' }, 0.012, 100, 0.999999, 1, false],
    ['net_gain', {}, null, 100, null, 1, false],
    ['time_in_vault', {}, 0.02, 6, 6, 6, true],
    ['time_in_vault', {}, 0.02, 5, 5, 6, false],
    ['return', { hoursSinceLeft: null }, 0.02, 100, 0.02, null, true],
    ['return', { hoursSinceLeft: 72 }, 0.02, 100, 0.02, null, true],
    ['return', { hoursSinceLeft: 71 }, 0.029, 100, 0.029, 0.03, false],
    ['return', { hoursSinceLeft: 1 }, 0.03, 100, 0.03, 0.03, true],
  ])('%s of %j at delta %p after %p h: %p against %p, passed is %p', (...row) => {
    const [name, over, delta, hours, value, threshold, passed] = row;
    expect(find(gain(over, delta, hours), name)).toEqual({ gate: name, value, threshold, passed });
  });
});

describe('gates of the target', () => {
  it.each<[GateName, Partial<Candidate>, number | null, number | null, boolean]>([
    ['active', { active: false }, 0, 1, false],
    ['active', {}, 1, 1, true],
    ['fresh', { hoursSinceObserved: 24 }, 24, 24, true],
    ['fresh', { hoursSinceObserved: 25 }, 25, 24, false],
    ['fresh', { hoursSinceObserved: null }, null, 24, false],
    ['capacity', { capacity: null }, 10_000, null, true],
    ['capacity', { capacity: units(15_000), held: units(5_000) }, 15_000, 15_000, true],
    ['capacity', { capacity: '14999999999', held: units(5_000) }, 15_000, 14_999.999999, false],
    ['tvl', { tvl: units(100_000) }, 10, 10, true],
    ['tvl', { tvl: '99999999999' }, 9.9999999999, 10, false],
    ['tvl', { tvl: null }, null, 10, false],
    ['share', { tvl: units(190_000), held: units(20_000) }, 0.15, 0.15, true],
    ['share', { tvl: units(190_000), held: units(20_001) }, 0.150005, 0.15, false],
    ['share', { tvl: null }, null, 0.15, false],
  ])('%s of %j: %p against %p, passed is %p', (name, over, value, threshold, passed) =>
    expect(find(target(over), name)).toEqual({ gate: name, value, threshold, passed }),
  );

  it('never open for more what is closed for less', () => {
    const micro = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(micro, micro, micro, micro, (one, other, tvl, capacity) => {
        const vault = { tvl: tvl.toString(), capacity: capacity.toString() };
        const less = target(vault, one < other ? one : other);
        const more = target(vault, one < other ? other : one);
        for (const { gate, passed } of more) if (passed) expect(find(less, gate)?.passed).toBe(true);
      }),
    );
  });
});

describe('gates of a deposit', () => {
  it('ask for an active vault with room, a fresh observation and history', () => {
    const gates = depositGates(candidate({ riskAdjustedApy: null }), AMOUNT, ROUTING_CONSTANTS);
    expect(gates.map(({ gate, passed }) => [gate, passed])).toEqual([
      ['active', true],
      ['fresh', true],
      ['history', false],
      ['capacity', true],
    ]);
  });
});

describe('the delta', () => {
  it('is that of risk-adjusted APYs, and not known without both', () => {
    const [one, other, unknown] = [0.06, 0.05, null].map((riskAdjustedApy) => candidate({ riskAdjustedApy }));
    expect(deltaOver(one!, other!)).toBe(0.01);
    expect(deltaOver(one!, unknown!)).toBeNull();
    expect(deltaOver(unknown!, one!)).toBeNull();
  });
});
