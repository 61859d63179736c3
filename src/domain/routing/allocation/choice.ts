import {
  type Candidate,
  type Alternative,
  currentOf,
  type Decision,
  type DecisionInputs,
  type DecisionReason,
} from './decision.js';
import { becauseOf, rationaleOf } from './because.js';
import { exposureOf } from './disclosure.js';
import { deltaOver, estimateMove, estimateOfCash, type MoveEstimate } from './estimate.js';
import type { Gate, GateName } from './gate.js';
import { costGate, exitGate, failedGates, heldExposureGate, stayGates } from './gates.js';
import {
  type Choice,
  payGates,
  type RatedCandidate,
  ratedCandidates,
  type DecisionChoice,
} from './rating.js';

/**
 * Decides where a deposit goes, or whether held funds move, within the same limits. It is a pure function: equal inputs give equal decisions, also
 * after a JSON round trip. An eviction takes precedence over a better yield, and evicted funds go where a deposit would. A move goes to the vault
 * within its limits that brings most after the cost.
 * @throws RangeError when the amount is not above 0, or the current vault is neither a candidate nor cash
 */
export const decide = (inputs: DecisionInputs): Decision => rule(inputs).decision();

/** Decides, and returns the ratings behind the decision. @throws RangeError as `decide` */
export function rule(inputs: DecisionInputs): DecisionChoice {
  const question = questionOf(inputs);
  const { question: answered, ...choice } = choose(question);
  return { choice, rated: question.rated, decision: () => decisionOf(choice, answered) };
}

/** A choice, and the question with the ratings behind it. */
type Answer = Choice & { question: Question };

function decisionOf(choice: Choice, question: Question): Decision {
  const { kind, reason, asset, fromVaultId, toVaultId, ...rest } = choice;
  const alternatives = alternativesOf(question, toVaultId);
  const unexplained = { kind, reason, asset, fromVaultId, toVaultId, alternatives, ...rest };
  const exposure = exposureOf(choice.inputs, toVaultId);
  const because = becauseOf(unexplained, question.rated);
  return { ...unexplained, exposure, because, rationale: rationaleOf(unexplained, because) };
}

/** A decision to make, with its rated candidates. */
interface Question {
  inputs: DecisionInputs;
  amount: bigint;
  /** Vault that holds the funds; null: cash, or a deposit. */
  current: Candidate | null;
  rated: readonly RatedCandidate[];
}

function questionOf(inputs: DecisionInputs): Question {
  const { currentVaultId, idle } = inputs;
  const amount = BigInt(inputs.amount);
  if (amount <= 0n) throw new RangeError('The amount of a decision must be above 0.');
  const current = currentOf(inputs) ?? null;
  const isInNoVault = currentVaultId === null || currentVaultId === idle.vaultId;
  if (!isInNoVault && !current) throw new RangeError(`${currentVaultId} is not among the candidates.`);
  return { inputs, amount, current, rated: ratedCandidates(inputs, amount, current) };
}

function choose(question: Question): Answer {
  const { inputs, current } = question;
  const { constants, policy } = inputs;
  if (!current || failedGates(stayGates(current, constants, policy)).length > 0) return placeFunds(question);
  return (inputs.drifted && moveDown(question, current)) || improve(question, current);
}

/**
 * Moves funds of a book that has drifted over an exposure limit to where they lose least, including the cost.
 * @returns null when the book is within its limits, or no vault within its limits takes them
 */
function moveDown(question: Question, current: Candidate): Answer | null {
  const { inputs, amount } = question;
  const isAlone = inputs.positions === 1 && inputs.amount === inputs.groupAmount;
  const exposure = heldExposureGate(current, inputs, isAlone);
  const rated = question.rated.map((rating) => ({
    ...rating,
    gates:
      rating.candidate === current
        ? [...rating.gates, exposure]
        : [...rating.limits, costGate(rating.candidate.cost, amount)],
  }));
  const [target] = rated
    .filter(({ gates }) => failedGates(gates).length === 0)
    .toSorted((a, b) => Number((b.estimate?.npv ?? 0n) - (a.estimate?.npv ?? 0n)));
  return exposure.passed || !target ? null : moveTo({ ...question, rated }, 'exposure', target);
}

/** Gates for funds that must be placed: the vault's limits; for evicted funds and cash also the cost; for cash also that the move pays off. */
function placeGates({ inputs, amount, current }: Question, { candidate, limits }: RatedCandidate): Gate[] {
  const { constants, currentVaultId } = inputs;
  if (currentVaultId === null) return limits;
  const affordable = [...limits, costGate(candidate.cost, amount)];
  if (current) return affordable;
  return [...affordable, ...payGates(candidate, estimateOfCash(candidate, amount, constants), constants)];
}

/** Gates that depend on the cost of a move. */
const COST_GATES: ReadonlySet<GateName> = new Set(['cost', 'gain', 'net_gain']);

