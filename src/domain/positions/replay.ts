import { type CampaignTerms, earningPrincipal, pointTime } from './points.js';
import type { Entry, Position } from './position.js';
import { settleRevenue } from './revenue.js';
import { sharesFor, sharesToBurn, valueOf } from '../vaults/shares.js';

/** A line of the ledger as it is stored. */
export interface LedgerLine extends Entry {
  id: string;
  userId: string;
  asset: string;
}

/** What follows of a position from its entries alone. */
export type Replayed = Pick<Position, (typeof REPLAYED)[number]>;

export const REPLAYED = [
  'userId',
  'asset',
  'status',
  'vaultId',
  'originVaultId',
  'shares',
  'lendingShares',
  'holdShares',
  'deposited',
  'withdrawn',
  'accrued',
  'withdrawals',
  'highWaterMark',
  'fee',
  'partnerRevenue',
  'campaignMoment',
  'plainMoment',
  'openedAt',
  'closedAt',
] as const satisfies (keyof Position)[];

export interface Replay {
  /** null where the entries open no position. */
  state: Replayed | null;
  /** A sentence for each rule that an entry breaks: what it says, and what it should. */
  broken: string[];
}

/**
 * Makes a position again from its entries: a second telling of the rules of `position.ts`, so that a mistake in one of them shows. What an entry says
 * that happened counts, also where it breaks a rule; what is made of it is computed anew.
 *
 * @param entries of one position, in the order of their times and ids
 * @param terms of the campaign that it carries, oldest first; empty: none is
 */
export function replay(entries: readonly LedgerLine[], terms: readonly CampaignTerms[]): Replay {
  const replaying = new Replaying(terms);
  entries.forEach((entry) => replaying.take(entry));
  return { state: replaying.state, broken: replaying.broken };
}

class Replaying {
  state: Replayed | null = null;
  readonly broken: string[] = [];

  constructor(private readonly terms: readonly CampaignTerms[]) {}

  take(entry: LedgerLine): void {
    const indexes = [entry.shareIndex, entry.fromIndex, entry.lendingIndex, entry.holdIndex];
    if (indexes.some((index) => index !== null && index <= 0n))
      return this.breaks(entry, 'has an index that is not above 0');
    const { state } = this;
    if (entry.type === 'deposit') {
      if (state) return this.breaks(entry, 'is a second deposit');
      this.state = this.open(entry);
      return;
    }
    if (!state) return this.breaks(entry, `is a ${entry.type} before any deposit`);
    if (state.status === 'closed') this.breaks(entry, `is a ${entry.type} after the position was closed`);
    this.compare(entry, 'user', entry.userId, state.userId, 'the deposit');
    this.compare(entry, 'asset', entry.asset, state.asset, 'the deposit');
    const vaultId = entry.type === 'rebalance' ? entry.fromVaultId : entry.vaultId;
    this.compare(entry, 'vault', vaultId, state.vaultId, 'the entries before');
    if (entry.type === 'yield_accrual') this.accrue(entry, state);
    if (entry.type === 'withdrawal') this.withdraw(entry, state);
    if (entry.type === 'rebalance') this.move(entry, state);
  }

  /** The first vault is the hold baseline, so one index is the other. */
  private open(entry: LedgerLine): Replayed {
    const { amount, at, shareIndex } = entry;
    this.compare(entry, 'hold index', entry.holdIndex, shareIndex, 'the vault');
    const shares = sharesFor(amount, shareIndex);
    const time = pointTime(this.terms, at);
    return {
      userId: entry.userId,
      asset: entry.asset,
      status: 'active',
      vaultId: entry.vaultId,
      originVaultId: entry.vaultId,
      shares,
      lendingShares: sharesFor(amount, entry.lendingIndex!),
      holdShares: sharesFor(amount, entry.holdIndex!),
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
    };
  }

  private accrue(entry: LedgerLine, state: Replayed): void {
    const due = valueOf(state.shares, entry.shareIndex) - inBooks(state);
    this.compare(entry, 'accrual', entry.amount, due, 'the shares');
    state.accrued += entry.amount;
    const settled = settleRevenue(state.accrued, state.highWaterMark, {
      performanceFeeBps: entry.feeBps!,
      partnerShareBps: entry.shareBps!,
    });
    state.highWaterMark = settled.highWaterMark;
    state.fee += settled.fee;
    state.partnerRevenue += settled.partner;
  }

  private withdraw(entry: LedgerLine, state: Replayed): void {
    const { amount, at } = entry;
    const value = valueOf(state.shares, entry.shareIndex);
    this.compare(entry, 'value in the books', inBooks(state), value, 'the shares');
    if (amount > value) this.breaks(entry, `withdraws ${amount}, of shares that are worth ${value}`);
    if (state.vaultId === state.originVaultId)
      this.compare(entry, 'hold index', entry.holdIndex, entry.shareIndex, 'the vault');
    const principal = earningPrincipal(state);
    state.withdrawn += amount;
    state.withdrawals += 1;
    if (amount === value) {
      state.status = 'closed';
      state.closedAt = at;
    }
    const change = earningPrincipal(state) - principal;
    const time = pointTime(this.terms, at);
    state.campaignMoment += change * time.campaign;
    state.plainMoment += change * time.plain;
    state.lendingShares = sharesLeft(state.lendingShares, amount, entry.lendingIndex!);
    state.holdShares = sharesLeft(state.holdShares, amount, entry.holdIndex!);
    state.shares = sharesLeft(state.shares, amount, entry.shareIndex);
  }

  /** Nothing is gained or lost by it: what leaves one vault, all of it, goes into the other. */
  private move(entry: LedgerLine, state: Replayed): void {
    const value = valueOf(state.shares, entry.fromIndex!);
    this.compare(entry, 'value in the books', inBooks(state), value, 'the shares');
    this.compare(entry, 'amount', entry.amount, value, 'the shares');
    state.shares = sharesFor(entry.amount, entry.shareIndex);
    state.vaultId = entry.vaultId;
  }

  private compare<T>(entry: LedgerLine, what: string, found: T, expected: T, source: string): void {
    if (found === expected) return;
    this.broken.push(
      `entry ${entry.id}: ${what} is ${String(found)}, by ${source} it is ${String(expected)}`,
    );
  }

  private breaks({ id }: LedgerLine, how: string): void {
    this.broken.push(`entry ${id} ${how}`);
  }
}

const inBooks = ({ deposited, withdrawn, accrued }: Replayed): bigint => deposited - withdrawn + accrued;

/** Of any book: one that is paid out whole keeps nothing, else the payment burns shares rounded up. */
const sharesLeft = (shares: bigint, amount: bigint, index: bigint): bigint =>
  valueOf(shares, index) === amount ? 0n : shares - sharesToBurn(amount, index);
