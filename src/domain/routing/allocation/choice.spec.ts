import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { candidate, units, THRESHOLDS } from '../../../../test/support/routing-candidate.js';
import { digestOf, narrowed, NO_RULES, type Policy } from '../../tenants/policies/policy.js';
import { decide } from './choice.js';
import { promiseOf } from './estimate.js';
import type { Decision, DecisionInputs } from './decision.js';
import type { Candidate } from './gates.js';

const ROUTING_CONSTANTS = THRESHOLDS;
const vault = (vaultId: string, riskAdjustedApy: number | null, over: Partial<Candidate> = {}): Candidate =>
  candidate({
    vaultId,
    lendingBaseline: vaultId === 'vlt_lending',
    apy: riskAdjustedApy,
    expectedApy: riskAdjustedApy,
    riskAdjustedApy,
    promisedApy: riskAdjustedApy,
    assets: units(10_000_000),
    liquidity: units(10_000_000),
    ...over,
  });

const inputs = (candidates: Candidate[], over: Partial<DecisionInputs> = {}): DecisionInputs => ({
  asset: 'USDC',
  amount: units(10_000),
  groupAmount: over.amount ?? units(10_000),
  book: over.amount ?? units(10_000),
  positions: 1,
  currentVaultId: null,
  hoursInVault: 0,
  idle: { vaultId: IDLE, cost: units(1) },
  snapshotHour: '2026-03-12T10:00:00.000Z',
  configVersion: 'v1',
  constants: ROUTING_CONSTANTS,
  candidates,
  ...over,
});
const IDLE = 'vlt_idle_usdc';
const WHOLE = { amount: units(90_000), groupAmount: units(90_000) };
const HELD = { currentVaultId: 'vlt_lending', hoursInVault: 100 };
const chosen = ({ alternatives }: Decision) =>
  alternatives.filter((one) => one.chosen).map((one) => one.vaultId);

