import { compareRanks } from '../../markets/signals/signal.js';
import type { Candidate, Decision, DecisionInputs, Micro } from './decision.js';
import {
  bestEstimateInto,
  deltaOver,
  forgoneRates,
  type MoveEstimate,
  promiseInto,
  rateFor,
} from './estimate.js';
import { atLeast, type Gate, type GateName, gateOf } from './gate.js';
import { exitGate, exposureGate, stayGates, limitGates, plainUnits } from './gates.js';
import type { RoutingConstants } from './routing-constants.js';
import type { Policy } from '../../tenants/policies/policy.js';
import type { DecisionHistory, VaultHolding } from './routing-state.js';

/** What an amount would bring in a vault, and the gates of its move there, which are evaluated lazily. */
export interface RatedCandidate {
  candidate: Candidate;
  rate: number | null;
  delta: number | null;
  estimate: MoveEstimate | null;
  /** Promise of the move, less its whole cost; micro-units; null: a forecast is unknown. */
  readonly promise: bigint | null;
  /** The amount's part of the move's cost. */
  cost: Micro;
  readonly limits: Gate[];
  readonly gates: Gate[];
}

/** A decision without its explanation: most choices are only compared with others. */
export type Choice = Omit<Decision, 'alternatives' | 'because' | 'exposure' | 'rationale'>;

/** A choice, its decision, and the exact ratings of its candidates: the decision's gates are for display. */
export interface DecisionChoice {
  choice: Choice;
  decision: () => Decision;
  rated: readonly RatedCandidate[];
}

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** All candidates, the best rate first. @param current null: cash, or a deposit */
export function ratedCandidates(
  inputs: DecisionInputs,
  amount: bigint,
  current: Candidate | null,
): RatedCandidate[] {
  const { constants, currentVaultId, hoursInVault, idle, policy } = inputs;
  const leaving = forgoneRates(current, currentVaultId === idle.vaultId, amount, constants);
  const currentRate = leaving.rate;
  const rated = inputs.candidates.map((candidate): RatedCandidate => {
    if (candidate === current) {
      const gates = stayGates(candidate, constants, policy);
      return {
        candidate,
        rate: currentRate,
        delta: 0,
        estimate: null,
        promise: null,
        cost: '0',
        limits: [],
        gates,
      };
    }
    const rate = rateFor(candidate, amount, constants);
    const delta = deltaOver(rate, currentRate);
    const estimate = bestEstimateInto(candidate, rate, leaving, amount, constants);
    const limits = once(() => [
      ...limitGates(candidate, amount, constants, policy),
      exposureGate(candidate, amount, inputs),
      ...(current ? [exitGate(current, amount)] : []),
    ]);
    const promise = once(
      () => estimate && promiseInto(candidate, current, candidate.cost, amount, estimate, constants),
    );
    const gates = once(() => {
      const batch = batchProspect(inputs, candidate, { amount, delta, estimate, promise: promise() });
      return [...(current ? gainGates(candidate, batch, hoursInVault, constants, policy) : []), ...limits()];
    });
    const share = costShare(inputs, candidate, amount);
    return {
      candidate,
      rate,
      delta,
      estimate: estimate && { ...estimate, npv: estimate.gain - share },
      cost: share.toString(),
      get promise() {
        return promise();
      },
      get limits() {
        return limits();
      },
      get gates() {
        return gates();
      },
    };
  });
  return rated.toSorted((a, b) => compareRanks(rankOf(a), rankOf(b)));
}

const rankOf = ({ candidate: { vaultId, tvl }, rate }: RatedCandidate) => ({
  vaultId,
  riskAdjustedApy: rate,
  tvl: tvl === null ? null : BigInt(tvl),
});

/** Gates of fixed costs: the gain pays for the move within the horizon. @param estimate micro-units; null: a rate is unknown */
export function payGates(
  { cost }: Pick<Candidate, 'cost'>,
  estimate: { gain: bigint; npv: bigint } | null,
  { minimumGainMultiple, minimumNetGain }: RoutingConstants,
): Gate[] {
  const minimumGain = minimumGainMultiple * plainUnits(BigInt(cost));
  return [
    atLeast('gain', estimate && plainUnits(estimate.gain), minimumGain),
    atLeast('net_gain', estimate && plainUnits(estimate.npv), minimumNetGain),
  ];
}

interface Prospect {
  /** Micro-units that move in one transaction. */
  amount: bigint;
  /** Fraction a year; null: one of the two rates is not known, so nothing is gained. */
  delta: number | null;
  /** Micro-units; null with the delta. */
  estimate: { horizonDays: number; gain: bigint; npv: bigint } | null;
  /** Promise in micro-units; null: one of the two forecasts is not known. */
  promise: bigint | null;
}

