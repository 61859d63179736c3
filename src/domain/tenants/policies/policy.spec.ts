import { describe, expect, it } from '@jest/globals';
import { brokenRules, digestOf, loosened, narrowed, NO_RULES, type PolicyRules } from './policy.js';

const rules = (over: Partial<PolicyRules> = {}): PolicyRules => ({ ...NO_RULES, ...over });

describe('rules and their bounds', () => {
  it.each<[Partial<PolicyRules>, Partial<PolicyRules>, Partial<PolicyRules>]>([
    [{}, {}, {}],
    [{ allowedVaults: ['a', 'b'] }, {}, { allowedVaults: ['a', 'b'] }],
    [{}, { allowedVaults: ['a'] }, { allowedVaults: ['a'] }],
    [{ allowedVaults: ['a', 'b'] }, { allowedVaults: ['b', 'c'] }, { allowedVaults: ['b'] }],
    [{ allowedVaults: [] }, { allowedVaults: ['b'] }, { allowedVaults: [] }],
    [{ maximumRiskTier: 'high' }, { maximumRiskTier: 'low' }, { maximumRiskTier: 'low' }],
    [{ maximumRiskTier: 'low' }, { maximumRiskTier: 'high' }, { maximumRiskTier: 'low' }],
    [{ maximumRiskTier: 'medium' }, {}, { maximumRiskTier: 'medium' }],
    [{ minimumGain: 0 }, {}, { minimumGain: 0 }],
    [{ minimumGain: 0.1 }, { minimumGain: 0.2 }, { minimumGain: 0.2 }],
    [{ paused: true }, {}, { paused: true }],
    [{}, { paused: true }, { paused: true }],
  ])('%j within %j is %j', (own, bounds, both) => {
    expect(narrowed(rules(own), rules(bounds))).toEqual(rules(both));
  });

  it.each<[Partial<PolicyRules>, Partial<PolicyRules>, string | null]>([
    [{}, { allowedVaults: ['a'], maximumRiskTier: 'low', minimumGain: 0.1, paused: true }, null],
    [{ allowedVaults: ['a', 'b'] }, { allowedVaults: ['a'] }, 'allowed_vaults'],
    [{ allowedVaults: ['a'] }, { allowedVaults: ['a', 'b'] }, null],
    [{ allowedVaults: [] }, { allowedVaults: [] }, null],
    [{ maximumRiskTier: 'medium' }, { maximumRiskTier: 'low' }, 'max_risk_tier'],
    [{ maximumRiskTier: 'low' }, { maximumRiskTier: 'low' }, null],
    [{ minimumGain: 0.05 }, { minimumGain: 0.1 }, 'min_gain'],
    [{ minimumGain: 0.1 }, { minimumGain: 0.1 }, null],
  ])('%j against %j is too wide in %s', (own, bounds, field) => {
    expect(loosened(rules(own), rules(bounds))?.field ?? null).toBe(field);
  });

  it('have one digest where they ask for the same, in whatever order', () => {
    const digest = digestOf(rules({ allowedVaults: ['a', 'b'] }));
    expect(digestOf(rules({ allowedVaults: ['b', 'a'] }))).toBe(digest);
    for (const other of [{ allowedVaults: null }, { allowedVaults: ['a'] }, { paused: true }])
      expect(digestOf(rules({ allowedVaults: ['a', 'b'], ...other }))).not.toBe(digest);
  });
});

describe('a vault', () => {
  const broken = (over: Partial<PolicyRules>, enters = true) =>
    brokenRules(rules(over), { vaultId: 'a', riskTier: 'medium' }, enters);

  it('fails each rule that it does not keep', () => {
    expect(broken({})).toEqual([]);
    expect(broken({ allowedVaults: ['a'], maximumRiskTier: 'medium' })).toEqual([]);
    expect(broken({ allowedVaults: ['b'], maximumRiskTier: 'low', paused: true })).toEqual([
      'allowed_vaults',
      'max_risk_tier',
      'paused',
    ]);
  });

  it('keeps what it holds while the policy is paused', () => {
    expect(broken({ allowedVaults: [], paused: true }, false)).toEqual([]);
    expect(broken({ allowedVaults: [] }, false)).toEqual(['allowed_vaults']);
  });

  it('of a record of before risks were kept is of any', () => {
    expect(brokenRules(rules({ maximumRiskTier: 'low' }), { vaultId: 'a' }, true)).toEqual([]);
  });
});