describe('a deposit', () => {
  it('is routed to the vault with the best expected risk-adjusted APY within its limits', () => {
    const decision = decide(
      inputs([
        vault('vlt_lending', 0.03),
        vault('vlt_good', 0.042),
        vault('vlt_new', null),
        vault('vlt_full', 0.09, { capacity: units(9_999) }),
        vault('vlt_small', 0.088, { assets: units(99_999), liquidity: units(99_999) }),
        vault('vlt_ours', 0.086, {
          assets: units(1_000_000),
          liquidity: units(1_000_000),
          held: units(150_000),
        }),
        vault('vlt_lost', 0.084, { indexChange: -0.05 }),
        vault('vlt_run', 0.082, { assetsChange: -0.6 }),
        vault('vlt_stale', 0.08, { hoursSinceObserved: 25 }),
        vault('vlt_off', 0.07, { active: false }),
      ]),
    );
    expect(decision).toMatchObject({
      kind: 'route',
      reason: 'best_vault',
      fromVaultId: null,
      toVaultId: 'vlt_good',
      snapshotHour: '2026-03-12T10:00:00.000Z',
      configVersion: 'v1',
      blocked: null,
      expectedUplift: { apyDelta: 0.012, horizonDays: 20, amount: '6575342', cost: '0', npv: '6575342' },
      rationale:
        'Deposited 10000 USDC into vlt_good: its expected risk-adjusted APY of 4.20 % is the best of 10 vaults that is within its limits, 1.20 pp over the lending vault.',
    });
    expect(decision.alternatives.map(({ vaultId }) => vaultId).slice(-3)).toEqual([
      'vlt_good',
      'vlt_lending',
      'vlt_new',
    ]);
    expect(chosen(decision)).toEqual(['vlt_good']);
  });

  it('is routed by the rates of pools after its own dilution', () => {
    const pools = [
      vault('vlt_lending', 0.048, {
        dilution: 'pool',
        assets: units(1_000_000_000),
        liquidity: units(1_000_000_000),
      }),
      vault('vlt_thin', 0.05, { dilution: 'pool', assets: units(60_000_000), liquidity: units(60_000_000) }),
    ];
    const to = (amount: number) => decide(inputs(pools, { amount: units(amount) })).toVaultId;
    expect([to(1_000_000), to(4_000_000)]).toEqual(['vlt_thin', 'vlt_lending']);
    const { alternatives } = decide(inputs(pools, { amount: units(1_000_000) }));
    expect(alternatives[0]!.rate).toBeCloseTo(0.04918033, 8);
  });

  it('is routed to the lending vault if no vault has sufficient history and that is within its limits', () => {
    const decision = decide(inputs([vault('vlt_a', null), vault('vlt_lending', null, { apy: 0.03 })]));
    expect(decision).toMatchObject({
      reason: 'insufficient_history',
      toVaultId: 'vlt_lending',
      expectedUplift: { apyDelta: null, horizonDays: 20, amount: null, cost: '0', npv: null },
    });
    expect(decision.rationale).toContain('insufficient_history');
    expect(chosen(decision)).toEqual(['vlt_lending']);
  });

  it.each([
    ['no vault was observed', vault('vlt_lending', null, { apy: null, hoursSinceObserved: null })],
    ['the lending vault is stale', vault('vlt_lending', null, { hoursSinceObserved: 300 })],
    ['the lending vault has no APY yet', vault('vlt_lending', null, { apy: null })],
    ['all are full', vault('vlt_lending', 0.03, { capacity: '0' })],
  ])('is routed to the idle vault if %s', (_, lending) => {
    const decision = decide(inputs([vault('vlt_a', null), lending]));
    expect(decision).toMatchObject({
      kind: 'route',
      reason: 'no_open_vault',
      toVaultId: IDLE,
      rationale: `10000 USDC waits in ${IDLE}: no vault of USDC takes it now, as each of 2 failed a limit.`,
    });
    expect(decision.alternatives.at(-1)).toMatchObject({
      vaultId: IDLE,
      action: 'deposit',
      apy: 0,
      gates: [],
    });
    expect(chosen(decision)).toEqual([IDLE]);
  });
});

describe('cash', () => {
  const WAITING = { currentVaultId: IDLE, hoursInVault: 1 };

  it('is moved at once to the vault that a deposit would get, if the gain pays for the move', () => {
    const decision = decide(inputs([vault('vlt_lending', 0.03), vault('vlt_b', null)], WAITING));
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'best_vault',
      fromVaultId: IDLE,
      toVaultId: 'vlt_lending',
      expectedUplift: { apyDelta: 0.03, amount: '16438356', cost: units(2), npv: '14438356' },
    });
    expect(decision.alternatives.at(-1)).toMatchObject({ vaultId: IDLE, action: 'hold', chosen: false });
    // For a vault without history, the last observed APY is used.
    const unknown = [vault('vlt_lending', null, { apy: 0.03 }), vault('vlt_b', null)];
    const first = decide(inputs(unknown, WAITING));
    expect(first).toMatchObject({ reason: 'insufficient_history', toVaultId: 'vlt_lending' });
    expect(decide(inputs(unknown, { ...WAITING, amount: units(50) })).kind).toBe('hold');
  });

  it('stays if no vault can take it, or a move would not pay within a year', () => {
    const full = decide(inputs([vault('vlt_lending', 0.03, { capacity: '0' })], WAITING));
    expect(full).toMatchObject({
      kind: 'hold',
      reason: 'no_open_vault',
      blocked: { vaultId: 'vlt_lending', gates: ['capacity'] },
      rationale: `Held 10000 USDC in ${IDLE}: no vault takes it now: capacity (10000 USDC against 0 USDC).`,
    });
    expect(chosen(full)).toEqual([IDLE]);
    const little = decide(inputs([vault('vlt_lending', 0.03)], { ...WAITING, amount: units(80) }));
    expect(little).toMatchObject({
      kind: 'hold',
      reason: 'gate_failed',
      blocked: { vaultId: 'vlt_lending', gates: ['gain', 'net_gain'] },
      rationale:
        `Held 80 USDC in ${IDLE}: a move to vlt_lending does not pay within 365 days: ` +
        'gain (2.4 USDC against 3 USDC), net_gain (0.4 USDC against 1 USDC).',
    });
    // 1.5 times the cost, and 1 unit on top.
    const enough = (amount: number) =>
      decide(inputs([vault('vlt_lending', 0.03)], { ...WAITING, amount: units(amount) })).kind;
    expect([99, 100].map(enough)).toEqual(['hold', 'rebalance']);
    const least = decide(inputs([vault('vlt_lending', 0.03)], { ...WAITING, amount: units(2) }));
    expect(least.blocked?.gates).toEqual(['cost', 'gain', 'net_gain']);
    expect(least.rationale).toContain('cost (2 USDC against 2 USDC)');
  });

  it('from a deposit bears no cost, so that even one micro-unit is routed to a vault', () => {
    const decision = decide(inputs([vault('vlt_lending', 0.03)], { amount: '1' }));
    expect(decision).toMatchObject({ kind: 'route', reason: 'best_vault', toVaultId: 'vlt_lending' });
  });
});

