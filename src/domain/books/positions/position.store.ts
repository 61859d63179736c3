import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { rowsText } from '../../kernel/store/column.js';
import type { Statement, StatementShape, ValuesOf } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { bookChange } from './books.js';
import type { Entry, Position } from './position.js';
import { SettledRevenue, type Settling, toAccount } from './settled-revenue.js';
import * as locks from './position-lock.queries.js';
import * as queries from './position-store.queries.js';

/** Change of one position: its entries, in order. `before` is null when it was opened. */
export interface ChangedPosition {
  before: Position | null;
  after: Position;
  entries: Entry[];
}

/** Positions of a partner in a vault. */
interface Held {
  partnerId: string;
  vaultId: string;
  openedUntil: Date;
}

/** Positions in one statement: while the database writes these, the process prepares the next ones. */
const SAVED_AT_ONCE = 1_000;

/** Locked positions of one market, and what they are settled by. */
export interface Locked extends Settling {
  /** What was looked for, in that order. Meanwhile some may have changed, and are no longer among `positions`. */
  found: readonly { id: string; shares: bigint }[];
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
export interface Settled {
  revenue: SettledRevenue;
  beside?: readonly ChangedPosition[];
}

/**
 * Storage of positions. The methods named `lock` lock the revenue accounts of the positions' users, and read what they return after that. `save` locks
 * the partners' `ledger_heads` and the rows of `vault_shares`, and is called once. Each lock is one query, in the order of decision 79, so that no two
 * transactions wait for each other.
 */
@Injectable()
export class PositionStore {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Locks a position until commit. @param partnerId null: of any partner */
  lock(id: string, partnerId: string | null): Promise<Locked> {
    return this.locked(locks.LOCK, [id, partnerId], () => true);
  }

  /** Locks the positions of a split deposit, by id. */
  lockDeposit(depositId: string): Promise<Locked> {
    return this.locked(locks.LOCK_DEPOSIT, [depositId], () => true);
  }

  /** Locks all open positions of a partner, by id. */
  lockOfPartner(partnerId: string): Promise<Locked> {
    return this.locked(locks.LOCK_OF_PARTNER, [partnerId]);
  }

  /** Locks the next open positions of a market, by id. */
  lockNext(marketId: string, afterId: string, limit: number): Promise<Locked> {
    return this.locked(locks.LOCK_NEXT, [marketId, afterId, limit]);
  }

  /** Locks the next open positions of a partner in a vault, by id; none that was opened after `openedUntil`. */
  lockInVault({ partnerId, vaultId, openedUntil }: Held, afterId: string, limit: number): Promise<Locked> {
    const values = [partnerId, vaultId, afterId, openedUntil, limit] as const;
    return this.locked(locks.LOCK_IN_VAULT, values, isAt(vaultId, null));
  }

  /** The same, the largest first, with at most `most` shares each. @param after position to continue after */
  lockLargest(
    { partnerId, vaultId, openedUntil }: Held,
    after: { shares: bigint; id: string },
    most: bigint,
    limit: number,
  ): Promise<Locked> {
    const values = [partnerId, vaultId, after.id, openedUntil, limit, after.shares, most] as const;
    return this.locked(locks.LOCK_LARGEST, values, isAt(vaultId, null));
  }

  /** Locks the next positions that are in transit by a decision, by id. */
  lockInTransit(
    { marketId, transitId }: { marketId: string; transitId: string },
    afterId: string,
    limit: number,
  ): Promise<Locked> {
    const values = [marketId, transitId, afterId, limit] as const;
    return this.locked(locks.LOCK_IN_TRANSIT, values, (position) => position.transitId === transitId);
  }

  /** Locks the positions of an order at their expected place, by id, with their payments of it so far. @param transitId null: not in transit */
  lockOrdered(orderId: string, vaultId: string, transitId: string | null): Promise<Locked> {
    return this.locked(locks.LOCK_ORDERED, [orderId], isAt(vaultId, transitId));
  }

  /** Locks the open positions with a part of an order's gain that waits for review, by id. The part of each is that. */
  lockWaiting(orderId: string): Promise<Locked> {
    return this.locked(locks.LOCK_WAITING, [orderId]);
  }

