import { describe, expect, it } from '@jest/globals';
import {
  CASH,
  decisionInputs,
  HELD,
  lending,
  THRESHOLDS,
  units,
  vault,
} from '../../../../test/support/routing-candidate.js';
import { formatAmount, percentInWords, pointsInWords } from '../../kernel/money.js';
import { decide } from './choice.js';
import type { Candidate, Decision, DecisionInputs } from './decision.js';
import { gateInWords } from './gate.js';
import { digestOf, narrow, NO_RULES, type PolicyRules } from '../../tenants/policies/policy.js';
const high = (rate: number, over?: Partial<Candidate>): Candidate =>
  vault('vlt_high', rate, { riskTier: 'high', venue: 'Maple', ...over });

/** A fifth of a book in one vault of high risk, three tenths in all of them. */
const exposure = { vault: { low: 1, medium: 0.5, high: 0.2 }, tier: { low: 1, medium: 1, high: 0.3 } };
const LIMITED = { constants: { ...THRESHOLDS, exposure } };
const of = (amount: number, book = amount) => ({
  amount: units(amount),
  groupAmount: units(amount),
  book: units(book),
});
const policyOf = (rules: Partial<PolicyRules>) => ({
  policy: {
    ...narrow({ ...NO_RULES, ...rules }, NO_RULES),
    ...{ version: 3, digest: digestOf(NO_RULES) },
  },
});

type Row = [what: string, candidates: Candidate[], given: Partial<DecisionInputs>, because: string];

