import type { Decision, DecisionInputs } from './decision.js';
import type { DecisionHistory, Holding } from './decision-history.js';
import type { GateName } from './gate.js';
import type { Candidate } from './candidate.js';
import type { Prospect } from './gates.js';
import type { PartialMove } from './partial-move.js';

export type BatchMember = NonNullable<ReturnType<typeof batchMember>>;

const PAID_BY_BATCH: ReadonlySet<GateName> = new Set(['gain', 'net_gain', 'promise', 'return']);

/**
 * A holding that would move in a batch: alone it moves, or only the cost of the move keeps it. Micro-units; the promise before the cost. `wasHeld`: alone
 * it stays, for a reason that is stored.
 */
export function batchMember(
  { group, record, part }: { group: Holding; record: Decision; part: PartialMove | null },
  past: DecisionHistory,
) {
  const { blocked, reason, inputs } = record;
  const isBlocked = blocked?.gates.every((gate) => PAID_BY_BATCH.has(gate)) ?? false;
  const toVaultId = reason === 'all_gates_passed' ? record.toVaultId : isBlocked ? blocked!.vaultId : null;
  const chosen = record.alternatives.find(({ vaultId }) => vaultId === toVaultId);
  const cost = inputs.candidates.find(({ vaultId }) => vaultId === toVaultId)?.cost;
  if (part !== null || toVaultId === null || !chosen || cost === undefined) return null;
  const micro = (name: GateName): bigint | null => {
    const value = chosen.gates.find(({ gate }) => gate === name)?.value ?? null;
    return value === null ? null : BigInt(Math.round(value * 1e6));
  };
  const [gain, promise] = [micro('gain'), micro('promise')];
  if (gain === null || promise === null || gain <= 0n) return null;
  return {
    group,
    toVaultId,
    amount: BigInt(inputs.amount),
    gain,
    promise: promise + BigInt(cost),
    cost: BigInt(cost),
    wasHeld: isBlocked && past.heldFor(group, blocked),
  };
}

/** The prospect of a whole transaction, of which an amount is a part. */
export function inBatch({ shared }: DecisionInputs, { vaultId }: Candidate, own: Prospect): Prospect {
  if (shared?.vaultId !== vaultId || !own.estimate || own.promise === null) return own;
  const { amount, estimate, promise, delta } = own;
  const gain = BigInt(shared.gain);
  return {
    amount: amount + BigInt(shared.amount),
    delta,
    estimate: { ...estimate, gain: estimate.gain + gain, npv: estimate.npv + gain },
    promise: promise + BigInt(shared.promise),
  };
}

/** Part of a move's cost that an amount pays: by its part of what moves in one transaction, rounded up. */
export function costShare({ shared }: DecisionInputs, { vaultId, cost }: Candidate, amount: bigint): bigint {
  if (shared?.vaultId !== vaultId) return BigInt(cost);
  const all = amount + BigInt(shared.amount);
  return (BigInt(cost) * amount + all - 1n) / all;
}

export function sumOf(members: readonly BatchMember[]): NonNullable<DecisionInputs['shared']> {
  const sum = (of: (one: BatchMember) => bigint): string =>
    members.reduce((total, one) => total + of(one), 0n).toString();
  return {
    vaultId: members[0]!.toVaultId,
    amount: sum(({ amount }) => amount),
    gain: sum(({ gain }) => gain),
    promise: sum(({ promise }) => promise),
  };
}