  /** Reads positions whose revenue accounts are locked, before the clock is read, so that no entry is settled after a later one. */
  private async locked<Values extends StatementShape['values']>(
    statement: Statement<{ values: Values; row: typeof locks.HELD }>,
    values: ValuesOf<{ values: Values }>,
    still: (position: Position) => boolean = isOpen,
  ): Promise<Locked> {
    const rows = await this.store.query(statement, values);
    const parts = new Map(rows.map(({ id, part }) => [id, part ?? 0n]));
    const ids = rows.map(({ id }) => id);
    const [stored, [settling]] = await pipelined([
      this.store.query(queries.FIND, [ids]),
      this.store.query(queries.FIND_REVENUE, [ids]),
    ]);
    const positions = stored.filter(still);
    const { accounts, stated, ...own } = settling!;
    const terms = own.terms.map((row) => ({ ...row, fromAt: new Date(row.fromAt) }));
    const revenue = new SettledRevenue(accounts.map(toAccount));
    const last = positions.reduce(
      (newest, { accruedAt }) => Math.max(newest, accruedAt.getTime()),
      revenue.settledAt?.getTime() ?? -Infinity,
    );
    return {
      found: rows,
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
    const [released] = await this.store.query(locks.RELEASE, [marketId, transitId]);
    return released!.shares;
  }

  /** Stores changes with their entries and book changes: thousands of them in parts, the books with the last one. */
  async save(changed: readonly ChangedPosition[], settling: Settled | null, at: Date): Promise<void> {
    const changes = [...(settling?.beside ?? []), ...changed];
    const ids = idsOf(changes, at);
    const settled = settling?.revenue.changes ?? [];
    const books = bookChange(changes, settled);
    const partners = [...new Set(changes.map(({ after }) => after.partnerId))];
    const booking = bookingOf(at, this.clock);
    const sent = await inParts(changes, SAVED_AT_ONCE, (part, from) => {
      const [opened, others] = [
        part.filter(({ before }) => before === null),
        part.filter(({ before }) => before),
      ];
      const isLast = from + SAVED_AT_ONCE >= changes.length;
      const sums = (rows: readonly object[]): string => rowsText(isLast ? rows : []);
      // There are no more accounts than positions, so each part has its share of both.
      const accounts = settled.slice(from, from + SAVED_AT_ONCE).map(({ after }) => after);
      return this.store.query(queries.SAVE, [
        rowsText(opened.map(({ after }) => after)),
        rowsText(others.map(({ after }) => after)),
        rowsText(part.flatMap((change) => entryRows(change, ids))),
        rowsText(accounts),
        at,
        booking,
        from === 0 ? 1 : 0,
        partners,
        sums(books.shares),
        sums(books.totals),
        sums(books.revenue),
        sums(books.points),
        sums(books.vaults),
      ]);
    });
    await pipelined(sent);
  }
}

/** Sends a statement for each part of many items: while the database works on one, the process prepares the next. The answers are to be `pipelined`. */
async function inParts<T>(
  items: readonly T[],
  size: number,
  send: (part: readonly T[], from: number) => Promise<unknown>,
): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < items.length; from += size) {
    // A statement leaves in the turn after that in which it was asked for.
    if (from > 0) await turn();
    const answer = send(items.slice(from, from + size), from);
    answer.catch(() => undefined);
    sent.push(answer);
  }
  return sent;
}

const isOpen = ({ closedAt }: Position): boolean => closedAt === null;

/** Whether an open position is in a vault, in transit by a decision or, for null, at rest. */
const isAt =
  (vaultId: string, transitId: string | null) =>
  (position: Position): boolean =>
    isOpen(position) && position.vaultId === vaultId && position.transitId === transitId;

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
  const placed = changes.flatMap(({ entries }) => {
    let place = 0;
    return entries.map((entry) => ({ entry, place: (place = entry.revenuePlace ?? place) }));
  });
  return new Map(
    placed.toSorted((a, b) => a.place - b.place).map(({ entry }) => [entry, newId('event', at)]),
  );
}

/** Moment of booking what happened at a moment: now, but not before it, where an account's clock is ahead. */
const bookingOf = (at: Date, clock: Clock): Date => new Date(Math.max(at.getTime(), clock.now().getTime()));
