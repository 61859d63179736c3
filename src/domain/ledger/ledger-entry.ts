import { formatAmount } from '../positions/amount.js';
import type { EntryType } from '../positions/position.js';

/** One line of a user's ledger. It is never changed. */
export interface LedgerEntry {
  id: string;
  at: Date;
  type: EntryType;
  userId: string;
  positionId: string;
  asset: string;
  /** Where the amount is, or was withdrawn from; of a rebalance, where it went. */
  vaultId: string;
  /** Of a rebalance: the vault that was left; else null. */
  fromVaultId: string | null;
  /** Micro-units; above 0 but for the accrual of a loss. Of a rebalance: what arrived. */
  amount: bigint;
  /** What a rebalance took beside the amount, micro-units; else 0. */
  cost: bigint;
  /** Of the vault when the entry was made; fraction; null where it was not known or too old. */
  apy: number | null;
  /** What decided a deposit's vault or a rebalance; of an accrual, the move that it is a gain of. */
  decisionId: string | null;
  /** Of the transfer that it is of; null where nothing was transferred. */
  txHash: string | null;
  /** Of the transfer that it takes back; null of every other entry. */
  voids: string | null;
}

/** An entry in one plain sentence. */
export function noteOf(entry: LedgerEntry): string {
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

/** What takes back a transfer that did not settle as it was reported. */
function voidNoteOf(type: EntryType, sum: string, vaultId: string, txHash: string): string {
  if (type === 'yield_accrual')
    return `Void of the deposit ${txHash}: what it was said to have earned, ${sum}, taken back.`;
  const [what, done] =
    type === 'withdrawal'
      ? ['deposit', `taken out of ${vaultId} again; nothing was paid.`]
      : ['withdrawal', `put back into ${vaultId}.`];
  return `Void of the ${what} ${txHash}, which did not settle as it was reported: ${sum} ${done}`;
}
