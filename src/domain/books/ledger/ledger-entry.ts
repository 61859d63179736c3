import { formatAmount } from '../../kernel/money.js';
import type { EntryType } from '../positions/position.js';

/** Entry of a user's ledger. It is never changed. */
export interface LedgerEntry {
  id: string;
  /** Value date: when it has its effect. */
  at: Date;
  recordedAt: Date;
  type: EntryType;
  userId: string;
  positionId: string;
  asset: string;
  /** Vault of the funds after the entry; for a withdrawal, the one that paid; for a rebalance, the destination. */
  vaultId: string;
  /** Source vault of a rebalance; otherwise null. */
  fromVaultId: string | null;
  /** Micro-units; above 0, except for an accrual of a loss. For a rebalance, the amount that arrived. */
  amount: bigint;
  /** Cost of a rebalance beside its amount, in micro-units; otherwise 0. */
  cost: bigint;
  /** What it added to the user's fee, the partner's part of it, and the loss carried forward; micro-units, signed. */
  fee: bigint;
  partnerRevenue: bigint;
  carriedLoss: bigint;
  /** Terms of an accrual, at which gains up to it are charged; null for other entries. */
  feeBps: number | null;
  shareBps: number | null;
  /** The vault's last observed APY at the time of the entry, a fraction, however old; null: none was ever observed. */
  apy: number | null;
  /** Decision behind a deposit's vault or a rebalance; for an accrual, the move whose gain it is. */
  decisionId: string | null;
  /** Hash of the entry's transfer, or of the one that was reported of its move; null when nothing was transferred. */
  txHash: string | null;
  /** Chain of a move's transfer: of the vault that it reached, or left for cash. null for other entries: their settlement has it. */
  chain: string | null;
  /** Hash of the transfer that the entry reverses; null for every other entry. */
  voids: string | null;
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
