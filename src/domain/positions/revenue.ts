import { floorDivide } from '../vaults/yield-index.js';

const BPS = 10_000n;

/** Basis points: 1000 is 10 %. */
export interface RevenueTerms {
  /** Of yield, 0..10000. */
  performanceFeeBps: number;
  /** Of the fee, 0..10000: the partner's part. */
  partnerShareBps: number;
}

/** What was settled at one pair of terms. Micro-units. */
export interface RevenueSums extends RevenueTerms {
  /** Gains beyond carried losses. */
  base: bigint;
  fee: bigint;
  partner: bigint;
}

/** Revenue of a user in one asset, over all of its positions. Micro-units. */
export interface RevenueAccount {
  userId: string;
  asset: string;
  partnerId: string;
  /** Entries that were settled so far: the place of the next one is this plus one. */
  settled: number;
  /** Losses and costs that no gain has made good yet. */
  carriedLoss: bigint;
  /**
   * One for each pair of terms: rounding happens once for all that was settled at them. Positions of a user are posted one after another, each at the terms of
   * each span, so that those of before a change come between those of after it.
   */
  sums: readonly RevenueSums[];
  /** Over all sums. */
  totalFee: bigint;
  totalPartner: bigint;
}

/** @returns the account of a user that has none yet */
export const newAccount = (of: Pick<RevenueAccount, 'userId' | 'asset' | 'partnerId'>): RevenueAccount => ({
  ...of,
  settled: 0,
  carriedLoss: 0n,
  sums: [],
  totalFee: 0n,
  totalPartner: 0n,
});

/**
 * Settles an accrual. A loss is carried; a gain makes the carried loss good first, and the fee is on what is left of it:
 * `fee = ceil(base * bps / 10000)` and `partner = floor(fee * share / 10000)`, each of the sum at these terms and less what was charged before; the protocol has
 * the rest. Reported, never taken from a position.
 *
 * @param amount micro-units, signed
 */
export function settleYield(account: RevenueAccount, amount: bigint, terms: RevenueTerms): RevenueAccount {
  if (amount <= 0n) return settleLoss(account, -amount);
  const before = sumsAt(account, terms);
  const madeGood = amount < account.carriedLoss ? amount : account.carriedLoss;
  const settled = withBase(account, before, before.base + amount - madeGood);
  return { ...settled, carriedLoss: account.carriedLoss - madeGood };
}

const sumsAt = (account: RevenueAccount, terms: RevenueTerms): RevenueSums =>
  account.sums.find((one) => areSame(one, terms)) ?? { ...terms, base: 0n, fee: 0n, partner: 0n };

const areSame = (one: RevenueTerms, other: RevenueTerms): boolean =>
  one.performanceFeeBps === other.performanceFeeBps && one.partnerShareBps === other.partnerShareBps;

/** The fee of all that was settled at one pair of terms, rounded once, in place of what it was. */
function withBase(account: RevenueAccount, before: RevenueSums, base: bigint): RevenueAccount {
  const fee = -floorDivide(-base * BigInt(before.performanceFeeBps), BPS);
  const partner = (fee * BigInt(before.partnerShareBps)) / BPS;
  return {
    ...account,
    sums: [...account.sums.filter((one) => !areSame(one, before)), { ...before, base, fee, partner }],
    totalFee: account.totalFee + fee - before.fee,
    totalPartner: account.totalPartner + partner - before.partner,
  };
}

/** Carries a loss, or the cost of a move. @param amount micro-units, 0 or more */
export function settleLoss(account: RevenueAccount, amount: bigint): RevenueAccount {
  return { ...account, carriedLoss: account.carriedLoss + amount };
}

/**
 * Takes back what accruals of a deposit settled that never was. A gain is taken out of the sums at its terms, and where these hold less, as it made losses good, the
 * rest of it is a loss to be carried again; a loss that is given back is a gain.
 *
 * @param amount micro-units, signed: the accruals' sum at these terms, with the other sign
 */
export function settleReversal(account: RevenueAccount, amount: bigint, terms: RevenueTerms): RevenueAccount {
  if (amount >= 0n) return settleYield(account, amount, terms);
  const before = sumsAt(account, terms);
  const taken = -amount < before.base ? -amount : before.base;
  return settleLoss(withBase(account, before, before.base - taken), -amount - taken);
}

/**
 * Takes the fraction of the carried loss that is withdrawn of the user's value, rounded down: who leaves with a loss is not owed yield without a fee later.
 *
 * @param amount micro-units, above 0 and at most `value`
 * @param value of all positions of the user in the asset, before the withdrawal, micro-units
 */
export function settleWithdrawal(account: RevenueAccount, amount: bigint, value: bigint): RevenueAccount {
  const relieved = (account.carriedLoss * amount) / value;
  return { ...account, carriedLoss: account.carriedLoss - relieved };
}
