import { describe, expect, it } from '@jest/globals';
import { candidate, THRESHOLDS } from '../../../../test/support/routing-candidate.js';
import type { Candidate } from './decision.js';
import { estimateMove } from './estimate.js';
import type { Gate, GateName } from './gate.js';
import { gainGates } from './rating.js';

const AMOUNT = 10_000_000_000n;
const find = (gates: Gate[], name: GateName) => gates.find(({ gate }) => gate === name);
const gain = (
  over: Partial<Candidate>,
  delta: number | null,
  hours = 100,
  promise: bigint | null = 0n,
  amount = AMOUNT,
) => {
  const target = candidate(over);
  const terms = {
    amount,
    currentRate: 0.04,
    cost: BigInt(target.cost),
    horizonDays: 20,
    cashHorizonDays: 365,
    delayHours: 0,
  };
  const estimate = delta === null ? null : estimateMove({ ...terms, delta });
  return gainGates(target, { amount, delta, estimate, promise }, hours, THRESHOLDS);
};

describe('the gates on the gain of a move', () => {
  // 10,000 at 1 pp for 20 days are 5.479452.
  it.each<[GateName, Partial<Candidate>, number | null, number, number | null, number | null, boolean]>([
    ['delta', {}, 0.001, 100, 0.001, 0.001, true],
    ['delta', {}, 0.000999, 100, 0.000999, 0.001, false],
    ['delta', {}, null, 100, null, 0.001, false],
    ['gain', {}, 0.01, 100, 5.479452, 3, true],
    ['gain', { cost: '3652968' }, 0.01, 100, 5.479452, 5.479452, true],
    ['gain', { cost: '3652969' }, 0.01, 100, 5.479452, 5.4794535, false],
    ['gain', { cost: '0' }, 0.01, 100, 5.479452, 0, true],
    ['gain', {}, -0.01, 100, -5.479453, 3, false],
    ['gain', {}, null, 100, null, 3, false],
    ['net_gain', { cost: '4479452' }, 0.01, 100, 1, 1, true],
    ['net_gain', { cost: '4479453' }, 0.01, 100, 0.999999, 1, false],
    ['net_gain', {}, null, 100, null, 1, false],
    ['time_in_vault', {}, 0.02, 6, 6, 6, true],
    ['time_in_vault', {}, 0.02, 5, 5, 6, false],
    ['return', { hoursSinceLeft: null }, 0.01, 100, 5.479452, null, true],
    ['return', { hoursSinceLeft: 168 }, 0.01, 100, 5.479452, null, true],
    ['return', { hoursSinceLeft: 167 }, 0.01, 100, 5.479452, 6, false],
    ['return', { hoursSinceLeft: 1 }, 0.011, 100, 6.027397, 6, true],
  ])('%s of %j at delta %p after %p h: %p against %p, passed is %p', (...row) => {
    const [name, over, delta, hours, value, threshold, passed] = row;
    expect(find(gain(over, delta, hours), name)).toEqual({ gate: name, value, threshold, passed });
  });
});

it.each([
  [2_000_000n, 2, true],
  [1_999_999n, 1.999999, false],
  [-1n, -0.000001, false],
  [null, null, false],
] as const)(
  'The gate promise for %p micro-units at a cost of 2: %p, passed is %p',
  (promise, value, passed) =>
    expect(find(gain({}, 0.01, 100, promise), 'promise')).toEqual({
      gate: 'promise',
      value,
      threshold: 2,
      passed,
    }),
);

// A million at 0.10 pp for 20 days are 54.794521: far above a cost of 2, so that no long average lifted by one reading moves it.
it('The gate promise requires 0.10 pp as well, however low the cost', () =>
  expect(find(gain({}, 0.01, 100, 50_000_000n, 100n * AMOUNT), 'promise')).toMatchObject({
    threshold: expect.closeTo(52.794521, 6),
    passed: false,
  }));
