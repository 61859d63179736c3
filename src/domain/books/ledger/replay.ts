import { earningPrincipal, POSITION, type Position } from '../positions/position.js';
import { type CampaignTerms, pointTime } from '../positions/points.js';
import type { RowOf } from '../../kernel/store/column.js';
import type { REPLAYED as LINE } from './ledger.queries.js';
import { sharesFor, valueOf } from '../../markets/vaults/yield-index.js';
import { Problems } from './verification.js';

/** Stored line of the ledger, as far as a position follows from it. */
export type LedgerLine = Omit<RowOf<typeof LINE>, 'positionId'>;

/** What does not follow from the entries of a position. */
const GIVEN = [
  ...(['id', 'marketId', 'partnerId', 'transitId', 'lendingVaultId', 'slot', 'depositId'] as const),
  ...(['campaignId', 'accruedAt'] as const),
];
export type ReplayedPosition = Omit<Position, (typeof GIVEN)[number]>;
export const REPLAYED = Object.keys(POSITION).filter(
  (name) => !(GIVEN as string[]).includes(name),
) as (keyof ReplayedPosition)[];

/** `broken`: the first rules that entries break, a sentence each. */
export interface Replay {
  state: ReplayedPosition | null;
  broken: string[];
}

/**
 * Recomputes a position from its entries, one by one in the order of time and id: a second, independent implementation of the rules in `position.ts` and
 * `steps.ts`, so that a mistake in one of them shows. The facts of an entry are taken as they are, even when they break a rule; what follows from them is
 * recomputed.
 */
export class PositionReplay {
  /** null when the entries open no position. */
  state: ReplayedPosition | null = null;
  /** Hash of the withdrawal that was put back last. */
  private putBackHash: string | null = null;
  /** A sentence for each rule that an entry breaks: actual and expected value. */
  readonly broken = new Problems();

  /**
   * @param terms of its campaign, oldest first
   * @param isIdle true for an asset's idle vault, in which a position is pending until its first move
   */
  constructor(
    private readonly terms: readonly CampaignTerms[],
    private readonly isIdle: (vaultId: string) => boolean,
  ) {}

  take(entry: LedgerLine): void {
    if (!hasIndexes(entry)) return this.breaks(entry, 'has an index that is not above 0');
    const { state } = this;
    if (entry.type === 'deposit' && entry.voids === null) {
      if (state && (entry.decisionId === null || entry.txHash !== null || state.status === 'closed'))
        return this.breaks(entry, 'is a second deposit');
      if (!state) {
        this.state = this.open(entry);
        return;
      }
    }
    if (!state) return this.breaks(entry, `is a ${entry.type} before any deposit`);
    const reopens = entry.type === 'deposit' && entry.voids !== null;
    if (state.status === 'closed' && !reopens)
      this.breaks(entry, `is a ${entry.type} after the position was closed`);
    this.compare(entry, 'user', entry.userId, state.userId, 'the deposit');
    this.compare(entry, 'asset', entry.asset, state.asset, 'the deposit');
    const vaultId = entry.type === 'rebalance' ? entry.fromVaultId : entry.vaultId;
    this.compare(entry, 'vault', vaultId, state.vaultId, 'the entries before');
    if (entry.type === 'deposit' && entry.voids === null) this.topUp(entry, state);
    if (reopens) this.putBack(entry, state);
    if (entry.type === 'yield_accrual') this.accrue(entry, state);
    if (entry.type === 'withdrawal' && entry.voids === null) this.withdraw(entry, state);
    if (entry.type === 'withdrawal' && entry.voids !== null) this.takeBack(entry, state);
    if (entry.type === 'rebalance') this.move(entry, state);
  }

