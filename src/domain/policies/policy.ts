import { createHash } from 'node:crypto';
import type { Detail } from '../domain-error.js';
import { RISK_TIERS, type RiskTier } from '../vaults/vault.js';

/** What a partner, or an administrator, asks of where the partner's funds go. */
export interface PolicyRules {
  /** Ids; null: all. Cash is always allowed. */
  allowedVaults: readonly string[] | null;
  /** null: any. */
  maximumRiskTier: RiskTier | null;
  /** What a move has to beat staying by, fraction a year, where the configuration asks for less; null: nothing of its own. */
  minimumGain: number | null;
  /** Nothing is put into a vault, and nothing moves but what has to leave an unsafe one. */
  paused: boolean;
}

/** Rules in force, as a decision is made by them and keeps them. Plain JSON. */
export interface Policy extends PolicyRules {
  /** Of the partner's policies, from 1 on. */
  version: number;
  /** Names the rules: the same text, the same rules. */
  digest: string;
}

export const NO_RULES: PolicyRules = {
  allowedVaults: null,
  maximumRiskTier: null,
  minimumGain: null,
  paused: false,
};

/** Rules that a vault can fail to keep, by the names of their fields. */
export const VAULT_RULES = ['allowed_vaults', 'max_risk_tier', 'paused'] as const;
export type VaultRule = (typeof VAULT_RULES)[number];

const rankOf = (tier: RiskTier): number => RISK_TIERS.indexOf(tier);

/** What holds where both do: of each rule the narrower one. */
export const narrowed = (own: PolicyRules, bounds: PolicyRules): PolicyRules => ({
  allowedVaults: bothLists(own.allowedVaults, bounds.allowedVaults),
  maximumRiskTier: lowerTier(own.maximumRiskTier, bounds.maximumRiskTier),
  minimumGain:
    own.minimumGain === null && bounds.minimumGain === null
      ? null
      : Math.max(own.minimumGain ?? 0, bounds.minimumGain ?? 0),
  paused: own.paused || bounds.paused,
});

const bothLists = (one: PolicyRules['allowedVaults'], other: PolicyRules['allowedVaults']) =>
  one === null || other === null ? (one ?? other) : one.filter((id) => other.includes(id));

const lowerTier = (one: RiskTier | null, other: RiskTier | null): RiskTier | null =>
  one === null || other === null ? (one ?? other) : rankOf(one) < rankOf(other) ? one : other;

/** What of a partner's own rules its bounds do not let it ask for; null: nothing. A rule that it leaves out is its bound. */
export function loosened(own: PolicyRules, bounds: PolicyRules): Detail | null {
  const { allowedVaults, maximumRiskTier: tier, minimumGain } = bounds;
  const beyond = own.allowedVaults?.filter((id) => allowedVaults && !allowedVaults.includes(id)) ?? [];
  if (beyond.length > 0)
    return {
      field: 'allowed_vaults',
      message: `must not name ${beyond.join(', ')}: the administrator allows ${allowedVaults!.join(', ') || 'no vault'}. null stands for all of those`,
    };
  if (tier !== null && own.maximumRiskTier !== null && rankOf(own.maximumRiskTier) > rankOf(tier))
    return {
      field: 'max_risk_tier',
      message: `must be at most ${tier}, the administrator's bound. null stands for it`,
    };
  if (minimumGain !== null && own.minimumGain !== null && own.minimumGain < minimumGain)
    return {
      field: 'min_gain',
      message: `must be at least ${minimumGain}, the administrator's bound. null stands for it`,
    };
  return null;
}

/**
 * Rules that a vault does not keep.
 *
 * @param enters whether funds are to go into it. While a policy is paused they may not, and what is in a vault stays.
 */
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

/** Two policies with the same digest ask for the same. 12 hexadecimal digits. */
export function digestOf({ allowedVaults, maximumRiskTier, minimumGain, paused }: PolicyRules): string {
  const text = JSON.stringify([allowedVaults?.toSorted() ?? null, maximumRiskTier, minimumGain, paused]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** As one that decides on an asset keeps it: of the vaults that it allows, those of the asset. */
export const policyFor = (policy: Policy, vaultIds: readonly string[]): Policy => ({
  version: policy.version,
  digest: policy.digest,
  allowedVaults: policy.allowedVaults && vaultIds.filter((id) => policy.allowedVaults!.includes(id)),
  maximumRiskTier: policy.maximumRiskTier,
  minimumGain: policy.minimumGain,
  paused: policy.paused,
});
