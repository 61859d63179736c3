import { earningPrincipal, type PointTime } from './points.js';
import { type RevenueTerms, settleRevenue } from './revenue.js';
import { sharesFor, sharesToBurn, valueOf } from '../vaults/shares.js';

export const POSITION_STATUSES = ['active', 'closed'] as const;
export type PositionStatus = (typeof POSITION_STATUSES)[number];

/**
 * What an end-user holds: shares, never a balance. Amounts are micro-units, shares have 18 decimals. Every deposit and withdrawal is applied
 * to three books at once: `shares` in the vault that it is routed to, `lendingShares` and `holdShares` in two baselines that are never moved.
 */
export interface Position {
  id: string;
  marketId: string;
  partnerId: string;
  userId: string;
  asset: string;
  status: PositionStatus;
  /** Where the funds are; of a closed position, where they were last. */
  vaultId: string;
  /** Its first vault: the hold baseline. */
  originVaultId: string;
  /** Its asset's lending baseline at the opening. */
  lendingVaultId: string;
  /** 0..15: which rows of the books it counts in. */
  slot: number;
  shares: bigint;
  /** Of a baseline, signed: what a worse one would owe after withdrawals that it could not have paid. */
  lendingShares: bigint;
  holdShares: bigint;
  deposited: bigint;
  withdrawn: bigint;
  /** Yield that is posted to the ledger, signed. `deposited - withdrawn + accrued` is what the books say the position is worth. */
  accrued: bigint;
  withdrawals: number;
  /** The highest that `accrued` was, or 0. */
  highWaterMark: bigint;
  fee: bigint;
  partnerRevenue: bigint;
  /** The campaign that it carries since its opening; null: none. */
  campaignId: string | null;
  /** Changes of the principal times their point times, summed. */
  campaignMoment: bigint;
  plainMoment: bigint;
  openedAt: Date;
  closedAt: Date | null;
  /** Up to when its yield is posted. */
  accruedAt: Date;
}

