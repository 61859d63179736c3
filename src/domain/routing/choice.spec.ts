import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readConstants } from '../../config/constants.js';

import type { SmoothedApy } from '../vaults/vault-state.js';
import { smoothApy } from '../analytics/expected-apy.js';
import { signalConstants, signalOf } from '../analytics/signal.js';
import { decide } from './choice.js';
import type { Decision, DecisionInputs } from './decision.js';
import type { Candidate } from './gates.js';
import { routingConstants } from './routing-constants.js';

const ROUTING_CONSTANTS = routingConstants(readConstants('partner').constants);
const SIGNALS = signalConstants(readConstants('partner').constants.signals);
const units = (count: number): string => (BigInt(count) * 1_000_000n).toString();

const vault = (
  vaultId: string,
  riskAdjustedApy: number | null,
  over: Partial<Candidate> = {},
): Candidate => ({
  vaultId,
  active: true,
  lendingBaseline: vaultId === 'vlt_lending',
  apy: riskAdjustedApy,
  riskAdjustedApy,
  tvl: units(10_000_000),
  capacity: null,
  held: '0',
  switchingCost: units(2),
  hoursSinceObserved: 0,
  hoursSinceLeft: null,
  ...over,
});

const inputs = (candidates: Candidate[], over: Partial<DecisionInputs> = {}): DecisionInputs => ({
  asset: 'USDC',
  amount: units(10_000),
  currentVaultId: null,
  hoursInVault: 0,
  snapshotHour: '2026-03-12T10:00:00.000Z',
  configVersion: 'v1',
  constants: ROUTING_CONSTANTS,
  candidates,
  ...over,
});
const HELD = { currentVaultId: 'vlt_lending', hoursInVault: 100 };
const chosen = ({ alternatives }: Decision) =>
  alternatives.filter((one) => one.chosen).map((one) => one.vaultId);

