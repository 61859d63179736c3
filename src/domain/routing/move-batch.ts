import type { Policy } from '../policies/policy.js';
import { costParts } from '../positions/cost-parts.js';
import type { Position } from '../positions/position.js';

/** Which of a move's two legs: 1 leaves its vault; 2 goes on from cash, where the vault pays out late. */
export interface Leg {
  decisionId: string;
  leg: 1 | 2;
}

/** One leg of a move on its way. Whole numbers are texts. */
export interface Move {
  marketId: string;
  partnerId: string;
  fromVaultId: string;
  toVaultId: string;
  /** Where the move goes in the end. */
  targetVaultId: string;
  decidedAt: Date;
  afterId: string;
  /** Micro-units: what it was worth when it was decided, what it costs, and how much of both is moved and taken. */
  amount: string;
  cost: string;
  amountMoved: string;
  costTaken: string;
  doneAt: Date | null;
  /** Shares that may still move; null: all positions do. */
  room: string | null;
  /** Of the last position that was looked at, where there is a room. */
  afterShares: string | null;
  /** True of the first of two legs: the vault that is left pays out late. */
  late: boolean;
  /** True where the vault that is left is not to be kept. */
  evicts: boolean;
  /** Of the partner; null: it has none. */
  policy: Policy | null;
}

/** What each position of a batch pays of a move's cost. @param values of the positions, micro-units */
export const costsOfBatch = (move: Move, values: readonly bigint[], isLast: boolean): bigint[] =>
  costParts(costOfBatch(move, values, isLast), values);

/**
 * What a batch takes of a move's cost: in proportion to what is left of both, so that it does not matter which batch a position is in, and that the whole is
 * taken. Of funds that were withdrawn since the decision nobody else pays the part.
 */
function costOfBatch(
  { amount, cost, amountMoved, costTaken }: Move,
  values: readonly bigint[],
  isLast: boolean,
): bigint {
  const costLeft = BigInt(cost) - BigInt(costTaken);
  const amountLeft = BigInt(amount) - BigInt(amountMoved);
  const value = sum(values);
  // Each value is rounded down.
  if (value + BigInt(values.length) >= amountLeft) return costLeft;
  const part = costLeft * value;
  return isLast ? (part + amountLeft - 1n) / amountLeft : part / amountLeft;
}

/** Of positions, the largest first, those that fit together. @param room shares; null: all fit */
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
