import { sharesFor } from '../../markets/vaults/yield-index.js';
import type { PointTime } from './points.js';
import {
  double,
  integer,
  orNull,
  rowCount,
  type RowOf,
  small,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';

export const POSITION_STATUSES = ['pending', 'active', 'closed'] as const;
export type PositionStatus = (typeof POSITION_STATUSES)[number];

/**
 * Position of an end-user: shares, never a balance. Amounts are micro-units, shares have 18 decimals. Every deposit and withdrawal is applied to
 * three books at once: `shares` in the vault that it is routed to, and `lendingShares` and `holdShares` in two baselines that are never moved.
 */
export const POSITION = {
  id: text(),
  marketId: text(),
  partnerId: text(),
  userId: text(),
  asset: text(),
  /** `pending`: in the asset's idle vault, because no vault has taken the deposit yet. */
  status: text<PositionStatus>(),
  /** Current vault; for a closed position, its last one. */
  vaultId: text(),
  /**
   * Decision by which the funds are in transit: they left a vault that pays out late, are moved by an order, or were received and wait to enter their
   * first vault. In transit they are in the idle vault. null: not in transit.
   */
  transitId: orNull(text()),
  /** First yield vault, the hold baseline. null: it was never in one, and the hold book follows the funds. */
  originVaultId: orNull(text()),
  /** The asset's lending baseline at the time of opening. */
  lendingVaultId: text(),
  /** Slot of its book rows, 0..15. */
  slot: small(),
  shares: whole(),
  lendingShares: whole(),
  holdShares: whole(),
  deposited: whole(),
  withdrawn: whole(),
  /** Yield posted to the ledger, signed. `deposited - withdrawn + accrued - costs` is the position's book value. */
  accrued: whole(),
  /** Cost of its moves. */
  costs: whole(),
  /** Uplift over a baseline that was settled by withdrawals, signed. */
  settledLending: whole(),
  settledHold: whole(),
  withdrawals: integer(),
  /** Deposit that was split into several positions; null: this one alone. */
  depositId: orNull(text()),
  /** Campaign since its opening; null: none. */
  campaignId: orNull(text()),
  /** Sum of each change of the principal times its point time. */
  campaignMoment: whole(),
  plainMoment: whole(),
  /** Sum of each change of the principal times its time in milliseconds since 1970: `principal * now - this` is capital times milliseconds. */
  capitalMoment: whole(),
  openedAt: time(),
  /** Time of entry into its first yield vault; null: not yet. */
  activeAt: orNull(time()),
  closedAt: orNull(time()),
  /** Time up to which yield is posted. */
  accruedAt: time(),
};
export type Position = RowOf<typeof POSITION>;

export const ENTRY_TYPES = ['deposit', 'withdrawal', 'rebalance', 'yield_accrual'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** Ledger entry, complete but for its ids. With their indexes and terms, the entries alone determine every position. */
export const ENTRY = {
  at: time(),
  type: text<EntryType>(),
  /** Vault of the funds after the entry. */
  vaultId: text(),
  /** Source vault of a rebalance; otherwise null. */
  fromVaultId: orNull(text()),
  /** Micro-units; above 0, except for an accrual of a loss. For a rebalance, the amount that arrived. */
  amount: whole(),
  /** Cost of a rebalance beside its amount, in micro-units; otherwise 0. */
  cost: whole(),
  /** Of a move: the entry's part of what its decision expected it to cost, micro-units; null: of no move, or older than the column. */
  expectedCost: orNull(whole()),
  /** The vault's last observed APY, a fraction, however old; null: none was ever observed. */
  apy: orNull(double()),
  /** Index of `vaultId`, scale 1e18. */
  shareIndex: whole(),
  fromIndex: orNull(whole()),
  lendingIndex: orNull(whole()),
  holdIndex: orNull(whole()),
  feeBps: orNull(integer()),
  shareBps: orNull(integer()),
  /** Sequence number among the entries settled in the user's revenue of the asset, from 1; null when the entry settles nothing. */
  revenuePlace: orNull(rowCount()),
  /** For a withdrawal that takes part of a carried loss with it: the user's value in the asset before. Micro-units. */
  userValue: orNull(whole()),
  /** What the entry added to these figures of its revenue account; micro-units, signed. */
  fee: whole(),
  partnerRevenue: whole(),
  carriedLoss: whole(),
  decisionId: orNull(text()),
  txHash: orNull(text()),
  /** Hash of the transfer that the entry reverses because it did not settle as reported; null for every other entry. */
  voids: orNull(text()),
};
export type Entry = RowOf<typeof ENTRY>;

/** Quote of a vault at which shares are bought or redeemed. */
export interface Quote {
  vaultId: string;
  /** Scale 1e18. */
  index: bigint;
  /** Last observed APY, a fraction, however old; null: none was ever observed. */
  apy: number | null;
}

/** Indexes of the baselines, at the same moment. */
export interface BaselineIndexes {
  lending: bigint;
  hold: bigint;
}

export interface Flow {
  at: Date;
  vault: Quote;
  baselines: BaselineIndexes;
  /** Point time of the position's campaign, at that moment. */
  time: PointTime;
  txHash: string | null;
}

/** Book value: the position's value when its yield was last posted. Micro-units. */
export function bookValue({ deposited, withdrawn, accrued, costs }: Position): bigint {
  return deposited - withdrawn + accrued - costs;
}

/** Net principal that earns points. A negative one (yield was withdrawn too) earns nothing, nor does a loss that was realised at the close. */
export function earningPrincipal({
  status,
  deposited,
  withdrawn,
}: Pick<Position, 'status' | 'deposited' | 'withdrawn'>): bigint {
  return status !== 'closed' && deposited > withdrawn ? deposited - withdrawn : 0n;
}

export function holdVaultOf({ originVaultId, vaultId }: Pick<Position, 'originVaultId' | 'vaultId'>): string {
  return originVaultId ?? vaultId;
}

export const bareEntry = (type: EntryType, amount: bigint, at: Date, vault: Quote): Entry => ({
  at,
  type,
  vaultId: vault.vaultId,
  fromVaultId: null,
  amount,
  cost: 0n,
  expectedCost: null,
  apy: vault.apy,
  shareIndex: vault.index,
  fromIndex: null,
  lendingIndex: null,
  holdIndex: null,
  feeBps: null,
  shareBps: null,
  revenuePlace: null,
  userValue: null,
  fee: 0n,
  partnerRevenue: 0n,
  carriedLoss: 0n,
  decisionId: null,
  txHash: null,
  voids: null,
});

export const flowEntry = (
  type: EntryType,
  amount: bigint,
  { at, vault, baselines }: Pick<Flow, 'at' | 'vault' | 'baselines'>,
): Entry => ({
  ...bareEntry(type, amount, at, vault),
  lendingIndex: baselines.lending,
  holdIndex: baselines.hold,
});

export type PositionIdentity = Pick<
  Position,
  | 'id'
  | 'marketId'
  | 'partnerId'
  | 'userId'
  | 'asset'
  | 'lendingVaultId'
  | 'slot'
  | 'depositId'
  | 'campaignId'
>;

/**
 * Deposit of micro-units into a new position: `ceil(amount * 1e30 / index)` shares in each book. `idle`: into the idle vault, so the position is
 * pending; `received`: in transit from there to the chosen vault. Throws RangeError when the amount is not above 0.
 */
export function open(
  opening: PositionIdentity,
  amount: bigint,
  idle: boolean,
  decisionId: string | null,
  flow: Flow,
  received = false,
): { position: Position; entry: Entry } {
  const { at, vault, baselines, time, txHash } = flow;
  if (amount <= 0n) throw new RangeError('A deposit must be above 0.');
  const position: Position = {
    ...opening,
    status: idle ? 'pending' : 'active',
    vaultId: vault.vaultId,
    transitId: received ? decisionId : null,
    originVaultId: idle ? null : vault.vaultId,
    shares: sharesFor(amount, vault.index),
    lendingShares: sharesFor(amount, baselines.lending),
    holdShares: sharesFor(amount, baselines.hold),
    deposited: amount,
    withdrawn: 0n,
    accrued: 0n,
    costs: 0n,
    settledLending: 0n,
    settledHold: 0n,
    withdrawals: 0,
    campaignMoment: amount * time.campaign,
    plainMoment: amount * time.plain,
    capitalMoment: amount * BigInt(at.getTime()),
    openedAt: at,
    activeAt: idle ? null : at,
    closedAt: null,
    accruedAt: at,
  };
  return { position, entry: { ...flowEntry('deposit', amount, flow), decisionId, txHash } };
}
