import { byRank } from '../analytics/signal.js';
import { formatAmount } from '../positions/amount.js';
import {
  type Candidate,
  deltaOver,
  depositGates,
  estimateMove,
  gainGates,
  type Gate,
  type GateName,
  type Micro,
  type RoutingConstants,
  targetGates,
} from './gates.js';

/** All that a decision depends on. Plain JSON: stored with the decision, and enough to make it again. */
export interface DecisionInputs {
  asset: string;
  /** What is deposited, or what is held in the current vault; above 0. */
  amount: Micro;
  /** Where the funds are; null: they are a deposit. It is one of the candidates. */
  currentVaultId: string | null;
  /** Since they were put there; 0 for a deposit. */
  hoursInVault: number;
  /** The UTC hour whose snapshots are judged, ISO 8601. */
  snapshotHour: string;
  /** Names the configuration that the constants are from. */
  configVersion: string;
  constants: RoutingConstants;
  /** All vaults of the asset. */
  candidates: readonly Candidate[];
}

export interface Alternative {
  vaultId: string;
  /** `hold`: leave the funds where they are. */
  action: 'deposit' | 'move' | 'hold';
  apy: number | null;
  riskAdjustedApy: number | null;
  /** Over where the funds are, in risk-adjusted APY; null for a deposit, and where one is not known. */
  delta: number | null;
  /** Empty for `hold`: it needs no reason. */
  gates: Gate[];
  chosen: boolean;
}

export type DecisionReason =
  /** A deposit, into the best vault that is open to it. */
  | 'best_vault'
  /** A deposit into the lending vault, as no open vault has history; or a hold, as the current vault has none. */
  | 'insufficient_history'
  /** A deposit that no vault takes. */
  | 'no_open_vault'
  | 'all_gates_passed'
  /** A hold: no vault is better. */
  | 'already_best'
  /** A hold: a better vault failed a gate. */
  | 'gate_failed';

/** Plain JSON, amounts in digits. */
export interface Decision {
  kind: 'route' | 'rebalance' | 'hold';
  reason: DecisionReason;
  asset: string;
  /** null of a deposit. */
  fromVaultId: string | null;
  /** null of a hold, and of a deposit that no vault takes. */
  toVaultId: string | null;
  snapshotHour: string;
  configVersion: string;
  inputs: DecisionInputs;
  /** Best first; every candidate, `hold` among them. */
  alternatives: Alternative[];
  /** Of a hold with `gate_failed`: the better vault and what it failed. Equal ones are the same reason to hold. */
  blocked: { vaultId: string; gates: GateName[] } | null;
  /**
   * Of the choice over staying, after the cost; of a deposit over the asset's lending vault. A hold's is 0; null: not known.
   */
  expectedUplift: { apyDelta: number | null; horizonDays: number; amount: Micro | null };
  rationale: string;
}

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
  if (inputs.currentVaultId === null) return route(inputs, ranked, amount);
  const current = ranked.find(({ vaultId }) => vaultId === inputs.currentVaultId);
  if (!current) throw new RangeError(`${inputs.currentVaultId} is not among the candidates.`);
  return judge(inputs, ranked, current, amount);
}

function route(inputs: DecisionInputs, ranked: readonly Candidate[], amount: bigint): Decision {
  const { asset, constants } = inputs;
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
  const sum = `${formatAmount(amount)} ${asset}`;
  const decision = {
    ...outcome(inputs, 'route'),
    toVaultId: target?.vaultId ?? null,
    alternatives: judged.map(({ candidate, gates }) =>
      alternative('deposit', candidate, null, gates, candidate === target),
    ),
    expectedUplift: uplift(amount, delta, 0n, constants),
  };
  if (!target)
    return {
      ...decision,
      reason: 'no_open_vault',
      rationale: `No vault of ${asset} takes ${sum}: each of ${ranked.length} failed a gate.`,
    };
  if (!best)
    return {
      ...decision,
      reason: 'insufficient_history',
      rationale:
        `Deposited ${sum} into the lending vault ${target.vaultId}: insufficient_history, ` +
        `as none of ${ranked.length} vaults is both open and known for long enough.`,
    };
  return {
    ...decision,
    reason: 'best_vault',
    rationale:
      `Deposited ${sum} into ${target.vaultId}: its risk-adjusted APY of ${percent(target.riskAdjustedApy)} is the best ` +
      `of ${ranked.length} vaults that is open${delta === null ? '' : `, ${points(delta)} over the lending vault`}.`,
  };
}

