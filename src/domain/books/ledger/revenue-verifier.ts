import { type BookSums, revenueContribution } from '../positions/books.js';
import type { RevenueAccount } from '../positions/revenue.js';
import { type RevenueAccountRow, toAccount } from '../positions/settled-revenue.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type Checkpoint, pagesOf } from './checkpoint.js';
import { FIND_CHECKED_ACCOUNTS, PAGE_OF_CHANGED_ACCOUNTS } from './checkpoint.queries.js';
import { PAGE_OF_ACCOUNTS, PAGE_OF_SETTLED, SETTLED_SINCE } from './ledger-verifier.queries.js';
import { type Differs, textOf, PAGE } from './position-verifier.js';
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
    private readonly differs: Differs,
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
      const settled = new Map(
        rows.map((row) => [keyOf(row), new Settled(toAccount(row), before.get(keyOf(row)))]),
      );
      const end = rows.length === most ? rows.at(-1)! : { userId: '~', asset: '' };
      const orphans = new Set<string>();
      const pages = isFull ? this.entriesOf(after, end) : [await this.since(rows, before)];
      for await (const entries of pages)
        for (const entry of entries) {
          const own = settled.get(keyOf(entry));
          if (own) own.take(entry);
          else orphans.add(keyOf(entry));
        }
      for (const key of orphans)
        this.differs(`revenue_accounts ${key}`, 'is not there, and entries were settled in it');
      for (const [key, one] of settled) {
        const was = before.get(key);
        if (was) this.books.addRow('revenue', revenueContribution(was), -1);
        this.check(isFull || one.problems.length === 0 ? one : await this.whole(one.account));
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

  private check(settled: Settled): void {
    this.accounts++;
    settled.problems.forEach((problem) =>
      this.differs(`revenue_accounts ${keyOf(settled.account)}`, problem),
    );
    this.books.addRow('revenue', revenueContribution(settled.replaying.account));
  }

  /** All entries of an account, where those since the checkpoint do not explain it. */
  private async whole(account: RevenueAccount): Promise<Settled> {
    const settled = new Settled(account);
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

const ENTERED = ['totalFee', 'totalPartner', 'carriedLoss'] as const;

/** Account and its settled entries, all or those since the checkpoint. */
class Settled {
  private readonly broken: string[] = [];
  readonly replaying: RevenueReplay;
  /** Sums that the entries themselves say they added. */
  private readonly entered: Record<(typeof ENTERED)[number], bigint>;
  private last: SettledRow | null = null;

  /** @param from account as of the checkpoint; absent: not covered */
  constructor(
    readonly account: RevenueAccount,
    from?: RevenueAccount,
  ) {
    this.replaying = new RevenueReplay(account, (problem) => this.broken.push(problem), from);
    const { totalFee = 0n, totalPartner = 0n, carriedLoss = 0n } = from ?? {};
    this.entered = { totalFee, totalPartner, carriedLoss };
  }

  take(entry: SettledRow): void {
    const { last, entered } = this;
    if (last && (entry.at < last.at || (Number(entry.at) === Number(last.at) && entry.id < last.id)))
      this.broken.push(`entry ${entry.id} is settled after one of a later date or id`);
    this.last = entry;
    this.replaying.take(entry);
    entered.totalFee += entry.fee;
    entered.totalPartner += entry.partnerRevenue;
    entered.carriedLoss += entry.carriedLoss;
  }

  get problems(): string[] {
    const recomputed = this.replaying.account;
    const shown = (one: RevenueAccount, name: (typeof ACCOUNT_FIELDS)[number]): string =>
      name === 'sums' ? sumsInWords(one.sums) : textOf(one[name]);
    const others = ACCOUNT_FIELDS.flatMap((name) => {
      const [is, should] = [shown(this.account, name), shown(recomputed, name)];
      return is === should ? [] : [`${name} is ${is}, by the ledger it is ${should}`];
    });
    const sums = ENTERED.flatMap((name) =>
      this.entered[name] === recomputed[name]
        ? []
        : [`entries add ${this.entered[name]} to ${name}, by their amounts it is ${recomputed[name]}`],
    );
    return [...this.broken, ...others, ...sums];
  }
}

const keyOf = ({ userId, asset }: Key): string => `${userId} ${asset}`;
