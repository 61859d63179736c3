import type { Policy } from '../../domain/tenants/policies/policy.js';
import { type RoundedRate, roundRate, toUnits } from '../../domain/kernel/money.js';
import type { PartnerCandidate, PartnerDecision } from '../../domain/routing/allocation/disclosure.js';
import type { Micro } from '../../domain/routing/allocation/decision.js';
import type { RoutingConstants } from '../../domain/routing/allocation/routing-constants.js';
import { RISK_TIERS, type RiskTier } from '../../domain/kernel/catalogue/catalogue.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { PolicyRulesDto } from './policy.dto.js';

/** Policy in force; of its allowed vaults, those of the asset. */
export class DecisionPolicy extends PolicyRulesDto {
  @Shown.integer('Version of the policy.', 3) version: number;
  @Shown.text('Digest of the rules in force.', '0f6b2c9d41aa') digest: string;
}

/** Named as in the deployment's configuration. */
export class DecisionConstants {
  @Shown.integer('Days over which gains are estimated.', 20) horizon_days: number;
  @Shown.integer('Days over which a difference in yield counts where the long averages confirm it.', 60)
  lasting_horizon_days: number;
  @Shown.integer('Days within which a move out of cash must pay for itself.', 365) cash_horizon_days: number;
  @Shown.rate('Minimum advantage of the target in expected risk-adjusted annual yield, as a fraction.', 0.001)
  min_delta: RoundedRate;
  @Shown.number("Minimum gain over the horizon, as a multiple of the move's cost.", 1.5)
  min_gain_multiple: number;
  @Shown.number("Minimum promise net of cost, as a multiple of the move's cost.", 1)
  min_promise_multiple: number;
  @Shown.amount('Minimum gain over the horizon net of cost, in whole asset units.', 1)
  min_net_gain: number;
  @Shown.integer('Minimum hours in a vault.', 6) min_hours_in_vault: number;
  @Shown.integer('Hours during which returning to a vault requires `return_gain_multiple`.', 168)
  return_window_hours: number;
  @Shown.number('Minimum gain for returning to a recently left vault, as a multiple of the cost.', 3)
  return_gain_multiple: number;
  @Shown.number('Minimum size of the target, as a multiple of the amount.', 10) min_size_multiple: number;
  @Shown.rate("Maximum share of the target's size that this service may hold, as a fraction.", 0.15)
  max_vault_share: RoundedRate;
  @Shown.integer("Maximum hours since a vault's last observation.", 24) max_gap_hours: number;
  @Shown.rate("Maximum loss of a vault's index within a day, as a fraction.", 0.005)
  max_index_loss: RoundedRate;
  @Shown.rate('Loss of assets from their median of a week at which funds leave, as a fraction.', 0.5)
  max_assets_loss: RoundedRate;
  @Shown.rate('Loss of assets from that median at which no funds enter, as a fraction.', 0.3)
  max_thinning: RoundedRate;
  @Shown.integer('Maximum hours since the newest reading of a vault that funds enter.', 3)
  max_reading_hours: number;
  @Shown.rate('Utilisation above which low liquidity is a reason to leave.', 0.97)
  max_utilisation: RoundedRate;
  @Shown.rate("Utilisation above which a pool's rate depends on its remaining liquidity.", 0.9)
  kink: RoundedRate;
}

export class DecisionCandidate {
  @Shown.text('The vault.', placeholder('vault')) vault_id: string;
  @Shown.flag('Whether it took deposits.', true) active: boolean;
  @Shown.flag("Whether it is the asset's passive baseline.", true) lending_baseline: boolean;
  @ShownOrNull.choice(RISK_TIERS, 'Its risk tier at that time; null in old records.', 'low')
  risk_tier: RiskTier | null;
  @ShownOrNull.rate('Last observed annual yield, as a fraction; null: never observed.', 0.0523)
  apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Expected annual yield over the next 10 days, as a fraction; null: too little history.',
    0.0507,
  )
  expected_apy: RoundedRate | null;
  @ShownOrNull.rate(
    '`expected_apy` discounted for risk, as in the signals; null: too little history.',
    0.0482,
  )
  expected_risk_adjusted_apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Annual yield of the promise, as a fraction: expected over the horizon from the last observation; null: too little history. The promise takes the lower of this and the same from the mean of 6 hours.',
    0.0514,
  )
  promised_apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Risk-adjusted annual yield by its long average, as a fraction; null: too little history.',
    0.0465,
  )
  lasting_apy: RoundedRate | null;
  @ShownOrNull.rate('As `promised_apy`, over `lasting_horizon_days`.', 0.0502)
  promised_lasting_apy: RoundedRate | null;
  @ShownOrNull.amount('Its total value locked, in whole asset units; null: unknown.', 812_345_678.12)
  tvl: number | null;
  @ShownOrNull.amount('All its deposits, in whole asset units; null: unknown.', 812_345_678.12)
  assets: number | null;
  @ShownOrNull.amount('Withdrawable part of them, in whole asset units; null: unknown.', 92_345_678.12)
  liquidity: number | null;
  @ShownOrNull.amount(
    'Maximum that this service may hold in it, in whole asset units; null: no limit.',
    25_000_000,
  )
  capacity: number | null;
  @Shown.choice(['pool', 'none'], "`pool`: a deposit lowers the vault's rate; `none`: it does not.", 'pool')
  dilution: 'pool' | 'none';
  @ShownOrNull.rate('Change of its index from its highest of the last day, as a fraction; null: unknown.', 0)
  index_change: RoundedRate | null;
  @ShownOrNull.rate(
    'Change of its assets from their median of the last week, as a fraction; null: unknown.',
    -0.012,
  )
  assets_change: RoundedRate | null;
  @ShownOrNull.integer('Hours until its quarantine ends; null: not in quarantine.', null)
  quarantine_hours: number | null;
  @Shown.amount(
    'Cost of moving the funds there, in whole asset units; 0 for a deposit and for the current vault.',
    2,
  )
  cost: number;
  @Shown.number(
    "Median base fee of the vault's chain over 24 hours, in gwei, on which its part of `cost` is based. Absent where the cost is fixed.",
    1.2,
    { optional: true },
  )
  base_fee_gwei?: number;
  @Shown.integer('Hours from redemption until the funds are available.', 0) exit_delay_hours: number;
  @ShownOrNull.integer('Hours since its last observation; null: never observed.', 0)
  hours_since_observed: number | null;
  @ShownOrNull.integer('Hours since these funds last left it; null: never.', null)
  hours_since_left: number | null;
}

