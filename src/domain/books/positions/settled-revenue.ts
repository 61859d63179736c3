import { instant } from '../../kernel/store/column.js';
import type { Entry, Position } from './position.js';
import {
  type RevenueAccount,
  type RevenueTerms,
  carryLoss,
  chargeReversal,
  settleWithdrawal,
  chargeYield,
} from './revenue.js';

/** Terms of a partner from a moment on, until its next ones. */
export interface PartnerTerms {
  partnerId: string;
  fromAt: Date;
  feeBps: number;
  shareBps: number;
}

/** What locked positions are settled by. */
export interface SettlementTerms {
  /** Terms of their partners, oldest first. */
  terms: ReadonlyMap<string, readonly PartnerTerms[]>;
  revenue: SettledRevenue;
}

/** Stored account, or its JSON, where whole numbers are texts. */
export type RevenueAccountRow = Omit<RevenueAccount, 'sums' | 'settledAt' | Amount> &
  Record<Amount, string | bigint> & {
    /** Milliseconds since 1970. */
    settledAt?: number | null;
    sums: (RevenueTerms & Record<'base' | 'fee' | 'partner', string>)[];
  };

type Amount = 'carriedLoss' | 'totalFee' | 'totalPartner';

export function toAccount(row: RevenueAccountRow): RevenueAccount {
  return {
    ...row,
    settledAt: row.settledAt == null ? null : instant(row.settledAt),
    carriedLoss: BigInt(row.carriedLoss),
    sums: row.sums.map(({ base, fee, partner, ...terms }) => ({
      ...terms,
      base: BigInt(base),
      fee: BigInt(fee),
      partner: BigInt(partner),
    })),
    totalFee: BigInt(row.totalFee),
    totalPartner: BigInt(row.totalPartner),
  };
}

/** Locked revenue accounts and the entries settled in them, each with a sequence number, in which order the account can be recomputed. */
export class SettledRevenue {
  private readonly accounts: Map<string, { before: RevenueAccount; after: RevenueAccount }>;

  /** @param accounts accounts of all positions whose entries are settled; none for a deposit, which has earned nothing yet */
  constructor(accounts: readonly RevenueAccount[] = []) {
    this.accounts = new Map(accounts.map((account) => [keyOf(account), { before: account, after: account }]));
  }

  get changes(): { before: RevenueAccount; after: RevenueAccount }[] {
    return [...this.accounts.values()].filter(({ before, after }) => before !== after);
  }

  accrual(position: Position, entry: Entry, terms: RevenueTerms): Entry {
    return this.settle(position, entry, (account) => chargeYield(account, entry.amount, terms));
  }

  /** Settles an accrual that reverses others, at their terms. */
  reversal(position: Position, entry: Entry): Entry {
    const terms = { performanceFeeBps: entry.feeBps!, partnerShareBps: entry.shareBps! };
    return this.settle(position, entry, (account) => chargeReversal(account, entry.amount, terms));
  }

  /** Settles a rebalance, unless it costs nothing. */
  move(position: Position, entry: Entry): Entry {
    return entry.cost === 0n
      ? entry
      : this.settle(position, entry, (account) => carryLoss(account, entry.cost));
  }

  get settledAt(): Date | null {
    const times = [...this.accounts.values()].flatMap(({ after }) => after.settledAt?.getTime() ?? []);
    return times.length === 0 ? null : new Date(Math.max(...times));
  }

  carriesLoss(position: Position): boolean {
    return this.accountOf(position).after.carriedLoss > 0n;
  }

  /** @param userValue the user's value in the asset before the withdrawal, micro-units; null when no loss is carried */
  withdrawal(position: Position, entry: Entry, userValue: bigint | null): Entry {
    if (userValue === null) return entry;
    const settled = this.settle(position, entry, (account) =>
      settleWithdrawal(account, entry.amount, userValue),
    );
    return { ...settled, userValue };
  }

  private settle(position: Position, entry: Entry, by: (account: RevenueAccount) => RevenueAccount): Entry {
    const account = this.accountOf(position);
    const { after: before } = account;
    const revenuePlace = before.settled + 1;
    account.after = { ...by(before), settled: revenuePlace, settledAt: entry.at };
    return {
      ...entry,
      revenuePlace,
      fee: account.after.totalFee - before.totalFee,
      partnerRevenue: account.after.totalPartner - before.totalPartner,
      carriedLoss: account.after.carriedLoss - before.carriedLoss,
    };
  }

  /** @throws Error for a position whose user has no account, which the deposit creates */
  private accountOf(position: Pick<Position, 'id' | 'userId' | 'asset'>): {
    before: RevenueAccount;
    after: RevenueAccount;
  } {
    const account = this.accounts.get(keyOf(position));
    if (!account) throw new Error(`${position.userId} has no revenue account in ${position.asset}.`);
    return account;
  }
}

const keyOf = ({ userId, asset }: Pick<RevenueAccount, 'userId' | 'asset'>): string => `${userId} ${asset}`;
