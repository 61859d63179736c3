import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CASH,
  decisionInputs,
  HELD,
  IDLE,
  LENDING,
  lending,
  THRESHOLDS,
  units,
  vault,
} from '../../../../test/support/routing-candidate.js';
import { digestOf, narrow, NO_RULES, type Policy } from '../../tenants/policies/policy.js';
import { decide } from './choice.js';
import { promiseOf } from './estimate.js';
import type { Decision, DecisionInputs, Candidate } from './decision.js';

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));
/** Deposits of a vault, all of them liquid. */
const deep = (assets: number) => ({ assets: units(assets), liquidity: units(assets) });
const of = (amount: number) => ({ amount: units(amount) });

const decided = (candidates: Candidate[], over?: Partial<DecisionInputs>) =>
  decide(decisionInputs(candidates, over));

/** A decision, its one choice, and what it should say. */
type Case = [
  what: string,
  candidates: Candidate[],
  given: Partial<DecisionInputs>,
  expected: object,
  choice?: string,
];
const expectDecision = (decision: Decision, expected: object, choice?: string): void => {
  expect(decision).toMatchObject(expected);
  const chosen = decision.alternatives
    .filter((alternative) => alternative.chosen)
    .map(({ vaultId }) => vaultId);
  expect(chosen).toEqual([choice ?? decision.toVaultId ?? decision.fromVaultId]);
};

describe('a deposit', () => {
  it('A deposit is routed to the vault with the best expected risk-adjusted APY within its limits', () => {
    const decision = decided([
      lending(0.03),
      vault('vlt_good', 0.042),
      vault('vlt_new', null),
      vault('vlt_full', 0.09, { capacity: units(9_999) }),
      vault('vlt_small', 0.088, deep(99_999)),
      vault('vlt_ours', 0.086, { ...deep(1_000_000), held: units(150_000) }),
      vault('vlt_lost', 0.084, { indexChange: -0.05 }),
      vault('vlt_run', 0.082, { assetsChange: -0.6 }),
      vault('vlt_stale', 0.08, { hoursSinceObserved: 25 }),
      vault('vlt_off', 0.07, { active: false }),
    ]);
    expectDecision(decision, {
      kind: 'route',
      reason: 'best_vault',
      fromVaultId: null,
      toVaultId: 'vlt_good',
      blocked: null,
      snapshotHour: '2026-03-12T10:00:00.000Z',
      configVersion: 'v1',
      expectedUplift: { apyDelta: 0.012, horizonDays: 20, amount: '6575342', cost: '0', npv: '6575342' },
      rationale:
        'Deposited 10000 USDC into vlt_good: its expected risk-adjusted APY of 4.20 % is the best within limits among 10 vaults, 1.20 pp over the lending vault.',
    });
    const ranked = decision.alternatives.map(({ vaultId }) => vaultId);
    expect(ranked.slice(-3)).toEqual(['vlt_good', LENDING, 'vlt_new']);
  });

  it('A deposit is routed by the rates of pools after its own dilution', () => {
    const pools = [
      lending(0.048, { dilution: 'pool', ...deep(1_000_000_000) }),
      vault('vlt_thin', 0.05, { dilution: 'pool', ...deep(60_000_000) }),
    ];
    const to = (amount: number) => decided(pools, of(amount)).toVaultId;
    expect([to(1_000_000), to(4_000_000)]).toEqual(['vlt_thin', LENDING]);
    expect(decided(pools, of(1_000_000)).alternatives[0]!.rate).toBeCloseTo(0.04918033, 8);
  });

  it('A deposit of one micro-unit bears no cost, and is routed to a vault', () =>
    expect(decided([lending(0.03)], { amount: '1' })).toMatchObject({
      reason: 'best_vault',
      toVaultId: LENDING,
    }));

  it('A deposit is routed to the lending vault if no vault has sufficient history and that is within its limits', () => {
    const decision = decided([vault('vlt_a', null), lending(null, { apy: 0.03 })]);
    expectDecision(decision, {
      reason: 'insufficient_history',
      toVaultId: LENDING,
      rationale: expect.stringContaining('insufficient_history'),
      expectedUplift: { apyDelta: null, horizonDays: 20, amount: null, cost: '0', npv: null },
    });
  });

  it.each([
    ['no vault was observed', lending(null, { apy: null, hoursSinceObserved: null })],
    ['the lending vault is stale', lending(null, { hoursSinceObserved: 300 })],
    ['the lending vault has no APY yet', lending(null, { apy: null })],
    ['all are full', lending(0.03, { capacity: '0' })],
  ])('A deposit is routed to the idle vault if %s', (_, closed) => {
    const decision = decided([vault('vlt_a', null), closed]);
    expectDecision(decision, {
      kind: 'route',
      reason: 'no_open_vault',
      toVaultId: IDLE,
      rationale: expect.stringMatching(
        `^10000 USDC waits in ${IDLE}: none of 2 USDC vaults is within its limits.`,
      ),
    });
    expect(decision.alternatives.at(-1)).toMatchObject({
      vaultId: IDLE,
      action: 'deposit',
      apy: 0,
      gates: [],
    });
  });
});

