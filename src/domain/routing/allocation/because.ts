import { formatAmount, percentInWords, pointsInWords } from '../../kernel/money.js';
import { coarse, coarseGates } from './coarse.js';
import {
  type Alternative,
  type Candidate,
  currentOf,
  type Decision,
  type DecisionInputs,
  LEAVING,
} from './decision.js';
import { estimateOfCash, type MoveEstimate } from './estimate.js';
import { type GateName, gateInWords } from './gate.js';
import { exposureRoom, failedGates, SIZE_GATES, tightestPart } from './gates.js';
import { roomIn } from './partial-move.js';
import { type RatedCandidate, ratedCandidates } from './rating.js';

export type DecisionFacts = Omit<Decision, 'because' | 'rationale' | 'exposure'>;

/** What was decided, and why. @param isDone false while the order is open, or when it failed */
export function rationaleOf(decision: DecisionFacts, because: string, isDone = true): string {
  const { fromVaultId, inputs, kind, toVaultId } = decision;
  const funds = amountInWords(decision);
  if (kind === 'hold') return `Held ${funds} in ${inputs.currentVaultId}: ${because}`;
  if (kind === 'rebalance')
    return `${isDone ? 'Moved' : 'Decided to move'} ${funds} from ${fromVaultId} to ${toVaultId}: ${because}`;
  return toVaultId === inputs.idle.vaultId
    ? `${funds} waits in ${toVaultId}: ${because}`
    : `${isDone ? 'Deposited' : 'Decided to deposit'} ${funds} into ${toVaultId}: ${because}`;
}

/**
 * Why a decision was made, in words that its partner may read: others' holdings are in no figure, or rounded as they are disclosed.
 * @param rated the ratings behind the decision
 */
export function becauseOf(
  decision: DecisionFacts,
  rated: readonly RatedCandidate[] = ratingsOf(decision.inputs),
): string {
  if (decision.kind === 'route') return becauseOfDeposit(decision, rated);
  return decision.kind === 'hold' ? becauseOfHold(decision, rated) : becauseOfMove(decision);
}

const ratingsOf = (inputs: DecisionInputs): RatedCandidate[] =>
  ratedCandidates(inputs, BigInt(inputs.amount), currentOf(inputs) ?? null);

function becauseOfDeposit(decision: DecisionFacts, rated: readonly RatedCandidate[]): string {
  const { alternatives, asset, reason, expectedUplift, inputs, toVaultId } = decision;
  const { length } = alternatives.filter(({ vaultId }) => vaultId !== inputs.idle.vaultId);
  if (reason === 'no_open_vault' && inputs.policy?.paused)
    return 'the policy is paused, so nothing enters a vault.';
  const none = length === 1 ? `the only ${asset} vault is not` : `none of ${length} ${asset} vaults is`;
  if (reason === 'insufficient_history')
    return `insufficient_history, as ${none} within its limits with enough history, so it is in the lending vault.`;
  if (reason === 'no_open_vault') {
    const tooSmall = rated.find(({ limits }) => isTooLarge(failedGates(limits)));
    if (!tooSmall) return `${none} within its limits.`;
    const { vaultId } = tooSmall.candidate;
    return (
      `${none} within its limits. The best that is too small for all of it is ${vaultId}, ` +
      `which fails ${failures(decision, vaultId, '')}.${splitHint(decision, tooSmall)}`
    );
  }
  const { rate } = alternativeOf(decision, toVaultId);
  const { apyDelta } = expectedUplift;
  const isLending = inputs.candidates.some(
    ({ vaultId, lendingBaseline }) => vaultId === toVaultId && lendingBaseline,
  );
  return (
    `its expected risk-adjusted APY of ${percentInWords(rate)} is the best within limits` +
    (length === 1 ? ', of one vault' : ` among ${length} vaults`) +
    (apyDelta === null || isLending ? '.' : `, ${pointsInWords(apyDelta)} over the lending vault.`)
  );
}