const ROWS: Row[] =
  // prettier-ignore
  [
    ['a deposit into the best of two vaults', [lending(0.03), vault('vlt_b', 0.042)], {},
      'its expected risk-adjusted APY of 4.20 % is the best within limits among 2 vaults, 1.20 pp over the lending vault.'],
    ['a deposit into the only vault', [lending(0.03)], {},
      'its expected risk-adjusted APY of 3.00 % is the best within limits, of one vault.'],
    ['a deposit into another vault than the best, which is full', [lending(0.03), vault('vlt_b', 0.09, { capacity: units(9_999) })], {},
      'its expected risk-adjusted APY of 3.00 % is the best within limits among 2 vaults.'],
    ['a deposit without a rate to compare with', [lending(null, { apy: null }), vault('vlt_b', 0.05)], {},
      'its expected risk-adjusted APY of 5.00 % is the best within limits among 2 vaults.'],
    ['a deposit without history', [vault('vlt_a', null), lending(null, { apy: 0.03 })], {},
      'insufficient_history, as none of 2 USDC vaults is within its limits with enough history, so it is in the lending vault.'],
    ['a deposit that no vault takes', [lending(0.03, { active: false })], {},
      'the only USDC vault is not within its limits.'],
    ['a deposit under a paused policy', [lending(0.03)], policyOf({ paused: true }),
      'the policy is paused, so nothing enters a vault.'],
    ['a deposit that is too large for the limit of its tier', [high(0.08)], { ...LIMITED, ...of(10_000) },
      'the only USDC vault is not within its limits. The best that is too small for all of it is vlt_high, which fails Exposure (100 % in all high-risk vaults, must be at most 30 %). A position is whole: deposited with `split: true`, up to 2000 USDC of it would fit.'],
    ['a deposit that is too large for a vault’s capacity', [lending(0.03, { capacity: units(2_500) })], {},
      'the only USDC vault is not within its limits. The best that is too small for all of it is vlt_lending, which fails Capacity (10000 USDC, must be at most 2500 USDC). A position is whole: deposited with `split: true`, up to 2500 USDC of it would fit.'],
    ['cash that moves into a vault', [lending(0.03)], CASH,
      'its expected risk-adjusted APY of 3.00 % is the highest of the vaults within their limits. The move costs 2 USDC.'],
    ['cash that moves by the last observed APY', [lending(null, { apy: 0.03 }), vault('vlt_b', null)], CASH,
      'insufficient_history, as no vault within its limits has enough history, so it goes to the lending vault. The move costs 2 USDC.'],
    ['cash that no vault accepts', [lending(0.03, { hoursSinceObserved: 30 })], CASH,
      'no vault accepts it now, and the best fails Fresh (30 hours, must be at most 24 hours), Reading (30 hours, must be at most 3 hours).'],
    ['cash that a full vault does not take', [lending(0.03, { capacity: '0' })], CASH,
      'vlt_lending would gain 300 USDC in 365 days, at 3.00 % instead of 0.00 %, for a cost of 2 USDC. It fails Capacity (10000 USDC, must be at most 0 USDC).'],
    ['cash whose move would not pay', [lending(0.03)], { ...CASH, ...of(80) },
      'vlt_lending would gain 2.4 USDC in 365 days, at 3.00 % instead of 0.00 %, for a cost of 2 USDC. It fails Gain (2.4 USDC, must be at least 3 USDC).'],
    ['cash that the move would use up', [lending(0.03)], { ...CASH, ...of(2) },
      'vlt_lending would gain 0.06 USDC in 365 days, at 3.00 % instead of 0.00 %, for a cost of 2 USDC. It fails Cost (2 USDC, must be below 2 USDC), Gain (0.06 USDC, must be at least 3 USDC).'],
    ['cash whose best vault is over a limit', [lending(0.03), high(0.08)], { ...CASH, ...LIMITED, ...of(50, 100) },
      'vlt_high would gain 4 USDC in 365 days, at 8.00 % instead of 0.00 %, for a cost of 2 USDC. It fails Exposure (50 % in all high-risk vaults, must be at most 30 %). A position is whole: deposited with `split: true`, up to 20 USDC of it would fit.'],
    ['a hold in the best vault', [lending(0.05), vault('vlt_b', 0.04)], HELD,
      'its expected risk-adjusted APY of 5.00 % is the highest known of 2 vaults.'],
    ['a hold without history', [lending(null), vault('vlt_b', 0.2)], HELD,
      'insufficient_history, so it cannot be compared with other vaults.'],
    ['a hold for a gain below the multiple of its cost', [lending(0.04), vault('vlt_b', 0.044)], HELD,
      'vlt_b would gain 2.19178 USDC in 20 days, at 4.40 % instead of 4.00 %, for a cost of 2 USDC. It fails Gain (2.19178 USDC, must be at least 3 USDC).'],
    ['a hold for funds that have just come', [lending(0.04), vault('vlt_b', 0.08)], { ...HELD, hoursInVault: 3 },
      'vlt_b would gain 21.917808 USDC in 20 days, at 8.00 % instead of 4.00 %, for a cost of 2 USDC. It fails Time in vault (3 hours, must be at least 6 hours).'],
    ['a hold for a promise below 0', [lending(0.04, { promisedApy: 0.06 }), vault('vlt_b', 0.05)], HELD,
      'vlt_b would gain 5.479452 USDC in 20 days, at 5.00 % instead of 4.00 %, for a cost of 2 USDC. It fails Promise (-7.479453 USDC, must be at least 2 USDC).'],
    ['a hold for a difference below the least', [lending(0.04), vault('vlt_b', 0.0405)], { ...HELD, ...of(1_000_000) },
      'vlt_b would gain 27.39726 USDC in 20 days, at 4.05 % instead of 4.00 %, for a cost of 2 USDC. It fails Difference in rate (0.05 pp, must be at least 0.10 pp).'],
    ['a hold for funds that left the vault yesterday', [lending(0.03), vault('vlt_b', 0.035, { hoursSinceLeft: 10 })], HELD,
      'vlt_b would gain 2.739726 USDC in 20 days, at 3.50 % instead of 3.00 %, for a cost of 2 USDC. It fails Gain (2.739726 USDC, must be at least 3 USDC).'],
    ['a hold of one position that is over the limit of one vault', [lending(0.03), high(0.08, { own: units(5_000) })], { ...HELD, ...LIMITED, ...of(20_000, 100_000) },
      'vlt_high would gain 54.79452 USDC in 20 days, at 8.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exposure (25 % in one high-risk vault, must be at most 20 %). A position is whole: deposited with `split: true`, up to 15000 USDC of it would fit.'],
    ['a hold of one position that is over the limit of a tier', [lending(0.03), high(0.08), high(0.02, { vaultId: 'vlt_next', own: units(15_000) })], { ...HELD, ...LIMITED, ...of(20_000, 100_000) },
      'vlt_high would gain 54.79452 USDC in 20 days, at 8.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exposure (35 % in all high-risk vaults, must be at most 30 %). A position is whole: deposited with `split: true`, up to 15000 USDC of it would fit.'],
    ['a hold of one position that is over the limit of a venue', [lending(0.03), high(0.08)], { ...HELD, ...of(40_000, 100_000), ...policyOf({ exposure: { vault: {}, tier: {}, venue: { Maple: 0.25 } } }) },
      'vlt_high would gain 109.589041 USDC in 20 days, at 8.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exposure (40 % at Maple, must be at most 25 %). A position is whole: deposited with `split: true`, up to 25000 USDC of it would fit.'],
    ['a hold of several positions that are over a limit', [lending(0.03), high(0.08)], { ...HELD, ...LIMITED, ...of(40_000, 100_000), positions: 7 },
      'vlt_high would gain 109.589041 USDC in 20 days, at 8.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exposure (40 % in one high-risk vault, must be at most 20 %).'],
    ['a hold where another vault would lose money, and the best is over a limit', [lending(0.03), vault('vlt_b', 0.0305, { cost: units(50) }), high(0.08)], { ...HELD, ...LIMITED, ...of(40_000, 100_000) },
      'vlt_high would gain 109.589041 USDC in 20 days, at 8.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exposure (40 % in all high-risk vaults, must be at most 30 %). A position is whole: deposited with `split: true`, up to 20000 USDC of it would fit.'],
    ['a hold whose best vault has no room left', [lending(0.03), high(0.08, { own: units(30_000) })], { ...HELD, ...LIMITED, ...of(20_000, 100_000) },
      'vlt_high would gain 54.79452 USDC in 20 days, at 8.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exposure (50 % in one high-risk vault, must be at most 20 %).'],
    ['a hold beside a full vault', [lending(0.03), vault('vlt_full', 0.09, { capacity: units(4_000) })], HELD,
      'vlt_full would gain 32.876712 USDC in 20 days, at 9.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Capacity (10000 USDC, must be at most 4000 USDC). A position is whole: deposited with `split: true`, up to 4000 USDC of it would fit.'],
    ['a hold beside a small vault', [lending(0.03), vault('vlt_small', 0.09, { assets: units(60_000), liquidity: units(60_000) })], HELD,
      'vlt_small would gain 32.876712 USDC in 20 days, at 9.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Size (6 times, must be at least 10 times). A position is whole: deposited with `split: true`, up to 6000 USDC of it would fit.'],
    ['a hold beside a vault that is in quarantine', [lending(0.03), vault('vlt_b', 0.09, { quarantineHours: 12 })], HELD,
      'vlt_b is the best of the others, and fails Quarantine (12 hours, must be at most 0 hours).'],
    ['a hold beside a vault that the policy forbids', [lending(0.03), high(0.09)], { ...HELD, ...policyOf({ maximumRiskTier: 'low' }) },
      'vlt_high would gain 32.876712 USDC in 20 days, at 9.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Policy (max_risk_tier).'],
    ['a hold in a vault that cannot pay out', [lending(0.03, { liquidity: units(400), assets: units(10_000_000) }), vault('vlt_b', 0.09)], HELD,
      'vlt_b would gain 32.876712 USDC in 20 days, at 9.00 % instead of 3.00 %, for a cost of 2 USDC. It fails Exit (400 USDC, must be at least 10000 USDC).'],
    ['a hold in a vault that should be left, for funds below its cost', [lending(0.09, { active: false }), vault('vlt_b', 0.01)], { ...HELD, ...of(1) },
      'the vault should be left, as it fails Open (it takes no funds), but the move would cost at least as much as the funds are worth.'],
    ['a move to a better vault', [lending(0.04), vault('vlt_b', 0.05)], HELD,
      'vlt_b has an expected risk-adjusted APY of 5.00 %, 1.00 pp over 4.00 %. The expected gain is 5.479452 USDC over 20 days; 3.479452 USDC remains after the cost of 2 USDC. All 20 gates passed.'],
    ['a move out of a vault that pays a day later', [lending(0.04, { exitDelayHours: 24 }), vault('vlt_b', 0.05)], HELD,
      'vlt_b has an expected risk-adjusted APY of 5.00 %, 1.00 pp over 4.00 %. The expected gain is 4.383561 USDC over 20 days, less 24 hours in transit; 2.383561 USDC remains after the cost of 2 USDC. All 20 gates passed.'],
    ['a move out of a vault that loses its deposits', [lending(0.09, { assetsChange: -0.7 }), vault('vlt_b', 0.02)], { ...HELD, hoursInVault: 0 },
      'vlt_lending must be left, as it fails Outflow (-70 %, must be above -50 %). That is the best vault within its limits. The move costs 2 USDC.'],
    ['a move into cash', [lending(0.09, { active: false }), vault('vlt_b', 0.05, { indexChange: -0.02 })], { ...HELD, hoursInVault: 0 },
      'vlt_lending must be left, as it fails Open (it takes no funds). No vault accepts it now, so it waits there. The move costs 1 USDC.'],
    ['a move out of a vault that the policy forbids', [high(0.09), lending(0.03)], { currentVaultId: 'vlt_high', hoursInVault: 0, ...policyOf({ maximumRiskTier: 'medium' }) },
      'the policy forbids vlt_high, as it fails Policy (max_risk_tier). That is the best vault within its limits. The move costs 2 USDC.'],
    ['a move of a book that drifted', [high(0.08, { own: units(30_000) }), vault('vlt_low', 0.04)], { ...LIMITED, currentVaultId: 'vlt_high', drifted: true, ...of(10_000, 100_000), groupAmount: units(30_000) },
      'the book has drifted over a limit, Exposure (30 %, must be at most 20 %). Of the vaults within their limits, vlt_low costs the funds least. The move costs 2 USDC.'],
  ];