describe('cash', () => {
  const unknown = [lending(null, { apy: 0.03 }), vault('vlt_b', null)];
  it.each<Case>(
    // prettier-ignore
    [
      [
        'is moved at once to the vault that a deposit would get', [lending(0.03), vault('vlt_b', null)], {},
        {
          kind: 'rebalance', reason: 'best_vault', fromVaultId: IDLE, toVaultId: LENDING,
          expectedUplift: { apyDelta: 0.03, amount: '16438356', cost: units(2), npv: '14438356' },
        },
      ],
      ['is moved by the last observed APY of a vault without history', unknown, {}, { reason: 'insufficient_history', toVaultId: LENDING }],
      ['stays if that does not pay', unknown, of(50), { kind: 'hold' }],
      [
        'stays if no vault can take it', [lending(0.03, { capacity: '0' })], {},
        {
          kind: 'hold', reason: 'no_open_vault', blocked: { vaultId: LENDING, gates: ['capacity'] },
          rationale:
            `Held 10000 USDC in ${IDLE}: ${LENDING} would gain 300 USDC in 365 days, at 3.00 % instead of 0.00 %, ` +
            'for a cost of 2 USDC. It fails Capacity (10000 USDC, must be at most 0 USDC).',
        },
      ],
      [
        'stays if a move would not pay within a year', [lending(0.03)], of(80),
        {
          kind: 'hold', reason: 'gate_failed', blocked: { vaultId: LENDING, gates: ['gain', 'net_gain'] },
          rationale:
            `Held 80 USDC in ${IDLE}: ${LENDING} would gain 2.4 USDC in 365 days, at 3.00 % instead of 0.00 %, for a cost of 2 USDC. ` +
            'It fails Gain (2.4 USDC, must be at least 3 USDC).',
        },
      ],
      [
        'stays if the move costs all of it', [lending(0.03)], of(2),
        { blocked: { gates: ['cost', 'gain', 'net_gain'] }, rationale: expect.stringContaining('Cost (2 USDC, must be below 2 USDC)') },
      ],
    ],
  )('Cash %s', (_, vaults, given, expected) => {
    const decision = decided(vaults, { ...CASH, ...given });
    expectDecision(decision, expected);
    const stays = decision.kind === 'hold';
    expect(decision.alternatives.at(-1)).toMatchObject({ vaultId: IDLE, action: 'hold', chosen: stays });
  });
});