/**
 * Gates on the gain of a move and on the time since earlier moves.
 * @param hoursInVault hours that the funds have been in their vault
 */
export function gainGates(
  candidate: Pick<Candidate, 'cost' | 'hoursSinceLeft'>,
  { amount, delta, estimate, promise }: Prospect,
  hoursInVault: number,
  constants: RoutingConstants,
  policy?: Policy,
): Gate[] {
  const { cost, hoursSinceLeft } = candidate;
  const gain = estimate && plainUnits(estimate.gain);
  const units = plainUnits(BigInt(cost));
  const days = estimate?.horizonDays ?? constants.horizonDays;
  const leastPromise = Math.max(
    constants.minimumPromiseMultiple * units,
    (plainUnits(amount) * constants.minimumDelta * days) / 365 - units,
  );
  const returns = hoursSinceLeft !== null && hoursSinceLeft < constants.returnHours;
  return [
    atLeast('delta', delta, Math.max(constants.minimumDelta, policy?.minimumGain ?? 0)),
    ...payGates(candidate, estimate, constants),
    atLeast('promise', promise === null ? null : plainUnits(promise), leastPromise),
    atLeast('time_in_vault', hoursInVault, constants.minimumHoursInVault),
    returns
      ? atLeast('return', gain, constants.returnGainMultiple * constants.minimumGainMultiple * units)
      : gateOf('return', gain, null, true),
  ];
}

export type BatchMember = NonNullable<ReturnType<typeof batchMember>>;

const PAID_BY_BATCH: ReadonlySet<GateName> = new Set(['gain', 'net_gain', 'promise', 'return']);

/**
 * A holding that would move in a batch: it moves alone, or only the cost of the move holds it. Micro-units; `promise` is before the cost. `wasHeld`:
 * alone it is held, for a reason that is already stored.
 * @returns null: no batch would move it. Cash and evicted funds go alone.
 */
export function batchMember(group: VaultHolding, { choice, rated }: DecisionChoice, past: DecisionHistory) {
  const { blocked, reason, inputs } = choice;
  const isBlocked = blocked?.gates.every((gate) => PAID_BY_BATCH.has(gate)) ?? false;
  const isCash = inputs.currentVaultId === inputs.idle.vaultId;
  const toVaultId = reason === 'all_gates_passed' ? choice.toVaultId : isBlocked ? blocked!.vaultId : null;
  const target = rated.find(({ candidate }) => candidate.vaultId === toVaultId);
  if (isCash || !target?.estimate || target.promise === null || target.estimate.gain <= 0n) return null;
  const cost = BigInt(target.candidate.cost);
  return {
    group,
    toVaultId: target.candidate.vaultId,
    amount: BigInt(inputs.amount),
    gain: target.estimate.gain,
    promise: target.promise + cost,
    cost,
    wasHeld: isBlocked && past.hasStoredHold(group, blocked),
  };
}

/** Prospect of the whole transaction that an amount is part of. */
function batchProspect({ shared }: DecisionInputs, { vaultId }: Candidate, prospect: Prospect): Prospect {
  if (shared?.vaultId !== vaultId || !prospect.estimate || prospect.promise === null) return prospect;
  const { amount, estimate, promise, delta } = prospect;
  const gain = BigInt(shared.gain);
  return {
    amount: amount + BigInt(shared.amount),
    delta,
    estimate: { ...estimate, gain: estimate.gain + gain, npv: estimate.npv + gain },
    promise: promise + BigInt(shared.promise),
  };
}

/** Part of a move's cost that an amount pays, in proportion to what moves in its transaction, rounded up. */
function costShare({ shared }: DecisionInputs, { vaultId, cost }: Candidate, amount: bigint): bigint {
  if (shared?.vaultId !== vaultId) return BigInt(cost);
  const total = amount + BigInt(shared.amount);
  return (BigInt(cost) * amount + total - 1n) / total;
}

export function sharedBy(members: readonly BatchMember[]): NonNullable<DecisionInputs['shared']> {
  const sum = (amountOf: (member: BatchMember) => bigint): string =>
    members.reduce((total, member) => total + amountOf(member), 0n).toString();
  return {
    vaultId: members[0]!.toVaultId,
    amount: sum(({ amount }) => amount),
    gain: sum(({ gain }) => gain),
    promise: sum(({ promise }) => promise),
  };
}
