import type { Hex } from '../../markets/chain/chain-provider.js';
import { MICRO_PER_UNIT, type RoundedRate, roundRate } from '../../kernel/money.js';

/** Why it is not known what the custody accounts hold. */
export const UNKNOWN_RESERVES = [
  'no_account',
  'queue',
  'contract_unknown',
  'token_unknown',
  'no_rpc_url',
  'no_finalized_block',
  'providers_disagree',
  'contract_unreadable',
] as const;
export type UnknownReserve = (typeof UNKNOWN_RESERVES)[number];

/** Funds of an asset in a vault, or as cash, by the chain and by the books, at one time. Micro-units. */
export interface Reserve {
  /** Hour of the reading. */
  hour: Date;
  /** Partner whose accounts were read, and whose books these are; null: they hold everybody's funds. */
  partnerId: string | null;
  /** Cash is in the asset's idle vault. */
  vaultId: string;
  asset: string;
  /** null: cash of several chains, or of none that is known. */
  chain: string | null;
  readAt: Date;
  /** Finalized block of the chain; null: it was not read, or several were. */
  block: number | null;
  /** Time of the block, or of the oldest of several; null: none was read. */
  blockAt: Date | null;
  custodyAccounts: readonly Hex[];
  books: bigint;
  /** null: not known. */
  chainHolds: bigint | null;
  /** What executors had taken and not reported: it may be in either place. A step of the share price that the books take in later, too. */
  inFlight: bigint;
  /** null: known. */
  reason: UnknownReserve | null;
}

/** What coverage and deviation are derived from. */
export type ReserveAmounts = Pick<Reserve, 'books' | 'chainHolds' | 'inFlight'>;

/** Time of the books of a reserve. */
export const booksAt = ({ blockAt, readAt }: Pick<Reserve, 'blockAt' | 'readAt'>): Date => blockAt ?? readAt;

export const differenceOf = ({ books, chainHolds }: ReserveAmounts): bigint | null =>
  chainHolds === null ? null : chainHolds - books;

/** Fraction of the books that the chain holds; null where the books have nothing. */
export const coverageOf = ({ books, chainHolds }: ReserveAmounts): RoundedRate | null =>
  roundRate(chainHolds === null || books === 0n ? null : Number(chainHolds) / Number(books));

/** A difference within this part of the books, or within a unit, is rounding: 0.01 %. */
const TOLERATED_PART = 10_000n;

export const isBeyondRounding = (size: bigint, books: bigint): boolean =>
  size > MICRO_PER_UNIT && size * TOLERATED_PART > books;

/** Whether the chain holds less or more than the books beyond what is in flight; null: neither, or not known. */
export function deviationOf(reserve: ReserveAmounts): 'short' | 'over' | null {
  const difference = differenceOf(reserve) ?? 0n;
  const size = (difference < 0n ? -difference : difference) - reserve.inFlight;
  if (!isBeyondRounding(size, reserve.books)) return null;
  return difference < 0n ? 'short' : 'over';
}