describe('a deposit', () => {
  it('goes to the best eligible vault by risk-adjusted APY', () => {
    const decision = decide(
      inputs([
        vault('vlt_lending', 0.03),
        vault('vlt_good', 0.042),
        vault('vlt_new', null),
        vault('vlt_full', 0.09, { capacity: units(9_999) }),
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
      expectedUplift: { apyDelta: 0.012, horizonDays: 90, amount: '29589041' },
      rationale:
        'Deposited 10000 USDC into vlt_good: its risk-adjusted APY of 4.20 % is the best of 6 vaults that is open, 1.20 pp over the lending vault.',
    });
    expect(decision.alternatives.map(({ vaultId }) => vaultId)).toEqual([
      'vlt_full',
      'vlt_stale',
      'vlt_off',
      'vlt_good',
      'vlt_lending',
      'vlt_new',
    ]);
    expect(chosen(decision)).toEqual(['vlt_good']);
  });

  it('goes to the lending vault where no vault has history, also when its last snapshot is long ago', () => {
    const decision = decide(
      inputs([vault('vlt_a', null), vault('vlt_lending', null, { apy: 0.03, hoursSinceObserved: 300 })]),
    );
    expect(decision).toMatchObject({
      reason: 'insufficient_history',
      toVaultId: 'vlt_lending',
      expectedUplift: { apyDelta: null, horizonDays: 90, amount: null },
    });
    expect(decision.rationale).toContain('insufficient_history');
    expect(chosen(decision)).toEqual(['vlt_lending']);
  });

  it('goes nowhere before anything was observed', () => {
    const unseen = { apy: null, hoursSinceObserved: null };
    const decision = decide(inputs([vault('vlt_a', null, unseen), vault('vlt_lending', null, unseen)]));
    expect(decision).toMatchObject({ reason: 'no_open_vault', toVaultId: null });
  });

  it('goes nowhere where no vault takes it', () => {
    const decision = decide(inputs([vault('vlt_a', null), vault('vlt_lending', 0.03, { capacity: '0' })]));
    expect(decision).toMatchObject({ reason: 'no_open_vault', toVaultId: null });
    expect(chosen(decision)).toEqual([]);
  });
});

describe('what is held', () => {
  it('moves to the best vault when every gate passes', () => {
    const decision = decide(inputs([vault('vlt_lending', 0.04), vault('vlt_b', 0.052)], HELD));
    expect(decision).toMatchObject({
      kind: 'rebalance',
      reason: 'all_gates_passed',
      fromVaultId: 'vlt_lending',
      toVaultId: 'vlt_b',
      expectedUplift: { apyDelta: 0.012, horizonDays: 90, amount: '27589041' },
      rationale:
        'Moved 10000 USDC from vlt_lending to vlt_b: vlt_b has a risk-adjusted APY of 5.20 %, 1.20 pp over 4.00 %. ' +
        '0.328767 USDC a day bring back the cost of 2 USDC in 6.08 days; 27.589041 USDC is expected to remain after 90 days. All 10 gates passed.',
    });
    expect(chosen(decision)).toEqual(['vlt_b']);
    expect(decision.alternatives.map(({ vaultId, action }) => [vaultId, action])).toEqual([
      ['vlt_b', 'move'],
      ['vlt_lending', 'hold'],
    ]);
  });

  it('stays where a better vault fails a gate, and says which', () => {
    const decision = decide(
      inputs([vault('vlt_lending', 0.04), vault('vlt_b', 0.044)], { ...HELD, hoursInVault: 3 }),
    );
    expect(decision).toMatchObject({
      kind: 'hold',
      reason: 'gate_failed',
      toVaultId: null,
      blocked: { vaultId: 'vlt_b', gates: ['delta', 'breakeven', 'time_in_vault'] },
      expectedUplift: { apyDelta: 0, horizonDays: 90, amount: '0' },
    });
    expect(decision.rationale).toBe(
      'Held 10000 USDC in vlt_lending: vlt_b has a risk-adjusted APY of 4.40 %, 0.40 pp over 4.00 %, but did not pass ' +
        'delta (0.40 pp against 1.00 pp), breakeven (18.25 days against 10 days), time_in_vault (3 hours against 6 hours).',
    );
    expect(chosen(decision)).toEqual(['vlt_lending']);
  });

  it('stays where nothing is better, or nothing is known', () => {
    const best = decide(
      inputs([vault('vlt_lending', 0.05), vault('vlt_b', 0.05), vault('vlt_c', null)], HELD),
    );
    expect(best).toMatchObject({ kind: 'hold', reason: 'already_best', blocked: null });
    const unknown = decide(inputs([vault('vlt_lending', null), vault('vlt_b', 0.2)], HELD));
    expect(unknown).toMatchObject({ kind: 'hold', reason: 'insufficient_history', blocked: null });
  });

  it('moves to the second best where the best is not open', () => {
    const decision = decide(
      inputs(
        [
          vault('vlt_lending', 0.03),
          vault('vlt_full', 0.09, { capacity: units(1) }),
          vault('vlt_small', 0.08, { tvl: units(99_999) }),
          vault('vlt_ours', 0.07, { tvl: units(1_000_000), held: units(150_000) }),
          vault('vlt_stale', 0.065, { hoursSinceObserved: 30 }),
          vault('vlt_next', 0.06),
        ],
        HELD,
      ),
    );
    expect(decision.toVaultId).toBe('vlt_next');
    expect(chosen(decision)).toEqual(['vlt_next']);
  });

  it('says which gate the best one failed where none is open', () => {
    const decision = decide(
      inputs([vault('vlt_lending', 0.03), vault('vlt_full', 0.09, { capacity: units(1) })], HELD),
    );
    expect(decision).toMatchObject({ kind: 'hold', blocked: { vaultId: 'vlt_full', gates: ['capacity'] } });
  });

  it('goes back within 72 hours only for 3 pp', () => {
    const back = (delta: number, hoursSinceLeft: number) =>
      decide(inputs([vault('vlt_lending', 0.03), vault('vlt_b', 0.03 + delta, { hoursSinceLeft })], HELD))
        .kind;
    expect(back(0.02, 71)).toBe('hold');
    expect(back(0.02, 72)).toBe('rebalance');
    expect(back(0.03, 10)).toBe('rebalance');
  });

  it('is above 0 and somewhere', () => {
    expect(() => decide(inputs([vault('vlt_lending', 0.03)], { amount: '0' }))).toThrow(RangeError);
    expect(() => decide(inputs([vault('vlt_b', 0.03)], HELD))).toThrow(RangeError);
  });
});

describe('hysteresis', () => {
  /** @returns hours at which the funds moved, in 30 days of two vaults */
  function moves(rates: (hour: number) => [number, number]): number[] {
    const left: (number | null)[] = [null, null];
    const moved: number[] = [];
    let [at, since] = [0, -100];
    for (let hour = 0; hour < 720; hour++) {
      const candidates = rates(hour).map((rate, which) => {
        const hourLeft = left[which] ?? null;
        return vault(`vlt_${which}`, rate, { hoursSinceLeft: hourLeft === null ? null : hour - hourLeft });
      });
      const held = { currentVaultId: `vlt_${at}`, hoursInVault: hour - since };
      if (decide(inputs(candidates, held)).kind !== 'rebalance') continue;
      left[at] = hour;
      [at, since] = [1 - at, hour];
      moved.push(hour);
    }
    return moved;
  }

  it('a market that flips by 6 pp every hour moves nothing, as what is expected is judged', () => {
    const flipping = (odd: boolean) => ({
      lastHour: new Date('2026-03-12T10:00:00.000Z'),
      values: Array.from({ length: 192 + 720 }, (_, hour) => ((hour % 2 === 1) === odd ? 0.1 : 0.04)),
    });
    const rate = (odd: boolean, hour: number) => {
      const { values, lastHour } = flipping(odd);
      const week = { lastHour, values: values.slice(hour, hour + 192) };
      const smoothed = values
        .slice(0, hour + 192)
        // Which of the two levels came first is long forgotten.
        .reduce<SmoothedApy>((before, apy) => smoothApy(before, apy, SIGNALS), { recent: 0.07, long: 0.07 });
      const low = { riskTier: 'low', returnHalfLifeHours: null } as const;
      return signalOf(week, 1_000, low, smoothed, SIGNALS).riskAdjustedApy!;
    };
    expect(moves((hour) => [rate(true, hour), rate(false, hour)])).toEqual([]);
  });

  it('even a judgement that flips by 2 pp every hour moves once in 72 hours', () => {
    const moved = moves((hour) => (hour % 2 === 0 ? [0.04, 0.06] : [0.06, 0.04]));
    expect(moved[0]).toBe(0);
    expect(moved.length).toBeLessThanOrEqual(10);
    for (const [index, hour] of moved.entries())
      if (index > 0) expect(hour - moved[index - 1]!).toBeGreaterThanOrEqual(72);
  });

  it('and one that flips by 5 pp not before the funds stayed 6 hours', () => {
    const moved = moves((hour) => (hour % 2 === 0 ? [0.03, 0.08] : [0.08, 0.03]));
    for (const [index, hour] of moved.entries())
      if (index > 0) expect(hour - moved[index - 1]!).toBeGreaterThanOrEqual(6);
  });
});

describe('a stored decision', () => {
  const micro = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(String);
  // Plus 0: JSON knows no -0.
  const rate = fc.option(
    fc.double({ min: -0.2, max: 0.5, noNaN: true }).map((value) => value + 0),
    { freq: 6 },
  );
  const hours = fc.option(fc.nat(200), { freq: 3 });
  const candidate = fc.record({
    active: fc.boolean(),
    apy: rate,
    expectedApy: rate,
    riskAdjustedApy: rate,
    tvl: fc.option(micro, { freq: 6 }),
    capacity: fc.option(micro),
    held: micro,
    switchingCost: fc.nat(5_000_000).map(String),
    hoursSinceObserved: fc.option(fc.nat(30), { freq: 6 }),
    hoursSinceLeft: hours,
  });
  const anyInputs = fc
    .record({
      candidates: fc.array(candidate, { minLength: 1, maxLength: 6 }),
      amount: micro,
      hoursInVault: fc.nat(200),
      deposit: fc.boolean(),
    })
    .map(({ candidates, amount, hoursInVault, deposit }) =>
      inputs(
        candidates.map((one, index) => ({
          ...one,
          vaultId: `vlt_${index}`,
          lendingBaseline: index === 0,
        })),
        { amount, hoursInVault, currentVaultId: deposit ? null : 'vlt_0' },
      ),
    );
  const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

  it('is plain JSON, and is made again from its inputs, in whatever order its candidates came', () => {
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

  it('holds every candidate, and one choice, all of whose gates passed', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const { alternatives, kind, reason, toVaultId, rationale } = decide(given);
        expect(alternatives.map(({ vaultId }) => vaultId).toSorted()).toEqual(
          given.candidates.map(({ vaultId }) => vaultId),
        );
        expect(alternatives.filter(({ action }) => action === 'hold')).toHaveLength(
          given.currentVaultId ? 1 : 0,
        );
        const choices = alternatives.filter((one) => one.chosen);
        expect(choices).toHaveLength(reason === 'no_open_vault' ? 0 : 1);
        if (kind !== 'hold') expect(choices[0]?.vaultId ?? null).toBe(toVaultId);
        if (kind === 'rebalance' || reason === 'best_vault')
          expect(choices[0]?.gates.every(({ passed }) => passed)).toBe(true);
        expect(rationale).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: 500 },
    );
  });

  it('never moves funds to a vault that is not better', () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const { kind, expectedUplift } = decide(given);
        if (kind !== 'rebalance') return;
        expect(expectedUplift.apyDelta).toBeGreaterThanOrEqual(0.01);
        expect(BigInt(expectedUplift.amount!)).toBeGreaterThanOrEqual(1_000_000n);
      }),
    );
  });
});
