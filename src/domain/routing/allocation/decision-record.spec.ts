import { describe, expect, it } from '@jest/globals';
import {
  candidate,
  decisionInputs,
  IDLE,
  THRESHOLDS,
  units,
} from '../../../../test/support/routing-candidate.js';
import { NO_RULES } from '../../tenants/policies/policy.js';
import { decide } from './choice.js';
import type { Candidate, Decision, DecisionInputs } from './decision.js';
import { fits, marketIdOf, parseMarket, marketOf } from './decision-market.js';
import { compactRecord, expandRecord } from './decision-record.js';

const VAULTS = 50;

/** Candidates that differ in everything, some of them of a share price, unknown, or out of reach. */
const catalogue = (over: (index: number) => Partial<Candidate> = () => ({})): Candidate[] =>
  Array.from({ length: VAULTS }, (_, index) =>
    candidate({
      vaultId: `vlt_${index}`,
      riskTier: (['low', 'medium', 'high'] as const)[index % 3]!,
      venue: `venue ${index % 7}`,
      apy: 0.03 + Math.sin(index) / 60,
      expectedApy: index % 9 === 0 ? null : 0.031 + Math.sin(index) / 61,
      riskAdjustedApy: index % 9 === 0 ? null : 0.03 + Math.sin(index) / 62,
      promisedApy: 0.03 + Math.cos(index) / 63,
      lastingApy: 0.028 + Math.sin(index) / 64,
      steadyApy: 0.029 + Math.sin(index) / 65,
      assets: units(1_000_000 + index * 7_919),
      liquidity: index % 11 === 0 ? null : units(90_000 + index * 677),
      dilution: index % 2 ? 'pool' : 'none',
      held: units(index * 13),
      lendingBaseline: index === 1,
      ...(index % 5 === 0 && {
        price: { pendingChange: index / 1e6, maximumStep: 0.01, divergence: null, maximumDivergence: 0.03 },
      }),
      ...over(index),
    }),
  );

/** What earlier decisions of the hour moved, and what the holding's partner has. */
const later = (index: number): Partial<Candidate> => ({
  inflow: units(index * 10),
  ...(index % 2 === 0 && { inflowOfOthers: units(index * 10) }),
  ...(index === 3 && { own: units(500), cost: '0', hoursSinceLeft: 7 }),
  held: units(index * 23 + 1),
  ours: units(index * 20),
});

const holding: Partial<DecisionInputs> = {
  currentVaultId: 'vlt_3',
  hoursInVault: 90,
  groupAmount: units(10_000),
};
const POLICY = {
  ...NO_RULES,
  version: 1,
  digest: 'd',
  allowedVaults: ['vlt_3', 'vlt_4'],
  exposureBounds: NO_RULES.exposure,
};

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const CASES: [of: string, decision: Decision][] = [
  ['a deposit', decide(decisionInputs(catalogue()))],
  ['a deposit that no vault takes', decide(decisionInputs(catalogue(() => ({ active: false }))))],
  ['a move, late in its hour', decide(decisionInputs(catalogue(later), holding))],
  ['a hold', decide(decisionInputs(catalogue(later), { ...holding, hoursInVault: 1 }))],
  [
    'an eviction',
    decide(
      decisionInputs(
        catalogue((index) => ({ active: index !== 3 })),
        holding,
      ),
    ),
  ],
  ['cash', decide(decisionInputs(catalogue(later), { ...holding, currentVaultId: IDLE }))],
  ['a drifted book', decide(decisionInputs(catalogue(later), { ...holding, drifted: true }))],
  ['a policy', decide(decisionInputs(catalogue(later), { ...holding, policy: POLICY }))],
  [
    'a part of a batch',
    decide(
      decisionInputs(catalogue(later), {
        ...holding,
        shared: { vaultId: 'vlt_7', amount: units(900), gain: units(40), promise: units(30) },
      }),
    ),
  ],
  [
    'other figures than any decision has',
    {
      ...decide(decisionInputs(catalogue(later), holding)),
      alternatives: decide(decisionInputs(catalogue(later), holding)).alternatives.map(
        (alternative, index) => ({
          ...alternative,
          rate: index === 4 ? null : alternative.rate,
          gates: alternative.gates.map((gate) => ({ ...gate, value: index / 7, passed: index % 3 > 0 })),
        }),
      ),
    },
  ],
];

const first = decide(decisionInputs(catalogue()));
const { market, text } = marketOf(first, 'dec_first');

describe('a decision stored beside the market of its hour', () => {
  it.each(CASES)(
    'A decision stored beside the market of its hour is the same when it is read: %s',
    (_, decision) => {
      const stored = throughJson(compactRecord(decision, market));
      const read = expandRecord(stored, parseMarket(market.id, text));
      expect(throughJson(read)).toStrictEqual(throughJson(decision));
      const { inputs: _read, ...rest } = read;
      const { inputs: _inputs, ...decided } = decision;
      expect(JSON.stringify(rest)).toBe(JSON.stringify(decided));
    },
  );

  it.each(CASES)(
    'A decision stored beside the market of its hour may itself be the first of its hour: %s',
    (_, decision) => {
      const { market: ownMarket } = marketOf(decision, 'dec_1');
      for (const [, other] of CASES)
        expect(
          throughJson(expandRecord(throughJson(compactRecord(other, ownMarket)), ownMarket)),
        ).toStrictEqual(throughJson(other));
    },
  );

  it.each(CASES.slice(0, -1))(
    'A decision stored beside the market of its hour takes less than a tenth of what it takes whole: %s',
    (_, decision) => {
      const bytes = JSON.stringify(compactRecord(decision, market)).length;
      expect(bytes).toBeLessThan(JSON.stringify(decision).length / 10);
    },
  );

  it('A decision stored beside the market of its hour is read by its market alone, which its id names', () => {
    expect(marketIdOf(text)).toBe(market.id);
    expect(marketIdOf(text.replace('0.03', '0.04'))).not.toBe(market.id);
    const compact = compactRecord(first, market);
    const other = parseMarket('x', text.replace('vlt_12"', 'vlt_99"'));
    expect(JSON.stringify(expandRecord(compact, other))).not.toBe(JSON.stringify(first));
  });

  it('A decision stored beside the market of its hour refers only to a market of its hour, its vaults and its constants', () => {
    const inputs = decisionInputs(catalogue(later), holding);
    expect(fits(market, decide(inputs))).toBe(true);
    expect(fits(market, decide({ ...inputs, snapshotHour: '2026-01-01T00:00:00.000Z' }))).toBe(false);
    expect(fits(market, decide({ ...inputs, candidates: inputs.candidates.slice(1) }))).toBe(false);
    expect(fits(market, decide({ ...inputs, candidates: inputs.candidates.toReversed() }))).toBe(false);
    expect(fits(market, decide({ ...inputs, constants: { ...THRESHOLDS, horizonDays: 21 } }))).toBe(false);
  });
});
