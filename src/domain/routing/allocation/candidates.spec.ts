import { describe, expect, it } from '@jest/globals';
import { THRESHOLDS } from '../../../../test/support/routing-candidate.js';
import { routingVault, vaultOf } from '../../../../test/support/vault.js';
import { idleVault } from '../../../config/vault-catalogue.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { addHours } from '../../kernel/clock.js';
import { inputsOf, type RoutingVault } from './candidates.js';
import { failedGates, stayGates } from './gates.js';

const HOUR = new Date('2026-03-12T10:00:00.000Z');
const RULES = {
  constants: THRESHOLDS,
  configVersion: 'v1',
  bridgeCosts: [],
  isShared: false,
  returnHalfLifeHours: 72,
  haircut: { low: 0.05, medium: 0.15, high: 0.3 },
  maximumStep: 0.001,
  maximumDivergence: 0.03,
};

/** Vault observed at 6 % now, after 5 % in the last hours and 4 % in the long run. */
const evaluated = (over: Partial<RoutingVault> = {}, vault: Partial<Vault> = {}): RoutingVault => {
  const base = routingVault(HOUR, { vault: vaultOf({ id: 'vlt_one', ...vault }) });
  const state = { ...base.state, lastApy: 0.06, smoothed: { recent: 0.05, long: 0.04 } };
  return { ...base, state, expectedApy: 0.0421, riskAdjustedApy: 0.039, ...over };
};

/** A market of vaults and cash. */
const marketOf = (...vaults: RoutingVault[]) => {
  const cash = routingVault(HOUR, { vault: idleVault('USDC') });
  return { hour: HOUR, vaults: new Map([...vaults, cash].map((vault, index) => [`vlt_${index}`, vault])) };
};
const candidateOf = (vault: RoutingVault, rules = RULES) =>
  inputsOf(marketOf(vault), { asset: 'USDC', amount: 1n, vaultId: null, hoursInVault: 0 }, HOUR, rules)
    .candidates[0]!;

// Less 15 % and 0.0005 for the downside.
const KNOWN = { expectedApy: 0.05, riskAdjustedApy: 0.05 * 0.85 - 0.0005 };
const BEHIND = { threeDayApy: 0.02, threeDayLead: -0.0051, shortApy: 0.06 };
const SHORT = { ...RULES, constants: { ...RULES.constants, horizonDays: 1 } };
const UNSEEN = { ...evaluated().state, lastApy: null, observedHour: null, smoothed: null };
const near = (rate: number) => expect.closeTo(rate, 8);

describe('a rate of a candidate', () => {
  it.each<[string, Partial<RoutingVault>, Partial<Vault>, object, typeof RULES?]>(
    // prettier-ignore
    [
      ['is promised from the last observation, not its average: 6 % now and 4 % long-term is 4.428548 % over 20 days', {}, {}, { promisedApy: near(0.04428548) }],
      ['is promised over the longer horizon: 6 % now and 4 % long-term is 4.144269 % over 60 days', {}, {}, { promisedLastingApy: near(0.04144269) }],
      ['is promised by the routing horizon', {}, {}, { promisedApy: near(0.05785763) }, SHORT],
      ['is promised by the half-life of the vault', {}, { returnHalfLifeHours: 1 }, { promisedApy: near(0.04006011) }],
      ['has no promise with insufficient history', { expectedApy: null }, {}, { promisedApy: null }],
      ['has no promise without an observation', { state: UNSEEN }, {}, { promisedApy: null }],
      ['is that of the last three days if the vault was over 0.5 pp behind the lending vault in each hour', BEHIND, {}, { expectedApy: 0.02, lastingApy: near(0.018005) }],
      ['is the expected one if the vault was 0.5 pp behind at most', { ...BEHIND, threeDayLead: -0.005 }, {}, { expectedApy: 0.0421 }],
      ['is the last observation after the haircut, less the downside', KNOWN, { riskTier: 'medium' }, { currentRiskAdjustedApy: near(0.06 * 0.85 - 0.0005) }],
      ['is lastingly the long average after the haircut, less the downside', KNOWN, { riskTier: 'medium' }, { lastingApy: near(0.04 * 0.85 - 0.0005) }],
      ['is unknown with insufficient history', { riskAdjustedApy: null }, {}, { currentRiskAdjustedApy: null, lastingApy: null }],
    ],
  )('A rate of a candidate %s', (_, over, vault, rates, rules = RULES) =>
    expect(candidateOf(evaluated(over, vault), rules)).toMatchObject(rates),
  );
});

describe('the cost of a candidate', () => {
  it('The cost of a candidate includes the median base fee if it depends on that', () => {
    const gas = { entry: 240_000, exit: 240_000, tokenPrice: 3_500_000_000n };
    const vault = evaluated({}, { gas });
    const read = { ...vault, state: { ...vault.state, baseFees: [9e9, 1e9, 1.2e9] } };
    expect(candidateOf(read)).toMatchObject({ baseFee: 1.2e9 });
    expect(candidateOf(vault)).not.toHaveProperty('baseFee');
  });
});

it('The amounts that others move in the same transaction are rounded to two digits, as the cost would reveal them', () => {
  const { shared } = inputsOf(
    marketOf(evaluated()),
    {
      asset: 'USDC',
      amount: 1n,
      vaultId: null,
      hoursInVault: 0,
      shared: { vaultId: 'vlt_0', amount: '1234567891234', gain: '9961', promise: '-2551' },
    },
    HOUR,
    RULES,
  );
  expect(shared).toEqual({ vaultId: 'vlt_0', amount: '1200000000000', gain: '10000', promise: '-2600' });
});

describe('a silent vault', () => {
  const silent = (hours: number) =>
    evaluated({ state: { ...evaluated().state, observedHour: addHours(HOUR, -hours) } });
  const failures = (hours: number, ...others: RoutingVault[]) => {
    const { candidates, constants } = inputsOf(
      marketOf(silent(hours), ...others),
      { asset: 'USDC', amount: 1n, vaultId: null, hoursInVault: 0 },
      HOUR,
      RULES,
    );
    return failedGates(stayGates(candidates[0]!, constants));
  };

  it('A silent vault is evicted from after 24 hours if another one is observed, and after 72 if none is', () => {
    expect(failures(24, evaluated())).toEqual([]);
    expect(failures(25, evaluated())).toEqual(['fresh']);
    expect(failures(72, silent(30))).toEqual([]);
    expect(failures(73, silent(30))).toEqual(['fresh']);
  });
});
