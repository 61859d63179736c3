import { formatAmount } from '../../kernel/money.js';
import type { RowOf } from '../../kernel/store/column.js';
import type { EntryType } from '../positions/position.js';
import type { LISTED } from './ledger.queries.js';

/** Entry of a user's ledger. It is never changed. `at`: value date, when it has its effect. */
export interface LedgerEntry extends RowOf<typeof LISTED> {
  /** Chain of a move's transfer: of the vault that it reached, or left for cash. null for other entries: their settlement has it. */
  chain: string | null;
}

/** Entry in one plain sentence, and a second one that names its day, where it was booked on a later one. */
export function noteOf(entry: LedgerEntry): string {
  const day = entry.at.toISOString().slice(0, 10);
  const isLate = entry.recordedAt.toISOString().slice(0, 10) > day;
  return `${sentenceOf(entry)}${isLate ? ` Of ${day}.` : ''}`;
}

function sentenceOf(entry: LedgerEntry): string {
  const { type, amount, cost, asset, vaultId, fromVaultId, decisionId, voids } = entry;
  const sum = `${formatAmount(amount < 0n ? -amount : amount)} ${asset}`;
  if (voids !== null) return voidNoteOf(type, sum, vaultId, voids);
  switch (type) {
    case 'deposit':
      return `Deposited ${sum} into ${vaultId}.`;
    case 'withdrawal':
      return `Withdrew ${sum} from ${vaultId}.`;
    case 'rebalance':
      return `Moved ${sum} from ${fromVaultId} to ${vaultId}${cost > 0n ? ` at a cost of ${formatAmount(cost)} ${asset}` : ''}${decisionId ? ` by decision ${decisionId}` : ''}.`;
    case 'yield_accrual':
      if (decisionId !== null) return `Gain of ${sum} on the move by decision ${decisionId}.`;
      return `${amount < 0n ? 'Loss' : 'Yield'} of ${sum} accrued.`;
  }
}

/** Note of an entry that reverses a transfer which did not settle as reported. */
function voidNoteOf(type: EntryType, sum: string, vaultId: string, txHash: string): string {
  if (type === 'yield_accrual')
    return `Void of the deposit ${txHash}: what it was said to have earned, ${sum}, taken back.`;
  const [what, done] =
    type === 'withdrawal'
      ? ['deposit', `taken out of ${vaultId} again; nothing was paid.`]
      : ['withdrawal', `put back into ${vaultId}.`];
  return `Void of the ${what} ${txHash}, which did not settle as it was reported: ${sum} ${done}`;
}
