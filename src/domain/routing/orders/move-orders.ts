import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { BASE_MARKET, MarketService } from '../../markets/hours/market.service.js';
import { vaultsAt } from '../../books/positions/quotes.js';
import { type Page, type PageKey, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import {
  type MoveOrder,
  ORDER_STATUSES,
  type OrderStatus,
  type ReviewStatus,
  StoredOrder,
  toOrder,
} from '../allocation/move-order.js';
import * as queries from '../allocation/move-order.queries.js';

export interface OrderFilter {
  partnerId: string | null;
  status?: OrderStatus;
  /** Only orders with a gain in this status of its review. */
  review?: ReviewStatus;
  /** Only orders of the deposit that opened this position. */
  positionId?: string;
}

/** Reads orders, each with the current value of its funds; reports change them. */
@Injectable()
export class MoveOrders {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
  ) {}

  /** @throws DomainError `not_found` */
  async get(id: string, partnerId: string | null): Promise<MoveOrder> {
    const [row] = isId('move', id)
      ? await this.store.query(queries.FIND_ORDER, [await this.indexes(), id, partnerId])
      : [];
    if (!row) throw notFound('move');
    return toOrder(row);
  }

  /** Newest first. @throws DomainError `not_found` for a position that is unknown or not the partner's */
  async list(
    { partnerId, status, review, positionId }: OrderFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<MoveOrder>> {
    const place = [after?.at ?? 'infinity', after?.id ?? '', partnerId, limit + 1] as const;
    const filter = [status ?? null, review ?? null, positionId ?? null] as const;
    const rows = await this.store.query(queries.LIST, [await this.indexes(), ...place, ...filter]);
    if (positionId !== undefined && rows.length === 0) await this.requirePosition(positionId, partnerId);
    const keyOf = ({ requestedAt, id }: MoveOrder): PageKey => ({ at: requestedAt, id });
    return toPage(rows.map(toOrder), limit, keyOf, rows[0]?.found);
  }

  /** Orders of the batch of an order, by id; it alone where it has none. */
  async ofBatch(id: string): Promise<MoveOrder[]> {
    return (await this.store.query(queries.FIND_OF_BATCH, [await this.indexes(), id])).map(toOrder);
  }

  /** Number of orders by status and with a gain that waits for review, and age of the oldest that was not taken. */
  async counts() {
    const rows = await this.store.query(queries.COUNT, []);
    const found = new Map(rows.map((row) => [row.status, row]));
    const orders = Object.fromEntries(
      ORDER_STATUSES.map((status) => [status, found.get(status)?.orders ?? 0]),
    ) as Record<OrderStatus, number>;
    const pendingReview = await this.store
      .repository(StoredOrder)
      .countBy({ reviewStatus: 'pending_review' });
    return {
      orders,
      pendingReview,
      oldestRequestedAt: found.get('requested')?.oldest ?? null,
    };
  }

  /** @throws DomainError `not_found` for a position that is unknown or not the partner's */
  async requirePosition(positionId: string, partnerId: string | null): Promise<void> {
    const [found] = isId('position', positionId)
      ? await this.store.query(queries.FIND_POSITION, [positionId, partnerId])
      : [];
    if (!found) throw notFound('position');
  }

  /** Current index of every vault, as a parameter: orders belong to the market on wall time. */
  private async indexes(): Promise<string> {
    const view = await this.market.look(BASE_MARKET);
    const vaults = [...vaultsAt(view, view.now)];
    return JSON.stringify(vaults.map(([vaultId, { state }]) => ({ vaultId, index: state.index.toString() })));
  }
}