function judge(
  inputs: DecisionInputs,
  ranked: readonly Candidate[],
  current: Candidate,
  amount: bigint,
): Decision {
  const { asset, constants, hoursInVault } = inputs;
  const judged = ranked.map((candidate) => {
    if (candidate === current) return { candidate, delta: 0, open: true, gates: [] };
    const delta = deltaOver(candidate, current);
    const target = targetGates(candidate, amount, constants);
    const gain = gainGates(candidate, amount, delta, hoursInVault, constants);
    return { candidate, delta, open: failed(target).length === 0, gates: [...gain, ...target] };
  });
  const better = judged.filter(({ delta }) => delta !== null && delta > 0);
  const best = better.find(({ open }) => open) ?? better[0];
  const blockers = best?.gates.filter(({ passed }) => !passed) ?? [];
  const moves = best !== undefined && blockers.length === 0;
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
  const sum = `${formatAmount(amount)} ${asset}`;
  const held = `Held ${sum} in ${current.vaultId}`;
  if (!best)
    return current.riskAdjustedApy === null
      ? {
          ...decision,
          reason: 'insufficient_history',
          rationale: `${held}: insufficient_history, so that nothing can be compared with it.`,
        }
      : {
          ...decision,
          reason: 'already_best',
          rationale: `${held}: its risk-adjusted APY of ${percent(current.riskAdjustedApy)} is the best that is known of ${ranked.length} vaults.`,
        };
  const target = best.candidate;
  const gap =
    `${target.vaultId} has a risk-adjusted APY of ${percent(target.riskAdjustedApy)}, ` +
    `${points(best.delta ?? 0)} over ${percent(current.riskAdjustedApy)}`;
  if (!moves)
    return {
      ...decision,
      reason: 'gate_failed',
      blocked: { vaultId: target.vaultId, gates: failed(best.gates) },
      rationale: `${held}: ${gap}, but did not pass ${blockers.map(inWords).join(', ')}.`,
    };
  const cost = BigInt(target.switchingCost);
  const estimate = estimateMove(amount, best.delta ?? 0, cost, constants.horizonDays);
  return {
    ...decision,
    reason: 'all_gates_passed',
    toVaultId: target.vaultId,
    expectedUplift: uplift(amount, best.delta, cost, constants),
    rationale:
      `Moved ${sum} from ${current.vaultId} to ${target.vaultId}: ${gap}. ` +
      `${formatAmount(estimate.gainPerDay)} ${asset} a day bring back the cost of ${formatAmount(cost)} in ` +
      `${(estimate.breakevenDays ?? 0).toFixed(2)} days; ${formatAmount(estimate.expectedUplift)} is expected to remain ` +
      `after ${constants.horizonDays} days. All ${best.gates.length} gates passed.`,
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
  { vaultId, apy, riskAdjustedApy }: Candidate,
  delta: number | null,
  gates: Gate[],
  chosen: boolean,
): Alternative => ({ vaultId, action, apy, riskAdjustedApy, delta, gates, chosen });

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

const percent = (rate: number | null): string => (rate === null ? 'unknown' : `${(rate * 100).toFixed(2)} %`);
const points = (rate: number): string => `${(rate * 100).toFixed(2)} pp`;

const inWords = ({ gate, value, threshold }: Gate): string =>
  `${gate} (${value ?? 'unknown'} against ${threshold ?? 'no bound'})`;
