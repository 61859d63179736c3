import { earningPrincipal, type PointTime } from './points.js';
import type { RevenueTerms } from './revenue.js';
import { sharesFor, sharesToBurn, valueOf } from '../vaults/shares.js';
import { floorDivide } from '../vaults/yield-index.js';

export const POSITION_STATUSES = ['pending', 'active', 'closed'] as const;
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
  /** `pending`: in the asset's idle vault, as no vault took the deposit yet. */
  status: PositionStatus;
  /** Where the funds are; of a closed position, where they were last. */
  vaultId: string;
  /** The decision by which its funds are on the way: they left a vault that pays out late or are moved by an order, or were received and are to be put into their first vault. Meanwhile they stand in the idle vault. null: they are not. */
  transitId: string | null;
  /** Its first yield vault: the hold baseline. null: it never was in one, and the hold book is where the funds are. */
  originVaultId: string | null;
  /** Its asset's lending baseline at the opening. */
  lendingVaultId: string;
  /** 0..15: which rows of the books it counts in. */
  slot: number;
  shares: bigint;
  lendingShares: bigint;
  holdShares: bigint;
  deposited: bigint;
  withdrawn: bigint;
  /** Yield that is posted to the ledger, signed. `deposited - withdrawn + accrued - costs` is what the books say the position is worth. */
  accrued: bigint;
  /** What its moves cost. */
  costs: bigint;
  /** Uplift over a baseline that withdrawals took with them, signed. */
  settledLending: bigint;
  settledHold: bigint;
  withdrawals: number;
  /** The campaign that it carries since its opening; null: none. */
  campaignId: string | null;
  /** Changes of the principal times their point times, summed. */
  campaignMoment: bigint;
  plainMoment: bigint;
  /** Changes of the principal times their times in milliseconds since 1970, summed: `principal * now - this` is capital times milliseconds. */
  capitalMoment: bigint;
  openedAt: Date;
  /** When it came into its first yield vault; null: not yet. */
  activeAt: Date | null;
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
  /** Micro-units; above 0 but for the accrual of a loss. Of a rebalance: what arrived. */
  amount: bigint;
  /** What a rebalance took beside the amount, micro-units; else 0. */
  cost: bigint;
  /** Of the vault, fraction a year; null where it is not known or too old. */
  apy: number | null;
  /** Of `vaultId`, scale 1e18. */
  shareIndex: bigint;
  fromIndex: bigint | null;
  lendingIndex: bigint | null;
  holdIndex: bigint | null;
  feeBps: number | null;
  shareBps: number | null;
  /** Its place among what was settled of the user's revenue in the asset, from 1; null where it settles nothing. */
  revenuePlace: number | null;
  /** Of a withdrawal that takes a part of a carried loss with it: what the user had in the asset before. Micro-units. */
  userValue: bigint | null;
  decisionId: string | null;
  txHash: string | null;
  /** The hash of the transfer that it takes back, as that did not settle as it was reported; null of every other entry. */
  voids: string | null;
}

