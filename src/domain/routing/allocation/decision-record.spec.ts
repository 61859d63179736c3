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
import { fits, marketIdOf, marketIn, marketOf } from './decision-market.js';
import { ownOf, wholeOf } from './decision-record.js';

const VAULTS = 50;

/** Candidates that differ in everything, some of them of a share price, unknown, or out of reach. */
const catalogue = (over: (place: number) => Partial<Candidate> = () => ({})): Candidate[] =>
  Array.from({ length: VAULTS }, (_, place) =>
    candidate({
      vaultId: `vlt_${place}`,
      riskTier: (['low', 'medium', 'high'] as const)[place % 3]!,
      venue: `venue ${place % 7}`,
      apy: 0.03 + Math.sin(place) / 60,
      expectedApy: place % 9 === 0 ? null : 0.031 + Math.sin(place) / 61,
      riskAdjustedApy: place % 9 === 0 ? null : 0.03 + Math.sin(place) / 62,
      promisedApy: 0.03 + Math.cos(place) / 63,
      lastingApy: 0.028 + Math.sin(place) / 64,
      steadyApy: 0.029 + Math.sin(place) / 65,
      assets: units(1_000_000 + place * 7_919),
      liquidity: place % 11 === 0 ? null : units(90_000 + place * 677),
      dilution: place % 2 ? 'pool' : 'none',
      held: units(place * 13),
      lendingBaseline: place === 1,
      ...(place % 5 === 0 && {
        price: { pendingChange: place / 1e6, maximumStep: 0.01, divergence: null, maximumDivergence: 0.03 },
      }),
      ...over(place),
    }),
  );

/** What earlier decisions of the hour moved, and what the holding's partner has. */
const later = (place: number): Partial<Candidate> => ({
  inflow: units(place * 10),
  ...(place % 2 === 0 && { inflowOfOthers: units(place * 10) }),
  ...(place === 3 && { own: units(500), cost: '0', hoursSinceLeft: 7 }),
  held: units(place * 23 + 1),
  ours: units(place * 20),
});

const held: Partial<DecisionInputs> = {
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
  ['a move, late in its hour', decide(decisionInputs(catalogue(later), held))],
  ['a hold', decide(decisionInputs(catalogue(later), { ...held, hoursInVault: 1 }))],
  [
    'an eviction',
    decide(
      decisionInputs(
        catalogue((place) => ({ active: place !== 3 })),
        held,
      ),
    ),
  ],
  ['cash', decide(decisionInputs(catalogue(later), { ...held, currentVaultId: IDLE }))],
  ['a drifted book', decide(decisionInputs(catalogue(later), { ...held, drifted: true }))],
  ['a policy', decide(decisionInputs(catalogue(later), { ...held, policy: POLICY }))],
  [
    'a part of a batch',
    decide(
      decisionInputs(catalogue(later), {
        ...held,
        shared: { vaultId: 'vlt_7', amount: units(900), gain: units(40), promise: units(30) },
      }),
    ),
  ],
  [
    'other figures than any decision has',
    {
      ...decide(decisionInputs(catalogue(later), held)),
      alternatives: decide(decisionInputs(catalogue(later), held)).alternatives.map((one, place) => ({
        ...one,
        rate: place === 4 ? null : one.rate,
        gates: one.gates.map((gate) => ({ ...gate, value: place / 7, passed: place % 3 > 0 })),
      })),
    },
  ],
];

const first = decide(decisionInputs(catalogue()));
const { market, text } = marketOf(first, 'dec_first');

describe('a decision stored beside the market of its hour', () => {
  it.each(CASES)(
    'A decision stored beside the market of its hour is the same when it is read: %s',
    (_, decision) => {
      const stored = throughJson(ownOf(decision, market));
      const read = wholeOf(stored, marketIn(market.id, text));
      expect(throughJson(read)).toStrictEqual(throughJson(decision));
      const { inputs: _read, ...rest } = read;
      const { inputs: _made, ...made } = decision;
      expect(JSON.stringify(rest)).toBe(JSON.stringify(made));
    },
  );

  it.each(CASES)(
    'A decision stored beside the market of its hour may itself be the first of its hour: %s',
    (_, decision) => {
      const own = marketOf(decision, 'dec_1');
      for (const [, other] of CASES)
        expect(throughJson(wholeOf(throughJson(ownOf(other, own.market)), own.market))).toStrictEqual(
          throughJson(other),
        );
    },
  );

  it.each(CASES.slice(0, -1))(
    'A decision stored beside the market of its hour takes less than a tenth of what it takes whole: %s',
    (_, decision) => {
      const bytes = JSON.stringify(ownOf(decision, market)).length;
      expect(bytes).toBeLessThan(JSON.stringify(decision).length / 10);
    },
  );

  it('A decision stored beside the market of its hour is read by its market alone, which its id names', () => {
    expect(marketIdOf(text)).toBe(market.id);
    expect(marketIdOf(text.replace('0.03', '0.04'))).not.toBe(market.id);
    const own = ownOf(first, market);
    const other = marketIn('x', text.replace('vlt_12"', 'vlt_99"'));
    expect(JSON.stringify(wholeOf(own, other))).not.toBe(JSON.stringify(first));
  });

  it('A decision stored beside the market of its hour refers only to a market of its hour, its vaults and its constants', () => {
    const inputs = decisionInputs(catalogue(later), held);
    expect(fits(market, decide(inputs))).toBe(true);
    expect(fits(market, decide({ ...inputs, snapshotHour: '2026-01-01T00:00:00.000Z' }))).toBe(false);
    expect(fits(market, decide({ ...inputs, candidates: inputs.candidates.slice(1) }))).toBe(false);
    expect(fits(market, decide({ ...inputs, candidates: inputs.candidates.toReversed() }))).toBe(false);
    expect(fits(market, decide({ ...inputs, constants: { ...THRESHOLDS, horizonDays: 21 } }))).toBe(false);
  });
});
