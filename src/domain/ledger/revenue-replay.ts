import type { EntryType } from '../positions/position.js';
import { newAccount, type RevenueAccount } from '../positions/revenue.js';

/** Settled entry, reduced to what revenue depends on. Micro-units. */
export interface SettledLine {
  id: string;
  type: EntryType;
  amount: bigint;
  cost: bigint;
  feeBps: number | null;
  shareBps: number | null;
  place: number;
  userValue: bigint | null;
  /** Not null: the entry reverses settled ones. */
  voids: string | null;
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

/** Fields of an account that follow from its entries alone. */
export const ACCOUNT_FIELDS = [
  'settled',
  'carriedLoss',
  'sums',
  'totalFee',
  'totalPartner',
] as const satisfies (keyof RevenueAccount)[];

/**
 * Recomputes a revenue account from its settled entries: a second, independent implementation of the rules in `revenue.ts`, so that a mistake in one
 * of them shows. It takes one entry at a time, because an account may have any number.
 */
export class RevenueReplay {
  private readonly made: RevenueAccount;
  private readonly bases = new Map<string, { feeBps: number; shareBps: number; base: bigint }>();

  /**
   * @param of owner of the account
   * @param breaks called with each rule that an entry breaks
   */
  constructor(
    of: Pick<RevenueAccount, 'userId' | 'asset' | 'partnerId'>,
    private readonly breaks: (problem: string) => void,
  ) {
    this.made = newAccount(of);
  }

  /** The next entry, in the order of sequence numbers. */
  take(line: SettledLine): void {
    const { made: account, bases } = this;
    account.settled += 1;
    if (line.place !== account.settled)
      this.breaks(`entry ${line.id} is at place ${line.place}, after ${account.settled - 1} others`);
    if (line.type === 'yield_accrual' && line.voids !== null && line.amount < 0n) return this.takeBack(line);
    account.carriedLoss += line.cost - (line.type === 'yield_accrual' && line.amount < 0n ? line.amount : 0n);
    // The withdrawn fraction of the carried loss goes with the withdrawal; a full withdrawal leaves none.
    if (line.type === 'withdrawal')
      account.carriedLoss -= (account.carriedLoss * line.amount) / line.userValue!;
    if (line.type !== 'yield_accrual' || line.amount <= 0n) return;
    const [feeBps, shareBps] = [line.feeBps!, line.shareBps!];
    const at = bases.get(`${feeBps} ${shareBps}`) ?? { feeBps, shareBps, base: 0n };
    const beyond = line.amount - account.carriedLoss;
    account.carriedLoss = beyond < 0n ? -beyond : 0n;
    bases.set(`${feeBps} ${shareBps}`, { ...at, base: at.base + (beyond > 0n ? beyond : 0n) });
  }

  /** A reversed gain reduces the sums at its terms as far as they hold it; the rest is a loss. */
  private takeBack({ feeBps, shareBps, amount }: SettledLine): void {
    const at = this.bases.get(`${feeBps} ${shareBps}`);
    const left = (at?.base ?? 0n) + amount;
    if (left < 0n) this.made.carriedLoss -= left;
    const base = left > 0n ? left : 0n;
    this.bases.set(`${feeBps} ${shareBps}`, { feeBps: feeBps!, shareBps: shareBps!, base });
  }

  /** Account after the last entry. */
  get account(): RevenueAccount {
    const sums = [...this.bases.values()].map(({ feeBps, shareBps, base }) => {
      const fee = (base * BigInt(feeBps) + 9_999n) / 10_000n;
      const partner = (fee * BigInt(shareBps)) / 10_000n;
      return { performanceFeeBps: feeBps, partnerShareBps: shareBps, base, fee, partner };
    });
    return {
      ...this.made,
      sums,
      totalFee: sums.reduce((sum, { fee }) => sum + fee, 0n),
      totalPartner: sums.reduce((sum, { partner }) => sum + partner, 0n),
    };
  }
}

/** Sums as text in a fixed order, for comparison. */
export const sumsInWords = (sums: RevenueAccount['sums']): string =>
  sums
    .map(
      (one) => `${one.base} at ${one.performanceFeeBps}/${one.partnerShareBps}: ${one.fee}, ${one.partner}`,
    )
    .toSorted()
    .join('; ');
