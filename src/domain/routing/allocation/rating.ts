import { byRank } from '../../markets/signals/signal.js';
import { costShare, inBatch } from './batch.js';
import type { Candidate, Micro } from './candidate.js';
import type { DecisionInputs } from './decision.js';
import {
  bestEstimateInto,
  deltaOver,
  leavingOf,
  type MoveEstimate,
  promiseInto,
  rateFor,
} from './estimate.js';
import { exposureGate } from './exposure.js';
import type { Gate } from './gate.js';
import { exitGate, gainGates, keepGates, limitGates } from './gates.js';

/** What an amount would bring in a vault, and the gates of its move there. */
export interface RatedCandidate {
  candidate: Candidate;
  rate: number | null;
  delta: number | null;
  estimate: MoveEstimate | null;
  /** The amount's part of the move's cost. */
  cost: Micro;
  limits: Gate[];
  gates: Gate[];
}

/** All candidates, the best rate first. @param current null: cash, or a deposit */
export function ratedCandidates(
  inputs: DecisionInputs,
  amount: bigint,
  current: Candidate | null,
): RatedCandidate[] {
  const { constants, currentVaultId, hoursInVault, idle, policy } = inputs;
  const leaving = leavingOf(current, currentVaultId === idle.vaultId, amount, constants);
  const currentRate = leaving.rate;
  const rated = inputs.candidates.map((candidate): RatedCandidate => {
    if (candidate === current) {
      const gates = keepGates(candidate, constants, policy);
      return { candidate, rate: currentRate, delta: 0, estimate: null, cost: '0', limits: [], gates };
    }
    const rate = rateFor(candidate, amount, constants);
    const delta = deltaOver(rate, currentRate);
    const estimate = bestEstimateInto(candidate, rate, leaving, amount, constants);
    const limits = [
      ...limitGates(candidate, amount, constants, policy),
      exposureGate(candidate, amount, inputs),
      ...(current ? [exitGate(current, amount)] : []),
    ];
    const promise = estimate && promiseInto(candidate, current, candidate.cost, amount, estimate, constants);
    const batch = inBatch(inputs, candidate, { amount, delta, estimate, promise });
    const gain = current ? gainGates(candidate, batch, hoursInVault, constants, policy) : [];
    const share = costShare(inputs, candidate, amount);
    return {
      candidate,
      rate,
      delta,
      estimate: estimate && { ...estimate, npv: estimate.gain - share },
      cost: share.toString(),
      limits,
      gates: [...gain, ...limits],
    };
  });
  return rated.toSorted((a, b) => byRank(rankOf(a), rankOf(b)));
}

const rankOf = ({ candidate: { vaultId, tvl }, rate }: RatedCandidate) => ({
  vaultId,
  riskAdjustedApy: rate,
  tvl: tvl === null ? null : BigInt(tvl),
});
