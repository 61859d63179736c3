import { byRank } from '../analytics/signal.js';
import type { Alternative, Decision, DecisionInputs } from './decision.js';
import {
  type Candidate,
  deltaOver,
  depositGates,
  estimateMove,
  gainGates,
  type Gate,
  type GateName,
  type RoutingConstants,
  targetGates,
} from './gates.js';
import { rationaleOf, type Unexplained } from './rationale.js';

/**
 * Decides where a deposit goes, or whether funds that are held move. The same inputs make the same decision, before and after they were JSON.
 *
 * A move's target is the best vault that is open to the amount: a full or stale one in front of it does not keep the funds where they are.
 *
 * @throws RangeError where the amount is not above 0, or the current vault is no candidate
 */
export function decide(inputs: DecisionInputs): Decision {
  const amount = BigInt(inputs.amount);
  if (amount <= 0n) throw new RangeError('A decision is about an amount above 0.');
  const ranked = inputs.candidates.toSorted((a, b) => byRank(rankOf(a), rankOf(b)));
  if (inputs.currentVaultId === null) return explained(route(inputs, ranked, amount));
  const current = ranked.find(({ vaultId }) => vaultId === inputs.currentVaultId);
  if (!current) throw new RangeError(`${inputs.currentVaultId} is not among the candidates.`);
  return explained(judge(inputs, ranked, current, amount));
}

const explained = (decision: Unexplained): Decision => ({ ...decision, rationale: rationaleOf(decision) });

function route(inputs: DecisionInputs, ranked: readonly Candidate[], amount: bigint): Unexplained {
  const { constants } = inputs;
  const judged = ranked.map((candidate) => ({
    candidate,
    gates: depositGates(candidate, amount, constants),
  }));
  const lending = judged.find(({ candidate }) => candidate.lendingBaseline);
  const best = judged.find(({ gates }) => failed(gates).length === 0);
  // Never one that nothing was ever seen of: not even its index would move.
  const lendingTakes =
    lending &&
    lending.candidate.apy !== null &&
    failed(lending.gates).every((gate) => gate === 'history' || gate === 'fresh');
  const target = (best ?? (lendingTakes ? lending : undefined))?.candidate;
  const delta = target && lending ? deltaOver(target, lending.candidate) : null;
  const decision = {
    ...outcome(inputs, 'route'),
    toVaultId: target?.vaultId ?? null,
    alternatives: judged.map(({ candidate, gates }) =>
      alternative('deposit', candidate, null, gates, candidate === target),
    ),
    expectedUplift: uplift(amount, delta, 0n, constants),
  };
  if (!target) return { ...decision, reason: 'no_open_vault' };
  return { ...decision, reason: best ? 'best_vault' : 'insufficient_history' };
}

function judge(
  inputs: DecisionInputs,
  ranked: readonly Candidate[],
  current: Candidate,
  amount: bigint,
): Unexplained {
  const { constants, hoursInVault } = inputs;
  const judged = ranked.map((candidate) => {
    if (candidate === current) return { candidate, delta: 0, open: true, gates: [] };
    const delta = deltaOver(candidate, current);
    const target = targetGates(candidate, amount, constants);
    const gain = gainGates(candidate, amount, delta, hoursInVault, constants);
    return { candidate, delta, open: failed(target).length === 0, gates: [...gain, ...target] };
  });
  const better = judged.filter(({ delta }) => delta !== null && delta > 0);
  const best = better.find(({ open }) => open) ?? better[0];
  const moves = best !== undefined && failed(best.gates).length === 0;
  const decision = {
    ...outcome(inputs, moves ? 'rebalance' : 'hold'),
    alternatives: judged.map(({ candidate, delta, gates }) =>
      alternative(
        candidate === current ? 'hold' : 'move',
        candidate,
        delta,
        gates,
        candidate === (moves ? best.candidate : current),
      ),
    ),
  };
  if (!best)
    return {
      ...decision,
      reason: current.riskAdjustedApy === null ? 'insufficient_history' : 'already_best',
    };
  const target = best.candidate;
  if (!moves)
    return {
      ...decision,
      reason: 'gate_failed',
      blocked: { vaultId: target.vaultId, gates: failed(best.gates) },
    };
  return {
    ...decision,
    reason: 'all_gates_passed',
    toVaultId: target.vaultId,
    expectedUplift: uplift(amount, best.delta, BigInt(target.switchingCost), constants),
  };
}

/** What every decision begins with: a hold, which brings nothing. */
const outcome = (inputs: DecisionInputs, kind: Decision['kind']) => ({
  kind,
  asset: inputs.asset,
  fromVaultId: inputs.currentVaultId,
  toVaultId: null,
  snapshotHour: inputs.snapshotHour,
  configVersion: inputs.configVersion,
  inputs,
  blocked: null,
  expectedUplift: { apyDelta: 0, horizonDays: inputs.constants.horizonDays, amount: '0' },
});

const alternative = (
  action: Alternative['action'],
  { vaultId, apy, expectedApy = null, riskAdjustedApy }: Candidate,
  delta: number | null,
  gates: Gate[],
  chosen: boolean,
): Alternative => ({ vaultId, action, apy, expectedApy, riskAdjustedApy, delta, gates, chosen });

const uplift = (
  amount: bigint,
  apyDelta: number | null,
  cost: bigint,
  { horizonDays }: RoutingConstants,
): Decision['expectedUplift'] => ({
  apyDelta,
  horizonDays,
  amount:
    apyDelta === null ? null : estimateMove(amount, apyDelta, cost, horizonDays).expectedUplift.toString(),
});

const rankOf = ({ vaultId, riskAdjustedApy, tvl }: Candidate) => ({
  vaultId,
  riskAdjustedApy,
  tvl: tvl === null ? null : BigInt(tvl),
});

const failed = (gates: readonly Gate[]): GateName[] =>
  gates.filter(({ passed }) => !passed).map(({ gate }) => gate);