/** Places a deposit, cash, or funds that must leave their vault. */
function placeFunds(question: Question): Answer {
  const { inputs, amount, current: leaving } = question;
  const { constants, currentVaultId, idle, policy } = inputs;
  const why = leaving && exitReason(stayGates(leaving, constants, policy));
  const rated = question.rated.map((rating) =>
    rating.candidate === leaving ? rating : { ...rating, gates: placeGates(question, rating) },
  );
  const placement = { ...question, rated };
  const others = rated.filter(({ candidate }) => candidate !== leaving);
  const best = others.find(({ gates }) => failedGates(gates).length === 0);
  // Without an observation, the lending vault fails `fresh`. In its first day of prices, its rate is still unknown.
  const lending = others.find(({ candidate }) => candidate.lendingBaseline);
  const isRated = lending && lending.candidate.apy !== null;
  const lendingFallback =
    isRated && failedGates(lending.gates).every((gate) => gate === 'history') ? lending : undefined;
  const target = best ?? lendingFallback;
  const reason = best ? 'best_vault' : 'insufficient_history';
  if (currentVaultId === null) {
    const delta = target && lending ? deltaOver(target.rate, lending.rate) : null;
    return {
      ...answer(
        placement,
        'route',
        target ? reason : 'no_open_vault',
        target?.candidate.vaultId ?? idle.vaultId,
      ),
      expectedUplift: uplift(inputs, delta, delta === null ? null : depositGain(inputs, amount, delta), '0'),
    };
  }
  if (target) return moveTo(placement, why ?? reason, target);
  const unaffordable = others.find(({ gates }) => failedGates(gates).every((gate) => COST_GATES.has(gate)));
  if (leaving && why && costGate(idle.cost, amount).passed && exitGate(leaving, amount).passed)
    return {
      ...answer(placement, 'rebalance', why, idle.vaultId),
      expectedUplift: uplift(inputs, null, null, idle.cost),
    };
  const first = unaffordable ?? others[0];
  return {
    ...answer(placement, 'hold', leaving || unaffordable ? 'gate_failed' : 'no_open_vault'),
    blocked: first
      ? { vaultId: first.candidate.vaultId, gates: failedGates(first.gates) }
      : { vaultId: idle.vaultId, gates: ['cost'] },
  };
}

/** Safety is the reported reason even if the policy forbids the vault too. */
const exitReason = (gates: readonly Gate[]): DecisionReason =>
  failedGates(gates).every((gate) => gate === 'policy') ? 'policy' : 'evicted';

/** Moves funds to a vault that brings more, or holds them. */
function improve(question: Question, current: Candidate): Answer {
  const better = question.rated.filter(({ delta, candidate }) => candidate !== current && (delta ?? 0) > 0);
  const byValue = better.toSorted((a, b) => Number(b.estimate!.npv - a.estimate!.npv));
  const best = byValue.find(({ limits }) => failedGates(limits).length === 0) ?? byValue[0];
  if (!best)
    return answer(
      question,
      'hold',
      current.riskAdjustedApy === null ? 'insufficient_history' : 'already_best',
    );
  const gates = failedGates(best.gates);
  if (gates.length === 0) return moveTo(question, 'all_gates_passed', best);
  return { ...answer(question, 'hold', 'gate_failed'), blocked: { vaultId: best.candidate.vaultId, gates } };
}

const moveTo = (
  question: Question,
  reason: DecisionReason,
  { candidate, delta, estimate, cost }: RatedCandidate,
): Answer => ({
  ...answer(question, 'rebalance', reason, candidate.vaultId),
  expectedUplift: uplift(question.inputs, delta, estimate, cost),
});

/** @param toVaultId null: the funds stay */
function answer(
  question: Question,
  kind: Decision['kind'],
  reason: DecisionReason,
  toVaultId: string | null = null,
): Answer {
  const { inputs } = question;
  const { horizonDays } = inputs.constants;
  return {
    kind,
    reason,
    asset: inputs.asset,
    fromVaultId: inputs.currentVaultId,
    toVaultId,
    snapshotHour: inputs.snapshotHour,
    configVersion: inputs.configVersion,
    inputs,
    blocked: null,
    expectedUplift: uplift(inputs, 0, { horizonDays, gain: 0n, npv: 0n }, '0'),
    question,
  };
}

function alternativesOf({ inputs, rated, current }: Question, toVaultId: string | null): Alternative[] {
  const { currentVaultId, idle } = inputs;
  const choice = toVaultId ?? currentVaultId;
  const action = currentVaultId === null ? 'deposit' : 'move';
  const alternatives = rated.map(({ candidate, rate, delta, gates }): Alternative => ({
    vaultId: candidate.vaultId,
    action: candidate === current ? 'hold' : action,
    apy: candidate.apy,
    expectedApy: candidate.expectedApy,
    riskAdjustedApy: candidate.riskAdjustedApy,
    rate,
    delta,
    gates,
    chosen: candidate.vaultId === choice,
  }));
  // Cash is listed when the funds are in it, or have no other target.
  if (choice === idle.vaultId || currentVaultId === idle.vaultId)
    alternatives.push({
      vaultId: idle.vaultId,
      action: currentVaultId === idle.vaultId ? 'hold' : action,
      apy: 0,
      expectedApy: 0,
      riskAdjustedApy: 0,
      rate: 0,
      delta: currentVaultId === idle.vaultId ? 0 : null,
      gates: [],
      chosen: choice === idle.vaultId,
    });
  return alternatives;
}

const depositGain = ({ constants }: DecisionInputs, amount: bigint, delta: number): MoveEstimate => {
  const { horizonDays } = constants;
  return estimateMove({ amount, delta, currentRate: 0, cost: 0n, horizonDays, delayHours: 0 });
};

const uplift = (
  { constants }: DecisionInputs,
  apyDelta: number | null,
  estimate: MoveEstimate | null,
  cost: string,
): Decision['expectedUplift'] => ({
  apyDelta,
  horizonDays: estimate?.horizonDays ?? constants.horizonDays,
  amount: estimate && estimate.gain.toString(),
  cost,
  npv: estimate && estimate.npv.toString(),
});