  /** The first yield vault is the hold baseline, and the idle vault until then, so the index of both books is the same. */
  private open(entry: LedgerLine): ReplayedPosition {
    const { amount, at, shareIndex } = entry;
    this.compare(entry, 'hold index', entry.holdIndex, shareIndex, 'the vault');
    const shares = sharesFor(amount, shareIndex);
    const time = pointTime(this.terms, at);
    const pending = this.isIdle(entry.vaultId);
    return {
      userId: entry.userId,
      asset: entry.asset,
      status: pending ? 'pending' : 'active',
      vaultId: entry.vaultId,
      originVaultId: pending ? null : entry.vaultId,
      shares,
      lendingShares: sharesFor(amount, entry.lendingIndex!),
      holdShares: sharesFor(amount, entry.holdIndex!),
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
      activeAt: pending ? null : at,
      closedAt: null,
    };
  }

  /** An accrual with a decision is the gain of a move: it arrived beyond the value and buys shares. */
  private accrue(entry: LedgerLine, state: ReplayedPosition): void {
    if (entry.decisionId !== null) {
      const value = this.valued(entry, state);
      if (entry.amount <= 0n) this.breaks(entry, `is a gain of ${entry.amount}`);
      state.shares = sharesFor(value + entry.amount, entry.shareIndex);
    } else if (entry.voids !== null && entry.voids === this.putBackHash) {
      // What the payment had cost: it buys shares again.
      state.shares = sharesFor(this.valued(entry, state) + entry.amount, entry.shareIndex);
      // Several accruals may reverse earlier ones at their terms; that together they reverse everything is checked with the voiding withdrawal.
    } else if (entry.voids === null) {
      const earned = valueOf(state.shares, entry.shareIndex) - bookedValue(state);
      this.compare(entry, 'accrual', entry.amount, earned, 'the shares');
    }
    state.accrued += entry.amount;
  }

  private withdraw(entry: LedgerLine, state: ReplayedPosition): void {
    const { amount, at } = entry;
    const value = this.valued(entry, state);
    if (amount > value) this.breaks(entry, `withdraws ${amount}, of shares that are worth ${value}`);
    this.compareHold(entry, state);
    const principal = earningPrincipal(state);
    state.withdrawn += amount;
    state.withdrawals += 1;
    if (amount === value) {
      state.status = 'closed';
      state.closedAt = at;
    }
    this.weigh(state, earningPrincipal(state) - principal, at);
    const remainingShares = amount >= value ? 0n : state.shares - sharesFor(amount, entry.shareIndex);
    const lending = this.payFraction(state, entry, state.lendingShares, entry.lendingIndex!, remainingShares);
    const hold = this.payFraction(state, entry, state.holdShares, entry.holdIndex!, remainingShares);
    state.settledLending += amount - lending.paid;
    state.settledHold += amount - hold.paid;
    state.lendingShares = lending.remaining;
    state.holdShares = hold.remaining;
    state.shares = remainingShares;
  }

  /** Of a voided deposit, only what was withdrawn remains. */
  private takeBack(entry: LedgerLine, state: ReplayedPosition): void {
    this.compare(entry, 'amount', entry.amount, state.deposited - state.withdrawn, 'the deposit');
    this.compare(entry, 'amount', entry.amount, bookedValue(state), 'the books');
    state.status = 'closed';
    state.closedAt = entry.at;
    state.deposited -= entry.amount;
    state.shares = state.lendingShares = state.holdShares = 0n;
    state.settledLending = state.settledHold = 0n;
    state.campaignMoment = state.plainMoment = state.capitalMoment = 0n;
  }

  /** A voided withdrawal returns into all three books. */
  private putBack(entry: LedgerLine, state: ReplayedPosition): void {
    const { amount, at } = entry;
    this.valued(entry, state);
    if (amount > state.withdrawn) this.breaks(entry, `puts ${amount} back, of ${state.withdrawn} withdrawn`);
    const principal = earningPrincipal(state);
    state.withdrawn -= amount;
    state.withdrawals -= 1;
    state.status = state.originVaultId === null ? 'pending' : 'active';
    state.closedAt = null;
    this.weigh(state, earningPrincipal(state) - principal, at);
    state.shares += sharesFor(amount, entry.shareIndex);
    state.lendingShares += sharesFor(amount, entry.lendingIndex!);
    state.holdShares += sharesFor(amount, entry.holdIndex!);
    this.putBackHash = entry.voids;
  }

