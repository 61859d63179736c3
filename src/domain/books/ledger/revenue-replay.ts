import type { Entry } from '../positions/position.js';
import { newAccount, type RevenueAccount } from '../positions/revenue.js';

/** Settled entry. Where `voids` is not null, it reverses settled ones. */
export type SettledLine = Pick<
  Entry,
  'type' | 'amount' | 'cost' | 'feeBps' | 'shareBps' | 'userValue' | 'voids'
> & { id: string; place: number };

/** Fields of an account that follow from its entries alone. */
export const ACCOUNT_FIELDS = [
  'settled',
  'carriedLoss',
  'sums',
  'totalFee',
  'totalPartner',
] as const satisfies (keyof RevenueAccount)[];

/** Sum of what was gained beyond carried losses at a pair of terms. */
interface Base {
  feeBps: number;
  shareBps: number;
  base: bigint;
}

/**
 * Recomputes a revenue account from its settled entries: a second, independent implementation of the rules in `revenue.ts`, so that a mistake in one
 * of them shows. It takes one entry at a time, because an account may have any number.
 */
export class RevenueReplay {
  private readonly made: RevenueAccount;
  private readonly bases: Base[] = [];

  /** @param breaks called with each rule that an entry breaks @param from account as it followed from earlier entries; null: there are none */
  constructor(
    of: Pick<RevenueAccount, 'userId' | 'asset' | 'partnerId'>,
    private readonly breaks: (problem: string) => void,
    from: RevenueAccount | null = null,
  ) {
    this.made = from ? { ...from } : newAccount(of);
    for (const { performanceFeeBps, partnerShareBps, base } of from?.sums ?? [])
      this.bases.push({ feeBps: performanceFeeBps, shareBps: partnerShareBps, base });
  }

  take(line: SettledLine): void {
    const { made: account } = this;
    account.settled += 1;
    if (line.place !== account.settled)
      this.breaks(`entry ${line.id} is at place ${line.place}, after ${account.settled - 1} others`);
    if (line.type === 'yield_accrual' && line.voids !== null && line.amount < 0n) return this.takeBack(line);
    account.carriedLoss += line.cost - (line.type === 'yield_accrual' && line.amount < 0n ? line.amount : 0n);
    // The withdrawn fraction of the carried loss goes with the withdrawal; a full withdrawal leaves none.
    if (line.type === 'withdrawal')
      account.carriedLoss -= (account.carriedLoss * line.amount) / line.userValue!;
    if (line.type !== 'yield_accrual' || line.amount <= 0n) return;
    this.gain(line.amount, line.feeBps!, line.shareBps!);
  }

  private gain(amount: bigint, feeBps: number, shareBps: number): void {
    const { made: account } = this;
    const at = this.baseAt(feeBps, shareBps);
    const beyond = amount - account.carriedLoss;
    account.carriedLoss = beyond < 0n ? -beyond : 0n;
    if (beyond > 0n) at.base += beyond;
  }

  /** A reversed gain reduces the sums at its terms as far as they hold it; the rest is a loss. */
  private takeBack({ feeBps, shareBps, amount }: SettledLine): void {
    const at = this.baseAt(feeBps!, shareBps!);
    const left = at.base + amount;
    if (left < 0n) this.made.carriedLoss -= left;
    at.base = left > 0n ? left : 0n;
  }

  private baseAt(feeBps: number, shareBps: number): Base {
    let at = this.bases.find((one) => one.feeBps === feeBps && one.shareBps === shareBps);
    if (!at) this.bases.push((at = { feeBps, shareBps, base: 0n }));
    return at;
  }

  get account(): RevenueAccount {
    const sums = this.bases.map(({ feeBps, shareBps, base }) => {
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

export const sumsInWords = (sums: RevenueAccount['sums']): string =>
  sums
    .map(
      (one) => `${one.base} at ${one.performanceFeeBps}/${one.partnerShareBps}: ${one.fee}, ${one.partner}`,
    )
    .toSorted()
    .join('; ');
