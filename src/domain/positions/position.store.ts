import { Injectable } from '@nestjs/common';
import { newId } from '../identifier.js';
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
export type PositionRow = Omit<Position, (typeof AMOUNTS)[number]> & Record<(typeof AMOUNTS)[number], string>;

/** @returns the row with its whole numbers as such */
export function toPosition(row: PositionRow): Position {
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, BigInt(row[name])]));
  return { ...row, ...(amounts as Record<(typeof AMOUNTS)[number], bigint>) };
}

/** Positions on their way in and out of the database. Whoever changes one has locked it first, and holds no row of the books yet. */
@Injectable()
export class PositionStore {
  constructor(private readonly store: Store) {}

  /** Locks a position until commit. @param partnerId null: of any partner */
  async lock(id: string, partnerId: string | null): Promise<Position | null> {
    const [row] = await this.store.query<PositionRow>(queries.LOCK_POSITION, [id, partnerId]);
    return row ? toPosition(row) : null;
  }

  /** Locks the next open positions of a market, by id. */
  async lockOpen(marketId: string, afterId: string, limit: number): Promise<Position[]> {
    const rows = await this.store.query<PositionRow>(queries.LOCK_OPEN, [marketId, afterId, limit]);
    return rows.map(toPosition);
  }

  /** Locks the next open positions of a partner in a vault, by id; none that was opened after `openedUntil`. */
  async lockInVault(
    where: { partnerId: string; vaultId: string; openedUntil: Date },
    afterId: string,
    limit: number,
  ): Promise<Position[]> {
    const { partnerId, vaultId, openedUntil } = where;
    const rows = await this.store.query<PositionRow>(queries.LOCK_IN_VAULT, [
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
    const rows = await this.store.query<PositionRow>(queries.LOCK_LARGEST, [
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
    const rows = await this.store.query<PositionRow>(queries.LOCK_IN_TRANSIT, [
      marketId,
      transitId,
      afterId,
      limit,
    ]);
    return rows.map(toPosition);
  }

  /** Lets the next positions that a decision has on the way arrive where they stand. */
  async release(
    { marketId, transitId }: { marketId: string; transitId: string },
    limit: number,
  ): Promise<{ positions: number; shares: bigint }> {
    const [released] = await this.store.query<{ positions: number; shares: string }>(queries.RELEASE, [
      marketId,
      transitId,
      limit,
    ]);
    return { positions: released!.positions, shares: BigInt(released!.shares) };
  }

  /**
   * Stores changes with their entries and in the books: one statement, in the transaction of the caller.
   *
   * @param revenue what their entries settled
   * @param at when they happened
   */
  async save(changes: readonly Change[], revenue: SettledRevenue, at: Date): Promise<void> {
    if (changes.length === 0) return;
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
    const books = bookChange(changes, revenue.changes);
    await this.store.query(queries.SAVE, [
      json(opened),
      json(changes.filter(({ before }) => before !== null).map(({ after }) => after)),
      json(entries),
      json(books.shares),
      json(books.totals),
      json(books.points),
      json(books.vaults),
      at,
      json(revenue.changes.map(({ after }) => after)),
      json(books.revenue),
    ]);
  }
}

const json = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