export class DecisionInputsDto {
  @Shown.asset('Asset of the funds.') asset: string;
  @Shown.amount('Amount of the deposit, or held in the current vault, in whole asset units.', 1000)
  amount: number;
  @Shown.amount(
    'Total held in the current vault, in whole asset units: more than the amount where only a part fits the target.',
    1000,
  )
  group_amount: number;
  @ShownOrNull.text('Vault of the funds; null for a deposit.', null)
  current_vault_id: string | null;
  @Shown.integer('Hours that they have been there; 0 for a deposit.', 0) hours_in_vault: number;
  @Shown.time('The hour whose snapshots were evaluated.') snapshot_hour: string;
  @Shown.text('Version of the configuration that the constants are from.', '5f0c1a2b3d4e')
  config_version: string;
  @Shown.record(() => DecisionConstants, 'Constants that the gates apply.') constants: DecisionConstants;
  @ShownOrNull.record(() => DecisionPolicy, "The partner's policy; null: none.")
  policy: DecisionPolicy | null;
  @Shown.records(() => DecisionCandidate, 'Every vault of the asset, as it was then.')
  candidates: DecisionCandidate[];
}

export const units = (micro: Micro): number => toUnits(BigInt(micro));
export const unitsOrNull = (micro: Micro | null): number | null => (micro === null ? null : units(micro));

const constantsView = (constants: RoutingConstants): DecisionConstants => ({
  horizon_days: constants.horizonDays,
  lasting_horizon_days: constants.lastingHorizonDays,
  cash_horizon_days: constants.cashHorizonDays,
  min_delta: roundRate(constants.minimumDelta),
  min_gain_multiple: constants.minimumGainMultiple,
  min_promise_multiple: constants.minimumPromiseMultiple,
  min_net_gain: constants.minimumNetGain,
  min_hours_in_vault: constants.minimumHoursInVault,
  return_window_hours: constants.returnHours,
  return_gain_multiple: constants.returnGainMultiple,
  min_size_multiple: constants.minimumSizeMultiple,
  max_vault_share: roundRate(constants.maximumShare),
  max_gap_hours: constants.maximumGapHours,
  max_index_loss: roundRate(constants.maximumIndexLoss),
  max_assets_loss: roundRate(constants.maximumAssetsLoss),
  max_thinning: roundRate(constants.maximumThinning),
  max_reading_hours: constants.maximumReadingHours,
  max_utilisation: roundRate(constants.maximumUtilisation),
  kink: roundRate(constants.kink),
});

const candidateView = viewOf(DecisionCandidate, (record: PartnerCandidate) => ({
  risk_tier: record.riskTier ?? null,
  expected_risk_adjusted_apy: roundRate(record.riskAdjustedApy),
  tvl: unitsOrNull(record.tvl),
  assets: unitsOrNull(record.assets),
  liquidity: unitsOrNull(record.liquidity),
  capacity: unitsOrNull(record.capacity),
  cost: units(record.cost),
  ...(record.baseFee !== undefined && { base_fee_gwei: record.baseFee / 1e9 }),
}));

const policyView = (policy: Policy): DecisionPolicy => ({
  version: policy.version,
  digest: policy.digest,
  allowed_vaults: policy.allowedVaults,
  max_risk_tier: policy.maximumRiskTier,
  min_gain: roundRate(policy.minimumGain),
  paused: policy.paused,
});

export const inputsView = (inputs: PartnerDecision['inputs']): DecisionInputsDto => ({
  asset: inputs.asset,
  amount: units(inputs.amount),
  group_amount: units(inputs.groupAmount),
  current_vault_id: inputs.currentVaultId,
  hours_in_vault: inputs.hoursInVault,
  snapshot_hour: inputs.snapshotHour,
  config_version: inputs.configVersion,
  constants: constantsView(inputs.constants),
  policy: inputs.policy ? policyView(inputs.policy) : null,
  candidates: inputs.candidates.map(candidateView),
});
