import { pagesOf } from '../../kernel/store/pages.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type BookSums, revenueContribution } from '../positions/books.js';
import type { RevenueAccount } from '../positions/revenue.js';
import { type RevenueAccountRow, toAccount } from '../positions/settled-revenue.js';
import { PAGE } from './position-verifier.js';
import { PAGE_OF_ACCOUNTS, PAGE_OF_SETTLED } from './revenue-check.queries.js';
import { ACCOUNT_FIELDS, RevenueReplay, sumsInWords } from './revenue-replay.js';
import { PartnerTermsOf } from './terms-check.js';
import { type ReportDifference, Problems, textOf } from './verification.js';

type SettledRow = RowFrom<typeof PAGE_OF_SETTLED>;
type Key = Pick<RevenueAccount, 'userId' | 'asset'>;

/** After all accounts. */
const END: Key = { userId: '~', asset: '' };

/** Revenue accounts against their settled entries, page by page. */
export class RevenueVerifier {
  accounts = 0;

  /** @param seventh of the partners; null: all @param books receives what follows from the ledger */
  constructor(
    private readonly store: Store,
    private readonly seventh: number | null,
    private readonly books: BookSums,
    private readonly differs: ReportDifference,
  ) {}

  async verify(): Promise<void> {
    const read = (last: RevenueAccountRow | undefined): Promise<RevenueAccountRow[]> =>
      this.store.query(PAGE_OF_ACCOUNTS, [
        ...([last?.userId ?? '', last?.asset ?? ''] as const),
        ...([PAGE.positions, this.seventh] as const),
      ]);
    let after: Key = { userId: '', asset: '' };
    for await (const rows of pagesOf(read, PAGE.positions)) {
      const end = rows.length === PAGE.positions ? rows.at(-1)! : END;
      await this.replay(rows, after, end);
      after = end;
    }
  }

  private async replay(rows: readonly RevenueAccountRow[], after: Key, end: Key): Promise<void> {
    const terms = await PartnerTermsOf.read(
      this.store,
      rows.map(({ partnerId }) => partnerId),
    );
    const unreadable = new Set<string>();
    const replays = new Map<string, AccountReplay>();
    for (const row of rows)
      try {
        replays.set(keyOf(row), new AccountReplay(toAccount(row), terms));
      } catch (error) {
        this.differs(`revenue_accounts ${keyOf(row)}`, `cannot be read: ${(error as Error).message}`);
        unreadable.add(keyOf(row));
      }
    let orphan = '';
    for await (const entries of this.entriesBetween(after, end))
      for (const entry of entries) {
        const key = keyOf(entry);
        const replay = replays.get(key);
        if (replay) replay.take(entry);
        else if (orphan !== key && !unreadable.has(key)) {
          // Entries come by account.
          orphan = key;
          this.differs(`revenue_accounts ${key}`, 'does not exist, but entries were settled in it');
        }
      }
    for (const [key, replay] of replays) {
      this.accounts++;
      replay.compare();
      replay.problems.report(`revenue_accounts ${key}`, this.differs);
      this.books.addRow('revenue', revenueContribution(replay.replaying.account));
    }
  }

  /** Entries by account and place, of accounts after one and up to another. */
  private entriesBetween(after: Key, end: Key): AsyncGenerator<SettledRow[]> {
    const first = { ...after, place: Number.MAX_SAFE_INTEGER, id: '' };
    return pagesOf((last: SettledRow | undefined) => {
      const { userId, asset, place, id } = last ?? first;
      return this.store.query(PAGE_OF_SETTLED, [
        userId,
        asset,
        place,
        id,
        end.userId,
        end.asset,
        PAGE.rows,
        this.seventh,
      ]);
    }, PAGE.rows);
  }
}

/** Compares a stored revenue account with the replay of its settled entries. */
class AccountReplay {
  readonly problems = new Problems();
  readonly replaying: RevenueReplay;
  private last: SettledRow | null = null;

  constructor(
    private readonly account: RevenueAccount,
    private readonly terms: PartnerTermsOf,
  ) {
    this.replaying = new RevenueReplay(account, (problem) => this.problems.add(problem));
  }

  take(entry: SettledRow): void {
    const { last, problems, replaying } = this;
    if (last && (entry.at < last.at || (Number(entry.at) === Number(last.at) && entry.id < last.id)))
      problems.add(`entry ${entry.id} is settled after one of a later date or id`);
    this.last = entry;
    // A void takes back yield at the terms of its accruals.
    if (entry.type === 'yield_accrual' && entry.voids === null) this.checkTerms(entry);
    const { totalFee, totalPartner, carriedLoss } = replaying;
    replaying.take(entry);
    this.checkAdded(entry, 'fee', replaying.totalFee - totalFee);
    this.checkAdded(entry, 'partnerRevenue', replaying.totalPartner - totalPartner);
    this.checkAdded(entry, 'carriedLoss', replaying.carriedLoss - carriedLoss);
  }

  private checkTerms({ id, at, feeBps, shareBps }: SettledRow): void {
    const terms = this.terms.at(this.account.partnerId, at);
    if (terms?.feeBps === feeBps && terms.shareBps === shareBps) return;
    const should = terms ? `${terms.feeBps}/${terms.shareBps}` : 'null';
    this.problems.add(
      `entry ${id} is settled at ${feeBps}/${shareBps}, but the terms of its time are ${should}`,
    );
  }

  /** What an entry says that it added to a sum. */
  private checkAdded(
    entry: SettledRow,
    name: 'fee' | 'partnerRevenue' | 'carriedLoss',
    should: bigint,
  ): void {
    if (entry[name] !== should)
      this.problems.add(
        `entry ${entry.id}: ${name} is ${entry[name]}, but according to its amount it is ${should}`,
      );
  }

  /** The stored account against the one that its entries make, when all were taken. */
  compare(): void {
    const recomputed = this.replaying.account;
    const fieldText = (account: RevenueAccount, name: (typeof ACCOUNT_FIELDS)[number]): string =>
      name === 'sums' ? sumsInWords(account.sums) : textOf(account[name]);
    for (const name of ACCOUNT_FIELDS) {
      const [is, should] = [fieldText(this.account, name), fieldText(recomputed, name)];
      if (is !== should) this.problems.add(`${name} is ${is}, but according to the ledger it is ${should}`);
    }
  }
}

const keyOf = ({ userId, asset }: Key): string => `${userId} ${asset}`;
