import { Injectable } from '@nestjs/common';
import { newId } from '../identifier.js';
import type { RowOf } from '../store/column.js';
import { Store } from '../store/store.js';
import { bookChange } from './books.js';
import type { Entry, Position } from './position.js';
import type { SettledRevenue } from './settled-revenue.js';
import * as queries from './position-store.queries.js';

/** What happened to one position: its entries, in order. `before` is null when it was opened. */
export interface Change {
  before: Position | null;
  after: Position;
  entries: Entry[];
}

/** What others store at once is less. Behind the first statement the keys of the books may be out of order: a deadlock is tried again. */
const SAVED_AT_ONCE = 2_500;

const AMOUNTS = [
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

/** A row as it comes: whole numbers of any size are texts. */
export type PositionRow = RowOf<typeof queries.POSITION>;

/** @returns the row with its whole numbers as such */
export function toPosition(row: PositionRow): Position {
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, BigInt(row[name])]));
  return { ...row, ...(amounts as Record<(typeof AMOUNTS)[number], bigint>) };
}

/** Positions that arrive where they stand, in one statement: one column of each changes. */
export const RELEASED_AT_ONCE = 2_000;

/** Positions on their way in and out of the database. Whoever changes one has locked it first, and holds no row of the books yet. */
@Injectable()
export class PositionStore {
  constructor(private readonly store: Store) {}

  /** Locks a position until commit. @param partnerId null: of any partner */
  async lock(id: string, partnerId: string | null): Promise<Position | null> {
    const [row] = await this.store.query(queries.LOCK_POSITION, [id, partnerId]);
    return row ? toPosition(row) : null;
  }

  /** Locks the next open positions of a market, by id. */
  async lockOpen(marketId: string, afterId: string, limit: number): Promise<Position[]> {
    const rows = await this.store.query(queries.LOCK_OPEN, [marketId, afterId, limit]);
    return rows.map(toPosition);
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

  /** The same, the largest first, of no more than `most` shares each. @param after the last one that was looked at */
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

  /** Locks the next positions that a decision has on the way, by id. */
  async lockInTransit(
    { marketId, transitId }: { marketId: string; transitId: string },
    afterId: string,
    limit: number,
  ): Promise<Position[]> {
    const rows = await this.store.query(queries.LOCK_IN_TRANSIT, [marketId, transitId, afterId, limit]);
    return rows.map(toPosition);
  }

  /**
   * Locks the positions of an order that are where it finds them, by id, each with what it paid of the order so far.
   *
   * @param transitId the decision that has them on the way; null: they are not
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

  /** Lets the next positions that a decision has on the way arrive where they stand. */
  async release(
    { marketId, transitId }: { marketId: string; transitId: string },
    limit: number = RELEASED_AT_ONCE,
  ): Promise<{ positions: number; shares: bigint }> {
    const [released] = await this.store.query(queries.RELEASE, [marketId, transitId, limit]);
    return { positions: released!.positions, shares: BigInt(released!.shares) };
  }

  /**
   * Stores changes with their entries and in the books, in the transaction of the caller: one statement, but for what an order moves, which may be more than one takes.
   *
   * @param revenue what their entries settled
   * @param at when they happened
   */
  async save(changes: readonly Change[], revenue: SettledRevenue, at: Date): Promise<void> {
    for (const partnerId of new Set(changes.map(({ after }) => after.partnerId)))
      this.store.changes(partnerId);
    for (let from = 0; from < changes.length; from += SAVED_AT_ONCE)
      await this.saveSome(changes.slice(from, from + SAVED_AT_ONCE), from === 0 ? revenue.changes : [], at);
  }

  private async saveSome(
    changes: readonly Change[],
    revenue: SettledRevenue['changes'],
    at: Date,
  ): Promise<void> {
    const opened = changes.filter(({ before }) => before === null).map(({ after }) => after);
    const entries = changes.flatMap(({ after, entries: own }) =>
      own.map((entry) => ({
        ...entry,
        id: newId('event', entry.at),
        userId: after.userId,
        positionId: after.id,
        asset: after.asset,
      })),
    );
    const books = bookChange(changes, revenue);
    await this.store.query(queries.SAVE, [
      json(opened),
      json(changes.filter(({ before }) => before !== null).map(({ after }) => after)),
      json(entries),
      json(books.shares),
      json(books.totals),
      json(books.points),
      json(books.vaults),
      at,
      json(revenue.map(({ after }) => after)),
      json(books.revenue),
    ]);
  }
}

const json = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
