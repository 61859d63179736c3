import { toUnits } from '../../kernel/money.js';
import { positionRecord, type ShownVault } from '../../books/positions/quotes.js';
import type { ChangedPosition } from '../../books/positions/position.store.js';
import type { NewEvent } from '../../outbound/webhooks/event.service.js';

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
