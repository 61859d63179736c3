import type { Type } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { RoundedRate } from '../../domain/kernel/money.js';
import {
  DECISION_KINDS,
  type DecisionOrder as OrderOfDecision,
  ORDER_STATES,
  type ExpectedUplift as UpliftExpected,
  type DecisionKind,
  type DecisionReason,
  type Outcome as MoveOutcome,
} from '../../domain/routing/allocation/decision.js';
import type { DecisionSummary, ShownDecision } from '../../domain/routing/allocation/decision-log.js';
import type { Preview } from '../../domain/routing/allocation/deposit-routing.service.js';
import type { PartnerDecision } from '../../domain/routing/allocation/disclosure.js';
import { AssetField, ChoiceField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { fieldsOf } from '../../http/answer/answer-fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { alternativesView, DecisionAlternative, joinMeanings } from './decision-alternative.dto.js';
import { DecisionExposure, DecisionPlan, exposureView, planView } from './decision-book.dto.js';
import { DecisionInputsDto, inputsView, units, unitsOrNull } from './decision-inputs.dto.js';
import { IdFilterField, QueryTimeField } from '../../http/request/query-fields.js';

const REASONS: Record<DecisionReason, string> = {
  best_vault: 'a deposit or cash goes to the best vault within its limits',
  insufficient_history:
    'too little history to compare: a deposit goes to the lending vault, invested funds stay',
  no_open_vault: 'no vault accepts the funds: they are in cash, and each hour tries again',
  all_gates_passed: 'a move passed every gate',
  evicted: 'the funds had to leave an unsafe vault, whatever the gain',
  policy: "the funds had to leave a vault that the partner's policy excludes, whatever the gain",
  exposure:
    'a vault, tier or venue had drifted over its exposure limit: the excess moves down, whatever the gain',
  already_best: 'a hold: no vault was better',
  gate_failed: 'a hold: the better vault failed a gate, or leaving cost as much as the amount',
};

export const DECISION_VIEWS = ['whole', 'summary'] as const;

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
  })
  kind?: DecisionKind;

  @QueryTimeField({
    description: 'Only decisions made at this moment or later.',
    edge: 'start',
  })
  from?: string;

  @QueryTimeField({
    description: 'Only decisions made before this moment. A date stands for its end.',
    edge: 'end',
  })
  to?: string;

  @ChoiceField({
    description:
      'How much of each decision is shown. `summary`: without `inputs`, `alternatives`, `exposure`, `rationale` and `plan`, and with `amount`; `because` stays.',
    of: DECISION_VIEWS,
    default: 'whole',
    optional: true,
  })
  view?: (typeof DECISION_VIEWS)[number];
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
  @ShownOrNull.rate(
    'Annual rate of the choice less that of staying, as a fraction; for a deposit, less that of the lending vault. null where unknown.',
    0,
  )
  apy_delta: RoundedRate | null;
  @Shown.integer('Days of the estimate.', 20) horizon_days: number;
  @ShownOrNull.amount(
    "Gain over those days at that hour's rates, before cost, in whole asset units; 0 for a hold. null where unknown.",
    0,
  )
  amount: number | null;
  @Shown.amount('Cost of the move, in whole asset units.', 0) cost: number;
  @ShownOrNull.amount(
    'Net present value: the gain less the cost, in whole asset units. null where unknown.',
    0,
  )
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

const BECAUSE = 'its expected risk-adjusted APY of 4.82 % is the best within limits, of one vault.';

