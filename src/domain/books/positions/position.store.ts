import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { instant, rowsText } from '../../kernel/store/column.js';
import type { StatementShape, ValuesOf } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { bookChange } from './books.js';
import type { Entry, Position } from './position.js';
import { SettledRevenue, type SettlementTerms, toAccount } from './settled-revenue.js';
import { type PositionLock, RELEASE } from './position.queries.js';
import * as queries from './position-store.queries.js';

/** Change of one position: its entries, in order. `before` is null when it was opened. */
export interface ChangedPosition {
  before: Position | null;
  after: Position;
  entries: Entry[];
}

/** Locked positions of one market, and what they are settled by. */
export interface LockedPositions extends SettlementTerms {
  /** What was looked for, in that order. Meanwhile some may have changed, and are no longer among `positions`. */
  candidates: readonly { id: string; place: number | null }[];
  positions: readonly Position[];
  /** Each position's part of the order that it was looked for by, micro-units. */
  partOf(this: void, position: Position): bigint;
  /** Newest day end up to which all positions of the market are posted; null: none. */
  stated: Date | null;
  /**
   * Time of a change to the positions: now, or a millisecond after their last entries and those of their revenue accounts, when the clock of the process
   * that wrote those is ahead. Entries of an account are settled in the order of time and id.
   */
  after(this: void, now: Date): Date;
}

/** What changes are stored with: the revenue that their entries settled, and other positions whose yield had to be posted before. */
export interface SettledChange {
  revenue: SettledRevenue;
  earlierChanges?: readonly ChangedPosition[];
}

/**
 * Storage of positions. `lock` locks the revenue accounts of the positions' users; `save` the partners' `ledger_heads` and the rows of `vault_shares`,
 * and is called once. `lock` is one query, in the order of decision 79, so that no two transactions wait for each other.
 */
@Injectable()
export class PositionStore {
  /** Positions that one statement stores, a second of the database: a change of terms posts the yield of all of a partner's. */
  savedAtOnce = 5_000;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks positions until commit. The revenue accounts of their users are locked before the positions and the clock are read, so that no entry is
   * settled after a later one.
   */
  async lock<Values extends StatementShape['values']>(
    { find, holds }: PositionLock<Values>,
    values: ValuesOf<{ values: Values }>,
  ): Promise<LockedPositions> {
    const rows = await this.store.query(find, values);
    const parts = new Map(rows.map(({ id, part }) => [id, part ?? 0n]));
    const ids = rows.map(({ id }) => id);
    const [stored, [settling]] = await pipelined([
      this.store.query(queries.FIND, [ids]),
      this.store.query(queries.FIND_REVENUE, [ids]),
    ]);
    const positions = stored.filter((position) => holds(position, values));
    const { accounts, stated, ...settled } = settling!;
    const terms = settled.terms.map((row) => ({ ...row, fromAt: instant(row.fromAt) }));
    const revenue = new SettledRevenue(accounts.map(toAccount));
    const last = positions.reduce(
      (newest, { accruedAt }) => Math.max(newest, accruedAt.getTime()),
      revenue.settledAt?.getTime() ?? -Infinity,
    );
    return {
      candidates: rows,
      positions,
      partOf: ({ id }) => parts.get(id)!,
      terms: Map.groupBy(terms, ({ partnerId }) => partnerId),
      revenue,
      stated,
      after: (now) => (last < now.getTime() ? now : new Date(last + 1)),
    };
  }

  /** Ends the transit of all positions of a decision where they are. @returns their shares */
  async release({ marketId, transitId }: { marketId: string; transitId: string }): Promise<bigint> {
    const [released] = await this.store.query(RELEASE, [marketId, transitId]);
    return released!.shares;
  }

  /** Stores changes with their entries, in parts, and with the last one the change of the books, whose rows others wait for. */
  async save(changed: readonly ChangedPosition[], settling: SettledChange | null, at: Date): Promise<void> {
    const changes = [...(settling?.earlierChanges ?? []), ...changed];
    const ids = idsOf(changes, at);
    // No more than changed positions, so each part has its share of both.
    const accounts = settling?.revenue.changes ?? [];
    const books = bookChange(changes, accounts);
    const partnerIds = [...new Set(changes.map(({ after }) => after.partnerId))];
    // Now, but not before the changes, where an account's clock is ahead.
    const booking = new Date(Math.max(at.getTime(), this.clock.now().getTime()));
    for (let from = 0; from < changes.length; from += this.savedAtOnce) {
      const until = from + this.savedAtOnce;
      const part = changes.slice(from, until);
      const [opened, others] = [true, false].map((isNew) =>
        part.filter(({ before }) => (before === null) === isNew).map(({ after }) => after),
      );
      const bookText = (rows: readonly object[]): string => rowsText(until < changes.length ? [] : rows);
      await this.store.query(queries.SAVE, [
        rowsText(opened!),
        rowsText(others!),
        rowsText(part.flatMap((change) => entryRows(change, ids))),
        rowsText(accounts.slice(from, until).map(({ after }) => after)),
        at,
        booking,
        from === 0 ? 1 : 0,
        partnerIds,
        bookText(books.shares),
        bookText(books.totals),
        bookText(books.revenue),
        bookText(books.points),
        bookText(books.vaults),
      ]);
    }
  }
}

const entryRows = ({ after, entries }: ChangedPosition, ids: ReadonlyMap<Entry, string>): object[] =>
  entries.map((entry) => ({
    ...entry,
    id: ids.get(entry)!,
    partnerId: after.partnerId,
    userId: after.userId,
    positionId: after.id,
    asset: after.asset,
  }));

/** Ids in the order in which the entries of a position follow each other, and those of a revenue account were settled. */
function idsOf(changes: readonly ChangedPosition[], at: Date): Map<Entry, string> {
  const ordered = changes.flatMap(({ entries }) => {
    let offset = 0;
    return entries.map((entry) => ({ entry, place: (offset = entry.revenuePlace ?? offset) }));
  });
  return new Map(
    ordered.toSorted((a, b) => a.place - b.place).map(({ entry }) => [entry, newId('event', at)]),
  );
}
