import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { toOrder, type MoveOrder } from '../allocation/move-order.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { unresolved } from '../settlements/settlement.service.js';
import * as queries from './reservation.queries.js';

/** What open withdrawals reserve of a position. Micro-units. */
export interface Reservation {
  /** Sum of the amounts that were named. */
  amount: bigint;
  /** Whether one of them reserves everything else that the position is worth. */
  isWhole: boolean;
}

/** What a position has beyond its reservations, micro-units. */
export const availableIn = (value: bigint, { amount, isWhole }: Reservation): bigint =>
  isWhole || amount >= value ? 0n : value - amount;

/**
 * Reserved funds are not moved: an order that nobody took leaves them where they are, and one under way is waited for. Orders are locked before
 * positions (decision 79), and whoever takes an order looks for reservations that were made since.
 */
@Injectable()
export class Reservations {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly orders: MoveOrderService,
  ) {}

  /** @param before only what withdrawals before this one reserve; null: all of them */
  async find(
    positionIds: readonly string[],
    before: string | null = null,
  ): Promise<Map<string, Reservation>> {
    const rows = await this.store.query(queries.FIND_RESERVED, [positionIds, before]);
    return new Map(
      rows.map(({ id, reserved, isReservedWhole }) => [id, { amount: reserved, isWhole: isReservedWhole }]),
    );
  }

  /** Open orders that may have positions of a user, locked until commit. */
  async lockOrders(of: { partnerId: string; userId: string; asset: string }): Promise<MoveOrder[]> {
    const rows = await this.store.query(queries.LOCK_ORDERS, [of.partnerId, of.userId, of.asset]);
    return rows.map(toOrder);
  }

  /**
   * Takes positions out of locked orders that nobody has taken; an order that keeps none ends.
   * @returns the order under way that has one of them; null: none
   */
  async leave(orders: readonly MoveOrder[], positionIds: readonly string[]): Promise<MoveOrder | null> {
    if (orders.length === 0) return null;
    const ids = orders.map(({ id }) => id);
    const concerned = new Set(
      (await this.store.query(queries.FIND_ORDERED, [ids, positionIds])).map(({ orderId }) => orderId),
    );
    const having = orders.filter(({ id }) => concerned.has(id));
    for (const order of having.filter(isUntaken)) await this.takeOut(order, positionIds);
    return having.find((order) => !isUntaken(order)) ?? null;
  }

  /** Takes what is reserved out of locked orders, before they are taken. @returns whether an order has changed */
  async release(orders: readonly MoveOrder[]): Promise<boolean> {
    const untaken = new Map(orders.filter(isUntaken).map((order) => [order.id, order]));
    if (untaken.size === 0) return false;
    const rows = await this.store.query(queries.FIND_RESERVED_IN_ORDERS, [[...untaken.keys()]]);
    for (const { orderId, positionIds } of rows) await this.takeOut(untaken.get(orderId)!, positionIds);
    return rows.length > 0;
  }

  /** @throws DomainError `settlement_unresolved` where the chain contradicts a transfer of a position */
  async requireResolved(positionIds: readonly string[]): Promise<void> {
    const [contradicted] = await this.store.query(queries.FIND_CONTRADICTED, [positionIds]);
    if (contradicted) throw unresolved(contradicted.id);
  }

  private async takeOut(order: MoveOrder, positionIds: readonly string[]): Promise<void> {
    const [left] = await this.store.query(queries.LEAVE_ORDER, [order.id, positionIds]);
    if (left!.positions > 0) return;
    const at = await this.market.now(order.marketId);
    await this.orders.fail(order, 'superseded', 'A withdrawal of its funds was requested.', at);
  }
}

const isUntaken = ({ takenAt, endedAt, booking }: MoveOrder): boolean =>
  takenAt === null && endedAt === null && booking === null;

export const underWay = ({ id }: MoveOrder): DomainError =>
  new DomainError(
    'withdrawal_not_open',
    `Funds of this withdrawal are moved by ${id}. Nothing was changed: take the withdrawal up when that move has ended.`,
  );
