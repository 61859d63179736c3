import type { BookSums } from '../positions/book-sums.js';
import { revenueContribution } from '../positions/books.js';
import type { RevenueAccount } from '../positions/revenue.js';
import { type RevenueAccountRow, toAccount } from '../positions/settled-revenue.js';
import { itemsOf } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import type { Checkpoint } from './checkpoint.js';
import { FIND_CHECKED_ACCOUNTS, PAGE_OF_CHANGED_ACCOUNTS } from './checkpoint.queries.js';
import { PAGE_OF_SETTLED_RUNS, SETTLED_SINCE } from './ledger-runs.queries.js';
import { PAGE_OF_ACCOUNTS, PAGE_OF_SETTLED } from './ledger-verifier.queries.js';
import { Pages } from './pages.js';
import { type Differs, textOf } from './position-check.js';
import { PAGE } from './position-verifier.js';
import {
  ACCOUNT_FIELDS,
  RevenueReplay,
  type SettledRow,
  sumsInWords,
  toSettledLine,
} from './revenue-replay.js';

type SettledRun = RowFrom<typeof PAGE_OF_SETTLED_RUNS>;

/**
 * Revenue accounts against their settled entries: a merge join of both, ordered by user and asset. Entries are read as lists of what an account follows
 * from. Where an account does not follow from them, its entries are read again as a whole, to name what differs.
 */
export class RevenueVerifier {
  accounts = 0;

  /** @param books receives what follows from the ledger */
  constructor(
    private readonly store: Store,
    private readonly books: BookSums,
    private readonly differs: Differs,
    private readonly checkpoint: Checkpoint | null,
  ) {}

  async verify(): Promise<void> {
    if (this.checkpoint?.isFull === false) return this.verifySince();
    const covered: RevenueAccountRow[] = [];
    const accounts = this.stored();
    const runs = this.runs();
    for (
      let account = await accounts.peek();
      account !== undefined;
      account = accounts.ready ?? (await accounts.peek())
    ) {
      await this.join(toAccount(account), runs);
      accounts.take();
      covered.push(account);
      if (covered.length === PAGE.positions) await this.checkpoint?.coverAccounts(covered.splice(0));
    }
    await this.orphansBefore(null, runs);
    await this.checkpoint?.coverAccounts(covered);
  }

  /** Accounts that changed since the checkpoint, by the entries that were settled in them since. */
  private async verifySince(): Promise<void> {
    let after: RevenueAccountRow | undefined;
    do {
      const rows: RevenueAccountRow[] = await this.store.query(PAGE_OF_CHANGED_ACCOUNTS, [
        after?.userId ?? '',
        after?.asset ?? '',
        PAGE.changed,
      ]);
      const userIds = rows.map(({ userId }) => userId);
      const found = await this.store.query(FIND_CHECKED_ACCOUNTS, [userIds]);
      const before = new Map(found.map((row) => [keyOf(row), toAccount(row)]));
      const runs = await this.store.query(SETTLED_SINCE, [
        userIds,
        rows.map(({ asset }) => asset),
        rows.map((row) => before.get(keyOf(row))?.settled ?? 0),
      ]);
      const own = Map.groupBy(runs, keyOf);
      for (const row of rows) {
        const key = keyOf(row);
        const account = toAccount(row);
        const was = before.get(key) ?? null;
        if (was) this.books.add(revenueContribution(was), -1);
        const checking = new AccountRuns(account, was);
        own.get(key)?.forEach((run) => checking.take(run));
        await this.check(account, checking);
      }
      await this.checkpoint!.coverAccounts(rows);
      after = rows.length === PAGE.changed ? rows.at(-1) : undefined;
    } while (after !== undefined);
  }

  private async join(account: RevenueAccount, runs: Pages<SettledRun>): Promise<void> {
    const key = keyOf(account);
    await this.orphansBefore(key, runs);
    const checking = new AccountRuns(account, null);
    for (
      let run = runs.ready ?? (await runs.peek());
      run !== undefined && keyOf(run) === key;
      runs.take(), run = runs.ready ?? (await runs.peek())
    )
      checking.take(run);
    await this.check(account, checking);
  }

  private async check(
    account: RevenueAccount,
    { replaying, isSound, taken, lateId }: AccountRuns,
  ): Promise<void> {
    let isBorneOut = isSound;
    this.accounts++;
    let recomputed = replaying.account;
    if (isBorneOut) compare(account, recomputed, () => (isBorneOut = false));
    if (!isBorneOut) recomputed = await this.name(account);
    const subject = `revenue_accounts ${keyOf(account)}`;
    if (lateId !== null) this.differs(subject, `entry ${lateId} is settled after one of a later date or id`);
    for (const name of ENTERED)
      if (taken[name] !== recomputed[name])
        this.differs(
          subject,
          `entries add ${taken[name]} to ${name}, by their amounts it is ${recomputed[name]}`,
        );
    this.books.add(revenueContribution(recomputed));
  }

