import { createHash } from 'node:crypto';
import type { Detail } from '../../kernel/domain-error.js';
import { RISK_TIERS, type RiskTier } from '../../kernel/catalogue/catalogue.js';
import {
  type ExposureDefaults,
  type ExposureRules,
  exposureText,
  loosenedExposure,
  NO_EXPOSURE_RULES,
} from './exposure-limits.js';

/** Rules of a partner, or of an administrator, on where the partner's funds may go. */
export interface PolicyRules {
  allowedVaults: readonly string[] | null;
  maximumRiskTier: RiskTier | null;
  /** Minimum gain of a move over staying, APY as a fraction, when it is above the configuration's; null: no own minimum. */
  minimumGain: number | null;
  /** Nothing enters a vault, and nothing moves except out of an unsafe one. */
  paused: boolean;
  exposure: ExposureRules;
}

export interface RulesInForce extends PolicyRules {
  /** The administrator's limits on exposure: they replace the configuration's, which the partner's own narrow. */
  exposureBounds: ExposureRules;
}

export interface Policy extends RulesInForce {
  /** Version of the partner's policy, from 1. */
  version: number;
  /** Equal digests mean equal rules. */
  digest: string;
}

export const NO_RULES: PolicyRules = {
  allowedVaults: null,
  maximumRiskTier: null,
  minimumGain: null,
  paused: false,
  exposure: NO_EXPOSURE_RULES,
};

export const VAULT_RULES = ['allowed_vaults', 'max_risk_tier', 'paused'] as const;
export type VaultRule = (typeof VAULT_RULES)[number];

const rankOf = (tier: RiskTier): number => RISK_TIERS.indexOf(tier);

export const narrow = (ownRules: PolicyRules, bounds: PolicyRules): RulesInForce => ({
  allowedVaults: bothLists(ownRules.allowedVaults, bounds.allowedVaults),
  maximumRiskTier: lowerTier(ownRules.maximumRiskTier, bounds.maximumRiskTier),
  minimumGain:
    ownRules.minimumGain === null && bounds.minimumGain === null
      ? null
      : Math.max(ownRules.minimumGain ?? 0, bounds.minimumGain ?? 0),
  paused: ownRules.paused || bounds.paused,
  exposure: ownRules.exposure,
  exposureBounds: bounds.exposure,
});

const bothLists = (list: PolicyRules['allowedVaults'], other: PolicyRules['allowedVaults']) =>
  list === null || other === null ? (list ?? other) : list.filter((id) => other.includes(id));

const lowerTier = (tier: RiskTier | null, other: RiskTier | null): RiskTier | null =>
  tier === null || other === null ? (tier ?? other) : rankOf(tier) < rankOf(other) ? tier : other;

/** First of a partner's own rules that is wider than its bound; null: none. An omitted rule equals its bound. */
export function loosened(
  ownRules: PolicyRules,
  bounds: PolicyRules,
  defaults: ExposureDefaults,
): Detail | null {
  const { allowedVaults, maximumRiskTier: tier, minimumGain } = bounds;
  const beyond = ownRules.allowedVaults?.filter((id) => allowedVaults && !allowedVaults.includes(id)) ?? [];
  if (beyond.length > 0)
    return {
      field: `allowed_vaults[${ownRules.allowedVaults!.indexOf(beyond[0]!)}]`,
      message: `must not name ${beyond.join(', ')}: the administrator allows ${allowedVaults!.join(', ') || 'no vault'}. null allows all of these`,
    };
  if (tier !== null && ownRules.maximumRiskTier !== null && rankOf(ownRules.maximumRiskTier) > rankOf(tier))
    return {
      field: 'max_risk_tier',
      message: `must be at most ${tier}, the administrator's bound. null uses that bound`,
    };
  if (minimumGain !== null && ownRules.minimumGain !== null && ownRules.minimumGain < minimumGain)
    return {
      field: 'min_gain',
      message: `must be at least ${minimumGain}, the administrator's bound. null uses that bound`,
    };
  return loosenedExposure(ownRules.exposure, bounds.exposure, defaults);
}

/** Rules that a vault violates. @param enters whether funds would enter it: a paused policy forbids that, but leaves funds that are in the vault. */
export function brokenRules(
  { allowedVaults, maximumRiskTier, paused }: PolicyRules,
  { vaultId, riskTier }: { vaultId: string; riskTier?: RiskTier },
  enters: boolean,
): VaultRule[] {
  if (paused && !enters) return [];
  const broken: Record<VaultRule, boolean> = {
    allowed_vaults: allowedVaults !== null && !allowedVaults.includes(vaultId),
    max_risk_tier:
      maximumRiskTier !== null && riskTier !== undefined && rankOf(riskTier) > rankOf(maximumRiskTier),
    paused,
  };
  return VAULT_RULES.filter((rule) => broken[rule]);
}

/** Digest of the rules: 12 hexadecimal digits, equal for equal policies. */
export function digestOf(rules: PolicyRules & Partial<RulesInForce>): string {
  const { allowedVaults, maximumRiskTier, minimumGain, paused, exposure, exposureBounds } = rules;
  const limits = [exposure, exposureBounds ?? NO_EXPOSURE_RULES].map(exposureText);
  const text = JSON.stringify([
    allowedVaults?.toSorted() ?? null,
    maximumRiskTier,
    minimumGain,
    paused,
    ...limits,
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Policy as a decision on an asset stores it: its allowed vaults reduced to that asset. */
export const policyFor = (policy: Policy, vaultIds: readonly string[]): Policy => ({
  ...policy,
  allowedVaults: policy.allowedVaults && vaultIds.filter((id) => policy.allowedVaults!.includes(id)),
});
