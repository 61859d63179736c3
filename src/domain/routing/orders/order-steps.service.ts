import { Injectable } from '@nestjs/common';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { costsWithout, isOfServer, type MoveOrder, StoredOrder } from '../allocation/move-order.js';
import { arrivalIn, MoveOrderService } from '../allocation/move-order.service.js';
import { MoveCheckService } from '../move-checks/move-check.service.js';
import { type BookedPart, OrderBooking } from './order-booking.js';
import { OrderTarget } from './order-target.service.js';
import type { StepReport } from './report-checks.js';
import { transactionsOf } from './transactions.js';

/** Books the steps of orders part by part, and ends a step with its last part. */
@Injectable()
export class OrderSteps {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly booking: OrderBooking,
    private readonly target: OrderTarget,
    private readonly orders: MoveOrderService,
    private readonly checks: MoveCheckService,
  ) {}

  /**
   * Books the first part of a locked order's step.
   * @returns number of moved positions
   * @throws DomainError `amount_out_of_bounds`, `move_not_open` when no position of a reported step is left
   */
  async book(order: MoveOrder, report: StepReport): Promise<number> {
    return this.finish(order, report, await this.booking.book(order, report));
  }

  /**
   * Books the next part of a begun step. A step of the server ends with what is booked when its target no longer accepts the funds.
   * @param at time of the entries, by the market's clock; default: its now
   * @returns number of moved positions; null: no step is begun
   */
  proceed(id: string, at?: Date): Promise<number | null> {
    return this.store.transaction(async () => {
      const order = await this.orders.lockOrder(id);
      if (order === null || order.booking === null) return null;
      if (isOfServer(order)) {
        const view = await this.market.look(order.marketId, at);
        if (!(await this.target.takes(view, order, order.amount))) {
          await this.target.refuse(order, view.now);
          return null;
        }
      }
      return this.finish(order, null, await this.booking.book(order, null, at));
    });
  }

  private async finish(order: MoveOrder, report: StepReport | null, part: BookedPart): Promise<number> {
    await this.storePart(order, report, part);
    const { at, booking, isLast, moved, step, view } = part;
    // Partners get no event while the cash is with an executor.
    if (isOfServer(order) || !step.staysInTransit) await this.booking.notify(order, part);
    else await this.booking.storePaid(order, part);
    if (!isLast) return moved.length;
    if (booking.positions === 0) await this.orders.fail(order, 'empty', 'No funds were left to move.', at);
    else if (!step.staysInTransit) await this.orders.settle(order, arrivalIn(booking), at);
    else if (isOfServer(order)) await this.orders.depart(order, at);
    else {
      const inTransit = { ...order, booking: null, status: 'arriving' as const };
      if (!(await this.target.takes(view, inTransit, BigInt(booking.arrived))))
        await this.target.refuse(inTransit, at);
    }
    return moved.length;
  }

  /** Stores what a part changes in its order. */
  private async storePart(order: MoveOrder, report: StepReport | null, part: BookedPart): Promise<void> {
    const { id, cost, gain, takenAt, takenBy } = order;
    const { arrival, at, booking, isLast, step } = part;
    const before = order[step.name];
    const first = before?.at ?? at;
    const figures: Record<string, unknown> = arrival
      ? {
          TxHash: report!.txHash,
          Amount: `${report!.amount ?? arrival.expected}`,
          Value: `${arrival.expected}`,
          At: at,
          By: report!.keyId,
        }
      : {
          ...(isOfServer(order) &&
            booking.positions > 0 && {
              Amount: booking.arrived,
              Value: `${order.amount - BigInt(booking.amount)}`,
              At: first,
            }),
          ...(at > first && { Until: at }),
          ...(!isOfServer(order) && isLast && BigInt(booking.amount) > 0n && { Withdrawn: booking.amount }),
        };
    const named = Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [`${step.name}${name}`, value]),
    ) as Partial<StoredOrder>;
    await this.store.repository(StoredOrder).update(
      { id },
      {
        ...named,
        ...(arrival && step.name === 'redeemed' && { boundValue: `${arrival.boundValue}` }),
        ...(isLast
          ? step.staysInTransit && { status: 'arriving' as const }
          : !step.transitId && { status: 'redeeming' as const }),
        // A last part without funds divides nothing.
        ...costsWithout(isLast ? BigInt(booking.expected ?? 0n) : 0n, order),
        cost: `${cost + part.cost}`,
        gain: `${gain + part.gain}`,
        takenAt: takenAt ?? at,
        takenBy: takenBy ?? report?.keyId ?? null,
        booking: isLast ? null : booking,
      },
    );
    if (arrival && report!.txHash !== null) await this.check(order, report!, part);
  }

  /** Has the chain asked about a report, once its transactions are final. */
  private async check(
    { id, partnerId, asset, fromVaultId, toVaultId }: MoveOrder,
    report: StepReport,
    { step, arrival, at }: BookedPart,
  ): Promise<void> {
    await this.checks.record({
      ...{ orderId: id, partnerId, asset, keyId: report.keyId!, recordedAt: at },
      ...{ step: step.name, vaultId: step.name === 'redeemed' ? fromVaultId : toVaultId },
      transactions: transactionsOf({ ...report, amount: report.amount ?? arrival!.expected }),
    });
  }
}
