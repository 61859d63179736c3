import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { candidate, units, THRESHOLDS } from '../../../../test/support/routing-candidate.js';
import { readConstants } from '../../../config/constants.js';
import { exposureDefaults } from '../../tenants/policies/exposure-limits.js';
import type { Candidate } from './decision.js';
import type { Gate, GateName } from './gate.js';
import { costGate, exposureGate, failedGates, stayGates, limitGates } from './gates.js';

const CONSTANTS = THRESHOLDS;
const UNIT = 1_000_000n;
const AMOUNT = 10_000n * UNIT;
const find = (gates: Gate[], name: GateName) => gates.find(({ gate }) => gate === name);
const limits = (over: Partial<Candidate>, amount = AMOUNT) => limitGates(candidate(over), amount, CONSTANTS);

describe('the limits of a vault for deposits and moves', () => {
  it.each<[GateName, Partial<Candidate>, number | null, number | null, boolean]>(
    // prettier-ignore
    [
      ['active', { active: false }, 0, 1, false],
      ['active', {}, 1, 1, true],
      ['fresh', { hoursSinceObserved: 24 }, 24, 24, true],
      ['fresh', { hoursSinceObserved: 25 }, 25, 24, false],
      ['fresh', { hoursSinceObserved: null }, null, 24, false],
      ['history', { riskAdjustedApy: null }, 0, 1, false],
      ['index', { indexChange: -0.0099 }, -0.0099, -0.01, true],
      ['index', { indexChange: -0.01 }, -0.01, -0.01, false],
      ['index', { indexChange: null }, null, -0.01, true],
      ['outflow', { assetsChange: -0.49 }, -0.49, -0.5, true],
      ['outflow', { assetsChange: -0.5 }, -0.5, -0.5, false],
      ['capacity', { capacity: null }, 10_000, null, true],
      ['capacity', { capacity: units(15_000), held: units(5_000) }, 15_000, 15_000, true],
      ['capacity', { capacity: '14999999999', held: units(5_000) }, 15_000, 14_999.999999, false],
      ['size', { assets: units(100_000), liquidity: units(100_000) }, 10, 10, true],
      ['size', { assets: '99999999999', liquidity: '99999999999' }, 9.9999999999, 10, false],
      ['size', { assets: null, liquidity: null }, null, 10, false],
      ['share', { assets: units(190_000), liquidity: units(190_000), held: units(20_000) }, 0.15, 0.15, true],
      ['share', { assets: units(190_000), liquidity: units(190_000), held: units(20_001) }, 0.150005, 0.15, false],
      ['share', { assets: null, liquidity: null }, null, 0.15, false],
      ['size', { assets: units(500_000), liquidity: units(20_000) }, 10, 10, true],
      ['size', { assets: null, liquidity: units(100_000) }, 10, 10, true],
      // A tenth of the deposits counts as liquid where nobody knows.
      ['size', { assets: units(200_000), liquidity: null }, 10, 10, true],
      ['reading', { hoursSinceObserved: 3 }, 3, 3, true],
      ['reading', { hoursSinceObserved: 4 }, 4, 3, false],
      ['reading', { reading: { hours: 47.5, step: 24 } }, 47.5, 48, true],
      ['reading', { reading: { hours: 48.5, step: 24 } }, 48.5, 48, false],
      ['assets', { assetsChange: -0.29 }, -0.29, -0.3, true],
      ['assets', { assetsChange: -0.3 }, -0.3, -0.3, false],
      ['quarantine', { quarantineHours: 1 }, 1, 0, false],
    ],
  )('%s of %j: %p against %p, passed is %p', (name, over, value, threshold, passed) =>
    expect(find(limits(over), name)).toEqual({ gate: name, value, threshold, passed }),
  );

  it('The limits of a vault for deposits and moves never permit a larger amount when they refuse a smaller one', () => {
    const micro = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(micro, micro, micro, micro, (amount, other, tvl, capacity) => {
        const vault = { assets: tvl.toString(), liquidity: tvl.toString(), capacity: capacity.toString() };
        const less = limits(vault, amount < other ? amount : other);
        const more = limits(vault, amount < other ? other : amount);
        for (const { gate, passed } of more) if (passed) expect(find(less, gate)?.passed).toBe(true);
      }),
    );
  });
});

describe('the eviction of funds from a vault', () => {
  it.each<[Partial<Candidate>, GateName[]]>([
    [{}, []],
    [{ riskAdjustedApy: null, assets: null, liquidity: null, capacity: '0' }, []],
    [{ active: false }, ['active']],
    [{ hoursSinceObserved: 25 }, ['fresh']],
    [{ indexChange: -0.05 }, ['index']],
    [{ assetsChange: -0.7 }, ['outflow']],
    [{ quarantineHours: 700 }, ['quarantine']],
    // Nearly all is lent out, and what is left covers less than twice what this service holds.
    [{ liquidity: units(29_000), highLiquidity: units(29_000), held: units(15_000) }, ['liquidity']],
    [{ liquidity: units(29_000), highLiquidity: units(29_000), held: units(14_500) }, []],
    [{ liquidity: units(31_000), highLiquidity: units(29_000), held: units(15_000) }, []],
    [{ liquidity: units(29_000), highLiquidity: null, held: units(15_000) }, []],
  ])('The eviction of funds from a vault in the state %j has the failed gates %j', (over, gates) =>
    expect(failedGates(stayGates(candidate(over), CONSTANTS))).toEqual(gates),
  );
});

it.each([
  [units(2), 2_000_001n, true],
  [units(2), 2_000_000n, false],
  ['0', 1n, true],
] as const)(
  'The gate cost requires more than the cost of %s micro-units: %d, passed is %p',
  (cost, amount, passed) =>
    expect(costGate(cost, amount)).toEqual({
      gate: 'cost',
      value: Number(cost) / 1e6,
      threshold: Number(amount) / 1e6,
      passed,
    }),
);

describe('the limits on exposure', () => {
  const at = (
    over: Partial<Candidate>,
    [other, own]: [number, number],
    amount: number,
    positions: number,
  ) => {
    const candidates = [
      candidate({ vaultId: 'vlt_other', riskTier: over.riskTier ?? 'low', own: units(other) }),
      candidate({ ...over, own: units(own) }),
    ];
    const book = { book: units(1_000), positions, currentVaultId: null, candidates };
    const exposure = exposureDefaults(readConstants('partner'));
    return exposureGate(candidates[1]!, BigInt(amount) * UNIT, { ...book, constants: { exposure } });
  };

  it("The limits on exposure apply to a vault and its tier; a single whole position may exceed the vault's", () => {
    const medium = { riskTier: 'medium' as const };
    const high = { riskTier: 'high' as const };
    expect(at(medium, [0, 0], 500, 2)).toMatchObject({ value: 0.5, threshold: 0.5, passed: true });
    expect(at(medium, [0, 0], 501, 2)).toMatchObject({ value: 0.501, threshold: 0.5, passed: false });
    expect(at(medium, [0, 0], 1_000, 1)).toMatchObject({ passed: true });
    expect(at(medium, [0, 1], 900, 1)).toMatchObject({ threshold: 0.5, passed: false });
    expect(at(high, [100, 0], 150, 1)).toMatchObject({ value: 0.25, threshold: 0.25, passed: true });
    expect(at(high, [100, 0], 151, 1)).toMatchObject({ value: 0.251, threshold: 0.25, passed: false });
    expect(at({}, [0, 0], 1_000, 3)).toMatchObject({ passed: true });
  });
});
