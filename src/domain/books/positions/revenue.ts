import { floorDivide } from '../../markets/vaults/yield-index.js';

const BPS = 10_000n;

/** Revenue terms in basis points: 1000 is 10 %. */
export interface RevenueTerms {
  /** Fee on yield, 0..10000. */
  performanceFeeBps: number;
  /** The partner's share of the fee, 0..10000. */
  partnerShareBps: number;
}

/** Settled sums at one pair of terms. Micro-units. */
export interface RevenueSums extends RevenueTerms {
  /** Gains beyond carried losses: the base of the fee. */
  base: bigint;
  fee: bigint;
  partner: bigint;
}

/** Revenue account of a user in one asset, over all positions. Micro-units. */
export interface RevenueAccount {
  userId: string;
  asset: string;
  partnerId: string;
  /** Number of settled entries; the next one has this plus one. */
  settled: number;
  /** When the newest of them has its effect; null: there is none. */
  settledAt: Date | null;
  /** Losses and costs not yet recovered by gains. */
  carriedLoss: bigint;
  /**
   * One for each pair of terms, so that rounding happens once for everything settled at them. A user's positions are posted one after another, each
   * at the terms of each span, so terms alternate.
   */
  sums: readonly RevenueSums[];
  /** Total over all sums. */
  totalFee: bigint;
  totalPartner: bigint;
}

export const newAccount = (of: Pick<RevenueAccount, 'userId' | 'asset' | 'partnerId'>): RevenueAccount => ({
  ...of,
  settled: 0,
  settledAt: null,
  carriedLoss: 0n,
  sums: [],
  totalFee: 0n,
  totalPartner: 0n,
});

/**
 * Settles an accrual. A loss is carried. A gain first recovers the carried loss, and the fee is on the rest: `fee = ceil(base * bps / 10000)` and
 * `partner = floor(fee * share / 10000)`, each over the sum at these terms, less what was charged before; the protocol gets the remainder. Fees are
 * reported, never taken from a position.
 * @param amount micro-units, signed
 */
export function chargeYield(account: RevenueAccount, amount: bigint, terms: RevenueTerms): RevenueAccount {
  if (amount <= 0n) return carryLoss(account, -amount);
  const before = sumsAt(account, terms);
  const recovered = amount < account.carriedLoss ? amount : account.carriedLoss;
  const settled = replaceBase(account, before, before.base + amount - recovered);
  return { ...settled, carriedLoss: account.carriedLoss - recovered };
}

const sumsAt = (account: RevenueAccount, terms: RevenueTerms): RevenueSums =>
  account.sums.find((sum) => areSame(sum, terms)) ?? { ...terms, base: 0n, fee: 0n, partner: 0n };

const areSame = (terms: RevenueTerms, other: RevenueTerms): boolean =>
  terms.performanceFeeBps === other.performanceFeeBps && terms.partnerShareBps === other.partnerShareBps;

/** Replaces the sum at one pair of terms; its fee is rounded once over the whole. */
function replaceBase(account: RevenueAccount, before: RevenueSums, base: bigint): RevenueAccount {
  const fee = -floorDivide(-base * BigInt(before.performanceFeeBps), BPS);
  const partner = (fee * BigInt(before.partnerShareBps)) / BPS;
  return {
    ...account,
    sums: [...account.sums.filter((sum) => !areSame(sum, before)), { ...before, base, fee, partner }],
    totalFee: account.totalFee + fee - before.fee,
    totalPartner: account.totalPartner + partner - before.partner,
  };
}

/** Carries a loss, or the cost of a move. @param amount micro-units, 0 or more */
export function carryLoss(account: RevenueAccount, amount: bigint): RevenueAccount {
  return { ...account, carriedLoss: account.carriedLoss + amount };
}

/**
 * Reverses settled accruals of a voided deposit. A gain reduces the sums at its terms; when these hold less, because it had recovered losses, the
 * rest is carried as a loss again. A reversed loss is a gain.
 * @param amount micro-units, signed: the sum of the accruals at these terms, negated
 */
export function chargeReversal(account: RevenueAccount, amount: bigint, terms: RevenueTerms): RevenueAccount {
  if (amount >= 0n) return chargeYield(account, amount, terms);
  const before = sumsAt(account, terms);
  const reduction = -amount < before.base ? -amount : before.base;
  return carryLoss(replaceBase(account, before, before.base - reduction), -amount - reduction);
}

/** Reduces the carried loss by the withdrawn fraction of the user's value: a user who leaves with a loss keeps no fee-free yield for later. */
export function settleWithdrawal(account: RevenueAccount, amount: bigint, value: bigint): RevenueAccount {
  const relieved = (account.carriedLoss * amount) / value;
  return { ...account, carriedLoss: account.carriedLoss - relieved };
}
