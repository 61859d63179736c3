import { formatAmount } from '../positions/amount.js';
import { percentInWords, pointsInWords } from '../rate.js';
import type { Alternative, Decision, DecisionInputs } from './decision.js';
import { gateInWords } from './gate-words.js';
import { estimateMove } from './gates.js';

/** A decision before it is put into words. */
export type Unexplained = Omit<Decision, 'rationale'>;
/** What the words are made of: no sentence says more than the figures that it is given. */
type Explicable = Omit<Unexplained, 'inputs'> & {
  inputs: Pick<DecisionInputs, 'amount' | 'currentVaultId' | 'constants'> & {
    candidates: readonly Pick<DecisionInputs['candidates'][number], 'vaultId' | 'switchingCost'>[];
  };
};

/** Why, in words. */
export function rationaleOf(decision: Explicable): string {
  const { asset, inputs, alternatives } = decision;
  const sum = `${formatAmount(BigInt(inputs.amount))} ${asset}`;
  return decision.kind === 'route'
    ? ofDeposit(decision, sum, alternatives.length)
    : ofFunds(decision, sum, alternatives.length);
}

function ofDeposit(decision: Explicable, sum: string, vaults: number): string {
  const { asset, reason, expectedUplift, toVaultId } = decision;
  if (reason === 'no_open_vault')
    return `No vault of ${asset} takes ${sum}: each of ${vaults} failed a gate.`;
  if (reason === 'insufficient_history')
    return (
      `Deposited ${sum} into the lending vault ${toVaultId}: insufficient_history, ` +
      `as none of ${vaults} vaults is both open and known for long enough.`
    );
  const { riskAdjustedApy } = alternativeOf(decision, toVaultId);
  const { apyDelta } = expectedUplift;
  return (
    `Deposited ${sum} into ${toVaultId}: its risk-adjusted APY of ${percentInWords(riskAdjustedApy)} is the best ` +
    `of ${vaults} vaults that is open${apyDelta === null ? '' : `, ${pointsInWords(apyDelta)} over the lending vault`}.`
  );
}

function ofFunds(decision: Explicable, sum: string, vaults: number): string {
  const { blocked, inputs, reason, toVaultId } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  const held = `Held ${sum} in ${current.vaultId}`;
  if (reason === 'insufficient_history')
    return `${held}: insufficient_history, so that nothing can be compared with it.`;
  if (reason === 'already_best')
    return `${held}: its risk-adjusted APY of ${percentInWords(current.riskAdjustedApy)} is the best that is known of ${vaults} vaults.`;
  const target = alternativeOf(decision, toVaultId ?? blocked?.vaultId ?? null);
  const gap =
    `${target.vaultId} has a risk-adjusted APY of ${percentInWords(target.riskAdjustedApy)}, ` +
    `${pointsInWords(target.delta ?? 0)} over ${percentInWords(current.riskAdjustedApy)}`;
  if (toVaultId === null)
    return `${held}: ${gap}, but did not pass ${target.gates
      .filter(({ passed }) => !passed)
      .map((gate) => gateInWords(gate, decision.asset))
      .join(', ')}.`;
  return `Moved ${sum} from ${current.vaultId} to ${target.vaultId}: ${gap}. ${paysBack(decision, target)} All ${target.gates.length} gates passed.`;
}

function paysBack({ asset, inputs }: Explicable, { vaultId, delta }: Alternative): string {
  const { amount, candidates, constants } = inputs;
  const cost = BigInt(candidates.find((one) => one.vaultId === vaultId)?.switchingCost ?? 0);
  const estimate = estimateMove(BigInt(amount), delta ?? 0, cost, constants.horizonDays);
  return (
    `${formatAmount(estimate.gainPerDay)} ${asset} a day bring back the cost of ${formatAmount(cost)} ${asset} in ` +
    `${(estimate.breakevenDays ?? 0).toFixed(2)} days; ${formatAmount(estimate.expectedUplift)} ${asset} is expected to remain ` +
    `after ${constants.horizonDays} days.`
  );
}

/** @throws RangeError where the decision is about another vault */
function alternativeOf({ alternatives }: Pick<Explicable, 'alternatives'>, id: string | null): Alternative {
  const found = alternatives.find(({ vaultId }) => vaultId === id);
  if (!found) throw new RangeError(`${id} is not among the alternatives.`);
  return found;
}
