import type { Settings } from '../../config/settings.js';
import type { EntryType } from '../positions/position.js';

/**
 * What the chain says of a transfer that was reported. `unchecked` -> `seen`, in a block that may yet be reorganised, and back -> `confirmed` or `mismatch` once that is
 * final. One that no block has for long is `not_found`, until a block has it.
 */
export const SETTLEMENT_STATUSES = ['unchecked', 'seen', 'confirmed', 'mismatch', 'not_found'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** What contradicts the report, and stops further transfers of its position. */
export const CONTRADICTED: readonly SettlementStatus[] = ['mismatch', 'not_found'];

/** Why it is what it is; said of what is unchecked and of a mismatch. */
export const SETTLEMENT_REASONS = [
  'chain_not_named',
  'token_unknown',
  'no_rpc_url',
  'not_checked_yet',
  'not_in_a_block',
  'no_wallet',
  'transaction_failed',
  'no_transfer',
  'wrong_wallet',
  'wrong_amount',
] as const;
export type SettlementReason = (typeof SETTLEMENT_REASONS)[number];

export const RESOLUTIONS = ['accept', 'void'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What answers show of a transfer's settlement beside the transfer. */
export interface ShownSettlement {
  id: string;
  status: SettlementStatus;
  reason: SettlementReason | null;
  /** Of the transaction; null where none has it. */
  block: number | null;
  checkedAt: Date | null;
  resolution: Resolution | null;
}

/** A settlement with all that is known of it. Amounts are micro-units. */
export interface Settlement extends ShownSettlement {
  partnerId: string;
  userId: string;
  positionId: string;
  type: Extract<EntryType, 'deposit' | 'withdrawal'>;
  asset: string;
  amount: bigint;
  txHash: string;
  chain: string | null;
  /** What the chain shows to have moved; null where nothing was judged. */
  foundAmount: bigint | null;
  note: string | null;
  resolvedAt: Date | null;
  reportedAt: Date;
}

/** An asset on a chain, and the contract that it is there. */
export interface Token {
  asset: string;
  chain: string;
  /** In lower case. */
  address: string;
  decimals: number;
}

type Catalogue = Pick<Settings, 'vaults' | 'tokens'>;

/** On which chains an asset is, by the catalogue: where its vaults are, and where it has a contract. */
export function chainsOf({ vaults, tokens }: Catalogue, asset: string): string[] {
  const of = [...vaults, ...tokens].filter((one) => one.asset === asset);
  return [...new Set(of.flatMap(({ chain }) => chain ?? []))];
}

export const tokenOf = (
  { tokens }: Pick<Catalogue, 'tokens'>,
  asset: string,
  chain: string,
): Token | null => {
  const token = tokens.find((one) => one.asset === asset && one.chain === chain);
  return token ? { ...token, address: token.address.toLowerCase() } : null;
};

/** Why nothing can be said of a transfer that was never looked up; null: it can. */
export function hindranceOf(
  settings: Pick<Catalogue, 'tokens'>,
  chains: { reads(chain: string): boolean },
  { asset, chain }: { asset: string; chain: string | null },
): SettlementReason | null {
  if (chain === null) return 'chain_not_named';
  if (tokenOf(settings, asset, chain) === null) return 'token_unknown';
  return chains.reads(chain) ? null : 'no_rpc_url';
}
