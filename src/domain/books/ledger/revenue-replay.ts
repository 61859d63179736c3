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

/** Sum of what was gained beyond carried losses at a pair of terms, and what follows from it. */
interface GainAtTerms {
  feeBps: number;
  shareBps: number;
  base: bigint;
  fee: bigint;
  partner: bigint;
}

/**
 * Recomputes a revenue account from its settled entries: a second, independent implementation of the rules in `revenue.ts`, so that a mistake in one
 * of them shows. It takes one entry at a time, because an account may have any number.
 */
export class RevenueReplay {
  private readonly made: RevenueAccount;
  private readonly gains: GainAtTerms[] = [];

  /** @param breaks called with each rule that an entry breaks */
  constructor(
    of: Pick<RevenueAccount, 'userId' | 'asset' | 'partnerId'>,
    private readonly breaks: (problem: string) => void,
  ) {
    this.made = newAccount(of);
  }

  get carriedLoss(): bigint {
    return this.made.carriedLoss;
  }

  get totalFee(): bigint {
    return this.made.totalFee;
  }

  get totalPartner(): bigint {
    return this.made.totalPartner;
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
    const at = this.gainAt(feeBps, shareBps);
    const beyond = amount - account.carriedLoss;
    account.carriedLoss = beyond < 0n ? -beyond : 0n;
    if (beyond > 0n) this.charge(at, at.base + beyond);
  }

  /** A reversed gain reduces the sums at its terms as far as they hold it; the rest is a loss. */
  private takeBack({ feeBps, shareBps, amount }: SettledLine): void {
    const at = this.gainAt(feeBps!, shareBps!);
    const rest = at.base + amount;
    if (rest < 0n) this.made.carriedLoss -= rest;
    this.charge(at, rest > 0n ? rest : 0n);
  }

  private charge(at: GainAtTerms, base: bigint): void {
    const { made: account } = this;
    const fee = (base * BigInt(at.feeBps) + 9_999n) / 10_000n;
    const partner = (fee * BigInt(at.shareBps)) / 10_000n;
    account.totalFee += fee - at.fee;
    account.totalPartner += partner - at.partner;
    at.base = base;
    at.fee = fee;
    at.partner = partner;
  }

  private gainAt(feeBps: number, shareBps: number): GainAtTerms {
    let at = this.gains.find((gain) => gain.feeBps === feeBps && gain.shareBps === shareBps);
    if (!at) this.gains.push((at = { feeBps, shareBps, base: 0n, fee: 0n, partner: 0n }));
    return at;
  }

  get account(): RevenueAccount {
    const sums = this.gains.map(({ feeBps, shareBps, ...sum }) => ({
      performanceFeeBps: feeBps,
      partnerShareBps: shareBps,
      ...sum,
    }));
    return { ...this.made, sums };
  }
}

export const sumsInWords = (sums: RevenueAccount['sums']): string =>
  sums
    .map(
      (sum) => `${sum.base} at ${sum.performanceFeeBps}/${sum.partnerShareBps}: ${sum.fee}, ${sum.partner}`,
    )
    .toSorted()
    .join('; ');