  private async orphansBefore(key: string | null, runs: Pages<SettledRun>): Promise<void> {
    let last = '';
    for (
      let run = runs.ready ?? (await runs.peek());
      run !== undefined && (key === null || keyOf(run) < key);
      runs.take(), run = runs.ready ?? (await runs.peek())
    ) {
      if (keyOf(run) !== last)
        this.differs(`revenue_accounts ${keyOf(run)}`, 'is not there, and entries were settled in it');
      last = keyOf(run);
    }
  }

  /** Names what differs, by the whole entries. @returns the account that follows from them */
  private async name(account: RevenueAccount): Promise<RevenueAccount> {
    const differs = (problem: string): void => this.differs(`revenue_accounts ${keyOf(account)}`, problem);
    const replaying = new RevenueReplay(account, differs);
    const { userId, asset } = account;
    const settled = new Pages(
      (after: SettledRow | undefined) =>
        this.store.query(PAGE_OF_SETTLED, [userId, asset, after?.place ?? 0, after?.id ?? '', PAGE.rows]),
      (rows) => rows.length === PAGE.rows,
    );
    for (let row = await settled.peek(); row !== undefined; row = await settled.peek()) {
      replaying.take(toSettledLine(row));
      settled.take();
    }
    compare(account, replaying.account, differs);
    return replaying.account;
  }

  private stored(): Pages<RevenueAccountRow> {
    return new Pages(
      (after: RevenueAccountRow | undefined) =>
        this.store.query(PAGE_OF_ACCOUNTS, [after?.userId ?? '', after?.asset ?? '', PAGE.positions]),
      (rows) => rows.length === PAGE.positions,
    );
  }

  /** A user may have any number of entries: a page may end between those of an account. */
  private runs(): Pages<SettledRun> {
    return new Pages(
      (after: SettledRun | undefined) =>
        this.store.query(PAGE_OF_SETTLED_RUNS, [
          after?.userId ?? '',
          after?.asset ?? '',
          after?.last ?? 0,
          after?.lastId ?? '',
          PAGE.rows,
        ]),
      (rows) => rows.reduce((sum, { entries }) => sum + entries, 0) === PAGE.rows,
    );
  }
}

const ENTERED = ['totalFee', 'totalPartner', 'carriedLoss'] as const;

/** Replay of one account by lists; what breaks a rule is not named. */
class AccountRuns {
  isSound = true;
  /** An entry that is not settled in the order of time and id; null: all are. */
  lateId: string | null = null;
  private lastAt: Date | null;
  readonly replaying: RevenueReplay;
  /** Sums that the entries themselves say they added. */
  readonly taken: Record<(typeof ENTERED)[number], bigint> & { settled: number };

  /** @param from account as of the checkpoint; null: not covered */
  constructor(account: RevenueAccount, from: RevenueAccount | null) {
    this.replaying = new RevenueReplay(account, () => (this.isSound = false), from);
    this.lastAt = from?.settledAt ?? null;
    const { settled = 0, totalFee = 0n, totalPartner = 0n, carriedLoss = 0n } = from ?? {};
    this.taken = { settled, totalFee, totalPartner, carriedLoss };
  }

  take(run: SettledRun): void {
    const { taken } = this;
    this.lateId ??= this.lastAt !== null && run.firstAt < this.lastAt ? run.lastId : run.lateId;
    this.lastAt = run.lastAt;
    this.isSound &&= takeRun(this.replaying, run, taken.settled);
    taken.settled += run.entries;
    taken.totalFee += BigInt(run.fee);
    taken.totalPartner += BigInt(run.partnerRevenue);
    taken.carriedLoss += BigInt(run.carriedLoss);
  }
}

function compare(
  account: RevenueAccount,
  recomputed: RevenueAccount,
  differs: (problem: string) => void,
): void {
  for (const name of ACCOUNT_FIELDS) {
    const [is, should] = [account, recomputed].map((one) =>
      name === 'sums' ? sumsInWords(one.sums) : textOf(one[name]),
    );
    if (is !== should) differs(`${name} is ${is}, by the ledger it is ${should}`);
  }
}

const keyOf = ({ userId, asset }: { userId: string; asset: string }): string => `${userId} ${asset}`;

/**
 * Takes the next settled entries of an account, a row of their columns.
 * @param before number of entries taken before
 * @returns false when they cannot be separated: sequence numbers have gaps, or a loss is carried into gains that are known by their sum
 */
function takeRun(replaying: RevenueReplay, run: SettledRun, before: number): boolean {
  const { entries, places, first, last } = run;
  // As many different numbers as lie between the first and the last.
  if (places !== entries || first !== before + 1 || last !== before + entries) return false;
  if (run.gains !== null) return replaying.takeGains(entries, BigInt(run.gains), run.feeBps!, run.shareBps!);
  const [amounts, fees, shares] = [run.amounts!, run.feesBps!, run.sharesBps!].map(itemsOf);
  const others = run.others ?? [];
  let other = 0;
  amounts!.forEach((amount, place) => {
    if (amount === 'NULL') replaying.take(toSettledLine(others[other++]!));
    else replaying.takeGain(BigInt(amount), Number(fees![place]), Number(shares![place]));
  });
  return true;
}