export const ENTRY_TYPES = ['deposit', 'withdrawal', 'rebalance', 'yield_accrual'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** A line of the ledger, complete but for its id. With its indexes and terms, the entries alone say what every position must be. */
export interface Entry {
  at: Date;
  type: EntryType;
  /** Where the funds are after it. */
  vaultId: string;
  /** Of a rebalance. */
  fromVaultId: string | null;
  /** Micro-units; above 0 but for the accrual of a loss. */
  amount: bigint;
  /** Of the vault, fraction a year. */
  apy: number;
  /** Of `vaultId`, scale 1e18. */
  shareIndex: bigint;
  fromIndex: bigint | null;
  lendingIndex: bigint | null;
  holdIndex: bigint | null;
  feeBps: number | null;
  shareBps: number | null;
  decisionId: string | null;
  txHash: string | null;
}

/** A vault when its shares change hands. */
export interface Quote {
  vaultId: string;
  /** Scale 1e18. */
  index: bigint;
  /** Last observed, fraction a year. */
  apy: number;
}

/** The indexes of the baselines, at the same moment. */
export interface BaselineIndexes {
  lending: bigint;
  hold: bigint;
}

export interface Flow {
  at: Date;
  vault: Quote;
  baselines: BaselineIndexes;
  /** Of the campaign that the position carries, at that moment. */
  time: PointTime;
  txHash: string | null;
}

export type Opening = Pick<
  Position,
  'id' | 'marketId' | 'partnerId' | 'userId' | 'asset' | 'lendingVaultId' | 'slot' | 'campaignId'
>;

/** A position after something happened, and the entry that says so; null where nothing is to be said. */
export interface Step {
  position: Position;
  entry: Entry | null;
}

/**
 * A deposit into a new position: `ceil(amount * 1e30 / index)` shares of each book.
 *
 * @param amount micro-units, above 0
 * @throws RangeError where it is not
 */
export function open(opening: Opening, amount: bigint, decisionId: string | null, flow: Flow): Step {
  const { at, vault, baselines, time, txHash } = flow;
  if (amount <= 0n) throw new RangeError('A deposit is above 0.');
  const shares = sharesFor(amount, vault.index);
  const position: Position = {
    ...opening,
    status: 'active',
    vaultId: vault.vaultId,
    originVaultId: vault.vaultId,
    shares,
    lendingShares: sharesFor(amount, baselines.lending),
    holdShares: sharesFor(amount, baselines.hold),
    deposited: amount,
    withdrawn: 0n,
    accrued: 0n,
    withdrawals: 0,
    highWaterMark: 0n,
    fee: 0n,
    partnerRevenue: 0n,
    campaignMoment: amount * time.campaign,
    plainMoment: amount * time.plain,
    openedAt: at,
    closedAt: null,
    accruedAt: at,
  };
  return { position, entry: { ...flowEntry('deposit', amount, flow), decisionId, txHash } };
}

/**
 * Posts the yield since the last entry: `value now - what the books say`. Differences of floors telescope, so that the accruals of a position
 * sum to `value + withdrawn - deposited`, exactly. Settles revenue on what is above the high-water mark.
 *
 * @param vault where the position is, at `at`
 */
export function accrue(position: Position, at: Date, vault: Quote, terms: RevenueTerms): Step {
  const amount = valueOf(position.shares, vault.index) - bookValue(position);
  if (amount === 0n) return { position: { ...position, accruedAt: at }, entry: null };
  const accrued = position.accrued + amount;
  const settled = settleRevenue(accrued, position.highWaterMark, terms);
  return {
    position: {
      ...position,
      accrued,
      highWaterMark: settled.highWaterMark,
      fee: position.fee + settled.fee,
      partnerRevenue: position.partnerRevenue + settled.partner,
      accruedAt: at,
    },
    entry: {
      ...bareEntry('yield_accrual', amount, at, vault),
      feeBps: terms.performanceFeeBps,
      shareBps: terms.partnerShareBps,
    },
  };
}

/**
 * Pays out of an accrued position: `ceil(amount * 1e30 / index)` shares of each book, or all of a book whose whole value it is. The whole
 * value of the routed book closes the position.
 *
 * @param amount micro-units, above 0 and at most the position's value
 * @throws RangeError where it is not
 */
export function withdraw(position: Position, amount: bigint, flow: Flow): Step {
  const { at, vault, baselines, time, txHash } = flow;
  const value = valueOf(position.shares, vault.index);
  if (amount <= 0n || amount > value) throw new RangeError('A withdrawal is above 0 and at most the value.');
  const status = amount === value ? 'closed' : 'active';
  const withdrawn = position.withdrawn + amount;
  const change = earningPrincipal({ ...position, status, withdrawn }) - earningPrincipal(position);
  return {
    position: {
      ...position,
      status,
      shares: sharesAfter(position.shares, amount, vault.index),
      lendingShares: sharesAfter(position.lendingShares, amount, baselines.lending),
      holdShares: sharesAfter(position.holdShares, amount, baselines.hold),
      withdrawn,
      withdrawals: position.withdrawals + 1,
      campaignMoment: position.campaignMoment + change * time.campaign,
      plainMoment: position.plainMoment + change * time.plain,
      closedAt: status === 'closed' ? at : null,
    },
    entry: { ...flowEntry('withdrawal', amount, flow), txHash },
  };
}

/**
 * Moves an accrued position: redeems the floor from one vault and puts that integer into the other. The baselines stay.
 *
 * @returns the position as it is, without an entry, where it is worth less than a micro-unit
 */
export function move(position: Position, at: Date, from: Quote, to: Quote, decisionId: string): Step {
  const amount = valueOf(position.shares, from.index);
  const shares = sharesFor(amount, to.index);
  if (shares === 0n) return { position, entry: null };
  return {
    position: { ...position, vaultId: to.vaultId, shares },
    entry: {
      ...bareEntry('rebalance', amount, at, to),
      fromVaultId: from.vaultId,
      fromIndex: from.index,
      decisionId,
    },
  };
}

/** What the books say a position is worth: its value when its yield was last posted. Micro-units. */
export function bookValue({ deposited, withdrawn, accrued }: Position): bigint {
  return deposited - withdrawn + accrued;
}

/** What a payment leaves of a book. Dust that stayed behind a whole payment would grow, and count against whoever moved nothing. */
const sharesAfter = (shares: bigint, amount: bigint, index: bigint): bigint =>
  amount === valueOf(shares, index) ? 0n : shares - sharesToBurn(amount, index);

const bareEntry = (type: EntryType, amount: bigint, at: Date, vault: Quote): Entry => ({
  at,
  type,
  vaultId: vault.vaultId,
  fromVaultId: null,
  amount,
  apy: vault.apy,
  shareIndex: vault.index,
  fromIndex: null,
  lendingIndex: null,
  holdIndex: null,
  feeBps: null,
  shareBps: null,
  decisionId: null,
  txHash: null,
});

const flowEntry = (type: EntryType, amount: bigint, { at, vault, baselines }: Flow): Entry => ({
  ...bareEntry(type, amount, at, vault),
  lendingIndex: baselines.lending,
  holdIndex: baselines.hold,
});