/** A vault when its shares change hands. */
export interface Quote {
  vaultId: string;
  /** Scale 1e18. */
  index: bigint;
  /** Last observed, fraction a year; null where that is not known or too old. */
  apy: number | null;
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
 * @param idle true where the vault is the asset's idle one: the position is pending
 * @param received true where the funds are on their way from there into the vault that was decided
 * @throws RangeError where the amount is not above 0
 */
export function open(
  opening: Opening,
  amount: bigint,
  idle: boolean,
  decisionId: string | null,
  flow: Flow,
  received = false,
): Step {
  const { at, vault, baselines, time, txHash } = flow;
  if (amount <= 0n) throw new RangeError('A deposit is above 0.');
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

/**
 * Posts the yield since the last entry: `value now - what the books say`. Differences of floors telescope, so that the accruals of a position
 * sum to `value + withdrawn - deposited + costs`, exactly.
 *
 * @param vault where the position is, at `at`
 */
export function accrue(position: Position, at: Date, vault: Quote, terms: RevenueTerms): Step {
  const amount = valueOf(position.shares, vault.index) - bookValue(position);
  if (amount === 0n) return { position: { ...position, accruedAt: at }, entry: null };
  return {
    position: { ...position, accrued: position.accrued + amount, accruedAt: at },
    entry: {
      ...bareEntry('yield_accrual', amount, at, vault),
      feeBps: terms.performanceFeeBps,
      shareBps: terms.partnerShareBps,
    },
  };
}

/**
 * Pays out of an accrued position: `ceil(amount * 1e30 / index)` of its shares, and the same fraction of each baseline. The whole value closes the position,
 * and leaves nothing in any book.
 *
 * @param amount micro-units, above 0 and at most the position's value
 * @throws RangeError where it is not
 */
export function withdraw(position: Position, amount: bigint, flow: Flow): Step {
  const { at, vault, baselines, time, txHash } = flow;
  const value = valueOf(position.shares, vault.index);
  if (amount <= 0n || amount > value) throw new RangeError('A withdrawal is above 0 and at most the value.');
  const status = amount === value ? 'closed' : position.status;
  const withdrawn = position.withdrawn + amount;
  const change = earningPrincipal({ ...position, status, withdrawn }) - earningPrincipal(position);
  const burned = amount === value ? position.shares : sharesToBurn(amount, vault.index);
  const pay = { amount, value, burned, routed: position.shares, index: vault.index };
  const lending = payBaseline(position.lendingShares, baselines.lending, pay);
  const hold = payBaseline(position.holdShares, baselines.hold, pay);
  return {
    position: {
      ...position,
      status,
      shares: position.shares - burned,
      lendingShares: position.lendingShares - lending.burned,
      holdShares: position.holdShares - hold.burned,
      withdrawn,
      settledLending: position.settledLending + lending.settled,
      settledHold: position.settledHold + hold.settled,
      transitId: status === 'closed' ? null : position.transitId,
      withdrawals: position.withdrawals + 1,
      campaignMoment: position.campaignMoment + change * time.campaign,
      plainMoment: position.plainMoment + change * time.plain,
      capitalMoment: position.capitalMoment + change * BigInt(at.getTime()),
      closedAt: status === 'closed' ? at : null,
    },
    entry: { ...flowEntry('withdrawal', amount, flow), txHash },
  };
}

/** What is paid out of the routed book, of which a baseline pays the same fraction. */
interface Payment {
  amount: bigint;
  /** Of the routed book, before. */
  value: bigint;
  burned: bigint;
  /** Shares of the routed book, before. */
  routed: bigint;
  index: bigint;
}

/**
 * The fraction of a baseline: `ceil(shares * amount / value)` shares, which pay the floor of what they are worth. What the routed book paid more, or less, is
 * uplift that is settled for ever. A baseline that never differed from the routed book burns what that burns: rounding alone is no uplift.
 */
function payBaseline(
  shares: bigint,
  index: bigint,
  { amount, value, burned, routed, index: routedIndex }: Payment,
): { burned: bigint; settled: bigint } {
  if (shares === routed && index === routedIndex) return { burned, settled: 0n };
  const fraction = amount === value ? shares : -floorDivide(-shares * amount, value);
  return { burned: fraction, settled: amount - valueOf(fraction, index) };
}

/** A move of funds that are held. */
export interface Transit {
  at: Date;
  from: Quote;
  to: Quote;
  /** True where `to` is the asset's idle vault. */
  toIdle: boolean;
  /** True where the funds are on the way from now on: `from` pays out late, or an order takes them on. */
  late: boolean;
  /** What it takes of this position, micro-units, 0 or more. */
  cost: bigint;
  decisionId: string;
}

/**
 * Moves an accrued position: redeems the floor from one vault and puts that integer, less its part of the cost, into the other. The baselines stay; a pending
 * position's hold book comes with it, whole, into its first yield vault.
 *
 * @returns the position as it is, without an entry, where nothing would arrive
 */
export function move(position: Position, { at, from, to, toIdle, late, cost, decisionId }: Transit): Step {
  const amount = valueOf(position.shares, from.index) - cost;
  if (amount <= 0n) return { position, entry: null };
  const activated: Partial<Position> =
    position.originVaultId === null && !toIdle
      ? {
          status: 'active',
          originVaultId: to.vaultId,
          holdShares: sharesFor(valueOf(position.holdShares, from.index), to.index),
          activeAt: at,
        }
      : {};
  return {
    position: {
      ...position,
      vaultId: to.vaultId,
      transitId: late ? decisionId : null,
      shares: sharesFor(amount, to.index),
      costs: position.costs + cost,
      ...activated,
    },
    entry: {
      ...bareEntry('rebalance', amount, at, to),
      fromVaultId: from.vaultId,
      fromIndex: from.index,
      cost,
      decisionId,
    },
  };
}

/**
 * Adds what arrived beyond the value of a position that was just moved: its part of a gain that was reported with the move, posted as yield of the vault that it
 * is in.
 *
 * @param amount micro-units, above 0
 * @param vault where the position is, at `at`
 */
export function gain(
  position: Position,
  amount: bigint,
  { at, vault, decisionId }: { at: Date; vault: Quote; decisionId: string },
  terms: RevenueTerms,
): { position: Position; entry: Entry } {
  const value = valueOf(position.shares, vault.index) + amount;
  return {
    position: { ...position, shares: sharesFor(value, vault.index), accrued: position.accrued + amount },
    entry: {
      ...bareEntry('yield_accrual', amount, at, vault),
      feeBps: terms.performanceFeeBps,
      shareBps: terms.partnerShareBps,
      decisionId,
    },
  };
}

/** What the books say a position is worth: its value when its yield was last posted. Micro-units. */
export function bookValue({
  deposited,
  withdrawn,
  accrued,
  costs,
}: Pick<Position, 'deposited' | 'withdrawn' | 'accrued' | 'costs'>): bigint {
  return deposited - withdrawn + accrued - costs;
}

/** Where the hold book is. */
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
  apy: vault.apy,
  shareIndex: vault.index,
  fromIndex: null,
  lendingIndex: null,
  holdIndex: null,
  feeBps: null,
  shareBps: null,
  revenuePlace: null,
  userValue: null,
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
