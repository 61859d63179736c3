import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { newId, isId } from '../../kernel/identifier.js';
import { PositionStore } from '../../books/positions/position.store.js';
import { LEAVING } from './decision.js';
import type { NewDecision } from './decision-log.js';
import { promiseOf } from './estimate.js';
import { OperatorLog } from '../../kernel/operator-log.js';
import { Store } from '../../kernel/store/store.js';
import { addHours, hourOf } from '../../kernel/clock.js';
import { toUnits } from '../../kernel/money.js';
import {
  arrivalHourOf,
  costsWithout,
  type MoveBooking,
  exitCostOf,
  type MoveOrder,
  type OrderCosts,
  type Outcomes,
  type OrderFailure,
  type OrderStatus,
  type ReportedStep,
  StoredOrder,
  stepOf,
  toOrder,
  ORDER_STATUSES,
  type ReviewStatus,
} from './move-order.js';
import * as queries from './move-order.queries.js';
import { FIND_WAKING, RECORD_OUTCOMES } from './outcome.queries.js';
import type { CheckedStep } from '../move-checks/move-check.js';
import { MoveCheckService, reportKey } from '../move-checks/move-check.service.js';
import { notFound } from '../../kernel/domain-error.js';
import { BASE_MARKET, MarketService } from '../../markets/hours/market.service.js';
import { vaultsAt } from '../../books/positions/quotes.js';
import { type Page, type PageKey, type PageRequest, toPage } from '../../kernel/store/page.js';

/** Order to execute a decision. */
interface NewOrder {
  decision: NewDecision;
  batchId: string | null;
  /** Shares of the positions that move; null: all of them. */
  room: bigint | null;
  /** Whether the server executes it; default: an executor does. */
  byServer?: boolean;
}

/** What arrived of an order. `positions`: null where it is not counted; `value`: micro-units before the last cost, null: as booked. */
interface Arrival {
  positions: number | null;
  amount: bigint;
  value: bigint | null;
}

export interface OrderFilter {
  partnerId: string | null;
  status?: OrderStatus;
  /** Only orders with a gain in this status of its review. */
  review?: ReviewStatus;
  /** Only orders of the deposit that opened this position. */
  positionId?: string;
}

/** Positions that one transaction moves, so that their locks are held for tens of milliseconds. */
export const PART = 500;

export const arrivalIn = ({ positions, arrived }: MoveBooking): Arrival => ({
  positions,
  amount: BigInt(arrived),
  value: null,
});