function becauseOfHold(decision: DecisionFacts, rated: readonly RatedCandidate[]): string {
  const { alternatives, inputs, reason } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  if (reason === 'insufficient_history')
    return 'insufficient_history, so it cannot be compared with other vaults.';
  if (reason === 'already_best')
    return `its expected risk-adjusted APY of ${percentInWords(current.rate)} is the highest known of ${alternatives.length} vaults.`;
  if (current.gates.some(({ passed }) => !passed))
    return `the vault should be left${failures(decision, current.vaultId)}, but the move would cost at least as much as the funds are worth.`;
  const best = bestOf(decision, rated);
  if (!best && reason === 'no_open_vault')
    return `no vault accepts it now${failures(decision, decision.blocked?.vaultId, ', and the best fails ')}.`;
  if (!best)
    return `${decision.blocked?.vaultId} is the best of the others, and fails ${failures(decision, decision.blocked?.vaultId, '')}.`;
  const { rating, estimate } = best;
  const { candidate } = rating;
  const target = alternativeOf(decision, candidate.vaultId);
  return (
    `${target.vaultId} would gain ${formatAmount(estimate.gain)} ${decision.asset} in ${estimate.horizonDays} days, ` +
    `at ${percentInWords(target.rate)} instead of ${percentInWords(current.rate)}, for a cost of ${formatAmount(BigInt(rating.cost))} ${decision.asset}. ` +
    `It fails ${failures(decision, target.vaultId, '')}.${splitHint(decision, rating)}`
  );
}

/** Gates that doubt what is known of a vault, or keep everybody out of it: what it promises is not compared. */
const DOUBTS: ReadonlySet<GateName> = new Set([
  ...(['active', 'fresh', 'reading', 'history', 'index', 'outflow', 'assets'] as const),
  ...(['quarantine', 'step', 'divergence', 'liquidity'] as const),
]);

interface BlockedVault {
  rating: RatedCandidate;
  estimate: MoveEstimate;
}

/** The vault that would bring most after its cost, among those that only this move's gain or limits keep the funds from. */
function bestOf({ inputs }: DecisionFacts, rated: readonly RatedCandidate[]): BlockedVault | undefined {
  const { constants, currentVaultId, idle } = inputs;
  const current = currentOf(inputs);
  const estimateOf = ({ candidate, estimate }: RatedCandidate): MoveEstimate | null =>
    currentVaultId === idle.vaultId ? estimateOfCash(candidate, BigInt(inputs.amount), constants) : estimate;
  return rated
    .filter(
      ({ candidate, limits }) =>
        candidate !== current && !failedGates(limits).some((gate) => DOUBTS.has(gate)),
    )
    .flatMap((rating): BlockedVault[] => {
      const estimate = estimateOf(rating);
      return estimate && estimate.gain > 0n ? [{ rating, estimate }] : [];
    })
    .toSorted((a, b) => Number(b.estimate.npv - a.estimate.npv))[0];
}

const isTooLarge = (gates: readonly GateName[]): boolean =>
  gates.length > 0 && gates.every((gate) => SIZE_GATES.has(gate));

/** What several positions would have changed, where the size of a whole one is all that is in the way; else empty. */
function splitHint({ asset, inputs }: DecisionFacts, { candidate, limits }: RatedCandidate): string {
  if (inputs.positions !== 1 || !isTooLarge(failedGates(limits))) return '';
  const rooms = [exposureRoom(candidate, inputs), roomIn(coarse(candidate), inputs.constants)];
  const room = rooms.reduce((least, next) => (next < least ? next : least));
  if (room <= 0n || room >= BigInt(inputs.amount)) return '';
  return ` A position is whole: deposited with \`split: true\`, up to ${formatAmount(room)} ${asset} of it would fit.`;
}