describe('a holding', () => {
  it('is moved to the best vault if all its gates pass', () => {
    const decision = decide(inputs([vault('vlt_lending', 0.04), vault('vlt_b', 0.05)], HELD));
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'all_gates_passed',
      fromVaultId: 'vlt_lending',
      toVaultId: 'vlt_b',
      expectedUplift: { apyDelta: 0.01, horizonDays: 20, amount: '5479452', cost: '2000000', npv: '3479452' },
      rationale:
        'Moved 10000 USDC from vlt_lending to vlt_b: vlt_b has an expected risk-adjusted APY of 5.00 %, 1.00 pp over 4.00 %. ' +
        '5.479452 USDC is expected to be gained over 20 days for a cost of 2 USDC, of which 3.479452 USDC remains. All 20 gates passed.',
    });
    expect(chosen(decision)).toEqual(['vlt_b']);
    expect(decision.alternatives.map(({ vaultId, action }) => [vaultId, action])).toEqual([
      ['vlt_b', 'move'],
      ['vlt_lending', 'hold'],
    ]);
    expect(decision.alternatives[1]!.gates.map(({ gate }) => gate)).toEqual([
      'active',
      'fresh',
      'index',
      'outflow',
      'liquidity',
      'quarantine',
    ]);
  });

  it('is moved by gain less cost: a bridge may make the second-best rate the better target', () => {
    const vaults = [
      vault('vlt_lending', 0.04),
      vault('vlt_far', 0.051, { cost: units(3) }),
      vault('vlt_near', 0.05),
    ];
    expect(decide(inputs(vaults, HELD)).toVaultId).toBe('vlt_near');
    expect(decide(inputs(vaults, { ...HELD, amount: units(100_000) })).toVaultId).toBe('vlt_far');
  });

  it('stays unless the promise of a move, net of its cost, is at least that cost again', () => {
    const of = (promisedApy: number) =>
      decide(
        inputs(
          [vault('vlt_lending', 0.04, { promisedApy: 0.06 }), vault('vlt_b', 0.05, { promisedApy })],
          HELD,
        ),
      );
    // 4, for the cost and once more: 0.73 pp of 10,000 for 20 days.
    expect(of(0.0673).kind).toBe('rebalance');
    expect(of(0.06729)).toMatchObject({ kind: 'hold', blocked: { vaultId: 'vlt_b', gates: ['promise'] } });
    expect(of(0.05).rationale).toBe(
      'Held 10000 USDC in vlt_lending: vlt_b has an expected risk-adjusted APY of 5.00 %, 1.00 pp over 4.00 %, but did not pass promise (-7.479453 USDC against 2 USDC).',
    );
  });

  it('has the yield lost in transit deducted from the gain of a move', () => {
    const vaults = (exitDelayHours: number) => [
      vault('vlt_lending', 0.04, { exitDelayHours }),
      vault('vlt_b', 0.05),
    ];
    expect(decide(inputs(vaults(24), HELD)).rationale).toContain(
      '4.383561 USDC is expected to be gained over 20 days, 24 hours in transit taken off, for a cost of 2 USDC',
    );
    expect(decide(inputs(vaults(24), HELD)).expectedUplift).toMatchObject({
      amount: '4383561',
      npv: '2383561',
    });
    expect(decide(inputs(vaults(72), HELD))).toMatchObject({
      kind: 'hold',
      blocked: { gates: ['gain', 'net_gain', 'promise'] },
    });
  });

  it('stays if the better vault fails a gate, and its decision names the gates', () => {
    const decision = decide(
      inputs([vault('vlt_lending', 0.04), vault('vlt_b', 0.044)], { ...HELD, hoursInVault: 3 }),
    );
    expect(decision).toMatchObject({
      kind: 'hold',
      reason: 'gate_failed',
      toVaultId: null,
      blocked: { vaultId: 'vlt_b', gates: ['gain', 'net_gain', 'promise', 'time_in_vault'] },
      expectedUplift: { apyDelta: 0, horizonDays: 20, amount: '0', cost: '0', npv: '0' },
    });
    expect(decision.rationale).toBe(
      'Held 10000 USDC in vlt_lending: vlt_b has an expected risk-adjusted APY of 4.40 %, 0.40 pp over 4.00 %, but did not pass ' +
        'gain (2.19178 USDC against 3 USDC), net_gain (0.19178 USDC against 1 USDC), promise (0.19178 USDC against 2 USDC), time_in_vault (3 hours against 6 hours).',
    );
    expect(chosen(decision)).toEqual(['vlt_lending']);
  });

  it('stays if no vault is better, or its own vault has insufficient history', () => {
    const best = decide(
      inputs([vault('vlt_lending', 0.05), vault('vlt_b', 0.05), vault('vlt_c', null)], HELD),
    );
    expect(best).toMatchObject({ kind: 'hold', reason: 'already_best', blocked: null });
    const unknown = decide(inputs([vault('vlt_lending', null), vault('vlt_b', 0.2)], HELD));
    expect(unknown).toMatchObject({ kind: 'hold', reason: 'insufficient_history', blocked: null });
  });

  it('stays if no vault is open, and its decision names the failed gates of the best one', () => {
    const decision = decide(
      inputs([vault('vlt_lending', 0.03), vault('vlt_full', 0.09, { capacity: units(1) })], HELD),
    );
    expect(decision).toMatchObject({ kind: 'hold', blocked: { vaultId: 'vlt_full', gates: ['capacity'] } });
  });

  it('returns to a vault within a week only for a gain of three times the cost', () => {
    const back = (delta: number, hoursSinceLeft: number) =>
      decide(inputs([vault('vlt_lending', 0.03), vault('vlt_b', 0.03 + delta, { hoursSinceLeft })], HELD))
        .kind;
    expect(back(0.01, 167)).toBe('hold');
    expect(back(0.01, 168)).toBe('rebalance');
    expect(back(0.011, 10)).toBe('rebalance');
  });

  it('must have an amount above 0 and a vault among the candidates', () => {
    expect(() => decide(inputs([vault('vlt_lending', 0.03)], { amount: '0' }))).toThrow(RangeError);
    expect(() => decide(inputs([vault('vlt_b', 0.03)], HELD))).toThrow(RangeError);
  });
});