/** Every figure that a sentence about a decision may have, as it is written. */
function figuresOf({ alternatives, asset, expectedUplift, inputs }: Decision): Set<string> {
  const words = alternatives.flatMap(({ rate, delta, gates }) => [
    ...gates.map((gate) => gateInWords(gate, asset)),
    ...(rate === null ? [] : [percentInWords(rate)]),
    ...(delta === null ? [] : [pointsInWords(delta)]),
    ...(expectedUplift.apyDelta === null ? [] : [pointsInWords(expectedUplift.apyDelta)]),
  ]);
  const { constants, candidates, book } = inputs;
  const amounts = [expectedUplift.amount, expectedUplift.npv, expectedUplift.cost, inputs.idle.cost];
  const rooms = candidates.flatMap(({ own, assets, capacity, held, riskTier = 'low' }) => [
    ...[exposure.vault[riskTier], exposure.tier[riskTier], inputs.policy?.exposure.venue['Maple'] ?? 1].map(
      (limit) => (BigInt(book) * BigInt(limit * 100)) / 100n - BigInt(own),
    ),
    ...(capacity === null ? [] : [BigInt(capacity) - BigInt(held)]),
    ...(assets === null ? [] : [BigInt(assets) / BigInt(constants.minimumSizeMultiple)]),
  ]);
  const days = [constants.horizonDays, constants.lastingHorizonDays, constants.cashHorizonDays];
  const known = [
    ...words,
    ...[...amounts, ...candidates.map(({ cost }) => cost)].map((micro) => formatAmount(BigInt(micro ?? 0))),
    ...rooms.map(formatAmount),
    ...[...days, ...candidates.map(({ exitDelayHours }) => exitDelayHours), alternatives.length].map(String),
    ...alternatives.map(({ gates }) => String(gates.length)),
  ];
  return new Set(known.flatMap((text) => text.match(NUMBER) ?? []));
}
const NUMBER = /-?\d+(\.\d+)?/g;

