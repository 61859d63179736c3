import { type BookSums, revenueContribution } from '../positions/books.js';
import type { RevenueAccount } from '../positions/revenue.js';
import { type RevenueAccountRow, toAccount } from '../positions/settled-revenue.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type Checkpoint, pagesOf } from './checkpoint.js';
import { FIND_CHECKED_ACCOUNTS, PAGE_OF_CHANGED_ACCOUNTS } from './checkpoint.queries.js';
import { PAGE_OF_ACCOUNTS, PAGE_OF_SETTLED, SETTLED_SINCE } from './ledger-verifier.queries.js';
import { PAGE } from './position-verifier.js';
import { PartnerTermsOf } from './terms-check.js';
import { type ReportDifference, Problems, textOf } from './verification.js';
import { ACCOUNT_FIELDS, RevenueReplay, sumsInWords } from './revenue-replay.js';

type SettledRow = RowFrom<typeof PAGE_OF_SETTLED>;
type Key = Pick<RevenueAccount, 'userId' | 'asset'>;

/** Revenue accounts against their settled entries: all of them, or those that changed since the checkpoint, by the entries since. */
export class RevenueVerifier {
  accounts = 0;

  /** @param books receives what follows from the ledger */
  constructor(
    private readonly store: Store,
    private readonly books: BookSums,
    private readonly differs: ReportDifference,
    private readonly checkpoint: Checkpoint,
  ) {}

  async verify(): Promise<void> {
    const { isFull } = this.checkpoint;
    const [page, most] = isFull
      ? ([PAGE_OF_ACCOUNTS, PAGE.positions] as const)
      : ([PAGE_OF_CHANGED_ACCOUNTS, PAGE.changed] as const);
    const read = (last: RevenueAccountRow | undefined): Promise<RevenueAccountRow[]> =>
      this.store.query(page, [last?.userId ?? '', last?.asset ?? '', most]);
    let after: Key = { userId: '', asset: '' };
    for await (const rows of pagesOf(read, most)) {
      const before = isFull ? new Map<string, RevenueAccount>() : await this.covered(rows);
      const terms = await PartnerTermsOf.read(
        this.store,
        rows.map(({ partnerId }) => partnerId),
      );
      const unreadable = new Set<string>();
      const settled = new Map(
        rows.flatMap((row): [string, RevenueTotals][] => {
          const key = keyOf(row);
          try {
            return [[key, new RevenueTotals(toAccount(row), terms, before.get(key))]];
          } catch (error) {
            this.differs(`revenue_accounts ${key}`, `cannot be read: ${(error as Error).message}`);
            unreadable.add(key);
            return [];
          }
        }),
      );
      const end = rows.length === most ? rows.at(-1)! : { userId: '~', asset: '' };
      let orphan = '';
      const pages = isFull ? this.entriesOf(after, end) : [await this.since(rows, before)];
      for await (const entries of pages)
        for (const entry of entries) {
          const account = settled.get(keyOf(entry));
          if (account) account.take(entry);
          else if (orphan !== keyOf(entry) && !unreadable.has(keyOf(entry))) {
            // Entries come by account.
            orphan = keyOf(entry);
            this.differs(`revenue_accounts ${orphan}`, 'is not there, and entries were settled in it');
          }
        }
      for (const [key, one] of settled) {
        const was = before.get(key);
        if (was) this.books.addRow('revenue', revenueContribution(was), -1);
        this.check(isFull || one.problems.count === 0 ? one : await this.whole(one.account, terms));
      }
      await this.checkpoint.coverAccounts(rows);
      after = end;
    }
  }

  private async covered(rows: readonly Key[]): Promise<Map<string, RevenueAccount>> {
    const found = await this.store.query(FIND_CHECKED_ACCOUNTS, [rows.map(({ userId }) => userId)]);
    return new Map(found.map((row) => [keyOf(row), toAccount(row)]));
  }

