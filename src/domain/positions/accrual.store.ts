import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { newId } from '../identifier.js';
import { arrayText } from '../store/column.js';
import { inParts, pipelined } from '../store/pipelined.js';
import { Store } from '../store/store.js';
import type { BookRows, Totals } from './book-rows.js';
import { BOOK_FIELDS } from './book-sums.js';
import { bookChange } from './books.js';
import type { ChangedPosition } from './position.store.js';
import type { RevenueAccount } from './revenue.js';
import type { SettledRevenue } from './settled-revenue.js';
import { ADD_TO_BOOKS, POST } from './statement.queries.js';

/** Positions in one statement: while the database writes these, the process prepares the next ones. */
const POSTED_AT_ONCE = 1_000;

/** Sums of a book row that no accrual changes. */
const UNCHANGED = BOOK_FIELDS.totals.sums.filter((name) => name !== 'accrued');

/** Accruals on their way into the database, thousands at once. What else happens to positions, `PositionStore` stores. */
@Injectable()
export class AccrualStore {
  constructor(private readonly store: Store) {}

  /**
   * Stores accruals with what they settled and in the books, in the transaction of the caller.
   *
   * @param changes of positions that are locked; their entries are accruals
   * @param at up to when their yield is posted
   * @throws Error where a change is more than an accrual
   */
  async save(changes: readonly ChangedPosition[], revenue: SettledRevenue, at: Date): Promise<void> {
    for (const partnerId of new Set(changes.map(({ after }) => after.partnerId)))
      this.store.changes(partnerId);
    const accounts = revenue.changes;
    // There are no more accounts than positions, so each part has its share of both.
    const sent = await inParts(changes, POSTED_AT_ONCE, (part, from) => {
      const settled = accounts.slice(from, from + POSTED_AT_ONCE).map(({ after }) => after);
      return this.store.query(POST, rowsOf(part, settled, at));
    });
    // The last part leaves before the books are summed.
    await turn();
    const books = bookChange(changes, accounts);
    requireAccruals(books);
    sent.push(this.store.query(ADD_TO_BOOKS, bookRowsOf(books)));
    await pipelined(sent);
  }
}

function rowsOf(changes: readonly ChangedPosition[], accounts: readonly RevenueAccount[], at: Date) {
  const positions = changes.map(({ after }) => after);
  const rows = changes.flatMap(({ after, entries }) => entries.map((entry) => ({ entry, position: after })));
  return [
    at,
    arrayText(positions.map(({ id }) => id)),
    arrayText(positions.map(({ accrued }) => accrued)),
    arrayText(rows.map(({ entry }) => newId('event', entry.at))),
    timesText(rows.map(({ entry }) => entry.at)),
    arrayText(rows.map(({ position }) => position.userId)),
    arrayText(rows.map(({ position }) => position.id)),
    arrayText(rows.map(({ position }) => position.asset)),
    arrayText(rows.map(({ entry }) => entry.vaultId)),
    arrayText(rows.map(({ entry }) => entry.amount)),
    arrayText(rows.map(({ entry }) => entry.apy)),
    arrayText(rows.map(({ entry }) => entry.shareIndex)),
    arrayText(rows.map(({ entry }) => entry.feeBps)),
    arrayText(rows.map(({ entry }) => entry.shareBps)),
    arrayText(rows.map(({ entry }) => entry.revenuePlace)),
    arrayText(accounts.map(({ userId }) => userId)),
    arrayText(accounts.map(({ asset }) => asset)),
    arrayText(accounts.map(({ settled }) => settled)),
    arrayText(accounts.map(({ carriedLoss }) => carriedLoss)),
    JSON.stringify(accounts.map(({ sums }) => sums.map(sumOf))),
    arrayText(accounts.map(({ totalFee }) => totalFee)),
    arrayText(accounts.map(({ totalPartner }) => totalPartner)),
  ] as const;
}

const bookRowsOf = ({ totals, revenue }: BookRows) =>
  [
    arrayText(totals.map(({ partnerId }) => partnerId)),
    arrayText(totals.map(({ asset }) => asset)),
    arrayText(totals.map(({ slot }) => slot)),
    arrayText(totals.map(({ accrued }) => accrued)),
    timesText(totals.map(({ firstAt }) => firstAt)),
    arrayText(revenue.map(({ partnerId }) => partnerId)),
    arrayText(revenue.map(({ asset }) => asset)),
    arrayText(revenue.map(({ slot }) => slot)),
    arrayText(revenue.map(({ fee }) => fee)),
    arrayText(revenue.map(({ partnerRevenue }) => partnerRevenue)),
  ] as const;

const sumOf = (sum: RevenueAccount['sums'][number]) => ({
  ...sum,
  base: String(sum.base),
  fee: String(sum.fee),
  partner: String(sum.partner),
});

/** Nearly all entries of a statement are of one moment. */
function timesText(times: readonly Date[]): string {
  const texts = new Map<Date, string>();
  return arrayText(
    times.map((time) => {
      const text = texts.get(time) ?? time.toISOString();
      texts.set(time, text);
      return text;
    }),
  );
}

/** The statement knows of no other change: one that it left out would be lost from the books. */
function requireAccruals({ shares, totals, points, vaults }: BookRows): void {
  const isMore = (sum: Totals): boolean => UNCHANGED.some((name) => BigInt(sum[name]) !== 0n);
  if (shares.length + points.length + vaults.length > 0 || totals.some(isMore))
    throw new Error('What is to be stored is more than accruals.');
}
