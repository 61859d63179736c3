import { type ReportDifference, textOf } from '../books/ledger/verification.js';
import { BOOK_TABLES, BookSums } from '../books/positions/books.js';
import { type CampaignTerms, pointTime } from '../books/positions/points.js';
import { addHours, DAY_MS } from '../kernel/clock.js';
import type { RowFrom } from '../kernel/store/statement.js';
import type { ClosedSum } from './closing.queries.js';
import { closedQuotes, closingsOf } from './closing.service.js';
import type { PAGE_OF_DAYS } from './closing-verifier.queries.js';
import { toTerms } from './partner-book.js';
import { texts } from './past-books.js';

/** What is compared of each kind of book. Accruals are sums of all entries, which are verified with them. */
const COMPARED = {
  shares: Object.keys(BOOK_TABLES.shares.sums),
  totals: [...Object.keys(BOOK_TABLES.totals.sums).filter((name) => name !== 'accrued'), 'firstAt'],
  points: Object.keys(BOOK_TABLES.points.sums),
};
const KINDS = Object.keys(COMPARED) as (keyof typeof COMPARED)[];
/** Sums of a closing that follow from its books, beside those of entries, which are verified with all entries; the values follow from these. */
const VALUED = ['grains', 'lendingValue', 'holdValue'] as const;
const POSTED = ['deposits', 'withdrawals', 'accrued', 'costs'] as const;
const KEYS = ['asset', 'book', 'vaultId', 'campaignId'];

export type StoredDay = RowFrom<typeof PAGE_OF_DAYS>;
type Row = Readonly<Record<string, unknown>>;

/** Books of a partner by day, as its positions are replayed from their entries. */
export interface PartnerDays {
  /** Changes of the books, by the end of the day in which they were made. */
  changes: ReadonlyMap<number, BookSums>;
  /** By campaign; '': none. */
  terms: ReadonlyMap<string, readonly CampaignTerms[]>;
}

/** Closings of one partner, day by day, against its replayed books. */
export class ClosedDays {
  private readonly sums = new BookSums();
  private readonly due: number[];
  private reached: number;

  /** @param closed ends of days whose closings were written, in order */
  constructor(
    private readonly partnerId: string,
    private readonly replayed: PartnerDays,
    private readonly closed: readonly number[],
    private readonly assets: readonly string[],
    private readonly differs: ReportDifference,
  ) {
    this.due = [...replayed.changes.keys()].toSorted((a, b) => a - b);
    this.reached = this.due[0] ?? Infinity;
  }

  private get last(): number {
    return this.closed.at(-1) ?? -Infinity;
  }

  private nameOf(end: Date): string {
    return `closed_books ${this.partnerId} ${addHours(end, -24).toISOString().slice(0, 10)}`;
  }

  /** Days before a moment that have no closing. A market without funds may have had no such day. */
  private requireClosings(end: number): void {
    for (; this.reached < end; this.reached += DAY_MS) {
      this.add(this.reached);
      const isHeld = this.sums.nonZero.shares.some(({ positions }) => positions > 0);
      if (isHeld || this.closed.includes(this.reached))
        this.differs(this.nameOf(new Date(this.reached)), 'is not there');
    }
  }

  /** To be called after the last stored day. */
  end(): void {
    this.requireClosings(this.last + 1);
  }

  take({ closings, books }: StoredDay, end: Date, indexes: ReadonlyMap<string, bigint>): void {
    const subject = this.nameOf(end);
    this.requireClosings(end.getTime());
    if (end.getTime() > this.last) this.differs(subject, 'belongs to a day that was not closed');
    this.add(end.getTime());
    this.reached = Math.max(this.reached, end.getTime() + DAY_MS);
    if (books === null) return this.differs(subject, 'does not exist, but its closings do');
    try {
      const replayed = this.sums.nonZero;
      for (const kind of KINDS) this.compare(subject, kind, books[kind], texts<Row>(replayed[kind]));
      for (const { campaignId, terms } of books.points)
        this.comparePoints(subject, campaignId, terms.map(toTerms), end);
      for (const [vaultId, { index }] of Object.entries(books.quotes))
        if (indexes.size > 0 && indexes.get(vaultId) !== BigInt(index))
          this.differs(
            subject,
            `index of ${vaultId} is ${index}, but according to its hour it is ${textOf(indexes.get(vaultId))}`,
          );
      this.compareClosings(closings, books, end);
    } catch (error) {
      this.differs(subject, `cannot be read: ${(error as Error).message}`);
    }
  }

  private add(end: number): void {
    const day = this.replayed.changes.get(end);
    if (day && this.due[0] === end) {
      this.due.shift();
      this.sums.add(day.nonZero);
    }
  }

  private compare(
    subject: string,
    kind: keyof typeof COMPARED,
    stored: readonly Row[],
    replayed: readonly Row[],
  ): void {
    const keyOf = (row: Row): string =>
      KEYS.flatMap((name) => (row[name] === undefined ? [] : [textOf(row[name])])).join(' ');
    const [is, should] = [stored, replayed].map((rows) => new Map(rows.map((row) => [keyOf(row), row])));
    for (const key of new Set([...is!.keys(), ...should!.keys()]))
      for (const name of COMPARED[kind]) {
        const [has, by] = [is!.get(key)?.[name], should!.get(key)?.[name]].map(shownValue);
        if (has !== by)
          this.differs(subject, `${kind} ${key}: ${name} is ${has}, but according to the ledger it is ${by}`);
      }
  }

  private comparePoints(subject: string, campaignId: string, stored: CampaignTerms[], end: Date): void {
    const [is, should] = [stored, this.replayed.terms.get(campaignId) ?? []].map((terms) =>
      pointTime(terms, end),
    );
    if (is!.campaign !== should!.campaign || is!.plain !== should!.plain)
      this.differs(subject, `points ${campaignId}: its terms are not those of the campaign`);
  }

  private compareClosings(
    stored: StoredDay['closings'],
    books: NonNullable<StoredDay['books']>,
    end: Date,
  ): void {
    const day = addHours(end, -24).toISOString().slice(0, 10);
    const { quotes, ...sums } = books;
    const replayed = closingsOf(
      this.assets,
      this.partnerId,
      { ...sums, performanceFeeBps: 0, revenueShareBps: 0 },
      closedQuotes(quotes, end),
    );
    for (const asset of new Set([...replayed, ...stored].map((closing) => closing.asset))) {
      const subject = `daily_closings ${this.partnerId} ${asset} ${day}`;
      const [is, should] = [stored, replayed].map((rows) => rows.find((row) => row.asset === asset));
      const isEqual = (name: ClosedSum): boolean => String(is?.[name]) === String(should?.[name]);
      if (!is || !should) this.differs(subject, is ? 'has an asset that the books lack' : 'is not there');
      else
        for (const name of POSTED.every((sum) => isEqual(sum)) ? VALUED : (['grains'] as const))
          if (!isEqual(name))
            this.differs(
              subject,
              `${name} is ${is[name]}, but according to the closed books it is ${should[name]}`,
            );
    }
  }
}

/** Whole numbers are texts or numbers; a missing row is one of zeros. */
function shownValue(value: unknown): string {
  if (value === undefined) return '0';
  return typeof value === 'string' && value.includes('T') ? new Date(value).toISOString() : textOf(value);
}
