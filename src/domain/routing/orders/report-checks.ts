import { DomainError } from '../../kernel/domain-error.js';
import { isOfServer, type MoveOrder, type ReportedStep } from '../allocation/move-order.js';
import { areSame, type Transaction, transactionsOf } from './transactions.js';

/**
 * Transfer that is reported. `txHash` null: the server's own, which has none; of several transactions, the last one. `amount` in micro-units, null: as the
 * books expect.
 */
export interface Transfer {
  txHash: string | null;
  amount: bigint | null;
  /** Where several transactions carried it out; they sum to the amount. */
  transactions?: readonly Transaction[] | undefined;
}

/** Report on a step. `keyId`: key of the executor, null: the server; `at`: time of the entries, by the market's clock; default: its now. */
export interface StepReport extends Transfer {
  keyId: string | null;
  at?: Date | undefined;
}

/** Orders that a report applies to; if none, the first one, whose state refuses it. */
export function matchingOrFirst(
  orders: readonly MoveOrder[],
  applies: (order: MoveOrder) => boolean,
): readonly MoveOrder[] {
  const matching = orders.filter(applies);
  return matching.length > 0 ? matching : orders.slice(0, 1);
}

/** Whether the same report on a batch was made before. */
export function areReported(
  orders: readonly MoveOrder[],
  step: 'redeemed' | 'settled',
  report: Transfer,
): boolean {
  if (report.amount === null) return false;
  const transactions = transactionsOf({ ...report, amount: report.amount });
  const hashes = new Set(transactions.map(({ txHash }) => txHash));
  const reported = orders
    .flatMap((order) => (order[step] ? [transactionsOf(order[step])] : []))
    .filter((earlier) => earlier.some(({ txHash }) => hashes.has(txHash)));
  return reported.length > 0 && areSame(reported.flat(), transactions);
}

/** @throws DomainError `move_not_open` when the server executes it */
export function requireExecutor(order: MoveOrder): void {
  if (order.endedAt === null && isOfServer(order))
    throw new DomainError('move_not_open', 'The server itself executes this move. Nothing was changed.');
}

/** @throws DomainError `move_not_open` when it has ended, or its last report is not booked to its end */
export function requireOpen({ status, failure, endedAt, note, positionId, booking }: MoveOrder): void {
  if (booking !== null)
    throw new DomainError(
      'move_not_open',
      'The last report of this move is being booked, a few hundred positions at a time. Nothing was changed: report the next step in a few seconds.',
    );
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
export function isRepeated(previous: ReportedStep | null, report: Transfer, what: string): boolean {
  if (previous?.txHash == null) return false;
  const { amount } = report;
  if (amount !== null && areSame(transactionsOf(previous), transactionsOf({ ...report, amount })))
    return true;
  throw new DomainError(
    'move_already_reported',
    `The ${what} of this move was reported at ${previous.at.toISOString()} with the transfer ${previous.txHash}; this report names another transfer or another amount. Nothing was changed.`,
  );
}