/** Decision and its reasons; for a preview, the one that would be made. */
export class DecisionMade {
  @Shown.choice(
    DECISION_KINDS,
    '`route`: places a deposit. `rebalance`: moves funds to another vault. `hold`: funds stay, as the better vault failed a gate.',
    'route',
  )
  kind: DecisionKind;
  @Shown.choice(Object.keys(REASONS), `Why. ${joinMeanings(REASONS)}.`, 'best_vault') reason: DecisionReason;
  @Shown.asset('Asset of the funds.') asset: string;
  @ShownOrNull.text('Vault that the funds were in; null for a deposit.', null)
  from_vault_id: string | null;
  @ShownOrNull.text('Vault that the funds went to; null for a hold.', placeholder('vault'))
  to_vault_id: string | null;
  @Shown.time('The hour whose snapshots were evaluated.') snapshot_hour: string;
  @Shown.text('Version of the configuration that applied.', '5f0c1a2b3d4e') config_version: string;
  @Shown.record(() => DecisionInputsDto, 'All inputs of the decision, except the holdings in each vault.')
  inputs: DecisionInputsDto;
  @Shown.records(() => DecisionAlternative, 'Every vault of the asset, staying included, best first.')
  alternatives: DecisionAlternative[];
  @Shown.record(() => ExpectedUpliftDto, 'Expected uplift of the choice.')
  expected_uplift: ExpectedUpliftDto;
  @Shown.record(() => DecisionExposure, 'Shares of your holdings of the asset, cash included, as fractions.')
  exposure: DecisionExposure;
  @ShownOrNull.text(
    'Why, in words, from the figures above: of a hold the best other vault, its gain and what keeps the funds from it. null in the summary of a decision that was stored before this existed.',
    BECAUSE,
  )
  because: string | null;
  @Shown.text('What was decided, and why.', `Deposited 1000 USDC into ${placeholder('vault')}: ${BECAUSE}`)
  rationale: string;
  @Shown.time('When it was made.') at: string;
}

/** Fields that `view=summary` omits. */
const LARGE = ['inputs', 'alternatives', 'exposure', 'rationale'] as const;
type LargeField = (typeof LARGE)[number];
const PartlyMade = DecisionMade as Type<
  Omit<DecisionMade, LargeField> & Partial<Pick<DecisionMade, LargeField>>
>;

export class DecisionDto extends PartlyMade {
  @Shown.id('dec', 'Id of the decision; ledger notes and events name it.') id: string;
  @Shown.kind('decision') object: 'decision';
  @ShownOrNull.id('usr', 'End-user of the deposit; null where funds were evaluated together.')
  user_id: string | null;
  @ShownOrNull.id('pos', 'Position of the deposit; null where funds were evaluated together.')
  position_id: string | null;
  @Shown.integer('Number of your positions concerned.', 1) positions: number;
  @ShownOrNull.record(
    () => DecisionOutcome,
    'Outcome of a move; null until its horizon has passed, and for other kinds.',
  )
  outcome: DecisionOutcome | null;
  @ShownOrNull.record(
    () => DecisionOrder,
    'The move that executes it; null where there is nothing to execute, and in the sandbox.',
  )
  order: DecisionOrder | null;
  @Shown.record(() => DecisionPlan, 'The plan that the decision was part of.', { optional: true })
  plan?: DecisionPlan;
  @Shown.amount('Only with `view=summary`: `inputs.amount`.', 1000, { optional: true, leftOut: true })
  amount?: number;
}
for (const { name, record: _record, ...options } of fieldsOf(DecisionMade))
  if ((LARGE as readonly string[]).includes(name)) ApiPropertyOptional(options)(DecisionDto.prototype, name);

export class DecisionPreview extends DecisionMade {
  @Shown.kind('decision_preview') object: 'decision_preview';
}

const expectedView = viewOf(ExpectedUpliftDto, ({ amount, cost, npv }: UpliftExpected) => ({
  amount: unitsOrNull(amount),
  cost: units(cost),
  npv: unitsOrNull(npv),
}));

const outcomeView = ({ promised, realised, at }: MoveOutcome): DecisionOutcome => ({
  promised: units(promised),
  realised: units(realised),
  at: new Date(at).toISOString(),
});

const madeView = viewOf(DecisionMade, (record: PartnerDecision & { at: Date }) => ({
  snapshot_hour: record.snapshotHour,
  inputs: inputsView(record.inputs),
  alternatives: alternativesView(record),
  expected_uplift: expectedView(record.expectedUplift),
  exposure: exposureView(record.exposure),
}));

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
  ...madeView({ ...record, at }),
  outcome: outcome && outcomeView(outcome),
  order,
  plan: planView(planned, record.inflows),
});

const madeSummaryView = viewOf(DecisionDto, (record: DecisionSummary) => ({
  expected_uplift: expectedView(record.expectedUplift),
  outcome: record.outcome && outcomeView(record.outcome),
  amount: units(record.amount),
}));

export const summaryView = (summary: DecisionSummary): DecisionDto => madeSummaryView(summary);

export const previewView = ({ record, at }: Preview): DecisionPreview => ({
  object: 'decision_preview',
  ...madeView({ ...record, at }),
});