describe('a holding', () => {
  const [four, five] = [lending(0.04), vault('vlt_b', 0.05)];
  const lower = [lending(0.04, { promisedApy: 0.06 }), five];
  const slow = [lending(0.04, { exitDelayHours: 24 }), five];
  const apart = [four, vault('vlt_far', 0.051, { cost: units(3) }), vault('vlt_near', 0.05)];
  const back = [lending(0.03), vault('vlt_b', 0.041, { hoursSinceLeft: 10 })];

  it.each<Case>(
    // prettier-ignore
    [
      [
        'is moved to the best vault if all its gates pass', [four, five], {},
        {
          kind: 'rebalance', reason: 'all_gates_passed', fromVaultId: LENDING, toVaultId: 'vlt_b',
          expectedUplift: { apyDelta: 0.01, horizonDays: 20, amount: '5479452', cost: '2000000', npv: '3479452' },
          rationale:
            'Moved 10000 USDC from vlt_lending to vlt_b: vlt_b has an expected risk-adjusted APY of 5.00 %, 1.00 pp over 4.00 %. ' +
            'The expected gain is 5.479452 USDC over 20 days; 3.479452 USDC remains after the cost of 2 USDC. All 20 gates passed.',
        },
      ],
      ['is moved by gain less cost: a bridge makes the second-best rate the better target', apart, {}, { toVaultId: 'vlt_near' }],
      ['is moved over the bridge if its amount pays for that', apart, of(100_000), { toVaultId: 'vlt_far' }],
      [
        'stays for a promise below 0', lower, {},
        {
          rationale:
            'Held 10000 USDC in vlt_lending: vlt_b would gain 5.479452 USDC in 20 days, at 5.00 % instead of 4.00 %, for a cost of 2 USDC. It fails Promise (-7.479453 USDC, must be at least 2 USDC).',
        },
      ],
      [
        'has the yield lost in transit deducted from the gain', slow, {},
        {
          expectedUplift: { amount: '4383561', npv: '2383561' },
          rationale: expect.stringContaining('The expected gain is 4.383561 USDC over 20 days, less 24 hours in transit;'),
        },
      ],
      [
        'stays if the better vault fails a gate, which is named', [four, vault('vlt_b', 0.044)], { hoursInVault: 3 },
        {
          kind: 'hold', reason: 'gate_failed', toVaultId: null,
          blocked: { vaultId: 'vlt_b', gates: ['gain', 'net_gain', 'promise', 'time_in_vault'] },
          expectedUplift: { apyDelta: 0, horizonDays: 20, amount: '0', cost: '0', npv: '0' },
          rationale:
            'Held 10000 USDC in vlt_lending: vlt_b would gain 2.19178 USDC in 20 days, at 4.40 % instead of 4.00 %, for a cost of 2 USDC. ' +
            'It fails Gain (2.19178 USDC, must be at least 3 USDC), Time in vault (3 hours, must be at least 6 hours).',
        },
      ],
      ['stays if no vault is better', [lending(0.05), five, vault('vlt_c', null)], {}, { kind: 'hold', reason: 'already_best', blocked: null }],
      ['stays if its own vault has insufficient history', [lending(null), vault('vlt_b', 0.2)], {}, { kind: 'hold', reason: 'insufficient_history', blocked: null }],
      [
        'stays if no vault is open, and the failed gates of the best one are named', [lending(0.03), vault('vlt_full', 0.09, { capacity: units(1) })], {},
        { kind: 'hold', blocked: { vaultId: 'vlt_full', gates: ['capacity'] } },
      ],
      ['returns within a week for a gain of three times the cost', back, {}, { kind: 'rebalance' }],
    ],
  )('A holding %s', (_, vaults, given, expected) =>
    expectDecision(decided(vaults, { ...HELD, ...given }), expected),
  );

  it('A holding is compared with each vault, and may be kept under six gates', () => {
    const { alternatives } = decided([four, five], HELD);
    expect(alternatives.map(({ vaultId, action }) => [vaultId, action])).toEqual([
      ['vlt_b', 'move'],
      [LENDING, 'hold'],
    ]);
    const expected = ['active', 'fresh', 'index', 'outflow', 'liquidity', 'quarantine'];
    expect(alternatives[1]!.gates.map(({ gate }) => gate)).toEqual(expected);
  });

  it('A holding must have an amount above 0 and a vault among the candidates', () => {
    expect(() => decided([lending(0.03)], { amount: '0' })).toThrow(RangeError);
    expect(() => decided([vault('vlt_b', 0.03)], HELD)).toThrow(RangeError);
  });
});

