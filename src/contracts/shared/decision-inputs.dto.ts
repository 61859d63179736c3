import type { Policy } from '../../domain/tenants/policies/policy.js';
import { toUnits } from '../../domain/books/positions/amount.js';
import type { PartnerCandidate, PartnerDecision } from '../../domain/routing/allocation/disclosure.js';
import type { Micro, RoutingConstants } from '../../domain/routing/allocation/gates.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { RISK_TIERS, type RiskTier } from '../../domain/kernel/catalogue/vault.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';
import { PolicyRulesDto } from './policy.dto.js';

/** Policy in force; its allowed vaults are reduced to the asset. */
export class DecisionPolicy extends PolicyRulesDto {
  @Shown.integer('Which version of the policy it was.', 3) version: number;
  @Shown.text('Names what was in force, of all assets.', '0f6b2c9d41aa') digest: string;
}

/** Named as in the deployment's configuration. */
export class DecisionConstants {
  @Shown.integer('Days over which a gain is expected.', 20) horizon_days: number;
  @Shown.integer('Days over which a difference counts that the long averages have too.', 60)
  lasting_horizon_days: number;
  @Shown.integer('Days within which cash has to pay for its move.', 365) cash_horizon_days: number;
  @Shown.rate(
    'What the target must be better by, in expected risk-adjusted yield a year, as a fraction.',
    0.001,
  )
  min_delta: RoundedRate;
  @Shown.number('Least gain over the horizon, in times the cost of the move.', 1.5)
  min_gain_multiple: number;
  @Shown.number('Least promise, the cost taken off, in times the cost of the move.', 1)
  min_promise_multiple: number;
  @Shown.number('Least gain over the horizon, the cost taken off, in whole asset units.', 1)
  min_net_gain: number;
  @Shown.integer('Hours that funds stay in a vault at least.', 6) min_hours_in_vault: number;
  @Shown.integer('Hours for which going back to a vault takes `return_gain_multiple`.', 168)
  return_window_hours: number;
  @Shown.number('Least gain of going back to a vault that was left so recently, in times the cost.', 3)
  return_gain_multiple: number;
  @Shown.number('Least size of the target, in times the amount.', 10) min_size_multiple: number;
  @Shown.rate("Most of the target's size that this service may hold, as a fraction.", 0.15)
  max_vault_share: RoundedRate;
  @Shown.integer('Most hours since a vault was last observed.', 24) max_gap_hours: number;
  @Shown.rate('Part of its index that a vault may lose within a day, as a fraction.', 0.005)
  max_index_loss: RoundedRate;
  @Shown.rate('Part of its assets, of their median of a week, at whose loss funds leave, as a fraction.', 0.5)
  max_assets_loss: RoundedRate;
  @Shown.rate('The same loss, from which on none enter.', 0.3) max_thinning: RoundedRate;
  @Shown.integer('Most hours since the newest reading of a vault that funds enter.', 3)
  max_reading_hours: number;
  @Shown.rate(
    'Part of the assets that is lent out, beyond which little liquidity is a reason to leave.',
    0.97,
  )
  max_utilisation: RoundedRate;
  @Shown.rate('Part that is lent out, beyond which a pool pays by what is left in it.', 0.9)
  kink: RoundedRate;
}

