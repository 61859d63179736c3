import { Injectable } from '@nestjs/common';
import { PositionStore, type ChangedPosition } from '../../books/positions/position.store.js';
import type { PositionRecord } from '../../books/positions/quotes.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import { DecisionLog, type NewDecision } from '../allocation/decision-log.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { SettlementService } from '../settlements/settlement.service.js';

/** Position that a deposit opens, with its decision. `waits`: an executor has to report that its vault has the funds. */
export interface OpenedPosition {
  waits: boolean;
  decision: NewDecision & { positionId: string };
  change: ChangedPosition;
  shown: PositionRecord;
}

/** Stores a deposit's transfer, decisions, positions, orders and events in one round trip. */
@Injectable()
export class DepositBooking {
  constructor(
    private readonly positions: PositionStore,
    private readonly decisions: DecisionLog,
    private readonly orders: MoveOrderService,
    private readonly settlements: SettlementService,
    private readonly events: EventService,
  ) {}

  /** @param transfer null: nothing was transferred @throws DomainError `settlement_already_recorded` */
  async book(
    opened: readonly OpenedPosition[],
    transfer: Parameters<SettlementService['record']>[0] | null,
    { partnerId, at }: { partnerId: string; at: Date },
  ): Promise<void> {
    const orders = opened
      .filter(({ waits }) => waits)
      .map(({ decision }) => ({ decision, batchId: null, room: null }));
    const placed = await this.decisions.withMarkets(opened.map(({ decision }) => decision));
    await pipelined([
      ...(transfer === null ? [] : [this.settlements.record(transfer)]),
      this.decisions.insert(placed),
      this.positions.save(
        opened.map(({ change }) => change),
        null,
        at,
      ),
      ...(orders.length > 0 ? [this.orders.add(orders)] : []),
      this.events.raise(
        opened.flatMap(({ shown, decision }) => {
          const event = { partnerId, data: { ...shown, decision_id: decision.id }, at };
          return [
            { type: 'position.opened' as const, ...event },
            ...(shown.status === 'active' ? [{ type: 'position.active' as const, ...event }] : []),
          ];
        }),
      ),
    ]);
  }
}
