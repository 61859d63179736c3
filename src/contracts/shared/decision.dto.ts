import { VAULT_RULES, type VaultRule } from '../../domain/tenants/policies/policy.js';
import { type RoundedRate, roundRate, toUnits } from '../../domain/kernel/money.js';
import {
  type Alternative,
  DECISION_KINDS,
  type DecisionOrder as OrderOfDecision,
  ORDER_STATES,
  type ExpectedUplift as UpliftExpected,
  type DecisionKind,
  type DecisionReason,
  type PlannedDecision,
  type Outcome as MoveOutcome,
  type Shares,
} from '../../domain/routing/allocation/decision.js';
import type { ShownDecision } from '../../domain/routing/allocation/decision-log.js';
import type { Preview } from '../../domain/routing/allocation/deposit-routing.service.js';
import type { PartnerCandidate, PartnerDecision } from '../../domain/routing/allocation/disclosure.js';
import type { Gate, GateName } from '../../domain/routing/allocation/gate.js';
import { AssetField, ChoiceField, IdFilterField, QueryTimeField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';
import { DecisionInputsDto, inputsView } from './decision-inputs.dto.js';

const ACTIONS: readonly Alternative['action'][] = ['deposit', 'move', 'hold'];

const REASONS: Record<DecisionReason, string> = {
  best_vault: 'a deposit or cash goes to the best vault within its limits',
  insufficient_history: 'too little history to compare: it goes to the lending vault, or stays',
  no_open_vault: 'no vault took it: it is cash, and each hour tries again',
  all_gates_passed: 'a move passed every gate',
  evicted: 'the funds had to leave an unsafe vault, whatever the gain',
  policy: 'the funds had to leave a vault that your policy excludes, whatever the gain',
  exposure:
    'a vault, tier or venue had drifted over its exposure limit: the excess moves down, whatever the gain',
  already_best: 'a hold: no vault was better',
  gate_failed: 'a hold: the better vault failed a gate, or leaving cost as much as the amount',
};

/** Meaning of each gate, the unit of its value and threshold, and the kind of bound. */
const GATES: Record<GateName, string> = {
  active: 'the vault takes deposits (1 or 0)',
  fresh: 'hours since its last observation; maximum',
  history: 'enough history for a signal (1 or 0)',
  capacity: "this service's holdings in the vault after the decision, in whole asset units; maximum",
  reading: 'hours since its newest reading, for funds that enter; maximum',
  size: "the vault's size (its deposits, or five times its liquidity where that is less) divided by the amount; minimum",
  share: "this service's fraction of the vault's size; maximum",
  index: 'change of its index from the highest of the last day, as a fraction; must exceed the bound',
  outflow: 'change of its assets from their weekly median, as a fraction; must exceed the bound',
  assets: 'the same, for funds that enter',
  liquidity:
    "highest liquidity of the last 6 hours divided by this service's holdings, while the vault is nearly all lent out; minimum",
  quarantine: 'hours until its quarantine ends; maximum 0',
  exposure: "fraction of the partner's book in the vault, its tier or its venue after the decision; maximum",
  exit: 'amount that can be withdrawn from the current vault, in whole asset units; minimum',
  step: 'change of its share price that its index has yet to take, as a fraction; maximum in either direction',
  divergence: 'its annual yield less that of its second source, as a fraction; maximum in either direction',
  policy: "the vault satisfies the `rules` of the partner's policy (1 or 0)",
  cost: 'cost of a forced move, in whole asset units; must be below the amount',
  delta: 'advantage in expected risk-adjusted annual yield, as a fraction; minimum',
  gain: 'gain over the horizon, in whole asset units; minimum, a multiple of the cost',
  net_gain: 'gain over the horizon less the cost, in whole asset units; minimum',
  promise:
    'smallest of three gains less the cost (by the newest yields, by their 6-hour means, and as chosen), in whole asset units; minimum, a multiple of the cost',
  time_in_vault: 'hours since the funds entered their vault; minimum',
  return:
    'gain over the horizon of a return to a vault that was left recently, in whole asset units; minimum, a multiple of what another move needs',
};

const inWords = (meanings: Record<string, string>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; ');

export class DecisionsQuery extends PageQuery {
  @IdFilterField({ description: 'Only decisions that placed or moved funds of this end-user.', kind: 'user' })
  user_id?: string;

  @IdFilterField({ description: 'Only decisions that placed or moved this position.', kind: 'position' })
  position_id?: string;

  @AssetField({ description: 'Only decisions on this asset.', optional: true }) asset?: string;

  @ChoiceField({
    description: 'Only decisions of this kind.',
    of: DECISION_KINDS,
    optional: true,
    extension: true,
  })
  kind?: DecisionKind;

  @QueryTimeField({
    description: 'Only decisions made at this moment or later.',
    edge: 'start',
    extension: true,
  })
  from?: string;

  @QueryTimeField({
    description: 'Only decisions made before this moment. A date stands for its end.',
    edge: 'end',
    extension: true,
  })
  to?: string;
}

export class DecisionGate {
  @Shown.choice(Object.keys(GATES), `The rule. ${inWords(GATES)}.`, 'fresh') gate: GateName;
  @Shown.number(
    "The value, in the gate's unit; for `capacity`, `size` and `share` to two significant digits. null: unknown, or never.",
    0,
    { nullable: true },
  )
  value: RoundedRate | null;
  @Shown.number('The bound, in the same unit; null: none.', 24, {
    nullable: true,
  })
  threshold: RoundedRate | null;
  @Shown.flag('Whether the unrounded value satisfied the bound.', true) passed: boolean;
  @Shown.choices(
    VAULT_RULES,
    "Only for `policy`: the rules of the partner's policy that the vault violates.",
    [],
    { optional: true },
  )
  rules?: readonly VaultRule[];
}

export class DecisionAlternative {
  @Shown.text('The vault.', said('vault')) vault_id: string;
  @Shown.choice(
    ACTIONS,
    '`deposit`: put the deposit there. `move`: move the funds there. `hold`: leave them where they are, in this vault.',
    'deposit',
  )
  action: Alternative['action'];
  @Shown.rate('Its last observed annual yield, as a fraction; null: never observed.', 0.0523, {
    nullable: true,
  })
  apy: RoundedRate | null;
  @Shown.rate(
    'Its expected annual yield over the next 10 days, as a fraction; null: too little history.',
    0.0507,
    {
      nullable: true,
    },
  )
  expected_apy: RoundedRate | null;
  @Shown.rate(
    'Its `apy` discounted for risk, as in the signals; null: too little history, or an old record.',
    0.0493,
    { nullable: true },
  )
  risk_adjusted_apy: RoundedRate | null;
  @Shown.rate('Its `expected_apy` with the same discounts; null: too little history.', 0.0482, {
    nullable: true,
  })
  expected_risk_adjusted_apy: RoundedRate | null;
  @Shown.rate(
    'The rate that the amount would earn, as a fraction: the expected risk-adjusted yield less its dilution by the amount itself; null: too little history.',
    0.0481,
    { nullable: true },
  )
  rate: RoundedRate | null;
  @Shown.rate(
    'Rate less the rate of the current vault, as a fraction; null for a deposit, and where either is unknown.',
    null,
    { nullable: true },
  )
  delta: RoundedRate | null;
  @Shown.records(
    () => DecisionGate,
    'Gates that the alternative was checked against; for `hold`, the ones for staying.',
  )
  gates: DecisionGate[];
  @Shown.flag('Whether it was chosen.', true) chosen: boolean;
}

export class DecisionOutcome {
  @Shown.amount(
    'Promised gain over the horizon by the `promised_apy` of both vaults (`promised_lasting_apy` over the longer one), net of cost, in whole asset units. Negative only for funds that must leave their vault: any other move passed the gate `promise`.',
    3.479452,
  )
  promised: number;
  @Shown.amount(
    'Realised gain over staying, until the end of the horizon, by the yields of both vaults, net of cost, in whole asset units.',
    3.912345,
  )
  realised: number;
  @Shown.time('The end of the horizon.') at: string;
}

export class ExpectedUpliftDto {
  @Shown.rate(
    'Annual rate of the choice less that of staying, as a fraction; for a deposit, less that of the lending vault. null where unknown.',
    0,
    { nullable: true },
  )
  apy_delta: RoundedRate | null;
  @Shown.integer('Days of the estimate.', 20) horizon_days: number;
  @Shown.amount(
    "Gain over those days at that hour's rates, before cost, in whole asset units; 0 for a hold. null where unknown.",
    0,
    { nullable: true },
  )
  amount: number | null;
  @Shown.amount('Cost of the move, in whole asset units.', 0) cost: number;
  @Shown.amount('Net present value: the gain less the cost, in whole asset units. null where unknown.', 0, {
    nullable: true,
  })
  npv: number | null;
}

export class DecisionOrder {
  @Shown.id('mov') id: string;
  @Shown.choice(
    ORDER_STATES,
    '`decided`: nobody claimed it yet. `taken_up`: an executor claimed it. `redeemed`: the funds left their vault. `arrived`: they are in the new one. `lapsed`, `failed`: it was not executed.',
    'decided',
  )
  state: OrderOfDecision['state'];
}

export class ExposureShares {
  @Shown.fractions('By vault, cash among them.', { [said('vault')]: 1 })
  vaults: Readonly<Record<string, number>>;
  @Shown.fractions('By tier of risk; cash has none.', { low: 1 })
  tiers: Readonly<Record<string, number>>;
  @Shown.fractions('By venue; cash has none.', { [said('vaultVenue')]: 1 })
  venues: Readonly<Record<string, number>>;
}

export class DecisionExposure {
  @Shown.record(
    () => ExposureShares,
    'Before the decision; for a deposit, without it. Empty vaults are left out.',
  )
  before: ExposureShares;
  @Shown.record(() => ExposureShares, 'After it; of a hold, the same.') after: ExposureShares;
  @Shown.record(
    () => ExposureShares,
    "Maximum allowed shares; 1: no limit. A single position that exceeds its vault's limit may still be there alone.",
  )
  limits: ExposureShares;
}

export class PlanDecision {
  @Shown.id('dec') id: string;
  @Shown.choice(DECISION_KINDS, 'What was decided.', 'rebalance') kind: DecisionKind;
  @Shown.text('Vault that the funds were in; null for a deposit.', null, { nullable: true })
  from_vault_id: string | null;
  @Shown.text('Vault that the funds went to; null for a hold.', said('vault'), { nullable: true })
  to_vault_id: string | null;
  @Shown.amount('Its amount, in whole asset units.', 1000) amount: number;
}

export class PlanInflow {
  @Shown.text('The vault.', said('vault')) vault_id: string;
  @Shown.amount(
    'Net inflow, in whole asset units, to two significant digits; negative for an outflow.',
    120_000,
  )
  amount: number;
}

export class DecisionPlan {
  @Shown.records(
    () => PlanDecision,
    'Your other decisions on the asset in the same plan, at most 50: those of the same hour, or the other parts of a split deposit.',
  )
  decisions: PlanDecision[];
  @Shown.records(
    () => PlanInflow,
    'Net inflow by vault of decisions on other funds, made earlier in the same hour. Rates include it.',
  )
  inflows_of_others: PlanInflow[];
}

/** Decision and its reasons; for a preview, the one that would be made. */
export class DecisionMade {
  @Shown.choice(
    DECISION_KINDS,
    '`route`: places a deposit. `rebalance`: moves funds to another vault. `hold`: funds stay, as the better vault failed a gate.',
    'route',
  )
  kind: DecisionKind;
  @Shown.choice(Object.keys(REASONS), `Why. ${inWords(REASONS)}.`, 'best_vault') reason: DecisionReason;
  @Shown.asset('Asset of the funds.') asset: string;
  @Shown.text('Vault that the funds were in; null for a deposit.', null, { nullable: true })
  from_vault_id: string | null;
  @Shown.text('Vault that the funds went to; null for a hold.', said('vault'), { nullable: true })
  to_vault_id: string | null;
  @Shown.time('The hour whose snapshots were evaluated.') snapshot_hour: string;
  @Shown.text('Version of the configuration that applied.', '5f0c1a2b3d4e') config_version: string;
  @Shown.record(() => DecisionInputsDto, 'All inputs of the decision, except what is held in each vault.')
  inputs: DecisionInputsDto;
  @Shown.records(() => DecisionAlternative, 'Every vault of the asset, staying included, best first.')
  alternatives: DecisionAlternative[];
  @Shown.record(() => ExpectedUpliftDto, 'Expected uplift of the choice.')
  expected_uplift: ExpectedUpliftDto;
  @Shown.record(
    () => DecisionExposure,
    'Shares of your holdings of the asset, cash included, as fractions.',
    { extension: true },
  )
  exposure: DecisionExposure;
  @Shown.text(
    'The reason in words, from the figures above.',
    `Deposited 1000 USDC into ${said('vault')}: its expected risk-adjusted APY of 4.82 % is the best of 1 vaults that is within its limits, 0.00 pp over the lending vault.`,
  )
  rationale: string;
  @Shown.time('When it was made.') at: string;
}

export class DecisionDto extends DecisionMade {
  @Shown.id('dec', 'Id of the decision; ledger notes and events name it.') id: string;
  @Shown.kind('decision') object: 'decision';
  @Shown.id('usr', 'End-user of the deposit; null where funds were evaluated together.', { nullable: true })
  user_id: string | null;
  @Shown.id('pos', 'Position of the deposit; null where funds were evaluated together.', {
    nullable: true,
  })
  position_id: string | null;
  @Shown.integer('Number of your positions concerned.', 1) positions: number;
  @Shown.record(
    () => DecisionOutcome,
    'Outcome of a move; null until its horizon has passed, and for other kinds.',
    {
      nullable: true,
    },
  )
  outcome: DecisionOutcome | null;
  @Shown.record(
    () => DecisionOrder,
    'The move that executes it; null where nothing is to execute, and in the sandbox.',
    { nullable: true, extension: true },
  )
  order: DecisionOrder | null;
  @Shown.record(() => DecisionPlan, 'The plan that the decision was part of.', { extension: true })
  plan: DecisionPlan;
}

export class DecisionPreview extends DecisionMade {
  @Shown.kind('decision_preview') object: 'decision_preview';
}

const unitsOrNull = (micro: string | null): number | null => (micro === null ? null : toUnits(BigInt(micro)));

/** Values of any unit are rounded like rates, since ratios in days and times end in floating-point noise too. */
const gateView = ({ gate, value, threshold, passed, rules }: Gate): DecisionGate => ({
  gate,
  value: roundRate(value),
  threshold: roundRate(threshold),
  passed,
  ...(rules && { rules }),
});

/** @param candidate undefined: cash */
const alternativeView = (
  alternative: Alternative,
  candidate: PartnerCandidate | undefined,
): DecisionAlternative => ({
  vault_id: alternative.vaultId,
  action: alternative.action,
  apy: roundRate(alternative.apy),
  expected_apy: roundRate(alternative.expectedApy),
  risk_adjusted_apy: roundRate(candidate ? (candidate.currentRiskAdjustedApy ?? null) : alternative.apy),
  expected_risk_adjusted_apy: roundRate(alternative.riskAdjustedApy),
  rate: roundRate(alternative.rate),
  delta: roundRate(alternative.delta),
  gates: alternative.gates.map(gateView),
  chosen: alternative.chosen,
});

const expectedView = (expected: UpliftExpected): ExpectedUpliftDto => ({
  apy_delta: roundRate(expected.apyDelta),
  horizon_days: expected.horizonDays,
  amount: unitsOrNull(expected.amount),
  cost: toUnits(BigInt(expected.cost)),
  npv: unitsOrNull(expected.npv),
});

const outcomeView = ({ promised, realised, at }: MoveOutcome): DecisionOutcome => ({
  promised: toUnits(BigInt(promised)),
  realised: toUnits(BigInt(realised)),
  at: new Date(at).toISOString(),
});

const alternativesView = ({ alternatives, inputs }: PartnerDecision): DecisionAlternative[] => {
  const candidates = new Map(inputs.candidates.map((one) => [one.vaultId, one]));
  return alternatives.map((one) => alternativeView(one, candidates.get(one.vaultId)));
};

const sharesView = ({ vaults, tiers, venues }: Shares): ExposureShares => ({
  vaults: rounded(vaults),
  tiers: rounded(tiers),
  venues: rounded(venues),
});

const rounded = (shares: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, roundRate(share)]));

