import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import type { RowOf } from '../../kernel/store/column.js';
import { Store } from '../../kernel/store/store.js';
import { bookChange } from './books.js';
import type { Entry, Position } from './position.js';
import type { SettledRevenue } from './settled-revenue.js';
import * as queries from './position-store.queries.js';

/** Change of one position: its entries, in order. `before` is null when it was opened. */
export interface ChangedPosition {
  before: Position | null;
  after: Position;
  entries: Entry[];
}

/**
 * Positions in one statement; usual writes are smaller. After the first statement the keys of the books may be out of order, so a deadlock is
 * possible, and retried.
 */
const SAVED_AT_ONCE = 2_500;

/** Columns of a position that are whole numbers of any size. */
export const AMOUNTS = [
  'shares',
  'lendingShares',
  'holdShares',
  'deposited',
  'withdrawn',
  'accrued',
  'costs',
  'settledLending',
  'settledHold',
  'campaignMoment',
  'plainMoment',
  'capitalMoment',
] as const satisfies (keyof Position)[];

/** Row as the driver returns it: large whole numbers are text. */
export type PositionRow = RowOf<typeof queries.POSITION>;

/** @returns the row with its whole numbers as bigint */
export function toPosition(row: PositionRow): Position {
  const position = { ...row } as unknown as Position;
  for (const name of AMOUNTS) position[name] = BigInt(row[name]);
  return position;
}

/** Positions whose transit one statement ends; it changes a single column. */
export const RELEASED_AT_ONCE = 2_000;

/** Storage of positions. A writer first locks the positions that it changes, before any row of the books. */
@Injectable()
export class PositionStore {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Locks a position until commit. @param partnerId null: of any partner */
  async lock(id: string, partnerId: string | null): Promise<Position | null> {
    const [row] = await this.store.query(queries.LOCK_POSITION, [id, partnerId]);
    return row ? toPosition(row) : null;
  }

  /** Locks the positions of a split deposit, by id. */
  async lockDeposit(depositId: string): Promise<Position[]> {
    return (await this.store.query(queries.LOCK_DEPOSIT, [depositId])).map(toPosition);
  }

  /** Locks the next open positions of a partner in a vault, by id; none that was opened after `openedUntil`. */
  async lockInVault(
    where: { partnerId: string; vaultId: string; openedUntil: Date },
    afterId: string,
    limit: number,
  ): Promise<Position[]> {
    const { partnerId, vaultId, openedUntil } = where;
    const rows = await this.store.query(queries.LOCK_IN_VAULT, [
      partnerId,
      vaultId,
      afterId,
      openedUntil,
      limit,
    ]);
    return rows.map(toPosition);
  }

  /**
   * The same, the largest first, with at most `most` shares each.
   * @param after position to continue after
   */
  async lockLargest(
    where: { partnerId: string; vaultId: string; openedUntil: Date },
    after: { shares: bigint; id: string },
    most: bigint,
    limit: number,
  ): Promise<Position[]> {
    const rows = await this.store.query(queries.LOCK_LARGEST, [
      where.partnerId,
      where.vaultId,
      after.id,
      where.openedUntil,
      limit,
      after.shares.toString(),
      most.toString(),
    ]);
    return rows.map(toPosition);
  }

  /** Locks the next positions that are in transit by a decision, by id. */
  async lockInTransit(
    { marketId, transitId }: { marketId: string; transitId: string },
    afterId: string,
    limit: number,
  ): Promise<Position[]> {
    const rows = await this.store.query(queries.LOCK_IN_TRANSIT, [marketId, transitId, afterId, limit]);
    return rows.map(toPosition);
  }

  /**
   * Locks the positions of an order at their expected place, by id, each with its payments of the order so far.
   * @param transitId decision of their transit; null: they are not in transit
   */
  async lockOrdered({
    orderId,
    vaultId,
    transitId,
  }: {
    orderId: string;
    vaultId: string;
    transitId: string | null;
  }): Promise<{ position: Position; paid: bigint }[]> {
    const rows = await this.store.query(queries.LOCK_ORDERED, [orderId, vaultId, transitId]);
    return rows.map(({ paid, ...row }) => ({ position: toPosition(row), paid: BigInt(paid) }));
  }

  /** Locks the open positions with a part of an order's gain that waits for review, by id. Micro-units. */
  async lockWaiting(orderId: string): Promise<{ position: Position; waiting: bigint }[]> {
    const rows = await this.store.query(queries.LOCK_WAITING, [orderId]);
    return rows.map(({ waiting, ...row }) => ({ position: toPosition(row), waiting: BigInt(waiting) }));
  }

  /** Ends the transit of the next positions of a decision where they are. */
  async release(
    { marketId, transitId }: { marketId: string; transitId: string },
    limit: number = RELEASED_AT_ONCE,
  ): Promise<{ positions: number; shares: bigint }> {
    const [released] = await this.store.query(queries.RELEASE, [marketId, transitId, limit]);
    return { positions: released!.positions, shares: BigInt(released!.shares) };
  }

  /**
   * Stores changes with their entries and book changes, in the caller's transaction: one statement, except for an order that moves more positions
   * than one statement takes.
   * @param revenue revenue settled by the entries
   * @param at time of the changes
   */
  async save(changes: readonly ChangedPosition[], revenue: SettledRevenue, at: Date): Promise<void> {
    const ids = idsOf(changes, at);
    const booking = bookingOf(at, this.clock);
    for (let from = 0; from < changes.length; from += SAVED_AT_ONCE)
      await this.saveSome(changes.slice(from, from + SAVED_AT_ONCE), from === 0 ? revenue.changes : [], at, {
        ids,
        booking,
        step: from === 0 ? 1 : 0,
      });
  }

  private async saveSome(
    changes: readonly ChangedPosition[],
    revenue: SettledRevenue['changes'],
    at: Date,
    { ids, booking, step }: { ids: ReadonlyMap<Entry, string>; booking: Date; step: number },
  ): Promise<void> {
    const opened = changes.filter(({ before }) => before === null).map(({ after }) => after);
    const entries = changes.flatMap(({ after, entries: own }) =>
      own.map((entry) => ({
        ...entry,
        id: ids.get(entry)!,
        partnerId: after.partnerId,
        userId: after.userId,
        positionId: after.id,
        asset: after.asset,
      })),
    );
    const books = bookChange(changes, revenue);
    await this.store.query(queries.SAVE, [
      rowsText(opened),
      rowsText(changes.filter(({ before }) => before !== null).map(({ after }) => after)),
      rowsText(entries),
      rowsText(books.shares),
      rowsText(books.totals),
      rowsText(books.points),
      rowsText(books.vaults),
      at,
      rowsText(revenue.map(({ after }) => after)),
      rowsText(books.revenue),
      booking,
      step,
    ]);
  }
}

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
export const bookingOf = (at: Date, clock: Clock): Date =>
  new Date(Math.max(at.getTime(), clock.now().getTime()));

/** Rows as the JSON parameter of a statement; bigints are texts. */
export const rowsText = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