describe('eviction', () => {
  const decisionToLeave = (over: Partial<Candidate>, more: Partial<DecisionInputs>, ...others: Candidate[]) =>
    decided([lending(0.09, over), ...others], { ...HELD, hoursInVault: 0, ...more });
  const other = vault('vlt_b', 0.01, { hoursSinceLeft: 1 });
  const lost = vault('vlt_b', 0.05, { indexChange: -0.02 });
  const CLOSED = { active: false };

  it.each<[Partial<Candidate>, string]>([
    [CLOSED, 'Open (it takes no funds)'],
    [{ assetsChange: -0.7 }, 'Outflow (-70 %, must be above -50 %)'],
  ])('Eviction for %j is immediate, to the best vault within its limits, whatever its rate', (over, why) => {
    const decision = decisionToLeave(over, {}, other, vault('vlt_c', 0.02, { capacity: '0' }));
    expectDecision(decision, {
      kind: 'rebalance',
      reason: 'evicted',
      toVaultId: 'vlt_b',
      expectedUplift: { cost: units(2) },
      rationale: `Moved 10000 USDC from vlt_lending to vlt_b: vlt_lending must be left, as it fails ${why}. That is the best vault within its limits. The move costs 2 USDC.`,
    });
  });

  const toIdle = {
    kind: 'rebalance',
    reason: 'evicted',
    toVaultId: IDLE,
    expectedUplift: { cost: units(1) },
  };
  const HELD_BACK =
    'Held 1 USDC in vlt_lending: the vault should be left, as it fails Open (it takes no funds), but the move would cost at least as much as the funds are worth.';
  it.each<[string, Partial<DecisionInputs>, Candidate[], object]>(
    // prettier-ignore
    [
      ['is to the idle vault if no vault can take the funds', {}, [lost], { ...toIdle, expectedUplift: { apyDelta: null, cost: units(1), npv: null } }],
      ['is to the idle vault if only that move costs less than the funds', of(2), [other], toIdle],
      ['becomes a hold if the cost is no less than the funds', of(1), [other], { kind: 'hold', reason: 'gate_failed', blocked: { vaultId: 'vlt_b', gates: ['cost'] }, rationale: HELD_BACK }],
      ['becomes a hold without another vault', of(1), [], { kind: 'hold', blocked: { vaultId: IDLE, gates: ['cost'] } }],
    ],
  )('Eviction %s', (_, given, others, expected) =>
    expectDecision(decisionToLeave(CLOSED, given, ...others), expected),
  );
});

describe('a holding that drifted over an exposure limit', () => {
  const exposure = {
    vault: { low: 1, medium: 0.5, high: 0.2 },
    tier: { low: 1, medium: 1, high: 0.25 },
  };
  const drifted = (
    high: Partial<Candidate>,
    over: Partial<DecisionInputs>,
    ...others: Candidate[]
  ): Decision =>
    decided([vault('vlt_high', 0.08, { riskTier: 'high', own: units(30_000), ...high }), ...others], {
      currentVaultId: 'vlt_high',
      constants: { ...THRESHOLDS, exposure },
      drifted: true,
      groupAmount: units(30_000),
      book: units(100_000),
      ...over,
    });
  const low = vault('vlt_low', 0.04);

  it('A holding that drifted over an exposure limit is reduced at once, to the vault with the least loss, costs included', () => {
    const bridged = vault('vlt_bridged', 0.041, { cost: units(50) });
    const decision = drifted({}, {}, low, bridged, vault('vlt_next', 0.06, { riskTier: 'high' }));
    expectDecision(decision, {
      kind: 'rebalance',
      reason: 'exposure',
      toVaultId: 'vlt_low',
      rationale:
        'Moved 10000 of 30000 USDC from vlt_high to vlt_low: the book has drifted over a limit, Exposure (30 %, must be at most 20 %). Of the vaults within their limits, vlt_low costs the funds least. The move costs 2 USDC.',
      exposure: { before: { tiers: { high: 0.3 } }, after: { tiers: { high: 0.2 } } },
    });
    expect(decide(throughJson(decision).inputs)).toEqual(decision);
  });

  const whole = { ...of(90_000), groupAmount: units(90_000) };
  it.each<[string, Partial<Candidate>, Partial<DecisionInputs>, Candidate[]]>([
    ['is within its limits', { own: units(20_000) }, { groupAmount: units(20_000) }, [low]],
    ['is a single position', { riskTier: 'medium', own: units(90_000) }, whole, [low]],
    ['has no open target', {}, {}, [vault('vlt_full', 0.04, { capacity: '1' })]],
    ['is worth no more than the cost of the move', {}, of(2), [low]],
  ])('A holding that drifted over an exposure limit stays if it %s', (_, high, over, others) => {
    expect(drifted(high, over, ...others)).toMatchObject({ kind: 'hold', reason: 'already_best' });
  });
});

