import type { BookSums } from '../positions/book-sums.js';
import { contribution } from '../positions/books.js';
import type { Position } from '../positions/position.js';
import { type LedgerLine, type Replay, REPLAYED } from './replay.js';

export type StoredPosition = Position & { usersPartnerId: string | null };
export type StoredEntry = LedgerLine & {
  positionId: string;
  settledPositionId: string | null;
  isVoided: boolean | null;
};

type Amount = 'amount' | 'cost' | 'shareIndex';
type OptionalAmount = 'fromIndex' | 'lendingIndex' | 'holdIndex' | 'userValue';
export type EntryRow = Omit<StoredEntry, Amount | OptionalAmount> &
  Record<Amount, string> &
  Record<OptionalAmount, string | null>;

/** Called with each difference: subject and problem. */
export type Differs = (subject: string, problem: string) => void;

/** Compares a position with the one that follows from its entries, and adds the latter to the books. */
export function checkPosition(
  position: StoredPosition,
  { state, broken }: Replay,
  entries: readonly StoredEntry[],
  isIdle: (vaultId: string) => boolean,
  books: BookSums,
  differs: Differs,
): void {
  const { id, usersPartnerId } = position;
  broken.forEach((problem) => differs(id, problem));
  for (const { id: entryId, txHash, settledPositionId } of entries)
    if (txHash !== null && settledPositionId !== id)
      differs(id, `entry ${entryId} is of the transfer ${txHash}, which is not recorded with the position`);
  for (const { id: entryId, voids, isVoided } of entries)
    if (voids !== null && !isVoided)
      differs(id, `entry ${entryId} takes back the transfer ${voids}, which is not voided`);
  if (!state) return differs(id, 'is opened by no entry');
  const { transitId } = position;
  const came = entries.findLast(
    ({ type, voids }) => type === 'rebalance' || (type === 'deposit' && voids === null),
  );
  if (transitId !== null && (came?.decisionId !== transitId || !isIdle(came.vaultId)))
    differs(id, `is on the way by ${transitId}, by which no entry moved it into cash last`);
  const gains = entries.filter(({ type, decisionId }) => type === 'yield_accrual' && decisionId !== null);
  for (const { id: entryId, decisionId } of gains)
    if (!entries.some((one) => one.type === 'rebalance' && one.decisionId === decisionId))
      differs(id, `entry ${entryId} is a gain by ${decisionId}, by which no entry moved it`);
  const compare = (name: string, stored: unknown, recomputed: unknown): void => {
    const [is, should] = [textOf(stored), textOf(recomputed)];
    if (is !== should) differs(id, `${name} is ${is}, by the ledger it is ${should}`);
  };
  for (const name of REPLAYED) compare(name, position[name], state[name]);
  const last = entries.at(-1)!.at;
  if (position.accruedAt < last)
    differs(id, `accruedAt is ${textOf(position.accruedAt)}, before its last entry at ${textOf(last)}`);
  if (usersPartnerId !== position.partnerId)
    differs(id, `partnerId is ${position.partnerId}, its user's is ${textOf(usersPartnerId)}`);
  books.add(contribution({ ...position, ...state }));
}

export const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);

export const toEntry = (row: EntryRow): StoredEntry => ({
  ...row,
  amount: BigInt(row.amount),
  cost: BigInt(row.cost),
  revenuePlace: row.revenuePlace === null ? null : Number(row.revenuePlace),
  shareIndex: BigInt(row.shareIndex),
  fromIndex: wholeOrNull(row.fromIndex),
  lendingIndex: wholeOrNull(row.lendingIndex),
  holdIndex: wholeOrNull(row.holdIndex),
  userValue: wholeOrNull(row.userValue),
});

const wholeOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
