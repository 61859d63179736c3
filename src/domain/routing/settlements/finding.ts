import type { ChainReceipt, ReceiptLook } from '../../markets/chain/chain-pass.js';
import { tokenTransfers } from '../../markets/chain/receipt.js';
import type { SettlementReason, SettlementStatus, Token } from './settlement.js';

export interface ReportToCheck {
  type: 'deposit' | 'withdrawal';
  amount: bigint;
  token: Token;
  /** The user's current wallets, in any letter case. */
  wallets: readonly string[];
  ageMs: number;
}

export interface Finding {
  status: SettlementStatus;
  reason: SettlementReason | null;
  block: bigint | null;
  /** Net amount sent or received by the user's wallets; micro-units, rounded down. null when it was not checked. */
  foundAmount: bigint | null;
}

const MICRO_DECIMALS = 6;
const NOTHING = { block: null, foundAmount: null } as const;

/**
 * Checks a report by its transaction. A transaction that is not final is not checked, because a reorganisation may undo it.
 * @param notFoundMs age of the report from which a transaction in no block counts as not found
 * @returns null when the chain's providers disagree: nothing is known, and nothing changes
 */
export function findingOf(look: ReceiptLook, reported: ReportToCheck, notFoundMs: number): Finding | null {
  if (look === 'disputed') return null;
  if (look === 'absent')
    return reported.ageMs < notFoundMs
      ? { status: 'unchecked', reason: 'not_in_a_block', ...NOTHING }
      : { status: 'not_found', reason: null, ...NOTHING };
  const block = look.block.number;
  if (!look.finalized) return { status: 'seen', reason: null, block, foundAmount: null };
  if (!look.succeeded) return { status: 'mismatch', reason: 'transaction_failed', block, foundAmount: 0n };
  if (reported.wallets.length === 0) return { status: 'unchecked', reason: 'no_wallet', ...NOTHING };
  return { block, ...compareTransfers(look, reported) };
}

/** The net sum over all transfers of the token in the transaction counts: an amount that left the user's wallets and returned was not deposited. */
function compareTransfers(
  { logs }: ChainReceipt,
  { type, amount, token, wallets }: ReportToCheck,
): Pick<Finding, 'status' | 'reason' | 'foundAmount'> {
  const own = new Set(wallets.map((address) => address.toLowerCase()));
  const ofToken = tokenTransfers(logs).filter((one) => one.token === token.address);
  const ofUser = ofToken.filter(({ from, to }) => own.has(from) || own.has(to));
  const moved = ofUser.reduce(
    (sum, { from, to, amount: part }) => sum + (own.has(from) ? part : 0n) - (own.has(to) ? part : 0n),
    0n,
  );
  const found = type === 'deposit' ? moved : -moved;
  const scale = 10n ** BigInt(token.decimals - MICRO_DECIMALS);
  const foundAmount = found / scale;
  if (found === amount * scale) return { status: 'confirmed', reason: null, foundAmount };
  const reason = ofToken.length === 0 ? 'no_transfer' : ofUser.length === 0 ? 'wrong_wallet' : 'wrong_amount';
  return { status: 'mismatch', reason, foundAmount };
}
