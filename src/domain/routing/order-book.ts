import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { newId } from '../identifier.js';
import { PositionStore, RELEASED_AT_ONCE } from '../positions/position.store.js';
import { type Decision, LEAVING } from './decision.js';
import { Store } from '../store/store.js';
import { addHours } from '../vaults/hour.js';
import { type MoveOrder, type OrderFailure, type OrderStatus } from './move-order.js';
import { toOrder } from './order-row.js';
import * as queries from './move-order.queries.js';

/** A decision that others are to carry out. */
export interface NewOrder {
  decisionId: string;
  marketId: string;
  partnerId: string;
  /** Of a deposit whose funds were received. */
  positionId: string | null;
  record: Decision & { toVaultId: string };
  /** How many positions it is about. */
  positions: number;
  /** Shares of the positions that move, where not all do; null: all do. */
  room: bigint | null;
  /** Micro-units; null: nobody knows what it brings. */
  promised: bigint | null;
  at: Date;
}

/** What became of an order that was not settled. */
export interface FailedOrder {
  moveId: string;
  decisionId: string;
  failure: OrderFailure;
  status: OrderStatus;
  note: string | null;
}

/** Orders as they are made, and as they end without having been settled. */
@Injectable()
export class OrderBook {
  /** Told of each that failed, once that is kept. */
  onFailed: (failed: FailedOrder) => void = () => undefined;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly positions: PositionStore,
  ) {}

  /** One statement for any number, and one for their positions. In the transaction that stores the decisions. */
  async add(orders: readonly NewOrder[]): Promise<void> {
    if (orders.length === 0) return;
    const { order_expires_hours: hours } = this.settings.constants.routing;
    const rows = orders.map((order) => {
      const { record, positionId, room, promised, at, ...rest } = order;
      const { asset, inputs, reason, expectedUplift } = record;
      return {
        ...rest,
        id: newId('move', at),
        positionId,
        asset,
        fromVaultId: record.fromVaultId ?? inputs.idle.vaultId,
        toVaultId: record.toVaultId,
        reason,
        urgent: LEAVING.has(reason),
        // What was received stands in cash already.
        status: positionId === null ? 'requested' : 'arriving',
        amount: inputs.amount,
        expectedCost: expectedUplift.cost,
        promised: promised?.toString() ?? null,
        horizonHours: expectedUplift.horizonDays * 24,
        room: room?.toString() ?? null,
        requestedAt: at,
        expiresAt: addHours(at, hours),
      };
    });
    const json = JSON.stringify(rows);
    await this.store.query(queries.INSERT_ORDERS, [json]);
    await this.store.query(queries.INSERT_POSITIONS, [json]);
  }

  /**
   * Orders of a market that are under way, locked until commit; those that nobody took up in time have lapsed before, and those of which all was withdrawn have
   * ended.
   */
  async open(marketId: string, now: Date): Promise<MoveOrder[]> {
    const rows = await this.store.query(queries.LOCK_OPEN, [marketId]);
    const open: MoveOrder[] = [];
    for (const { held, ...row } of rows) {
      const order = toOrder(row);
      if (!held) await this.fail(order, 'empty', 'All of it was withdrawn.', now);
      else if (order.takenAt === null && order.expiresAt <= now)
        await this.fail(order, 'lapsed', 'Nobody took it up in time.', now);
      else open.push(order);
    }
    return open;
  }

  /** Ends an order that is locked: what is on the way by it is cash where it stands, and what it has not moved stays where it is. */
  async fail(order: MoveOrder, failure: OrderFailure, note: string | null, at: Date): Promise<void> {
    const { id, decisionId, marketId, status } = order;
    if (status === 'arriving') await this.arrive({ marketId, transitId: decisionId });
    await this.store.query(queries.END, [id, 'failed', at, failure, note, null, null]);
    const failed = { moveId: id, decisionId, failure, status, note };
    this.store.onceKept(() => this.onFailed(failed));
  }

  /** What is on the way by a decision is cash where it stands. */
  private async arrive(transit: { marketId: string; transitId: string }): Promise<void> {
    while ((await this.positions.release(transit)).positions === RELEASED_AT_ONCE);
  }
}
