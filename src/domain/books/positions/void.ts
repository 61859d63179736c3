import { bookValue, type Entry, type Position, bareEntry, type Flow, flowEntry } from './position.js';
import { momentsAfter } from './steps.js';
import type { RevenueTerms } from './revenue.js';
import { sharesFor, valueOf } from '../../markets/vaults/yield-index.js';

/** Sum of a position's accruals at one pair of terms: micro-units, signed. */
export interface EarnedYield extends RevenueTerms {
  amount: bigint;
}

/** Voiding of a transfer: the hash that it was reported with, and the time. */
export interface TransferVoid extends Omit<Flow, 'txHash'> {
  voids: string;
}

/** Position after its transfer was voided. Its reversals are settled as accruals; those of a deposit precede the entry, those of a withdrawal follow it. */
export interface VoidedPosition {
  position: Position;
  reversals: Entry[];
  entry: Entry;
}

/**
 * Voids a deposit that did not settle: all its accruals are reversed at the terms at which they were settled, and the rest of the deposit is taken
 * out of the accrued position, which is closed and counts nowhere. Earlier withdrawals stay.
 * @throws RangeError when nothing of the deposit is left
 */
export function voidDeposit(
  position: Position,
  earned: readonly EarnedYield[],
  terms: RevenueTerms,
  { voids, ...flow }: TransferVoid,
): VoidedPosition {
  const remainder = position.deposited - position.withdrawn;
  if (remainder <= 0n) throw new RangeError('The whole deposit was withdrawn.');
  const sums = [
    ...earned.map((yieldPart) => ({ ...yieldPart, amount: -yieldPart.amount })),
    { ...terms, amount: position.costs },
  ];
  const reversals = sums
    .filter(({ amount }) => amount !== 0n)
    .map(({ amount, performanceFeeBps, partnerShareBps }) => ({
      ...bareEntry('yield_accrual', amount, flow.at, flow.vault),
      feeBps: performanceFeeBps,
      shareBps: partnerShareBps,
      voids,
    }));
  const reversed = reversals.reduce((sum, { amount }) => sum + amount, 0n);
  const accrued = position.accrued + reversed;
  const worth = bookValue({ ...position, accrued });
  if (worth !== remainder)
    throw new RangeError(
      `Without its yield the position is worth ${worth}, but ${remainder} of the deposit remains.`,
    );
  return {
    reversals,
    position: {
      ...position,
      status: 'closed',
      transitId: null,
      shares: 0n,
      lendingShares: 0n,
      holdShares: 0n,
      deposited: position.withdrawn,
      accrued,
      settledLending: 0n,
      settledHold: 0n,
      campaignMoment: 0n,
      plainMoment: 0n,
      capitalMoment: 0n,
      closedAt: flow.at,
    },
    entry: { ...flowEntry('withdrawal', remainder, flow), voids },
  };
}

/**
 * Voids a withdrawal (micro-units) that did not settle: it enters all three books again, like a deposit, in the vault of the accrued position, and
 * earns from now on, since what it would have earned is unknown. What the payment had cost follows as yield. A position closed by it is reopened.
 */
export function voidWithdrawal(
  position: Position,
  { amount, cost }: { amount: bigint; cost: bigint },
  terms: RevenueTerms,
  { voids, ...flow }: TransferVoid,
): VoidedPosition {
  const { vault, baselines } = flow;
  const reopened: Pick<Position, 'status' | 'closedAt'> = {
    status: position.originVaultId === null ? 'pending' : 'active',
    closedAt: null,
  };
  const restored = { ...position, ...reopened, withdrawn: position.withdrawn - amount };
  const shares = position.shares + sharesFor(amount, vault.index);
  return {
    reversals:
      cost === 0n
        ? []
        : [
            {
              ...bareEntry('yield_accrual', cost, flow.at, vault),
              feeBps: terms.performanceFeeBps,
              shareBps: terms.partnerShareBps,
              voids,
            },
          ],
    position: {
      ...restored,
      accrued: position.accrued + cost,
      shares: cost === 0n ? shares : sharesFor(valueOf(shares, vault.index) + cost, vault.index),
      lendingShares: position.lendingShares + sharesFor(amount, baselines.lending),
      holdShares: position.holdShares + sharesFor(amount, baselines.hold),
      withdrawals: position.withdrawals - 1,
      ...momentsAfter(position, restored, flow),
    },
    entry: { ...flowEntry('deposit', amount, flow), voids },
  };
}