  /** More of a received deposit arrived than was reported. */
  private topUp(entry: LedgerLine, state: ReplayedPosition): void {
    const { amount, at, shareIndex } = entry;
    this.valued(entry, state);
    this.compareHold(entry, state);
    const principal = earningPrincipal(state);
    state.deposited += amount;
    this.weigh(state, earningPrincipal(state) - principal, at);
    const more = (shares: bigint, index: bigint): bigint => sharesFor(valueOf(shares, index) + amount, index);
    state.shares = more(state.shares, shareIndex);
    state.lendingShares = more(state.lendingShares, entry.lendingIndex!);
    state.holdShares = more(state.holdShares, entry.holdIndex!);
  }

  /** The value of the shares, which is to be the value in the books. */
  private valued(entry: LedgerLine, state: ReplayedPosition, index = entry.shareIndex): bigint {
    const value = valueOf(state.shares, index);
    this.compare(entry, 'value in the books', bookedValue(state), value, 'the shares');
    return value;
  }

  /** In its first vault, a position has the index of its hold book. */
  private compareHold(entry: LedgerLine, { vaultId, originVaultId }: ReplayedPosition): void {
    if (vaultId === (originVaultId ?? vaultId))
      this.compare(entry, 'hold index', entry.holdIndex, entry.shareIndex, 'the vault');
  }

  /** Adds a change of the principal to the moments. */
  private weigh(state: ReplayedPosition, change: bigint, at: Date): void {
    const time = pointTime(this.terms, at);
    state.campaignMoment += change * time.campaign;
    state.plainMoment += change * time.plain;
    state.capitalMoment += change * BigInt(at.getTime());
  }

  /** A baseline pays the withdrawn fraction; one with exactly the routed book's shares pays the same amount. */
  private payFraction(
    { shares }: ReplayedPosition,
    { amount, shareIndex }: LedgerLine,
    baseline: bigint,
    index: bigint,
    remainingShares: bigint,
  ): { paid: bigint; remaining: bigint } {
    if (baseline === shares && index === shareIndex) return { paid: amount, remaining: remainingShares };
    const value = valueOf(shares, shareIndex);
    const product = baseline * amount;
    const burned = amount >= value ? baseline : product / value + (product % value === 0n ? 0n : 1n);
    return { paid: valueOf(burned, index), remaining: baseline - burned };
  }

  /** The whole value of one vault enters the other, less the cost. A pending position's hold book moves along, without cost. */
  private move(entry: LedgerLine, state: ReplayedPosition): void {
    const value = this.valued(entry, state, entry.fromIndex!);
    this.compare(entry, 'amount and cost', entry.amount + entry.cost, value, 'the shares');
    state.shares = sharesFor(entry.amount, entry.shareIndex);
    state.costs += entry.cost;
    state.vaultId = entry.vaultId;
    if (state.originVaultId !== null || this.isIdle(entry.vaultId)) return;
    state.status = 'active';
    state.originVaultId = entry.vaultId;
    state.holdShares = sharesFor(valueOf(state.holdShares, entry.fromIndex!), entry.shareIndex);
    state.activeAt = entry.at;
  }

  private compare<T>(entry: LedgerLine, what: string, actual: T, expected: T, source: string): void {
    if (actual === expected) return;
    this.broken.add(
      `entry ${entry.id}: ${what} is ${String(actual)}, but according to ${source} it is ${String(expected)}`,
    );
  }

  private breaks({ id }: LedgerLine, how: string): void {
    this.broken.add(`entry ${id} ${how}`);
  }
}

const isAboveZero = (index: bigint | null): boolean => index === null || index > 0n;

const hasIndexes = ({ shareIndex, fromIndex, lendingIndex, holdIndex }: LedgerLine): boolean =>
  shareIndex > 0n && isAboveZero(fromIndex) && isAboveZero(lendingIndex) && isAboveZero(holdIndex);

export const bookedValue = ({ deposited, withdrawn, accrued, costs }: ReplayedPosition): bigint =>
  deposited - withdrawn + accrued - costs;
