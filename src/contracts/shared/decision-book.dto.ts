import { roundRate } from '../../domain/kernel/money.js';
import {
  DECISION_KINDS,
  type DecisionKind,
  type PlannedDecision,
  type Shares,
} from '../../domain/routing/allocation/decision.js';
import type { PartnerDecision } from '../../domain/routing/allocation/disclosure.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { units } from './decision-inputs.dto.js';

export class ExposureShares {
  @Shown.fractions('By vault, including cash.', { [placeholder('vault')]: 1 })
  vaults: Readonly<Record<string, number>>;
  @Shown.fractions('By risk tier; cash has none.', { low: 1 })
  tiers: Readonly<Record<string, number>>;
  @Shown.fractions('By venue; cash has none.', { [placeholder('vaultVenue')]: 1 })
  venues: Readonly<Record<string, number>>;
}

export class DecisionExposure {
  @Shown.record(
    () => ExposureShares,
    'Before the decision; for a deposit, without it. Empty vaults are left out.',
  )
  before: ExposureShares;
  @Shown.record(() => ExposureShares, 'After it; unchanged for a hold.') after: ExposureShares;
  @Shown.record(
    () => ExposureShares,
    "Maximum allowed shares; 1: no limit. A single position that exceeds its vault's limit may still be there alone.",
  )
  limits: ExposureShares;
}

export class PlanDecision {
  @Shown.id('dec') id: string;
  @Shown.choice(DECISION_KINDS, 'Kind of the decision.', 'rebalance') kind: DecisionKind;
  @ShownOrNull.text('Vault that the funds were in; null for a deposit.', null)
  from_vault_id: string | null;
  @ShownOrNull.text('Vault that the funds went to; null for a hold.', placeholder('vault'))
  to_vault_id: string | null;
  @Shown.amount('Its amount, in whole asset units.', 1000) amount: number;
}

export class PlanInflow {
  @Shown.text('The vault.', placeholder('vault')) vault_id: string;
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

const sharesView = viewOf(ExposureShares, ({ vaults, tiers, venues }: Shares) => ({
  vaults: rounded(vaults),
  tiers: rounded(tiers),
  venues: rounded(venues),
}));

const rounded = (shares: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, roundRate(share)]));

export const exposureView = ({ before, after, limits }: PartnerDecision['exposure']): DecisionExposure => ({
  before: sharesView(before),
  after: sharesView(after),
  limits: sharesView(limits),
});

const decisionView = viewOf(PlanDecision, ({ amount }: PlannedDecision) => ({ amount: units(amount) }));

const inflowView = viewOf(PlanInflow, ({ amount }: PartnerDecision['inflows'][number]) => ({
  amount: units(amount),
}));

export const planView = (
  planned: readonly PlannedDecision[],
  inflows: PartnerDecision['inflows'],
): DecisionPlan => ({
  decisions: planned.map(decisionView),
  inflows_of_others: inflows.map(inflowView),
});
