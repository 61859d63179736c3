import { floorDivide, sharesFor, valueOf } from '../../markets/vaults/yield-index.js';
import {
  earningPrincipal,
  bareEntry,
  bookValue,
  type Entry,
  type Flow,
  flowEntry,
  type Position,
  type Quote,
} from './position.js';
import type { RevenueTerms } from './revenue.js';

/** Position after a change, with its ledger entry; null when there is nothing to record. */
export interface Step {
  position: Position;
  entry: Entry | null;
}

/** Posts the yield since the last entry: `value now - book value`. Accruals sum to `value + withdrawn - deposited + costs`, exactly. */
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
 * Withdrawal of micro-units from an accrued position: redeems `ceil(amount * 1e30 / index)` shares, and the same fraction of each baseline. The whole
 * value closes the position. Throws RangeError for an amount of 0 or beyond the position's value.
 */
export function withdraw(position: Position, amount: bigint, flow: Flow): Step {
  const { at, vault, baselines, txHash } = flow;
  const value = valueOf(position.shares, vault.index);
  if (amount <= 0n || amount > value)
    throw new RangeError('A withdrawal must be above 0 and at most the value.');
  const status = amount === value ? 'closed' : position.status;
  const withdrawn = position.withdrawn + amount;
  const burned = amount === value ? position.shares : sharesFor(amount, vault.index);
  // A baseline pays the same fraction, and what it pays less is uplift, settled for good. One that is identical to the routed book redeems the same
  // shares, since rounding alone is no uplift.
  const pay = (shares: bigint, index: bigint): { burned: bigint; settled: bigint } => {
    if (shares === position.shares && index === vault.index) return { burned, settled: 0n };
    const fraction = amount === value ? shares : -floorDivide(-shares * amount, value);
    return { burned: fraction, settled: amount - valueOf(fraction, index) };
  };
  const lending = pay(position.lendingShares, baselines.lending);
  const hold = pay(position.holdShares, baselines.hold);
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
      ...momentsAfter(position, { ...position, status, withdrawn }, flow),
      closedAt: status === 'closed' ? at : null,
    },
    entry: { ...flowEntry('withdrawal', amount, flow), txHash },
  };
}

/** Moments of a position after a change of what earns. */
export function momentsAfter(
  before: Position,
  after: Parameters<typeof earningPrincipal>[0],
  { at, time }: Pick<Flow, 'at' | 'time'>,
): Pick<Position, 'campaignMoment' | 'plainMoment' | 'capitalMoment'> {
  const change = earningPrincipal(after) - earningPrincipal(before);
  return {
    campaignMoment: before.campaignMoment + change * time.campaign,
    plainMoment: before.plainMoment + change * time.plain,
    capitalMoment: before.capitalMoment + change * BigInt(at.getTime()),
  };
}

/** Move of held funds. */
export interface Transit {
  at: Date;
  from: Quote;
  to: Quote;
  /** True when `to` is the asset's idle vault. */
  toIdle: boolean;
  /** True when the funds are in transit from now on: `from` pays out late, or an order moves them further. */
  late: boolean;
  /** Share of the cost that this position pays, micro-units, 0 or more. */
  cost: bigint;
  /** null: it stays in its vault, see `bearCost`. */
  decisionId: string | null;
}

/**
 * Moves an accrued position: redeems the floor from one vault and buys shares of the other for it, less its part of the cost; nothing when nothing
 * would arrive. The baselines stay, but a pending position's hold book moves along, in full, into its first yield vault.
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
 * Cost of a payment from an accrued position, which its vault did not pay out: a rebalance within the vault, without decision. The cost is above 0 and
 * less than the value.
 */
export const bearCost = (position: Position, cost: bigint, at: Date, vault: Quote): Step =>
  move(position, { at, from: vault, to: vault, toIdle: false, late: false, cost, decisionId: null });

/** Posts a gain reported with a move, the amount that arrived beyond the position's value, as yield of its new vault. */
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

/** Adds what arrived of a received deposit beyond what was reported: principal, which enters all three books and earns nothing by itself. */
export function topUp(
  position: Position,
  amount: bigint,
  flow: Omit<Flow, 'txHash'>,
  decisionId: string,
): { position: Position; entry: Entry } {
  const { vault, baselines } = flow;
  const added = (shares: bigint, index: bigint): bigint => sharesFor(valueOf(shares, index) + amount, index);
  const deposited = position.deposited + amount;
  return {
    position: {
      ...position,
      deposited,
      shares: added(position.shares, vault.index),
      lendingShares: added(position.lendingShares, baselines.lending),
      holdShares: added(position.holdShares, baselines.hold),
      ...momentsAfter(position, { ...position, deposited }, flow),
    },
    entry: { ...flowEntry('deposit', amount, flow), decisionId },
  };
}