const planView = (
  planned: readonly PlannedDecision[],
  inflows: PartnerDecision['inflows'],
): DecisionPlan => ({
  decisions: planned.map(({ id, kind, fromVaultId, toVaultId, amount }) => ({
    id,
    kind,
    from_vault_id: fromVaultId,
    to_vault_id: toVaultId,
    amount: toUnits(BigInt(amount)),
  })),
  inflows_of_others: inflows.map(({ vaultId, amount }) => ({
    vault_id: vaultId,
    amount: toUnits(BigInt(amount)),
  })),
});

const madeView = (record: PartnerDecision, at: Date): DecisionMade => ({
  kind: record.kind,
  reason: record.reason,
  asset: record.asset,
  from_vault_id: record.fromVaultId,
  to_vault_id: record.toVaultId,
  snapshot_hour: record.snapshotHour,
  config_version: record.configVersion,
  inputs: inputsView(record.inputs),
  alternatives: alternativesView(record),
  expected_uplift: expectedView(record.expectedUplift),
  exposure: {
    before: sharesView(record.exposure.before),
    after: sharesView(record.exposure.after),
    limits: sharesView(record.exposure.limits),
  },
  rationale: record.rationale,
  at: at.toISOString(),
});

export const decisionView = ({
  record,
  outcome,
  order,
  planned,
  at,
  ...stored
}: ShownDecision): DecisionDto => ({
  id: stored.id,
  object: 'decision',
  user_id: stored.userId,
  position_id: stored.positionId,
  positions: stored.positions,
  ...madeView(record, at),
  outcome: outcome && outcomeView(outcome),
  order,
  plan: planView(planned, record.inflows),
});

export const previewView = ({ record, at }: Preview): DecisionPreview => ({
  object: 'decision_preview',
  ...madeView(record, at),
});