describe('a stored decision', () => {
  const micro = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(String);
  // Adding 0 turns -0, which JSON does not have, into 0.
  const rate = fc.option(
    fc.double({ min: -0.2, max: 0.5, noNaN: true }).map((value) => value + 0),
    { freq: 6 },
  );
  const hours = fc.option(fc.nat(200), { freq: 3 });
  const change = fc.option(
    fc.double({ min: -1, max: 0, noNaN: true }).map((value) => value + 0),
    { freq: 6 },
  );
  const any = fc.record({
    active: fc.boolean(),
    apy: rate,
    expectedApy: rate,
    riskAdjustedApy: rate,
    promisedApy: rate,
    lastingApy: rate,
    promisedLastingApy: rate,
    tvl: fc.constant(null),
    assets: fc.option(micro, { freq: 6 }),
    liquidity: fc.option(micro, { freq: 6 }),
    highLiquidity: fc.option(micro),
    inflow: fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }).map(String),
    promisedShortApy: rate,
    promisedShortLastingApy: rate,
    quarantineHours: fc.option(fc.nat(720), { freq: 8, nil: null }),
    silentEverywhere: fc.boolean(),
    ours: micro,
    dilution: fc.constantFrom('pool' as const, 'none' as const),
    indexChange: change.map((value) => (value === null ? null : value / 50 + 0)),
    assetsChange: change,
    capacity: fc.option(micro),
    held: micro,
    own: fc.constant('0'),
    cost: fc.nat(5_000_000).map(String),
    exitDelayHours: fc.nat(48),
    hoursSinceObserved: fc.option(fc.nat(30), { freq: 6 }),
    hoursSinceLeft: hours,
  });
  const anyInputs = fc
    .record({
      candidates: fc.array(any, { minLength: 1, maxLength: 6 }),
      amount: micro,
      hoursInVault: fc.nat(200),
      location: fc.constantFrom(null, 'vlt_0', IDLE),
    })
    .map(({ candidates, amount, hoursInVault, location }) =>
      decisionInputs(
        candidates.map((candidate, index) => ({
          ...candidate,
          vaultId: `vlt_${index}`,
          lendingBaseline: index === 0,
        })),
        { amount, hoursInVault, currentVaultId: location },
      ),
    );
  it('A stored decision is plain JSON, and is reproduced from its inputs with the candidates in any order', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const decision = decide(given);
        expect(throughJson(decision)).toEqual(decision);
        expect(decide(throughJson(decision).inputs)).toEqual(decision);
        const { inputs: _given, ...reversed } = decide({
          ...given,
          candidates: given.candidates.toReversed(),
        });
        expect(decision).toMatchObject(reversed);
      }),
    );
  });

  it('A stored decision contains every candidate and one choice, whose gates all passed; funds that may stay move for delta, net gain and promise', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const decision = decide(given);
        const { alternatives, kind, reason, toVaultId, rationale, expectedUplift } = decision;
        const vaults = alternatives.map(({ vaultId }) => vaultId).filter((id) => id !== IDLE);
        expect(vaults.toSorted()).toEqual(given.candidates.map(({ vaultId }) => vaultId));
        expect(alternatives.filter(({ action }) => action === 'hold')).toHaveLength(
          given.currentVaultId ? 1 : 0,
        );
        const choices = alternatives.filter((alternative) => alternative.chosen);
        expect(choices).toHaveLength(1);
        if (kind !== 'hold') expect(choices[0]?.vaultId ?? null).toBe(toVaultId);
        if (reason === 'all_gates_passed' || reason === 'best_vault')
          expect(choices[0]?.gates.every(({ passed }) => passed)).toBe(true);
        expect(rationale).not.toMatch(/NaN|undefined|Infinity/);
        if (reason !== 'all_gates_passed') return;
        expect(promiseOf(decision)!).toBeGreaterThanOrEqual(BigInt(expectedUplift.cost));
        expect(expectedUplift.apyDelta).toBeGreaterThanOrEqual(0.001);
        expect(BigInt(expectedUplift.npv!)).toBeGreaterThanOrEqual(1_000_000n);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a policy', () => {
  const vaults = [
    lending(0.03, { riskTier: 'low' }),
    vault('vlt_mid', 0.05, { riskTier: 'medium' }),
    vault('vlt_high', 0.09, { riskTier: 'high' }),
  ];
  const unsafe = vaults.map((vault) => (vault.vaultId === 'vlt_high' ? { ...vault, active: false } : vault));
  const under = (rules: Partial<Policy>, over: Partial<DecisionInputs> = {}, among = vaults): Decision => {
    const policy = { ...narrow(NO_RULES, NO_RULES), version: 3, digest: digestOf(NO_RULES), ...rules };
    return decided(among, { policy, ...over });
  };
  const gateOf = (decision: Decision, vaultId: string, name: string) =>
    decision.alternatives
      .find((alternative) => alternative.vaultId === vaultId)
      ?.gates.find(({ gate }) => gate === name);
  const HIGH = { currentVaultId: 'vlt_high', hoursInVault: 0 };

  it.each<[string, Partial<Policy>, Partial<DecisionInputs>, object, Candidate[]?]>(
    // prettier-ignore
    [
      ['without rules routes a deposit to the best vault', {}, {}, { toVaultId: 'vlt_high', reason: 'best_vault' }],
      ['of allowed vaults routes a deposit to one of them', { allowedVaults: [LENDING, 'vlt_mid'] }, {}, { toVaultId: 'vlt_mid', reason: 'best_vault' }],
      ['with a maximum tier routes a deposit within it', { maximumRiskTier: 'low' }, {}, { toVaultId: LENDING, reason: 'best_vault' }],
      ['that excludes every vault leaves a deposit in the idle vault', { allowedVaults: ['vlt_high'], maximumRiskTier: 'medium' }, {}, { toVaultId: IDLE, reason: 'no_open_vault' }],
      ['without allowed vaults leaves a deposit in the idle vault', { allowedVaults: [] }, {}, { toVaultId: IDLE, reason: 'no_open_vault' }],
      ['that is paused leaves a deposit in the idle vault', { paused: true }, {}, { toVaultId: IDLE, reason: 'no_open_vault' }],
      ['with a minimum gain does not bind a deposit', { minimumGain: 1 }, {}, { toVaultId: 'vlt_high', reason: 'best_vault' }],
      ['with a minimum gain does not bind cash', { minimumGain: 1 }, { ...CASH, hoursInVault: 0 }, { toVaultId: 'vlt_high', reason: 'best_vault' }],
      ['with a minimum gain keeps a holding whose move would gain less', { minimumGain: 0.07 }, HELD, { kind: 'hold', blocked: { vaultId: 'vlt_high', gates: ['delta'] } }],
      ['with a minimum gain moves a holding that gains more', { minimumGain: 0.05 }, HELD, { kind: 'rebalance', toVaultId: 'vlt_high' }],
      [
        'moves funds out of a vault that it excludes, to the best permitted one', { maximumRiskTier: 'medium' }, HIGH,
        {
          kind: 'rebalance', reason: 'policy', toVaultId: 'vlt_mid', expectedUplift: { cost: units(2) },
          rationale: 'Moved 10000 USDC from vlt_high to vlt_mid: the policy forbids vlt_high, as it fails Policy (max_risk_tier). That is the best vault within its limits. The move costs 2 USDC.',
        },
      ],
      ['moves them to the idle vault if it permits none', { allowedVaults: [] }, HIGH, { reason: 'policy', toVaultId: IDLE }],
      ['keeps them if they would not pay for the move', { allowedVaults: [] }, { ...HIGH, ...of(1) }, { kind: 'hold', reason: 'gate_failed' }],
      ['keeps excluded funds in place while paused', { paused: true, allowedVaults: [] }, { ...HIGH, hoursInVault: 100 }, { kind: 'hold' }],
      ['keeps a holding in place while paused', { paused: true }, HELD, { kind: 'hold', blocked: { vaultId: 'vlt_high', gates: ['policy'] } }],
      ['lets an eviction go to the idle vault while paused', { paused: true }, HIGH, { reason: 'evicted', toVaultId: IDLE }, unsafe],
      ['is not the reason of a move that is an eviction anyway', { maximumRiskTier: 'low' }, HIGH, { reason: 'evicted', toVaultId: LENDING }, unsafe],
    ],
  )('A policy %s', (_, rules, given, expected, among = vaults) =>
    expect(under(rules, given, among)).toMatchObject(expected),
  );

  it('A policy adds a gate to each vault, with the rules that the vault breaks, and raises the required delta', () => {
    const decision = under({ allowedVaults: ['vlt_mid'], maximumRiskTier: 'low', paused: true });
    const rules = ['allowed_vaults', 'max_risk_tier', 'paused'];
    const failed = { gate: 'policy', value: 0, threshold: 1, passed: false, rules };
    expect(gateOf(decision, 'vlt_high', 'policy')).toEqual(failed);
    expect(gateOf(decision, 'vlt_mid', 'policy')?.rules).toEqual(rules.slice(1));
    expect(gateOf(decided(vaults), 'vlt_mid', 'policy')).toBeUndefined();
    const deltaOf = (minimumGain: number) => gateOf(under({ minimumGain }, HELD), 'vlt_high', 'delta');
    expect(deltaOf(0.07)).toMatchObject({ value: 0.06, threshold: 0.07 });
    // The service's own minimum is higher.
    expect(deltaOf(0)?.threshold).toBe(THRESHOLDS.minimumDelta);
  });
});