describe('eviction', () => {
  const left = (over: Partial<Candidate>, more: Partial<DecisionInputs> = {}, ...others: Candidate[]) =>
    decide(inputs([vault('vlt_lending', 0.09, over), ...others], { ...HELD, hoursInVault: 0, ...more }));

  it.each<[Partial<Candidate>, string]>([
    [{ active: false }, 'active'],
    [{ hoursSinceObserved: 25 }, 'fresh (25 hours against 24 hours)'],
    [{ indexChange: -0.05 }, 'index (-5 % against -1 %)'],
    [{ assetsChange: -0.7 }, 'outflow (-70 % against -50 %)'],
  ])('for %j is immediate, to the best vault within its limits, whatever its rate', (over, told) => {
    const other = vault('vlt_b', 0.01, { hoursSinceLeft: 1 });
    const decision = left(over, {}, other, vault('vlt_c', 0.02, { capacity: '0' }));
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'evicted',
      toVaultId: 'vlt_b',
      expectedUplift: { cost: units(2) },
    });
    expect(decision.rationale).toBe(
      `Moved 10000 USDC from vlt_lending to vlt_b, as it is to be left: ${told}. It is the best within its limits. The move costs 2 USDC.`,
    );
    expect(chosen(decision)).toEqual(['vlt_b']);
  });

  it('is to the idle vault if no vault can take the funds', () => {
    const decision = left({ indexChange: -0.05 }, {}, vault('vlt_b', 0.05, { indexChange: -0.02 }));
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'evicted',
      toVaultId: IDLE,
      expectedUplift: { apyDelta: null, cost: units(1), npv: null },
    });
    expect(chosen(decision)).toEqual([IDLE]);
  });

  it('is to the idle vault if only that move costs less than the funds', () => {
    const decision = left({ active: false }, { amount: units(2) }, vault('vlt_b', 0.05));
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'evicted',
      toVaultId: IDLE,
      expectedUplift: { cost: units(1) },
    });
  });

  it('becomes a hold that names the gate cost, if the cost is no less than the funds', () => {
    const decision = left({ active: false }, { amount: units(1) }, vault('vlt_b', 0.05));
    expect(decision).toMatchObject({
      kind: 'hold',
      reason: 'gate_failed',
      blocked: { vaultId: 'vlt_b', gates: ['cost'] },
      rationale:
        'Held 1 USDC in vlt_lending, although it is to be left, as a move costs as much as is there: active.',
    });
    expect(left({ active: false }, { amount: units(1) })).toMatchObject({
      kind: 'hold',
      blocked: { vaultId: IDLE, gates: ['cost'] },
    });
  });
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
    decide(
      inputs([vault('vlt_high', 0.08, { riskTier: 'high', own: units(30_000), ...high }), ...others], {
        currentVaultId: 'vlt_high',
        constants: { ...ROUTING_CONSTANTS, exposure },
        drifted: true,
        groupAmount: units(30_000),
        book: units(100_000),
        ...over,
      }),
    );
  const low = vault('vlt_low', 0.04);
  const bridged = vault('vlt_bridged', 0.041, { cost: units(50) });

  it('is reduced at once, to the vault with the least loss, costs included', () => {
    const decision = drifted(
      {},
      { hoursInVault: 0 },
      low,
      bridged,
      vault('vlt_next', 0.06, { riskTier: 'high' }),
    );
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'exposure',
      toVaultId: 'vlt_low',
      rationale:
        'Moved 10000 of 30000 USDC from vlt_high to vlt_low, as the book has drifted over a limit: exposure (30 % against 20 %). There it costs least within its limits: 2 USDC for the move.',
      exposure: { before: { tiers: { high: 0.3 } }, after: { tiers: { high: 0.2 } } },
    });
    expect(decide(JSON.parse(JSON.stringify(decision.inputs)) as DecisionInputs)).toEqual(decision);
  });

  it.each<[string, Partial<Candidate>, Partial<DecisionInputs>, Candidate[]]>([
    ['is within its limits', { own: units(20_000) }, { groupAmount: units(20_000) }, [low]],
    ['is a single position', { riskTier: 'medium', own: units(90_000) }, WHOLE, [low]],
    ['has no open target', {}, {}, [vault('vlt_full', 0.04, { capacity: '1' })]],
    ['is worth no more than the cost of the move', {}, { amount: units(2) }, [low]],
  ])('stays if it %s', (_, high, over, others) => {
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
      place: fc.constantFrom(null, 'vlt_0', IDLE),
    })
    .map(({ candidates, amount, hoursInVault, place }) =>
      inputs(
        candidates.map((one, index) => ({
          ...one,
          vaultId: `vlt_${index}`,
          lendingBaseline: index === 0,
        })),
        { amount, hoursInVault, currentVaultId: place },
      ),
    );
  const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

  it('is plain JSON, and is reproduced from its inputs with the candidates in any order', () => {
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
      { numRuns: 500 },
    );
  });

  it('contains every candidate and one choice; the gates of a chosen target all passed', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const { alternatives, kind, reason, toVaultId, rationale } = decide(given);
        const vaults = alternatives.map(({ vaultId }) => vaultId).filter((id) => id !== IDLE);
        expect(vaults.toSorted()).toEqual(given.candidates.map(({ vaultId }) => vaultId));
        expect(alternatives.filter(({ action }) => action === 'hold')).toHaveLength(
          given.currentVaultId ? 1 : 0,
        );
        const choices = alternatives.filter((one) => one.chosen);
        expect(choices).toHaveLength(1);
        if (kind !== 'hold') expect(choices[0]?.vaultId ?? null).toBe(toVaultId);
        if (reason === 'all_gates_passed' || reason === 'best_vault' || reason === 'evicted')
          expect(choices[0]?.gates.every(({ passed }) => passed || reason === 'evicted')).toBe(true);
        expect(rationale).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: 500 },
    );
  });

  it('moves funds that may stay only to a vault that is better by delta, net gain and promise', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const decision = decide(given);
        const { reason, expectedUplift } = decision;
        if (reason !== 'all_gates_passed') return;
        expect(promiseOf(decision)!).toBeGreaterThanOrEqual(BigInt(decision.expectedUplift.cost));
        expect(expectedUplift.apyDelta).toBeGreaterThanOrEqual(0.001);
        expect(BigInt(expectedUplift.npv!)).toBeGreaterThanOrEqual(1_000_000n);
      }),
    );
  });
});