export class DecisionCandidate {
  @Shown.text('The vault.', said('vault')) vault_id: string;
  @Shown.flag('Whether it took deposits.', true) active: boolean;
  @Shown.flag("Whether it is its asset's passive baseline.", true) lending_baseline: boolean;
  @Shown.choice(
    RISK_TIERS,
    'Its risk, as the catalogue had it; null in records of before it was kept.',
    'low',
    {
      nullable: true,
    },
  )
  risk_tier: RiskTier | null;
  @Shown.rate('Last observed yield a year, as a fraction; null: none was.', 0.0523, { nullable: true })
  apy: RoundedRate | null;
  @Shown.rate(
    'Expected yield a year over the next 10 days, as a fraction; null: too little history.',
    0.0507,
    {
      nullable: true,
    },
  )
  expected_apy: RoundedRate | null;
  @Shown.rate('`expected_apy` discounted by risk, as in the signals; null: too little history.', 0.0482, {
    nullable: true,
  })
  expected_risk_adjusted_apy: RoundedRate | null;
  @Shown.rate(
    'Yield a year that a promise is made of, as a fraction: expected over the horizon from what was observed last; null: too little history. A promise is the worse of two, by it and by the mean of 6 hours.',
    0.0514,
    { nullable: true },
  )
  promised_apy: RoundedRate | null;
  @Shown.rate(
    'Risk-adjusted yield a year that its long average would leave, as a fraction; null: too little history.',
    0.0465,
    { nullable: true },
  )
  lasting_apy: RoundedRate | null;
  @Shown.rate('As `promised_apy`, over `lasting_horizon_days`.', 0.0502, { nullable: true })
  promised_lasting_apy: RoundedRate | null;
  @Shown.number('Value held in it by everybody, in whole asset units; null: not known.', 812_345_678.12, {
    nullable: true,
  })
  tvl: number | null;
  @Shown.number('All its deposits, in whole asset units; null: not known.', 812_345_678.12, {
    nullable: true,
  })
  assets: number | null;
  @Shown.number('What could be withdrawn of them, in whole asset units; null: not known.', 92_345_678.12, {
    nullable: true,
  })
  liquidity: number | null;
  @Shown.number('Most that this service may hold in it, in whole asset units; null: no bound.', 25_000_000, {
    nullable: true,
  })
  capacity: number | null;
  @Shown.choice(
    ['pool', 'none'],
    '`pool`: an amount lowers the rate that it finds there; `none`: it does not.',
    'pool',
  )
  dilution: 'pool' | 'none';
  @Shown.rate('Change of its index against the highest within a day, as a fraction; null: not known.', 0, {
    nullable: true,
  })
  index_change: RoundedRate | null;
  @Shown.rate(
    'Change of its assets against their median of a week, as a fraction; null: not known.',
    -0.012,
    {
      nullable: true,
    },
  )
  assets_change: RoundedRate | null;
  @Shown.integer('Hours until it may take funds again after a loss; null: it is not in quarantine.', null, {
    nullable: true,
  })
  quarantine_hours: number | null;
  @Shown.number(
    'Cost of moving the funds there from where they were, in whole asset units; 0 of a deposit, and of where they were.',
    2,
  )
  cost: number;
  @Shown.number(
    "Median base fee of the vault's chain over 24 hours, in gwei, from which its part of `cost` follows. Absent where the cost is fixed.",
    1.2,
    { optional: true },
  )
  base_fee_gwei?: number;
  @Shown.integer('Hours from leaving it until the funds can go elsewhere.', 0) exit_delay_hours: number;
  @Shown.integer('Hours since it was last observed; null: never.', 0, { nullable: true })
  hours_since_observed: number | null;
  @Shown.integer('Hours since these funds were last moved out of it; null: never.', null, { nullable: true })
  hours_since_left: number | null;
}

export class DecisionInputsDto {
  @Shown.asset('Asset of the funds.') asset: string;
  @Shown.number('What was deposited, or was held in the current vault, in whole asset units.', 1000)
  amount: number;
  @Shown.number(
    'What was held in the current vault in all, in whole asset units: more than the amount where only a part fits.',
    1000,
  )
  group_amount: number;
  @Shown.text('Where the funds were; null: they were a deposit.', null, { nullable: true })
  current_vault_id: string | null;
  @Shown.integer('Hours that they had been there; 0 for a deposit.', 0) hours_in_vault: number;
  @Shown.time('The hour whose snapshots were judged.') snapshot_hour: string;
  @Shown.text('Names the configuration that the constants are from.', '5f0c1a2b3d4e') config_version: string;
  @Shown.record(() => DecisionConstants, 'What the gates ask for.') constants: DecisionConstants;
  @Shown.record(() => DecisionPolicy, "What the partner's policy asked for; null: it had none.", {
    nullable: true,
  })
  policy: DecisionPolicy | null;
  @Shown.records(() => DecisionCandidate, 'Every vault of the asset, as it was then.')
  candidates: DecisionCandidate[];
}

const units = (micro: Micro): number => toUnits(BigInt(micro));
const unitsOrNull = (micro: Micro | null): number | null => (micro === null ? null : units(micro));

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

const candidateView = (candidate: PartnerCandidate): DecisionCandidate => ({
  vault_id: candidate.vaultId,
  active: candidate.active,
  lending_baseline: candidate.lendingBaseline,
  risk_tier: candidate.riskTier ?? null,
  apy: roundRate(candidate.apy),
  expected_apy: roundRate(candidate.expectedApy),
  expected_risk_adjusted_apy: roundRate(candidate.riskAdjustedApy),
  promised_apy: roundRate(candidate.promisedApy),
  lasting_apy: roundRate(candidate.lastingApy),
  promised_lasting_apy: roundRate(candidate.promisedLastingApy),
  tvl: unitsOrNull(candidate.tvl),
  assets: unitsOrNull(candidate.assets),
  liquidity: unitsOrNull(candidate.liquidity),
  capacity: unitsOrNull(candidate.capacity),
  dilution: candidate.dilution,
  index_change: roundRate(candidate.indexChange),
  assets_change: roundRate(candidate.assetsChange),
  quarantine_hours: candidate.quarantineHours,
  cost: units(candidate.cost),
  ...(candidate.baseFee !== undefined && { base_fee_gwei: candidate.baseFee / 1e9 }),
  exit_delay_hours: candidate.exitDelayHours,
  hours_since_observed: candidate.hoursSinceObserved,
  hours_since_left: candidate.hoursSinceLeft,
});

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
