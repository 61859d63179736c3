import { describe, expect, it } from '@jest/globals';
import { exposureLimits, type ExposureRules, NO_EXPOSURE_RULES } from './exposure-limits.js';
import { brokenRules, digestOf, loosened, narrow, NO_RULES, type PolicyRules } from './policy.js';

const DEFAULTS = {
  vault: { low: 1, medium: 0.5, high: 0.2 },
  tier: { low: 1, medium: 1, high: 0.25 },
};
const exposure = (over: Partial<ExposureRules>): ExposureRules => ({ ...NO_EXPOSURE_RULES, ...over });
const rules = (over: Partial<PolicyRules> = {}): PolicyRules => ({ ...NO_RULES, ...over });

describe('the rules of a policy and their bounds', () => {
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
  ])('%j within %j become %j', (ownRules, bounds, both) => {
    expect(narrow(rules(ownRules), rules(bounds))).toMatchObject(rules(both));
  });

  it.each<[Partial<PolicyRules>, Partial<PolicyRules>, string | null]>([
    [{}, { allowedVaults: ['a'], maximumRiskTier: 'low', minimumGain: 0.1, paused: true }, null],
    [{ allowedVaults: ['a', 'b'] }, { allowedVaults: ['a'] }, 'allowed_vaults[1]'],
    [{ allowedVaults: ['a'] }, { allowedVaults: ['a', 'b'] }, null],
    [{ allowedVaults: [] }, { allowedVaults: [] }, null],
    [{ maximumRiskTier: 'medium' }, { maximumRiskTier: 'low' }, 'max_risk_tier'],
    [{ maximumRiskTier: 'low' }, { maximumRiskTier: 'low' }, null],
    [{ minimumGain: 0.05 }, { minimumGain: 0.1 }, 'min_gain'],
    [{ minimumGain: 0.1 }, { minimumGain: 0.1 }, null],
  ])('%j against %j exceed the bounds in %s', (ownRules, bounds, field) => {
    expect(loosened(rules(ownRules), rules(bounds), DEFAULTS)?.field ?? null).toBe(field);
  });

  it.each<[Partial<ExposureRules>, Partial<ExposureRules>, object]>(
    // prettier-ignore
    [
      [{}, {}, { ...DEFAULTS, venue: {} }],
      [{ vault: { high: 0.1 }, venue: { A: 0.3 } }, {}, { vault: { ...DEFAULTS.vault, high: 0.1 }, venue: { A: 0.3 } }],
      [{}, { tier: { high: 0.6 }, venue: { A: 0.5 } }, { tier: { ...DEFAULTS.tier, high: 0.6 }, venue: { A: 0.5 } }],
      [{ tier: { high: 0.5 } }, { tier: { high: 0.6 } }, { tier: { ...DEFAULTS.tier, high: 0.5 } }],
      // The partner's own limit stays stored when the administrator lowers the bound, or the default.
      [{ vault: { medium: 0.8 }, venue: { A: 0.9 } }, { venue: { A: 0.4 } }, { vault: DEFAULTS.vault, venue: { A: 0.4 } }],
    ],
  )('Exposure %j within %j has the limits %j', (ownRules, bounds, limits) => {
    expect(exposureLimits(DEFAULTS, exposure(ownRules), exposure(bounds))).toMatchObject(limits);
  });

  it.each<[Partial<ExposureRules>, Partial<ExposureRules>, string | null]>([
    [{ vault: { medium: 0.5 }, tier: { high: 0 }, venue: { A: 1 } }, {}, null],
    [{ vault: { medium: 0.51 } }, {}, 'max_vault_exposure.medium'],
    [{ tier: { high: 0.6 } }, { tier: { high: 0.6 } }, null],
    [{ tier: { high: 0.25 } }, { tier: { high: 0.2 } }, 'max_tier_exposure.high'],
    [{ venue: { A: 0.5 } }, { venue: { A: 0.4 } }, 'max_venue_exposure.A'],
  ])('Exposure %j against %j exceeds the bounds in %s', (ownRules, bounds, field) => {
    const wider = loosened(
      rules({ exposure: exposure(ownRules) }),
      rules({ exposure: exposure(bounds) }),
      DEFAULTS,
    );
    expect(wider?.field ?? null).toBe(field);
  });

  it('The rules of a policy and their bounds have the same digest if they are equal in any order', () => {
    const digest = digestOf(rules({ allowedVaults: ['a', 'b'] }));
    expect(digestOf(rules({ allowedVaults: ['b', 'a'] }))).toBe(digest);
    const limited = exposure({ venue: { A: 0.5, B: 1 } });
    const turned = exposure({ venue: { B: 1, A: 0.5 } });
    expect(digestOf(rules({ exposure: turned }))).toBe(digestOf(rules({ exposure: limited })));
    for (const other of [
      { allowedVaults: null },
      { allowedVaults: ['a'] },
      { paused: true },
      { exposure: limited },
      { exposureBounds: limited },
    ])
      expect(digestOf(rules({ allowedVaults: ['a', 'b'], ...other }))).not.toBe(digest);
  });
});

describe('a vault under a policy', () => {
  const broken = (over: Partial<PolicyRules>, enters = true) =>
    brokenRules(rules(over), { vaultId: 'a', riskTier: 'medium' }, enters);

  it('A vault under a policy has the list of rules that it breaks', () => {
    expect(broken({})).toEqual([]);
    expect(broken({ allowedVaults: ['a'], maximumRiskTier: 'medium' })).toEqual([]);
    expect(broken({ allowedVaults: ['b'], maximumRiskTier: 'low', paused: true })).toEqual([
      'allowed_vaults',
      'max_risk_tier',
      'paused',
    ]);
  });

  it('A vault under a policy keeps its funds while the policy is paused', () => {
    expect(broken({ allowedVaults: [], paused: true }, false)).toEqual([]);
    expect(broken({ allowedVaults: [] }, false)).toEqual(['allowed_vaults']);
  });

  it('A vault without a risk tier in an old record breaks no rule on tiers', () => {
    expect(brokenRules(rules({ maximumRiskTier: 'low' }), { vaultId: 'a' }, true)).toEqual([]);
  });
});
