import { costParts } from '../../books/positions/cost-parts.js';
import type { Position } from '../../books/positions/position.js';
import { addHours } from '../../kernel/clock.js';
import { toUnits } from '../../kernel/money.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { positionRecord, type ShownVault } from '../../books/positions/quotes.js';
import type { ChangedPosition } from '../../books/positions/position.store.js';
import type { NewEvent } from '../../outbound/webhooks/event.service.js';
import { exitDelayHoursOf, LEAVING } from './decision.js';
import type { NewDecision } from './decision-log.js';
import { promiseOf } from './estimate.js';
import type { PartialMove } from './partial-move.js';
import type { LOCK_MOVE } from './routing.queries.js';

/** Leg of a move: 1 leaves its vault; 2 continues from cash, when the vault pays out late. */
export type Move = RowFrom<typeof LOCK_MOVE>;

/** Stored legs of a move: one, or two when the source vault pays out late. The first one pays for leaving, the second for the rest. */
export function legsOf(
  { id, marketId, partnerId, record, at }: NewDecision,
  part: PartialMove | null,
  hour: Date,
): object[] {
  const { asset, fromVaultId, toVaultId, expectedUplift, inputs, reason } = record;
  const { vaultId: idle } = inputs.idle;
  const hours = exitDelayHoursOf(record);
  const promised = promiseOf(record);
  const dueHour = addHours(hour, hours + expectedUplift.horizonDays * 24);
  const outcome = promised === null ? {} : { promised, dueHour };
  const cost = BigInt(expectedUplift.cost);
  const move = {
    ...{ id, marketId, partnerId, asset, at, evicts: LEAVING.has(reason) },
    ...{ fromVaultId, toVaultId, amount: inputs.amount, cost },
  };
  const first = { ...move, leg: 1, room: part?.shares ?? null };
  if (hours === 0) return [{ ...first, ...outcome }];
  // By the gas of the decision: leaving for cash costs nothing else. Of a shared transaction, a move pays its part of either leg.
  const whole = BigInt(inputs.candidates.find(({ vaultId }) => vaultId === toVaultId)?.cost ?? cost);
  const exitCost = whole === 0n ? 0n : (BigInt(inputs.idle.cost) * cost) / whole;
  const arrival = { leg: 2, fromVaultId: idle, cost: cost - exitCost, arrivesHour: addHours(hour, hours) };
  return [
    { ...first, toVaultId: idle, cost: exitCost },
    { ...move, ...arrival, ...outcome },
  ];
}

/**
 * Each position's part of a move's cost: proportional to what remains of amount and cost, so that the batch of a position does not matter and the
 * whole cost is charged. The part of funds withdrawn since the decision is not charged. `values`: of the positions, micro-units.
 */
export function costsOfBatch(
  { amount, cost, amountMoved, costTaken }: Move,
  values: readonly bigint[],
  isLast: boolean,
): bigint[] {
  const costLeft = cost - costTaken;
  const amountLeft = amount - amountMoved;
  const value = sum(values);
  // Each value is rounded down, hence the tolerance.
  if (value + BigInt(values.length) >= amountLeft) return costParts(costLeft, values);
  const part = costLeft * value;
  return costParts(isLast ? (part + amountLeft - 1n) / amountLeft : part / amountLeft, values);
}

/** Positions that fit together, the largest first. @param room shares; null: all fit */
export function fitting(positions: readonly Position[], room: bigint | null): Position[] {
  if (room === null) return [...positions];
  let left = room;
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
