import type { RowFrom } from '../../kernel/store/statement.js';
import type { PAGE_OF_TRANSFERS } from './ledger-runs.queries.js';
import type { StoredEntry } from './position-check.js';

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
