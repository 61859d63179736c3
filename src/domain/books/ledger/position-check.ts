import type { RowFrom } from '../../kernel/store/statement.js';
import type { Position } from '../positions/position.js';
import type { PAGE_OF_TRANSFERS } from './ledger-runs.queries.js';
import { type LedgerLine, type Replay, REPLAYED } from './replay.js';

export type StoredPosition = Position & { usersPartnerId: string | null };
export type StoredEntry = LedgerLine & {
  positionId: string;
  settledPositionId: string | null;
  isVoided: boolean | null;
};

type Amount = 'amount' | 'cost' | 'shareIndex';
type OptionalAmount = 'fromIndex' | 'lendingIndex' | 'holdIndex';
export type EntryRow = Omit<StoredEntry, Amount | OptionalAmount | 'at'> &
  Record<Amount, string> &
  Record<OptionalAmount, string | null> & {
    /** As text: ISO 8601. */
    at: Date | string;
  };

/** Called with each difference: subject and problem. */
export type Differs = (subject: string, problem: string) => void;

/** Entries of a position, as far as they are checked beside their replay. */
export interface CheckedEntries {
  /** Entries other than accruals without decision and transfer, which may be among them. */
  others: readonly StoredEntry[];
  lastAt: Date;
}

export function checkPosition(
  position: StoredPosition,
  { state, broken }: Replay,
  { others: entries, lastAt }: CheckedEntries,
  isIdle: (vaultId: string) => boolean,
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
  const came =
    entries.findLast(({ type }) => type === 'rebalance') ??
    entries.find(({ type, voids }) => type === 'deposit' && voids === null);
  if (transitId !== null && (came?.decisionId !== transitId || !isIdle(came.vaultId)))
    differs(id, `is in transit by ${transitId}, by which no entry moved it into cash last`);
  for (const [place, { id: entryId, type, voids, decisionId }] of entries.entries()) {
    const isMore = type === 'yield_accrual' || (type === 'deposit' && voids === null && place > 0);
    if (!isMore || decisionId === null) continue;
    if (!entries.some((one) => one.type === 'rebalance' && one.decisionId === decisionId))
      differs(id, `entry ${entryId} is a gain by ${decisionId}, by which no entry moved it`);
  }
  for (const name of REPLAYED) {
    const [stored, recomputed] = [position[name], state[name]];
    if (!isSame(stored, recomputed))
      differs(id, `${name} is ${textOf(stored)}, by the ledger it is ${textOf(recomputed)}`);
  }
  if (position.accruedAt < lastAt)
    differs(id, `accruedAt is ${textOf(position.accruedAt)}, before its last entry at ${textOf(lastAt)}`);
  if (usersPartnerId !== position.partnerId)
    differs(id, `partnerId is ${position.partnerId}, its user's is ${textOf(usersPartnerId)}`);
}

function isSame(stored: unknown, recomputed: unknown): boolean {
  if (stored instanceof Date && recomputed instanceof Date) return stored.getTime() === recomputed.getTime();
  return stored === recomputed;
}

export const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);

export const toEntry = (row: EntryRow): StoredEntry => ({
  ...row,
  at: new Date(row.at),
  amount: BigInt(row.amount),
  cost: BigInt(row.cost),
  shareIndex: BigInt(row.shareIndex),
  fromIndex: wholeOrNull(row.fromIndex),
  lendingIndex: wholeOrNull(row.lendingIndex),
  holdIndex: wholeOrNull(row.holdIndex),
});

const wholeOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

export type TransferRow = RowFrom<typeof PAGE_OF_TRANSFERS>;

/**
 * Notes at a position's entries which of their transfers are recorded, and which of those that they reverse are voided. False when a transfer (all of
 * them after `since`) has no entry, or is voided and not reversed.
 */
export function noteTransfers(
  positionId: string,
  entries: readonly StoredEntry[],
  transfers: readonly TransferRow[],
  since: Date | null,
): boolean {
  const [entry, transfer] = [entries[0], transfers[0]];
  // Nearly all positions: a deposit, which was recorded.
  if (entries.length === 1 && transfers.length === 1 && isPlain(entry!, transfer!)) {
    entry!.settledPositionId = positionId;
    return true;
  }
  const recorded = new Set(transfers.map(({ recordedAt, txHash }) => keyOf(recordedAt, txHash)));
  const voided = new Set(transfers.map(({ isVoided, txHash }) => (isVoided ? txHash : null)));
  for (const entry of entries) {
    if (entry.txHash !== null && recorded.has(keyOf(entry.at.getTime(), entry.txHash)))
      entry.settledPositionId = positionId;
    if (entry.voids !== null) entry.isVoided = voided.has(entry.voids);
  }
  const entered = new Set(entries.map(({ at, txHash }) => keyOf(at.getTime(), txHash)));
  return transfers.every(
    ({ recordedAt, txHash, isVoided, resolvedAt }) =>
      (entered.has(keyOf(recordedAt, txHash)) || (since !== null && recordedAt <= since.getTime())) &&
      (!isVoided ||
        entries.some(
          ({ at, type, voids }) =>
            at.getTime() === resolvedAt && voids === txHash && type !== 'yield_accrual',
        )),
  );
}

const isPlain = (entry: StoredEntry, { recordedAt, txHash, isVoided }: TransferRow): boolean =>
  !isVoided && entry.voids === null && entry.txHash === txHash && entry.at.getTime() === recordedAt;

const keyOf = (at: number, txHash: string | null): string => `${at} ${txHash}`;
