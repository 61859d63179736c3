import type { DomainSettings } from '../../../config/domain-settings.js';
import type { RiskTier } from '../../kernel/catalogue/catalogue.js';
import type { Detail } from '../../kernel/domain-error.js';

/** Largest parts of a partner's book of an asset, cash included, as fractions; 1: no limit. */
export interface ExposureLimits {
  vault: Record<RiskTier, number>;
  tier: Record<RiskTier, number>;
  /** In all vaults of a venue, by its name in the catalogue; an absent venue has no limit. */
  venue: Record<string, number>;
}

/** Limits of the configuration, which knows no venues. */
export type ExposureDefaults = Pick<ExposureLimits, 'vault' | 'tier'>;

export const exposureDefaults = ({ constants }: Pick<DomainSettings, 'constants'>): ExposureDefaults => ({
  vault: constants.routing.maxVaultExposure,
  tier: constants.routing.maxTierExposure,
});

/** Limits that a partner or an administrator sets; an absent one is left as it is. */
export interface ExposureRules {
  vault: Partial<Record<RiskTier, number>>;
  tier: Partial<Record<RiskTier, number>>;
  venue: Record<string, number>;
}

export const NO_EXPOSURE_RULES: ExposureRules = { vault: {}, tier: {}, venue: {} };

const KINDS = ['vault', 'tier', 'venue'] as const;

/** Limits in force: an administrator's bound replaces the default, and a partner's own limit narrows the result. */
export function exposureLimits(
  defaults: ExposureDefaults,
  ownRules: ExposureRules,
  bounds: ExposureRules,
): ExposureLimits {
  const { vault, tier } = defaults;
  return {
    vault: narrow({ ...vault, ...bounds.vault }, ownRules.vault),
    tier: narrow({ ...tier, ...bounds.tier }, ownRules.tier),
    venue: narrow(bounds.venue, ownRules.venue),
  };
}

const narrow = <T extends Record<string, number>>(widest: T, ownLimits: Partial<T>): T => ({
  ...widest,
  ...Object.fromEntries(
    Object.entries(ownLimits as Record<string, number>).map(([of, limit]) => [
      of,
      Math.min(limit, widest[of] ?? 1),
    ]),
  ),
});

/** First of a partner's own limits that is wider than its bound or, where it has none, than the default; null: none. */
export function loosenedExposure(
  ownRules: ExposureRules,
  bounds: ExposureRules,
  defaults: ExposureDefaults,
): Detail | null {
  const inForce = exposureLimits(defaults, ownRules, bounds);
  for (const kind of KINDS)
    for (const [of, limit] of Object.entries(ownRules[kind])) {
      const bound = (inForce[kind] as Record<string, number>)[of]!;
      if (limit > bound)
        return {
          field: `max_${kind}_exposure.${of}`,
          message: `must be at most ${bound}, the administrator's bound. Leave it out to use that bound`,
        };
    }
  return null;
}

/** Rules as a text: equal rules have equal texts, whatever the order of their keys. */
export const exposureText = (rules: ExposureRules): string =>
  JSON.stringify(KINDS.map((kind) => Object.entries(rules[kind]).toSorted(([a], [b]) => (a < b ? -1 : 1))));
