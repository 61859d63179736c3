import { toUnits } from '../../domain/positions/amount.js';
import type { PartnerCandidate, PartnerDecision } from '../../domain/routing/disclosure.js';
import type { Micro, RoutingConstants } from '../../domain/routing/gates.js';
import { type RoundedRate, roundRate } from '../../domain/rate.js';
import { Shown } from '../../http/shown.js';

/** Named as in the deployment's configuration. */
export class DecisionConstants {
  @Shown.integer('Days over which an uplift is expected.', 90) horizon_days: number;
  @Shown.rate('What the target must be better by, in risk-adjusted yield a year, as a fraction.', 0.01)
  min_delta: RoundedRate;
  @Shown.number('Most days until the gain has paid for the move.', 10) max_breakeven_days: number;
  @Shown.number('Least gain over the horizon, the cost taken off, in whole asset units.', 1)
  min_net_gain: number;
  @Shown.integer('Hours that funds stay in a vault at least.', 6) min_hours_in_vault: number;
  @Shown.integer('Hours for which going back to a vault takes `min_return_delta`.', 72)
  return_window_hours: number;
  @Shown.rate('What a vault that was left so recently must be better by, as a fraction.', 0.03)
  min_return_delta: RoundedRate;
  @Shown.number('Least TVL of the target, in times the amount.', 10) min_tvl_multiple: number;
  @Shown.rate("Most of the target's TVL that this service may hold, as a fraction.", 0.15)
  max_vault_share: RoundedRate;
  @Shown.integer('Most hours since a vault was last observed.', 24) max_gap_hours: number;
}

export class DecisionCandidate {
  @Shown.text('The vault.', 'vlt_aave_v3_usdc') vault_id: string;
  @Shown.flag('Whether it took deposits.', true) active: boolean;
  @Shown.flag("Whether it is its asset's passive baseline.", true) lending_baseline: boolean;
  @Shown.rate('Last observed yield a year, as a fraction; null: none was.', 0.0523, { nullable: true })
  apy: RoundedRate | null;
  @Shown.rate(
    'Expected yield a year over the next 20 days, as a fraction; null: too little history.',
    0.0507,
    {
      nullable: true,
    },
  )
  expected_apy: RoundedRate | null;
  @Shown.rate('Risk-adjusted yield a year, as a fraction; null: too little history.', 0.0482, {
    nullable: true,
  })
  risk_adjusted_apy: RoundedRate | null;
  @Shown.number('Value held in it by everybody, in whole asset units; null: not known.', 812_345_678.12, {
    nullable: true,
  })
  tvl: number | null;
  @Shown.number('Most that this service may hold in it, in whole asset units; null: no bound.', 25_000_000, {
    nullable: true,
  })
  capacity: number | null;
  @Shown.number('Cost of moving funds into it, in whole asset units.', 2) switching_cost: number;
  @Shown.integer('Hours since it was last observed; null: never.', 0, { nullable: true })
  hours_since_observed: number | null;
  @Shown.integer('Hours since these funds were last moved out of it; null: never.', null, { nullable: true })
  hours_since_left: number | null;
}

export class DecisionInputs {
  @Shown.asset('Asset of the funds.') asset: string;
  @Shown.number('What was deposited, or was held in the current vault, in whole asset units.', 1000)
  amount: number;
  @Shown.text('Where the funds were; null: they were a deposit.', null, { nullable: true })
  current_vault_id: string | null;
  @Shown.integer('Hours that they had been there; 0 for a deposit.', 0) hours_in_vault: number;
  @Shown.time('The hour whose snapshots were judged.') snapshot_hour: string;
  @Shown.text('Names the configuration that the constants are from.', '5f0c1a2b3d4e') config_version: string;
  @Shown.record(() => DecisionConstants, 'What the gates ask for.') constants: DecisionConstants;
  @Shown.records(() => DecisionCandidate, 'Every vault of the asset, as it was then.')
  candidates: DecisionCandidate[];
}

const units = (micro: Micro): number => toUnits(BigInt(micro));
const unitsOrNull = (micro: Micro | null): number | null => (micro === null ? null : units(micro));

const constantsView = (constants: RoutingConstants): DecisionConstants => ({
  horizon_days: constants.horizonDays,
  min_delta: roundRate(constants.minimumDelta),
  max_breakeven_days: constants.maximumBreakevenDays,
  min_net_gain: constants.minimumNetGain,
  min_hours_in_vault: constants.minimumHoursInVault,
  return_window_hours: constants.returnHours,
  min_return_delta: roundRate(constants.returnDelta),
  min_tvl_multiple: constants.minimumTvlMultiple,
  max_vault_share: roundRate(constants.maximumShare),
  max_gap_hours: constants.maximumGapHours,
});

const candidateView = (candidate: PartnerCandidate): DecisionCandidate => ({
  vault_id: candidate.vaultId,
  active: candidate.active,
  lending_baseline: candidate.lendingBaseline,
  apy: roundRate(candidate.apy),
  expected_apy: roundRate(candidate.expectedApy ?? null),
  risk_adjusted_apy: roundRate(candidate.riskAdjustedApy),
  tvl: unitsOrNull(candidate.tvl),
  capacity: unitsOrNull(candidate.capacity),
  switching_cost: units(candidate.switchingCost),
  hours_since_observed: candidate.hoursSinceObserved,
  hours_since_left: candidate.hoursSinceLeft,
});

export const inputsView = (inputs: PartnerDecision['inputs']): DecisionInputs => ({
  asset: inputs.asset,
  amount: units(inputs.amount),
  current_vault_id: inputs.currentVaultId,
  hours_in_vault: inputs.hoursInVault,
  snapshot_hour: inputs.snapshotHour,
  config_version: inputs.configVersion,
  constants: constantsView(inputs.constants),
  candidates: inputs.candidates.map(candidateView),
});
