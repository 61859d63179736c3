import type { RowFrom } from '../../kernel/store/statement.js';
import type { Covering } from './checkpoint.js';
import type { PAGE_OF_ENTRIES, PAGE_OF_POSITIONS } from './ledger-verifier.queries.js';
import { REPLAYED, type Replay } from './replay.js';

export type StoredPosition = RowFrom<typeof PAGE_OF_POSITIONS>;
export type StoredEntry = RowFrom<typeof PAGE_OF_ENTRIES>;

/** Called with each difference: subject and problem. */
export type Differs = (subject: string, problem: string) => void;

/** @param others entries other than accruals without decision and transfer, which may be among them; @param read how far its entries were read */
export function checkPosition(
  position: StoredPosition,
  { state, broken }: Replay,
  { others, read: { lastAt } }: { others: readonly StoredEntry[]; read: Pick<Covering, 'lastAt'> },
  isIdle: (vaultId: string) => boolean,
  differs: (problem: string) => void,
): void {
  const { id, transitId, usersPartnerId } = position;
  broken.forEach(differs);
  for (const { id: entryId, txHash, settledPositionId } of others)
    if (txHash !== null && settledPositionId !== id)
      differs(`entry ${entryId} is of the transfer ${txHash}, which is not recorded with the position`);
  for (const { id: entryId, voids, isVoided } of others)
    if (voids !== null && !isVoided)
      differs(`entry ${entryId} takes back the transfer ${voids}, which is not voided`);
  if (!state) return differs('is opened by no entry');
  const came =
    others.findLast(({ type }) => type === 'rebalance') ??
    others.find(({ type, voids }) => type === 'deposit' && voids === null);
  if (transitId !== null && (came?.decisionId !== transitId || !isIdle(came.vaultId)))
    differs(`is in transit by ${transitId}, by which no entry moved it into cash last`);
  for (const [place, { id: entryId, type, voids, decisionId }] of others.entries()) {
    const isMore = type === 'yield_accrual' || (type === 'deposit' && voids === null && place > 0);
    if (!isMore || decisionId === null) continue;
    if (!others.some((one) => one.type === 'rebalance' && one.decisionId === decisionId))
      differs(`entry ${entryId} is a gain by ${decisionId}, by which no entry moved it`);
  }
  for (const name of REPLAYED) {
    const [stored, recomputed] = [position[name], state[name]];
    // Times are compared by their text, with milliseconds.
    if (stored !== recomputed && textOf(stored) !== textOf(recomputed))
      differs(`${name} is ${textOf(stored)}, by the ledger it is ${textOf(recomputed)}`);
  }
  if (lastAt !== null && position.accruedAt < lastAt)
    differs(`accruedAt is ${textOf(position.accruedAt)}, before its last entry at ${textOf(lastAt)}`);
  if (usersPartnerId !== position.partnerId)
    differs(`partnerId is ${position.partnerId}, its user's is ${textOf(usersPartnerId)}`);
}

export const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
