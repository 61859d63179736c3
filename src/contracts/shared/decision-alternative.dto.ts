import { type RoundedRate, roundRate } from '../../domain/kernel/money.js';
import type { Alternative } from '../../domain/routing/allocation/decision.js';
import type { PartnerDecision } from '../../domain/routing/allocation/disclosure.js';
import type { Gate, GateName } from '../../domain/routing/allocation/gate.js';
import { VAULT_RULES, type VaultRule } from '../../domain/tenants/policies/policy.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';

const ACTIONS: readonly Alternative['action'][] = ['deposit', 'move', 'hold'];

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

export const joinMeanings = (meanings: Record<string, string>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; ');

export class DecisionGate {
  @Shown.choice(Object.keys(GATES), `The rule. ${joinMeanings(GATES)}.`, 'fresh') gate: GateName;
  @ShownOrNull.number(
    "The value, in the gate's unit; `capacity`, `size` and `share` have two significant digits. null: unknown, or the event never happened (for example, no observation yet).",
    0,
  )
  value: RoundedRate | null;
  @ShownOrNull.number('The bound, in the same unit; null: none.', 24)
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
  @Shown.text('The vault.', placeholder('vault')) vault_id: string;
  @Shown.choice(
    ACTIONS,
    '`deposit`: put the deposit there. `move`: move the funds there. `hold`: leave them where they are, in this vault.',
    'deposit',
  )
  action: Alternative['action'];
  @ShownOrNull.rate('Its last observed annual yield, as a fraction; null: never observed.', 0.0523)
  apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Its expected annual yield over the next 10 days, as a fraction; null: too little history.',
    0.0507,
  )
  expected_apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Its `apy` discounted for risk, as in the signals; null: too little history, or an old record.',
    0.0493,
  )
  risk_adjusted_apy: RoundedRate | null;
  @ShownOrNull.rate('Its `expected_apy` with the same discounts; null: too little history.', 0.0482)
  expected_risk_adjusted_apy: RoundedRate | null;
  @ShownOrNull.rate(
    'The rate that the amount would earn, as a fraction: the expected risk-adjusted yield less its dilution by the amount itself; null: too little history.',
    0.0481,
  )
  rate: RoundedRate | null;
  @ShownOrNull.rate(
    'Rate less the rate of the current vault, as a fraction; null for a deposit, and where either is unknown.',
    null,
  )
  delta: RoundedRate | null;
  @Shown.records(
    () => DecisionGate,
    'Gates that the alternative was checked against; for `hold`, the ones for staying.',
  )
  gates: DecisionGate[];
  @Shown.flag('Whether it was chosen.', true) chosen: boolean;
}

/** Values of any unit are rounded like rates, since ratios in days and times end in floating-point noise too. */
const gateView = viewOf(DecisionGate, ({ value, threshold }: Gate) => ({
  value: roundRate(value),
  threshold: roundRate(threshold),
}));

const alternativeView = viewOf(DecisionAlternative, (record: Alternative & { current: number | null }) => ({
  risk_adjusted_apy: roundRate(record.current),
  expected_risk_adjusted_apy: roundRate(record.riskAdjustedApy),
  gates: record.gates.map(gateView),
}));

export function alternativesView({ alternatives, inputs }: PartnerDecision): DecisionAlternative[] {
  const candidates = new Map(inputs.candidates.map((candidate) => [candidate.vaultId, candidate]));
  return alternatives.map((alternative) => {
    const candidate = candidates.get(alternative.vaultId);
    // Cash is no candidate.
    const current = candidate ? (candidate.currentRiskAdjustedApy ?? null) : alternative.apy;
    return alternativeView({ ...alternative, current });
  });
}