  private since(rows: readonly Key[], before: ReadonlyMap<string, RevenueAccount>): Promise<SettledRow[]> {
    return this.store.query(SETTLED_SINCE, [
      rows.map(({ userId }) => userId),
      rows.map(({ asset }) => asset),
      rows.map((row) => before.get(keyOf(row))?.settled ?? 0),
    ]);
  }

  private check(settled: RevenueTotals): void {
    this.accounts++;
    settled.problems.report(`revenue_accounts ${keyOf(settled.account)}`, this.differs);
    this.books.addRow('revenue', revenueContribution(settled.replaying.account));
  }

  /** All entries of an account, where those since the checkpoint do not explain it. */
  private async whole(account: RevenueAccount, terms: PartnerTermsOf): Promise<RevenueTotals> {
    const settled = new RevenueTotals(account, terms);
    for await (const entries of this.entriesOf(account, account))
      entries.forEach((entry) => settled.take(entry));
    return settled;
  }

  /** Entries by account and place, of accounts after one, or of it where it is the last one, too. */
  private entriesOf(after: Key, end: Key): AsyncGenerator<SettledRow[]> {
    const first = { ...after, place: keyOf(after) === keyOf(end) ? 0 : MOST, id: '' };
    return pagesOf((last: SettledRow | undefined) => {
      const { userId, asset, place, id } = last ?? first;
      return this.store.query(PAGE_OF_SETTLED, [userId, asset, place, id, end.userId, end.asset, PAGE.rows]);
    }, PAGE.rows);
  }
}

/** After all places of an account. */
const MOST = Number.MAX_SAFE_INTEGER;

/** What an entry says that it added, and to which sum. */
const ADDED = { fee: 'totalFee', partnerRevenue: 'totalPartner', carriedLoss: 'carriedLoss' } as const;

/** Account and its settled entries, all or those since the checkpoint. */
class RevenueTotals {
  private readonly broken = new Problems();
  private checked = false;
  readonly replaying: RevenueReplay;
  private last: SettledRow | null = null;

  /** @param from account as of the checkpoint; absent: not covered */
  constructor(
    readonly account: RevenueAccount,
    private readonly terms: PartnerTermsOf,
    from?: RevenueAccount,
  ) {
    this.replaying = new RevenueReplay(account, (problem) => this.broken.add(problem), from);
  }

  take(entry: SettledRow): void {
    const { last } = this;
    if (last && (entry.at < last.at || (Number(entry.at) === Number(last.at) && entry.id < last.id)))
      this.broken.add(`entry ${entry.id} is settled after one of a later date or id`);
    this.last = entry;
    // A void takes back yield at the terms of its accruals.
    if (entry.type === 'yield_accrual' && entry.voids === null) {
      const [is, should] = [
        `${entry.feeBps}/${entry.shareBps}`,
        this.terms.at(this.account.partnerId, entry.at),
      ];
      if (is !== should)
        this.broken.add(`entry ${entry.id} is settled at ${is}, the terms of its time are ${textOf(should)}`);
    }
    const before = this.replaying.account;
    this.replaying.take(entry);
    const after = this.replaying.account;
    for (const [name, sum] of Object.entries(ADDED) as [
      keyof typeof ADDED,
      (typeof ADDED)[keyof typeof ADDED],
    ][]) {
      const should = after[sum] - before[sum];
      if (entry[name] !== should)
        this.broken.add(`entry ${entry.id}: ${name} is ${entry[name]}, by its amount it is ${should}`);
    }
  }

  /** To be asked for when all entries were taken. */
  get problems(): Problems {
    if (this.checked) return this.broken;
    this.checked = true;
    const recomputed = this.replaying.account;
    const shown = (one: RevenueAccount, name: (typeof ACCOUNT_FIELDS)[number]): string =>
      name === 'sums' ? sumsInWords(one.sums) : textOf(one[name]);
    for (const name of ACCOUNT_FIELDS) {
      const [is, should] = [shown(this.account, name), shown(recomputed, name)];
      if (is !== should) this.broken.add(`${name} is ${is}, by the ledger it is ${should}`);
    }
    return this.broken;
  }
}

const keyOf = ({ userId, asset }: Key): string => `${userId} ${asset}`;
