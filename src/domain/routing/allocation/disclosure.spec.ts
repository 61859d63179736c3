import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { candidate, decisionInputs, THRESHOLDS, units } from '../../../../test/support/routing-candidate.js';
import { decide } from './choice.js';
import type { Decision, Candidate } from './decision.js';
import { coarseAmount } from './coarse.js';
import { disclosed, exposureOf } from './disclosure.js';
import type { Gate } from './gate.js';

const UNIT = 1_000_000n;
const TARGET = 'vlt_target';

interface RationaleCase {
  others: bigint;
  own?: bigint;
  amount?: bigint;
  over?: Partial<Candidate>;
  current?: string | null;
}

/** Decision on a partner's funds with one other vault. All in micro-units. */
function decided({
  others,
  own = 0n,
  amount = 10_000n * UNIT,
  over = {},
  current = null,
}: RationaleCase): Decision {
  const vault = (vaultId: string, rate: number, more: Partial<Candidate> = {}): Candidate =>
    candidate({
      vaultId,
      lendingBaseline: vaultId !== TARGET,
      assets: units(100_000_000),
      liquidity: units(100_000_000),
      apy: rate,
      expectedApy: rate,
      riskAdjustedApy: rate,
      promisedApy: rate,
      cost: vaultId === TARGET ? units(2) : '0',
      ...more,
    });
  const funds = { held: (others + own).toString(), own: own.toString() };
  const candidates = [vault('vlt_lending', 0.03), vault(TARGET, 0.08, { ...funds, ...over })];
  const given = { amount: amount.toString(), currentVaultId: current, hoursInVault: 100 };
  return decide(decisionInputs(candidates, given));
}
const gateOf = (decision: Pick<Decision, 'alternatives'>, name: Gate['gate']): Gate =>
  decision.alternatives.find(({ vaultId }) => vaultId === TARGET)!.gates.find(({ gate }) => gate === name)!;
const passedOf = ({ alternatives }: Decision): string =>
  alternatives.flatMap(({ gates }) => gates.map(({ passed }) => passed)).join();

it('A decision has the exposure before and after its move, cash included, of the partner’s own funds alone', () => {
  const { inputs } = decided({ others: 7n * UNIT, own: 30n * UNIT, amount: 20n * UNIT });
  const [lending, target] = inputs.candidates;
  const candidates = [
    { ...lending!, own: units(60), venue: 'Aave', riskTier: 'low' as const },
    { ...target!, venue: 'Maple', riskTier: 'high' as const },
  ];
  const move = { ...inputs, book: units(100), currentVaultId: 'vlt_lending', candidates };
  const cash = { vlt_idle_usdc: 0.1 };
  expect(exposureOf(move, TARGET)).toEqual({
    before: {
      vaults: { vlt_lending: 0.6, [TARGET]: 0.3, ...cash },
      tiers: { low: 0.6, high: 0.3 },
      venues: { Aave: 0.6, Maple: 0.3 },
    },
    after: {
      vaults: { vlt_lending: 0.4, [TARGET]: 0.5, ...cash },
      tiers: { low: 0.4, high: 0.5 },
      venues: { Aave: 0.4, Maple: 0.5 },
    },
    limits: {
      vaults: { vlt_lending: 1, [TARGET]: THRESHOLDS.exposure.vault.high, vlt_idle_usdc: 1 },
      tiers: { low: 1, high: THRESHOLDS.exposure.tier.high },
      venues: { Aave: 1, Maple: 1 },
    },
  });
});

describe('the disclosure of a decision to a partner', () => {
  it.each<[string, RationaleCase, Gate]>(
    // prettier-ignore
    [
      [
        'capacity',
        { others: 1_234_567_891_234n, over: { capacity: (9_000_000n * UNIT).toString() } },
        { gate: 'capacity', value: 1_200_000, threshold: 9_000_000, passed: true },
      ],
      [
        'capacity',
        { others: 1_234_567_891_234n, own: 77_000n * UNIT, over: { capacity: null } },
        { gate: 'capacity', value: 1_300_000, threshold: null, passed: true },
      ],
      ['share', { others: 14_999_900n * UNIT, amount: 10n * UNIT, current: 'vlt_lending' }, { gate: 'share', value: 0.15, threshold: 0.15, passed: true }],
      ['share', { others: 15_004_000n * UNIT, amount: 10n * UNIT, current: 'vlt_lending' }, { gate: 'share', value: 0.15, threshold: 0.15, passed: false }],
      ['size', { others: 0n, amount: 123_456n * UNIT, current: 'vlt_lending' }, { gate: 'size', value: 810, threshold: 10, passed: true }],
    ],
  )(
    'The disclosure of a decision to a partner rounds the value of the gate %s to two digits, and keeps its result',
    (gate, told, expected) => {
      const record = decided(told);
      expect(gateOf(disclosed(record), gate as Gate['gate'])).toEqual(expected);
      expect(gateOf(record, gate as Gate['gate']).passed).toBe(expected.passed);
    },
  );

  it('The disclosure of a decision to a partner does not change other gates or the choice', () => {
    const record = decided({ others: 1_234_567_891_234n, current: 'vlt_lending' });
    const { alternatives, inputs, rationale, inflows, ...rest } = disclosed(record);
    expect(inflows).toEqual([]);
    const brought = { inflowOfOthers: units(120_000) };
    expect(disclosed(decided({ others: 0n, over: brought })).inflows).toEqual([
      { vaultId: TARGET, amount: units(120_000) },
    ]);
    expect(record).toMatchObject(rest);
    expect(rationale).toBe(record.rationale);
    const others = ({ gates, ...alternative }: Decision['alternatives'][number]) => ({
      ...alternative,
      gates: gates.filter(({ gate }) => !['capacity', 'size', 'share'].includes(gate)),
    });
    expect(alternatives.map(others)).toEqual(record.alternatives.map(others));
    for (const shown of inputs.candidates) {
      expect(shown).not.toHaveProperty('held');
      expect(shown).not.toHaveProperty('own');
    }
  });

  it('The disclosure of a decision to a partner rounds figures in the rationale too', () => {
    const record = decided({ others: 20_123_456n * UNIT, current: 'vlt_lending' });
    expect(record.rationale).toMatch(/Share \(20 %, must be at most 15 %\)/);
    expect(disclosed(record).rationale).toContain('It fails Share (20 %, must be at most 15 %).');
  });

  it('The disclosure of a decision to a partner is the same for all holdings of others that round to the same two digits, whatever the partner adds', () => {
    const micro = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const above0 = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(micro, micro, above0, fc.boolean(), (others, own, amount, moves) => {
        const told = { own, amount, current: moves ? 'vlt_lending' : null };
        const [exact, coarse] = [others, coarseAmount(others)].map((holdings) =>
          decided({ ...told, others: holdings }),
        );
        // Cases in which rounding does not change the outcome of the gates.
        fc.pre(passedOf(exact!) === passedOf(coarse!));
        expect(disclosed(exact!)).toEqual(disclosed(coarse!));
      }),
      { numRuns: 500 },
    );
  });
});

it.each([
  [0n, 0n],
  [9n, 9n],
  [99n, 99n],
  [994n, 990n],
  [995n, 1_000n],
  [1_249_999n, 1_200_000n],
  [1_250_000n, 1_300_000n],
])('%d rounded to two digits is %d', (amount, coarse) => expect(coarseAmount(amount)).toBe(coarse));
