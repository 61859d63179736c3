import type { EntryType } from './position.js';
import { newAccount, type RevenueAccount } from './revenue.js';

/** An entry that was settled, as far as revenue follows from it. Micro-units. */
export interface SettledLine {
  id: string;
  type: EntryType;
  amount: bigint;
  cost: bigint;
  feeBps: number | null;
  shareBps: number | null;
  place: number;
  userValue: bigint | null;
}

export type SettledRow = Omit<SettledLine, 'amount' | 'cost' | 'userValue'> & {
  userId: string;
  asset: string;
  amount: string;
  cost: string;
  userValue: string | null;
};

export const toSettledLine = (row: SettledRow): SettledLine => ({
  ...row,
  amount: BigInt(row.amount),
  cost: BigInt(row.cost),
  userValue: row.userValue === null ? null : BigInt(row.userValue),
});

/** What follows of an account from its entries alone. */
export const ACCOUNT_FIELDS = [
  'settled',
  'carriedLoss',
  'base',
  'fee',
  'partner',
  'totalFee',
  'totalPartner',
] as const satisfies (keyof RevenueAccount)[];

/**
 * Makes a revenue account again from what was settled in it: a second telling of the rules of `revenue.ts`, so that a mistake in one of them shows.
 *
 * @param of whose account it is
 * @param lines in the order of their places
 * @param breaks is called with each rule that they break
 */
export function replayRevenue(
  { userId, asset, partnerId }: Pick<RevenueAccount, 'userId' | 'asset' | 'partnerId'>,
  lines: readonly SettledLine[],
  breaks: (problem: string) => void,
): RevenueAccount {
  const account = newAccount({ userId, asset, partnerId });
  let bps: string | null = null;
  for (const line of lines) {
    account.settled += 1;
    if (line.place !== account.settled)
      breaks(`entry ${line.id} is at place ${line.place}, after ${account.settled - 1} others`);
    const lost = line.cost - (line.type === 'yield_accrual' && line.amount < 0n ? line.amount : 0n);
    account.carriedLoss += lost;
    if (line.type === 'withdrawal') relieve(account, line);
    if (line.type !== 'yield_accrual' || line.amount <= 0n) continue;
    const terms = `${line.feeBps} ${line.shareBps}`;
    if (terms !== bps) [account.base, account.fee, account.partner] = [0n, 0n, 0n];
    bps = terms;
    const [feeBefore, partnerBefore] = [account.fee, account.partner];
    const beyond = line.amount - account.carriedLoss;
    account.carriedLoss = beyond < 0n ? -beyond : 0n;
    if (beyond > 0n) account.base += beyond;
    account.fee = (account.base * BigInt(line.feeBps!) + 9_999n) / 10_000n;
    account.partner = (account.fee * BigInt(line.shareBps!)) / 10_000n;
    account.totalFee += account.fee - feeBefore;
    account.totalPartner += account.partner - partnerBefore;
  }
  return account;
}

/** The fraction that was withdrawn goes with it; all of it, and nothing is left to carry. */
function relieve(account: RevenueAccount, { amount, userValue }: SettledLine): void {
  account.carriedLoss -= (account.carriedLoss * amount) / userValue!;
}