/** Orders: stores them, ends them, and reads them with the current value of their funds. */
@Injectable()
export class MoveOrderService {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly positions: PositionStore,
    private readonly market: MarketService,
    private readonly operatorLog: OperatorLog,
    private readonly checks: MoveCheckService,
  ) {}

  /** Stores orders and their positions, in the transaction that stores the decisions. */
  async add(orders: readonly NewOrder[]): Promise<void> {
    const { orderExpiresHours } = this.settings.constants.routing;
    const rows = orders.map(({ decision, batchId, room, byServer }) => {
      const { id: decisionId, marketId, partnerId, positionId, positions, record, at } = decision;
      const { asset, fromVaultId, toVaultId, inputs, reason, expectedUplift } = record;
      // Received funds are in cash already, and their deposit has no promised gain over another vault.
      const isReceived = positionId !== null;
      const promised = isReceived ? null : promiseOf(record);
      return {
        id: newId('move', at),
        decisionId,
        marketId,
        partnerId,
        positionId,
        positions,
        batchId,
        asset,
        reason,
        fromVaultId: fromVaultId ?? inputs.idle.vaultId,
        toVaultId: toVaultId!,
        urgent: LEAVING.has(reason),
        status: isReceived ? ('arriving' as const) : ('requested' as const),
        amount: inputs.amount,
        expectedCost: isReceived ? this.entryCostOf(toVaultId!) : expectedUplift.cost,
        ...(byServer && { exitCost: exitCostOf(record), arrivesHour: arrivalHourOf(record) }),
        promised: promised?.toString() ?? null,
        horizonHours: expectedUplift.horizonDays * 24,
        room: room?.toString() ?? null,
        requestedAt: at,
        expiresAt: addHours(at, orderExpiresHours),
      };
    });
    await this.store.repository(StoredOrder).insert(rows);
    await this.store.query(queries.INSERT_POSITIONS, [JSON.stringify(rows)]);
  }

  /** A deposit's decision has no cost: its own transfer brings it into the vault. One that was only received has still to enter it. */
  private entryCostOf(vaultId: string): string {
    return `${this.settings.vaults.find(({ id }) => id === vaultId)?.entryCost ?? 0n}`;
  }

  /** Open orders of a market, locked until commit. Orders that were not taken in time, and those that were fully withdrawn, are ended first. */
  async lockOpenOrders(marketId: string, now: Date): Promise<MoveOrder[]> {
    const rows = await this.store.query(queries.LOCK_OPEN, [marketId]);
    const open: MoveOrder[] = [];
    const orders = rows.map(({ held: isInPlace, ...row }) => ({ isInPlace, order: toOrder(row) }));
    const isLapsed = ({ takenAt, expiresAt }: MoveOrder): boolean => takenAt === null && expiresAt <= now;
    await this.lockPositions(
      orders.flatMap(({ isInPlace, order }) => (!isInPlace || isLapsed(order) ? order : [])),
    );
    for (const { isInPlace, order } of orders) {
      if (!isInPlace) await this.fail(order, 'empty', 'All of its funds were withdrawn.', now);
      else if (isLapsed(order)) await this.fail(order, 'lapsed', 'No executor took the order in time.', now);
      else open.push(order);
    }
    return open;
  }

  /** Ids of a market's orders that are due, in the order of their execution. */
  async findDue(marketId: string): Promise<string[]> {
    return (await this.store.query(queries.FIND_DUE, [marketId])).map(({ id }) => id);
  }

  /** Ids of a market's orders between two parts of a step. */
  async findInterrupted(marketId: string): Promise<string[]> {
    return (await this.store.query(queries.FIND_INTERRUPTED, [marketId])).map(({ id }) => id);
  }

  /** Hour of the next work on orders of a market; null: none. */
  async wakesAt(marketId: string): Promise<Date | null> {
    return (await this.store.query(FIND_WAKING, [marketId]))[0]?.wakesAt ?? null;
  }

  /** Order, locked until commit; null: there is none. */
  async lockOrder(id: string): Promise<MoveOrder | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    const row = await this.store.repository(StoredOrder).findOne({ where: { id }, lock });
    return row && toOrder(row);
  }

  /** Locks the positions of orders until commit, if there are several orders, or one that is booked in parts. */
  async lockPositions(orders: readonly MoveOrder[]): Promise<void> {
    if (orders.length > 1 || orders.some(({ positions }) => positions > PART))
      await this.store.query(queries.LOCK_POSITIONS, [orders.map(({ id }) => id)]);
  }

  /**
   * Ends a locked order: its funds in transit become cash, and what it has not moved stays in place. If a part of a step is booked, the step ends
   * with that part.
   */
  async fail(order: MoveOrder, failure: OrderFailure, note: string | null, at: Date): Promise<void> {
    const { id, booking, decisionId, marketId, status } = order;
    const interrupted = booking !== null && booking.positions > 0 ? booking : null;
    const costs = costsWithout(BigInt(interrupted?.expected ?? 0n), order);
    if (interrupted !== null && stepOf(order).staysInTransit) return this.depart(order, at, costs);
    if (status === 'arriving') await this.positions.release({ marketId, transitId: decisionId });
    if (interrupted !== null) return this.settle(order, arrivalIn(interrupted), at, costs);
    await this.store.query(queries.FAIL, [id, at, failure, note]);
    const failed = { moveId: id, decisionId, failure, status, note };
    this.store.afterCommit(() => this.operatorLog.warn(failed, 'an order to move funds was not executed'));
  }

  /** Ends a locked order whose funds, or a part of them, are at their target. */
  async settle(
    { id }: MoveOrder,
    { positions, amount, value }: Arrival,
    at: Date,
    { expectedCost, exitCost }: OrderCosts = {},
  ): Promise<void> {
    const costs = [expectedCost ?? null, exitCost ?? null] as const;
    await this.store.query(queries.SETTLE, [id, at, hourOf(at), positions, amount, value, ...costs]);
  }

  /** Ends the redemption of a locked order of the server: its funds are in transit until they arrive, later if they left late. */
  async depart({ id }: MoveOrder, at: Date, { expectedCost, exitCost }: OrderCosts = {}): Promise<void> {
    await this.store.query(queries.DEPART, [id, hourOf(at), expectedCost ?? null, exitCost ?? null]);
  }

  /** Stores the outcomes of moves whose horizon has ended in a market, up to a thousand; the rest follow in the next hour. */
  async recordOutcomes(marketId: string): Promise<Outcomes> {
    const [recorded] = await this.store.query(RECORD_OUTCOMES, [marketId]);
    const { moves, promised, realised } = recorded!;
    return { moves, promised: toUnits(promised), realised: toUnits(realised) };
  }

  /** @throws DomainError `not_found` */
  async get(id: string, partnerId: string | null): Promise<MoveOrder> {
    const [row] = isId('move', id)
      ? await this.store.query(queries.FIND_ORDER, [await this.currentIndexes(partnerId), id, partnerId])
      : [];
    if (!row) throw notFound('move');
    return (await this.withChecks([toOrder(row)]))[0]!;
  }

  /** Newest first. @throws DomainError `not_found` for a position that is unknown or not the partner's */
  async list(
    { partnerId, status, review, positionId }: OrderFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<MoveOrder>> {
    const keyset = [after?.at ?? 'infinity', after?.id ?? '', partnerId, limit + 1] as const;
    const filter = [status ?? null, review ?? null, positionId ?? null] as const;
    const rows = await this.store.query(queries.LIST, [
      await this.currentIndexes(partnerId),
      ...keyset,
      ...filter,
    ]);
    if (positionId !== undefined && rows.length === 0) await this.requirePosition(positionId, partnerId);
    const keyOf = ({ requestedAt, id }: MoveOrder): PageKey => ({ at: requestedAt, id });
    return toPage(await this.withChecks(rows.map(toOrder)), limit, keyOf, rows[0]?.found);
  }

  /** Orders of the batch of an order, by id; the order alone if it has none. @param partnerId whose market it is in; null: the shared one */
  async findBatch(id: string, partnerId: string | null): Promise<MoveOrder[]> {
    const rows = await this.store.query(queries.FIND_OF_BATCH, [await this.currentIndexes(partnerId), id]);
    return this.withChecks(rows.map(toOrder));
  }

  /** Orders with what the chain says about their reports. */
  async withChecks(orders: readonly MoveOrder[]): Promise<MoveOrder[]> {
    const reported = orders.filter(({ redeemed, settled }) => redeemed?.txHash ?? settled?.txHash);
    const checks = await this.checks.find(reported.map(({ id }) => id));
    const checked = (id: string, step: CheckedStep, report: ReportedStep | null): ReportedStep | null =>
      report && { ...report, ...checks.get(reportKey(id, step)) };
    return orders.map((order) => ({
      ...order,
      redeemed: checked(order.id, 'redeemed', order.redeemed),
      settled: checked(order.id, 'settled', order.settled),
    }));
  }

  /** Number of orders by status, and with a gain that waits for review, and time of the oldest that was not taken. */
  async counts() {
    const rows = await this.store.query(queries.COUNT, [BASE_MARKET]);
    const rowByStatus = new Map(rows.map((row) => [row.status, row]));
    const orders = Object.fromEntries(
      ORDER_STATUSES.map((status) => [status, rowByStatus.get(status)?.orders ?? 0]),
    ) as Record<OrderStatus, number>;
    const pendingReview = await this.store
      .repository(StoredOrder)
      .countBy({ reviewStatus: 'pending_review' });
    return {
      orders,
      pendingReview,
      oldestRequestedAt: rowByStatus.get('requested')?.oldest ?? null,
    };
  }

  /** @throws DomainError `not_found` for a position that is unknown or not the partner's */
  async requirePosition(positionId: string, partnerId: string | null): Promise<void> {
    const [position] = isId('position', positionId)
      ? await this.store.query(queries.FIND_POSITION, [positionId, partnerId])
      : [];
    if (!position) throw notFound('position');
  }

  /** Current index of every vault in the market of a partner's orders, as a parameter; null: the shared market. */
  private async currentIndexes(partnerId: string | null): Promise<string> {
    const view = await this.market.look(this.market.marketOf(partnerId));
    const vaults = [...vaultsAt(view, view.now)];
    return JSON.stringify(vaults.map(([vaultId, { state }]) => ({ vaultId, index: state.index.toString() })));
  }
}