function becauseOfMove(decision: DecisionFacts): string {
  const { asset, expectedUplift, inputs, reason, toVaultId } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  const target = alternativeOf(decision, toVaultId);
  const { amount, npv, horizonDays } = expectedUplift;
  const cost = `${formatAmount(BigInt(expectedUplift.cost))} ${asset}`;
  if (LEAVING.has(reason)) {
    const where =
      target.vaultId === inputs.idle.vaultId
        ? 'No vault accepts it now, so it waits there.'
        : 'That is the best vault within its limits.';
    const why =
      reason === 'policy' ? `the policy forbids ${current.vaultId}` : `${current.vaultId} must be left`;
    return `${why}${failures(decision, current.vaultId)}. ${where} The move costs ${cost}.`;
  }
  if (reason === 'exposure')
    return `the book has drifted over a limit${failures(decision, current.vaultId, ', ')}. Of the vaults within their limits, ${target.vaultId} costs the funds least. The move costs ${cost}.`;
  if (reason === 'insufficient_history')
    return `insufficient_history, as no vault within its limits has enough history, so it goes to the lending vault. The move costs ${cost}.`;
  if (reason === 'best_vault')
    return `its expected risk-adjusted APY of ${percentInWords(target.rate)} is the highest of the vaults within their limits. The move costs ${cost}.`;
  const hours = currentOf(inputs)?.exitDelayHours ?? 0;
  const delay = hours === 0 ? '' : `, less ${hours} hours in transit`;
  const lasting = horizonDays === inputs.constants.horizonDays ? '' : ', from the difference that lasts';
  return (
    `${advantage(target, current)}. The expected gain is ${formatAmount(BigInt(amount ?? 0))} ${asset} over ${horizonDays} days${lasting}${delay}; ` +
    `${formatAmount(BigInt(npv ?? 0))} ${asset} remains after the cost of ${cost}. All ${target.gates.length} gates passed.`
  );
}

/** Amount in words; of a partial move also the whole. */
function amountInWords({ asset, inputs }: DecisionFacts): string {
  const amount = formatAmount(BigInt(inputs.amount));
  return inputs.amount === inputs.groupAmount
    ? `${amount} ${asset}`
    : `${amount} of ${formatAmount(BigInt(inputs.groupAmount))} ${asset}`;
}

const advantage = (target: Alternative, current: Alternative): string =>
  `${target.vaultId} has an expected risk-adjusted APY of ${percentInWords(target.rate)}, ` +
  `${pointsInWords(target.delta ?? 0)} over ${percentInWords(current.rate)}`;

/** Gates that ask in several ways whether a move brings enough: the first that failed says it. */
const OF_GAIN: ReadonlySet<GateName> = new Set(['delta', 'gain', 'net_gain', 'promise', 'return']);

/** The failed gates of a vault; empty: none. */
function failures(decision: DecisionFacts, vaultId: string | undefined, prefix = ', as it fails '): string {
  const { alternatives, asset, inputs } = decision;
  const alternative = alternatives.find((entry) => entry.vaultId === vaultId);
  const candidate = inputs.candidates.find((entry) => entry.vaultId === vaultId);
  if (!alternative) return '';
  const failed = coarseGates(alternative, candidate, inputs).filter(({ passed }) => !passed);
  const tooLittle = failed.find(({ gate }) => OF_GAIN.has(gate));
  const words = failed
    .filter((gate) => gate === tooLittle || !OF_GAIN.has(gate.gate))
    .map((gate) => {
      const isIn = gate.gate === 'exposure' && candidate && alternative.action !== 'hold';
      return gateInWords(gate, asset, isIn ? placeOf(candidate, inputs) : '');
    });
  return words.length === 0 ? '' : prefix + words.join(', ');
}

/** The part of the book whose limit is the tightest. */
function placeOf(candidate: Candidate, inputs: DecisionInputs): string {
  const { riskTier = 'low', venue } = candidate;
  const { kind } = tightestPart(candidate, BigInt(inputs.amount), inputs);
  if (kind === 'venue') return `at ${venue}`;
  return kind === 'tier' ? `in all ${riskTier}-risk vaults` : `in one ${riskTier}-risk vault`;
}

function alternativeOf(
  { alternatives }: Pick<DecisionFacts, 'alternatives'>,
  id: string | null,
): Alternative {
  const alternative = alternatives.find(({ vaultId }) => vaultId === id);
  if (!alternative) throw new RangeError(`${id} is not among the alternatives.`);
  return alternative;
}