describe('a policy', () => {
  const policy = (over: Partial<Policy> = {}): Policy => ({
    ...narrowed(NO_RULES, NO_RULES),
    version: 3,
    digest: digestOf(NO_RULES),
    ...over,
  });
  const vaults = [
    vault('vlt_lending', 0.03, { riskTier: 'low' }),
    vault('vlt_mid', 0.05, { riskTier: 'medium' }),
    vault('vlt_high', 0.09, { riskTier: 'high' }),
  ];
  const under = (rules: Partial<Policy>, over: Partial<DecisionInputs> = {}): Decision =>
    decide(inputs(vaults, { policy: policy(rules), ...over }));
  const gateOf = (decision: Decision, vaultId: string, name: string) =>
    decision.alternatives.find((one) => one.vaultId === vaultId)?.gates.find(({ gate }) => gate === name);

  it.each<[Partial<Policy>, string, Decision['reason']]>([
    [{}, 'vlt_high', 'best_vault'],
    [{ allowedVaults: ['vlt_lending', 'vlt_mid'] }, 'vlt_mid', 'best_vault'],
    [{ maximumRiskTier: 'low' }, 'vlt_lending', 'best_vault'],
    [{ allowedVaults: ['vlt_high'], maximumRiskTier: 'medium' }, IDLE, 'no_open_vault'],
    [{ allowedVaults: [] }, IDLE, 'no_open_vault'],
    [{ paused: true }, IDLE, 'no_open_vault'],
    [{ minimumGain: 1 }, 'vlt_high', 'best_vault'],
  ])('with the rules %j routes a deposit to %s', (rules, to, reason) => {
    expect(under(rules)).toMatchObject({ toVaultId: to, reason });
  });

  it('adds a gate to each vault, with the rules that the vault breaks', () => {
    const decision = under({ allowedVaults: ['vlt_mid'], maximumRiskTier: 'low', paused: true });
    expect(gateOf(decision, 'vlt_high', 'policy')).toEqual({
      gate: 'policy',
      value: 0,
      threshold: 1,
      passed: false,
      rules: ['allowed_vaults', 'max_risk_tier', 'paused'],
    });
    expect(gateOf(decision, 'vlt_mid', 'policy')?.rules).toEqual(['max_risk_tier', 'paused']);
    expect(gateOf(decide(inputs(vaults)), 'vlt_mid', 'policy')).toBeUndefined();
  });

  it('raises the required delta of a move, but not of cash', () => {
    const stays = under({ minimumGain: 0.07 }, HELD);
    expect(stays).toMatchObject({ kind: 'hold', blocked: { vaultId: 'vlt_high', gates: ['delta'] } });
    expect(gateOf(stays, 'vlt_high', 'delta')).toMatchObject({ value: 0.06, threshold: 0.07 });
    expect(under({ minimumGain: 0.05 }, HELD)).toMatchObject({ kind: 'rebalance', toVaultId: 'vlt_high' });
    // The service's own minimum is higher.
    expect(gateOf(under({ minimumGain: 0 }, HELD), 'vlt_high', 'delta')?.threshold).toBe(
      ROUTING_CONSTANTS.minimumDelta,
    );
    const cash = { currentVaultId: IDLE, hoursInVault: 0 };
    expect(under({ minimumGain: 1 }, cash)).toMatchObject({ reason: 'best_vault', toVaultId: 'vlt_high' });
  });

  it('moves funds out of a vault that it excludes, to the best permitted one or to the idle vault', () => {
    const held = { currentVaultId: 'vlt_high', hoursInVault: 0 };
    expect(under({ maximumRiskTier: 'medium' }, held)).toMatchObject({
      kind: 'rebalance',
      reason: 'policy',
      toVaultId: 'vlt_mid',
      expectedUplift: { cost: units(2) },
      rationale:
        'Moved 10000 USDC from vlt_high to vlt_mid, as the policy does not allow it: policy (max_risk_tier). It is the best within its limits. The move costs 2 USDC.',
    });
    expect(under({ allowedVaults: [] }, held)).toMatchObject({ reason: 'policy', toVaultId: IDLE });
    expect(under({ allowedVaults: [] }, { ...held, amount: units(1) })).toMatchObject({
      kind: 'hold',
      reason: 'gate_failed',
    });
  });

  it('keeps all funds in place while paused, except for evictions to the idle vault', () => {
    const held = { currentVaultId: 'vlt_high', hoursInVault: 100 };
    expect(under({ paused: true, allowedVaults: [] }, held)).toMatchObject({ kind: 'hold' });
    expect(under({ paused: true }, HELD)).toMatchObject({
      kind: 'hold',
      blocked: { vaultId: 'vlt_high', gates: ['policy'] },
    });
    const unsafe = vaults.map((one) => (one.vaultId === 'vlt_high' ? { ...one, active: false } : one));
    expect(decide(inputs(unsafe, { ...held, policy: policy({ paused: true }) }))).toMatchObject({
      reason: 'evicted',
      toVaultId: IDLE,
    });
  });

  it('is not the reason of a move that is an eviction anyway', () => {
    const unsafe = vaults.map((one) => (one.vaultId === 'vlt_high' ? { ...one, active: false } : one));
    const held = { currentVaultId: 'vlt_high', policy: policy({ maximumRiskTier: 'low' }) };
    expect(decide(inputs(unsafe, held))).toMatchObject({ reason: 'evicted', toVaultId: 'vlt_lending' });
  });
});
