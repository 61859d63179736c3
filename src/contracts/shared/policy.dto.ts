import type { PolicyRules as Rules } from '../../domain/tenants/policies/policy.js';
import type { ExposureRules } from '../../domain/tenants/policies/exposure-limits.js';
import type {
  GivenRules,
  PartnerPolicy as StoredPolicy,
} from '../../domain/tenants/policies/policy.service.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/money.js';
import { RISK_TIERS, type RiskTier } from '../../domain/kernel/catalogue/catalogue.js';
import { ChoiceField, FlagField, FractionField, TextsField } from '../../http/request/fields.js';
import { defined } from '../../http/defined.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { VersionField } from '../../http/request/query-fields.js';
import { FractionsField } from '../../http/request/free-object-fields.js';

const VAULT = /^vlt_[a-z0-9_]{1,60}$/;
/** More than any catalogue has. */
const MAX_VAULTS = 100;

const PART = "as a fraction of the partner's holdings of the asset, cash included";
const OMITTED = "Omitted: unchanged. null, or a missing name: the bound, else the service's default.";
const IN_A_VAULT = { medium: 0.4, high: 0.1 };
const IN_A_TIER = { high: 0.2 };

/** A policy is replaced as a whole, so its rules are required: none is lost by omission. */
export class PolicyInputDto {
  @TextsField({
    description:
      'Vaults that may hold funds; funds elsewhere leave in the next hour. null: all. An empty list: none, so that all funds are in cash.',
    nullable: true,
    max: MAX_VAULTS,
    pattern: VAULT,
    patternMessage: 'must be the id of a vault: vlt_ and lower-case letters, digits and _',
    example: [placeholder('vault')],
  })
  allowed_vaults: string[] | null;

  @ChoiceField({
    description:
      'Highest risk tier that may hold funds; funds in a riskier vault leave in the next hour. null: any.',
    of: RISK_TIERS,
    nullable: true,
    example: 'medium',
  })
  max_risk_tier: RiskTier | null;

  @FractionField({
    description:
      "Minimum advantage of a move in expected risk-adjusted annual yield (0.005 is 0.5 percentage points), where it exceeds the service's `min_delta`; not for deposits and cash. null: `min_delta` alone.",
    nullable: true,
    example: 0.005,
  })
  min_gain: number | null;

  @FlagField({
    description:
      'While true, deposits wait in cash and invested funds stay, except that funds in an unsafe vault go into cash.',
    example: false,
  })
  paused: boolean;

  @FractionsField({
    description: `Maximum share in one vault, by risk tier, ${PART}. A single position above it may be alone in a vault. ${OMITTED}`,
    names: RISK_TIERS,
    optional: true,
    nullable: true,
    example: IN_A_VAULT,
  })
  max_vault_exposure?: Record<string, number> | null;

  @FractionsField({
    description: `Maximum share in all vaults of a risk tier together, ${PART}. ${OMITTED}`,
    names: RISK_TIERS,
    optional: true,
    nullable: true,
    example: IN_A_TIER,
  })
  max_tier_exposure?: Record<string, number> | null;

  @FractionsField({
    description: `Maximum share in all vaults of a venue together, by \`venue\` of \`GET /vaults\`, ${PART}. ${OMITTED}`,
    optional: true,
    nullable: true,
    example: { [placeholder('vaultVenue')]: 0.5 },
    leftOut: true,
  })
  max_venue_exposure?: Record<string, number> | null;
}

export class PolicyQuery {
  @VersionField({ description: 'Version to read, one of the last 1000. Default: the newest.' })
  version?: string;
}

export class PolicyRulesDto {
  @ShownOrNull.texts('Ids of the vaults that may hold funds; null: all.', [placeholder('vault')])
  allowed_vaults: readonly string[] | null;
  @ShownOrNull.choice(RISK_TIERS, 'Highest risk of a vault that may hold funds; null: any.', 'medium')
  max_risk_tier: RiskTier | null;
  @ShownOrNull.rate(
    'Minimum advantage of a move in expected risk-adjusted annual yield, as a fraction; null: `min_delta` alone.',
    0.005,
  )
  min_gain: RoundedRate | null;
  @Shown.flag('Whether deposits wait in cash and positions stay.', false) paused: boolean;
}

export class LimitedRulesDto extends PolicyRulesDto {
  @Shown.fractions(
    "Maximum share in one vault, by risk tier, as a fraction of the partner's holdings of the asset.",
    IN_A_VAULT,
  )
  max_vault_exposure: Readonly<Record<string, number>>;
  @Shown.fractions('Maximum share in all vaults of a risk tier together.', IN_A_TIER)
  max_tier_exposure: Readonly<Record<string, number>>;
  @Shown.fractions('Maximum share in all vaults of a venue together.', { [placeholder('vaultVenue')]: 0.5 })
  max_venue_exposure: Readonly<Record<string, number>>;
}

export class PartnerPolicyDto extends LimitedRulesDto {
  @Shown.kind('partner_policy') object: 'partner_policy';
  @Shown.integer('Number of changes by the partner and by administrators; 0: no policy yet.', 3)
  version: number;
  @Shown.text(
    'Digest of the rules in force: versions with the same digest have the same rules.',
    '0f6b2c9d41aa',
  )
  digest: string;
  @Shown.record(() => LimitedRulesDto, "The administrator's bounds: no rule of the partner may be wider.")
  bounds: LimitedRulesDto;
  @Shown.record(
    () => LimitedRulesDto,
    "The narrower of each rule and its bound, which decisions follow. Exposure limits that neither sets are the service's.",
  )
  in_force: LimitedRulesDto;
  @ShownOrNull.time('When this version was set; null: no policy yet.')
  updated_at: string | null;
}

const rulesView = (
  { allowedVaults, maximumRiskTier, minimumGain, paused }: Rules,
  { vault, tier, venue }: ExposureRules,
): LimitedRulesDto => ({
  allowed_vaults: allowedVaults,
  max_risk_tier: maximumRiskTier,
  min_gain: roundRate(minimumGain),
  paused,
  max_vault_exposure: vault,
  max_tier_exposure: tier,
  max_venue_exposure: venue,
});

export const policyView = ({
  version,
  digest,
  own: partnerRules,
  bounds,
  inForce,
  limits,
  at,
}: StoredPolicy): PartnerPolicyDto => ({
  object: 'partner_policy',
  version,
  ...rulesView(partnerRules, partnerRules.exposure),
  bounds: rulesView(bounds, bounds.exposure),
  in_force: rulesView(inForce, limits),
  digest,
  updated_at: at?.toISOString() ?? null,
});

export const rulesOf = (input: PolicyInputDto): GivenRules => ({
  allowedVaults: input.allowed_vaults,
  maximumRiskTier: input.max_risk_tier,
  minimumGain: input.min_gain,
  paused: input.paused,
  exposure: defined({
    vault: emptyIfNull(input.max_vault_exposure),
    tier: emptyIfNull(input.max_tier_exposure),
    venue: emptyIfNull(input.max_venue_exposure),
  }),
});

const emptyIfNull = (fractions: Record<string, number> | null | undefined) =>
  fractions === null ? {} : fractions;