describe('the reason of a decision', () => {
  it.each(ROWS)('The reason of %s has its figures, and no other', (_, candidates, given, because) => {
    const decision = decide(decisionInputs(candidates, given));
    expect(decision.because).toBe(because);
    const known = figuresOf(decision);
    expect((because.match(NUMBER) ?? []).filter((figure) => !known.has(figure))).toEqual([]);
  });

  it.each(ROWS.filter(([, , , because]) => because.includes('split: true')))(
    'The reason of %s names an amount that its vault would take in several positions',
    (_, candidates, given, because) => {
      const amount = BigInt(/up to (\d+) USDC/.exec(because)![1]!) * 1_000_000n;
      const vaultId = /(vlt_\w+)(?:, which fails| would gain)/.exec(because)![1];
      const failed = (part: bigint): string[] => {
        const inputs = decisionInputs(candidates, { ...given, amount: part.toString(), positions: 2 });
        const { gates } = decide(inputs).alternatives.find((alternative) => alternative.vaultId === vaultId)!;
        const sizes = ['capacity', 'size', 'share', 'exposure'];
        return gates.filter(({ gate, passed }) => !passed && sizes.includes(gate)).map(({ gate }) => gate);
      };
      expect(failed(amount)).toEqual([]);
      expect(failed(amount + 1_000_000n)).toHaveLength(1);
    },
  );
});
