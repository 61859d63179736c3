import { DomainError } from '../../kernel/domain-error.js';
import type { MoveOrder, Report, Reported } from '../allocation/move-order.js';

/** Orders that a report is of; where none is, the first one, whose state refuses it. */
export function orSome(
  orders: readonly MoveOrder[],
  isOf: (order: MoveOrder) => boolean,
): readonly MoveOrder[] {
  const found = orders.filter(isOf);
  return found.length > 0 ? found : orders.slice(0, 1);
}

/** Whether the same report was made of a batch before. */
export function areReported(
  orders: readonly MoveOrder[],
  step: 'redeemed' | 'settled',
  { txHash, amount }: Report,
): boolean {
  const reported = orders.flatMap((order) => order[step] ?? []).filter((one) => one.txHash === txHash);
  return reported.length > 1 && reported.reduce((sum, one) => sum + one.amount, 0n) === amount;
}

export function requireOpen({ status, failure, endedAt, note, positionId }: MoveOrder): void {
  if (endedAt === null) return;
  const how = failure === null ? status : `${status} (${failure}${note === null ? '' : `: ${note}`})`;
  throw new DomainError(
    'move_not_open',
    `The move ended at ${endedAt.toISOString()}: ${how}. Nothing was changed.${positionId !== null && failure !== null ? ' Keep the funds in cash, or take them back: the next hour decides again, and /moves lists where they go.' : ''}`,
  );
}

/**
 * @returns whether this report was made before
 * @throws DomainError `move_already_reported` when a different one was
 */
export function isRepeated(known: Reported | null, report: Report, what: string): boolean {
  if (known === null) return false;
  if (known.txHash === report.txHash && known.amount === report.amount) return true;
  throw new DomainError(
    'move_already_reported',
    `The ${what} of this move was reported at ${known.at.toISOString()} with the transfer ${known.txHash}: another one, or another amount. Nothing was changed.`,
  );
}
