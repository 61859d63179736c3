import type { BookSums } from '../positions/book-sums.js';
import { revenueContribution } from '../positions/books.js';
import type { RevenueAccount } from '../positions/revenue.js';
import { type RevenueAccountRow, toAccount } from '../positions/settled-revenue.js';
import type { Store } from '../../kernel/store/store.js';
import { PAGE_OF_SETTLED_RUNS } from './ledger-runs.queries.js';
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
import { type SettledRun, takeRun } from './settled-runs.js';

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
  ) {}

  async verify(): Promise<void> {
    const accounts = this.stored();
    const runs = this.runs();
    for (
      let account = await accounts.peek();
      account !== undefined;
      account = accounts.ready ?? (await accounts.peek())
    ) {
      await this.join(toAccount(account), runs);
      accounts.take();
    }
    await this.orphansBefore(null, runs);
  }

  private async join(account: RevenueAccount, runs: Pages<SettledRun>): Promise<void> {
    const key = keyOf(account);
    await this.orphansBefore(key, runs);
    let isBorneOut = true;
    const replaying = new RevenueReplay(account, () => (isBorneOut = false));
    let taken = 0;
    for (
      let run = runs.ready ?? (await runs.peek());
      run !== undefined && keyOf(run) === key;
      runs.take(), run = runs.ready ?? (await runs.peek())
    ) {
      isBorneOut &&= takeRun(replaying, run, taken);
      taken += run.entries;
    }
    this.accounts++;
    let recomputed = replaying.account;
    if (isBorneOut) compare(account, recomputed, () => (isBorneOut = false));
    if (!isBorneOut) recomputed = await this.name(account);
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
