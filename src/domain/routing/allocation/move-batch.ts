import type { Policy } from '../../tenants/policies/policy.js';
import { costParts } from '../../books/positions/cost-parts.js';
import type { Position } from '../../books/positions/position.js';
import { toUnits } from '../../books/positions/amount.js';
import { positionRecord } from '../../books/positions/position-record.js';
import type { ChangedPosition } from '../../books/positions/position.store.js';
import type { ShownVault } from '../../books/positions/quotes.js';
import type { NewEvent } from '../../outbound/webhooks/event.service.js';

/** Leg of a move: 1 leaves its vault; 2 continues from cash, when the vault pays out late. */
export interface Leg {
  decisionId: string;
  leg: 1 | 2;
}

export interface Move {
  marketId: string;
  partnerId: string;
  fromVaultId: string;
  toVaultId: string;
  targetVaultId: string;
  decidedAt: Date;
  afterId: string;
  /** Micro-units: value at the decision, cost, and how much of both is done. */
  amount: string;
  cost: string;
  amountMoved: string;
  costTaken: string;
  doneAt: Date | null;
  /** Shares that may still move; null: all positions move. */
  room: string | null;
  /** Shares of the last position looked at, for a partial move. */
  afterShares: string | null;
  /** True for the first of two legs: the source vault pays out late. */
  late: boolean;
  /** True when the source vault must be left. */
  evicts: boolean;
  /** Policy of the partner; null: none. */
  policy: Policy | null;
}

/** Share of a move's cost for each position of a batch. @param values of the positions, micro-units */
export const costsOfBatch = (move: Move, values: readonly bigint[], isLast: boolean): bigint[] =>
  costParts(costOfBatch(move, values, isLast), values);

/**
 * Part of a move's cost charged to a batch: proportional to what remains of both, so that the batch of a position does not matter and the whole cost
 * is charged. The part of funds withdrawn since the decision is not charged.
 */
function costOfBatch(
  { amount, cost, amountMoved, costTaken }: Move,
  values: readonly bigint[],
  isLast: boolean,
): bigint {
  const costLeft = BigInt(cost) - BigInt(costTaken);
  const amountLeft = BigInt(amount) - BigInt(amountMoved);
  const value = sum(values);
  // Each value is rounded down, hence the tolerance.
  if (value + BigInt(values.length) >= amountLeft) return costLeft;
  const part = costLeft * value;
  return isLast ? (part + amountLeft - 1n) / amountLeft : part / amountLeft;
}

/** Positions that fit together, the largest first. @param room shares; null: all fit */
export function fitting(positions: readonly Position[], room: string | null): Position[] {
  if (room === null) return [...positions];
  let left = BigInt(room);
  return positions.filter(({ shares }) => {
    if (shares > left) return false;
    left -= shares;
    return true;
  });
}

export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/**
 * Event of a moved position: `position.active` when it left cash for the first time, otherwise `position.rebalanced`.
 * @param vault its new vault
 * @param moved amount that arrived, and cost, micro-units
 */
export function movedEvent(
  { before, after }: Pick<ChangedPosition, 'before' | 'after'>,
  vault: ShownVault,
  at: Date,
  { decisionId, amount, cost }: { decisionId: string; amount: bigint; cost: bigint },
): NewEvent {
  const { partnerId } = after;
  const data = { ...positionRecord(after, vault), decision_id: decisionId };
  if (before?.status === 'pending' && after.status === 'active')
    return { type: 'position.active', partnerId, data, at };
  const figures = { amount: toUnits(amount), cost: toUnits(cost) };
  return { type: 'position.rebalanced', partnerId, data: { ...data, ...figures }, at };
}
