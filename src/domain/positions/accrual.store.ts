import { Injectable } from '@nestjs/common';
import { newId } from '../identifier.js';
import { Store } from '../store/store.js';
import type { BookRows, Totals } from './book-rows.js';
import { BOOK_FIELDS } from './book-sums.js';
import { bookChange } from './books.js';
import { type ChangedPosition, rowsText } from './position.store.js';
import type { SettledRevenue } from './settled-revenue.js';
import { POST } from './statement.queries.js';

/** Sums of a book row that no accrual changes. */
const UNCHANGED = BOOK_FIELDS.totals.sums.filter((name) => name !== 'accrued');

/** Accruals on their way into the database, thousands at once. What else happens to positions, `PositionStore` stores. */
@Injectable()
export class AccrualStore {
  constructor(private readonly store: Store) {}

  /**
   * Stores accruals with what they settled and in the books, in the transaction of the caller: one statement.
   *
   * @param changes of positions that are locked; their entries are accruals
   * @param at up to when their yield is posted
   * @throws Error where a change is more than an accrual
   */
  async save(changes: readonly ChangedPosition[], revenue: SettledRevenue, at: Date): Promise<void> {
    for (const partnerId of new Set(changes.map(({ after }) => after.partnerId)))
      this.store.changes(partnerId);
    const positions = changes.map(({ after }) => after);
    const entries = changes.flatMap(({ after, entries: own }) =>
      own.map((entry) => ({ entry, position: after })),
    );
    const accounts = revenue.changes.map(({ after }) => after);
    const books = bookChange(changes, revenue.changes);
    requireAccruals(books);
    await this.store.query(POST, [
      at,
      positions.map(({ id }) => id),
      positions.map(({ accrued }) => accrued.toString()),
      entries.map(({ entry }) => newId('event', entry.at)),
      entries.map(({ entry }) => entry.at),
      entries.map(({ position }) => position.userId),
      entries.map(({ position }) => position.id),
      entries.map(({ position }) => position.asset),
      entries.map(({ entry }) => entry.vaultId),
      entries.map(({ entry }) => entry.amount.toString()),
      entries.map(({ entry }) => entry.apy),
      entries.map(({ entry }) => entry.shareIndex.toString()),
      entries.map(({ entry }) => entry.feeBps!),
      entries.map(({ entry }) => entry.shareBps!),
      entries.map(({ entry }) => entry.revenuePlace!.toString()),
      accounts.map(({ userId }) => userId),
      accounts.map(({ asset }) => asset),
      accounts.map(({ settled }) => settled.toString()),
      accounts.map(({ carriedLoss }) => carriedLoss.toString()),
      accounts.map(({ sums }) => rowsText(sums)),
      accounts.map(({ totalFee }) => totalFee.toString()),
      accounts.map(({ totalPartner }) => totalPartner.toString()),
      books.totals.map(({ partnerId }) => partnerId),
      books.totals.map(({ asset }) => asset),
      books.totals.map(({ slot }) => slot),
      books.totals.map(({ accrued }) => accrued.toString()),
      books.totals.map(({ firstAt }) => firstAt),
      books.revenue.map(({ partnerId }) => partnerId),
      books.revenue.map(({ asset }) => asset),
      books.revenue.map(({ slot }) => slot),
      books.revenue.map(({ fee }) => fee.toString()),
      books.revenue.map(({ partnerRevenue }) => partnerRevenue.toString()),
    ]);
  }
}

/** The statement knows of no other change: one that it left out would be lost from the books. */
function requireAccruals({ shares, totals, points, vaults }: BookRows): void {
  const isMore = (sum: Totals): boolean => UNCHANGED.some((name) => BigInt(sum[name]) !== 0n);
  if (shares.length + points.length + vaults.length > 0 || totals.some(isMore))
    throw new Error('What is to be stored is more than accruals.');
}
