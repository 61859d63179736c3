import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { Store } from '../../kernel/store/store.js';
import { type MoveOrder, StoredOrder, stepOf, toOrder } from '../allocation/move-order.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { MoveCheckService } from '../move-checks/move-check.service.js';
import { Reservations } from '../withdrawals/reservations.js';
import { OrderBooking } from './order-booking.js';
import { OrderSteps } from './order-steps.service.js';
import { OrderTarget } from './order-target.service.js';
import {
  areReported,
  isRepeated,
  matchingOrFirst,
  requireExecutor,
  requireOpen,
  type StepReport,
} from './report-checks.js';
import { divideReport, transactionsOf } from './transactions.js';

/** Stands for any key that is not the server's. */
const ANY_KEY = '';

/** Order by id; with a partner, only when it is the partner's. */
export interface WhichOrder {
  id: string;
  partnerId: string | null;
  /** Whether all orders of its batch are meant. */
  batch?: boolean | undefined;
}

/**
 * Reports on moves by the executor. Each report is one transaction: it locks the order, then its positions, and books the first part of the reported
 * amount; `proceed` books the others. Repeating a report changes nothing.
 */
@Injectable()
export class MoveReportService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly booking: OrderBooking,
    private readonly steps: OrderSteps,
    private readonly target: OrderTarget,
    private readonly orders: MoveOrderService,
    private readonly reservations: Reservations,
    private readonly checks: MoveCheckService,
  ) {}

  /**
   * Takes an order, which then no longer expires. If its target no longer takes the funds, the order fails instead.
   * @param keyId of the executor; null: the server
   * @param at time, by the market's clock; default: its now
   * @returns whether all of them were taken
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported` (already taken), `report_unresolved`, `service_unavailable` (clock error)
   */
  take(which: WhichOrder, keyId: string | null, at?: Date): Promise<boolean> {
    return this.withOrders(which, keyId, async (orders) => {
      const [{ marketId }] = orders as [MoveOrder];
      const view = await this.market.look(marketId, at);
      let together = 0n;
      let areTaken = true;
      for (const order of matchingOrFirst(
        orders,
        ({ endedAt, takenAt }) => endedAt === null && takenAt === null,
      )) {
        requireOpen(order);
        if (order.takenAt !== null)
          throw new DomainError(
            'move_already_reported',
            `The move was taken at ${order.takenAt.toISOString()}. Leave it to that executor, or report that it failed.`,
          );
        if (keyId !== null) await this.checks.requireResolved(keyId, null);
        if (await this.target.takes(view, order, together + order.amount)) {
          together += order.amount;
          const status = order.status === 'requested' ? 'redeeming' : order.status;
          const taken = { takenAt: view.now, takenBy: keyId, status };
          await this.store.repository(StoredOrder).update({ id: order.id }, taken);
        } else {
          areTaken = false;
          await this.target.refuse(order, view.now);
        }
      }
      return areTaken;
    });
  }

  /**
   * Reports that the funds left their vault: they are cash of the reported amount. Those of an order to cash have arrived. If the target no longer
   * takes them, they stay cash and the order fails: the executor reads the status before it moves the funds on.
   * @returns number of positions that the first part moved
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `report_unresolved`, `amount_out_of_bounds`, `service_unavailable`
   * (clock error)
   */
  redeemed(which: WhichOrder, given: StepReport): Promise<number> {
    const isOf = ({ status }: MoveOrder): boolean => status === 'requested' || status === 'redeeming';
    return this.report(which, 'redeemed', given, isOf, (order, report) => this.redeem(order, report));
  }

  private async redeem(order: MoveOrder, report: StepReport): Promise<number> {
    if (isRepeated(order.redeemed, report, 'redemption')) return 0;
    requireOpen(order);
    if (order.fromVaultId === idleVaultId(order.asset) || order.status === 'arriving')
      throw new DomainError(
        'move_not_open',
        'The funds of this move are in cash already: there is nothing to redeem. Report that they are settled.',
      );
    await this.requireResolved(order, report);
    return this.steps.book(order, report);
  }

  /**
   * Reports that the funds are in their new vault, with the given amount: a fact that is accepted whatever the vault's limits are now.
   * @returns number of positions that the first part moved
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `report_unresolved`, `vault_refused` (removed from the catalogue),
   * `amount_out_of_bounds`, `service_unavailable` (clock error)
   */
  settled(which: WhichOrder, given: StepReport): Promise<number> {
    const isOf = (order: MoveOrder): boolean => order.endedAt === null && stepOf(order).name === 'settled';
    return this.report(which, 'settled', given, isOf, (order, report) => this.arrive(order, report));
  }

  private report(
    which: WhichOrder,
    step: 'redeemed' | 'settled',
    given: StepReport,
    applies: (order: MoveOrder) => boolean,
    book: (order: MoveOrder, report: StepReport) => Promise<number>,
  ): Promise<number> {
    const report = inLowerCase(given);
    return this.withOrders(which, report.keyId, async (orders) => {
      if (areReported(orders, step, report)) return 0;
      const divided = await this.booking.divideAmount(matchingOrFirst(orders, applies), report);
      const reports = divideReport(
        report,
        divided.map(([, amount]) => amount),
      );
      let moved = 0;
      for (const [index, [order]] of divided.entries()) moved += await book(order, reports[index]!);
      return moved;
    });
  }

  /**
   * Reports that a received deposit is in its chosen vault, whose limits and the partner's policy are checked again.
   * @param given without amount: exactly the position's value
   * @throws DomainError `not_found` (position), `move_not_open`, `move_already_reported`, `report_unresolved`, `vault_refused`,
   * `amount_out_of_bounds`, `service_unavailable` (clock error)
   */
  async allocated(positionId: string, partnerId: string | null, given: StepReport): Promise<void> {
    if (!isId('position', positionId)) throw notFound('position');
    this.clock.requireRight();
    await this.store.transaction(async () => {
      await this.orders.requirePosition(positionId, partnerId);
      const row = await this.store.repository(StoredOrder).findOne({
        where: { positionId },
        order: { requestedAt: 'DESC', id: 'DESC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (!row)
        throw new DomainError(
          'move_not_open',
          'This position awaits no report: its deposit was not marked as received only, or no vault accepted it. Its moves are at /moves.',
        );
      const [order] = await this.orders.withChecks([toOrder(row)]);
      await this.arrive(order!, inLowerCase(given), true);
    });
  }

  /**
   * Reports that the order will not settle: funds that left their vault are cash, the rest stays in place, and all of it is routed again.
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `service_unavailable` (clock error)
   */
  failed(which: WhichOrder, note: string): Promise<void> {
    return this.withOrders(which, ANY_KEY, async (orders) => {
      const open = matchingOrFirst(orders, ({ endedAt }) => endedAt === null);
      const isKnown = orders.some((order) => order.failure === 'reported' && order.note === note);
      if (isKnown && open.every(({ endedAt }) => endedAt !== null)) return;
      for (const order of open) {
        if (order.failure === 'reported')
          throw new DomainError(
            'move_already_reported',
            'The move was already reported as failed, with another note. Nothing was changed.',
          );
        requireOpen(order);
        await this.orders.fail(order, 'reported', note, await this.market.now(order.marketId));
      }
    });
  }

  private async withOrders<T>(
    { id, partnerId, batch = false }: WhichOrder,
    keyId: string | null,
    work: (orders: readonly MoveOrder[]) => Promise<T>,
  ): Promise<T> {
    if (!isId('move', id)) throw notFound('move');
    this.clock.requireRight();
    return this.store.transaction(async () => {
      const orders = this.store.repository(StoredOrder);
      const where = { id, ...(partnerId !== null && { partnerId }) };
      const order = batch ? await orders.findOneBy(where) : null;
      const read = async (): Promise<MoveOrder[]> => {
        const rows = await orders.find({
          where: order?.batchId ? { batchId: order.batchId } : where,
          order: { id: 'ASC' },
          lock: { mode: 'pessimistic_write' },
        });
        return this.orders.withChecks(rows.map(toOrder));
      };
      const locked = await read();
      if (locked.length === 0) throw notFound('move');
      if (keyId === null) return work(locked);
      locked.forEach(requireExecutor);
      const isChanged = await this.reservations.release(locked);
      await this.orders.lockPositions(locked);
      return work(isChanged ? await read() : locked);
    });
  }

  /** @param checksLimits whether the vault's limits are checked */
  private async arrive(order: MoveOrder, report: StepReport, checksLimits = false): Promise<number> {
    const { settled } = order;
    const amount = report.amount ?? settled?.amount ?? 0n;
    if (isRepeated(settled, { ...report, amount }, 'arrival')) return 0;
    requireOpen(order);
    if (stepOf(order).name !== 'settled')
      throw new DomainError(
        'move_not_open',
        `The move is ${order.status}: report it as redeemed before you report it as settled.`,
      );
    await this.requireResolved(order, report);
    const view = await this.market.look(order.marketId, report.at);
    const isRefused = checksLimits && !(await this.target.takes(view, order, report.amount ?? order.amount));
    if (!view.vaults.has(order.toVaultId) || isRefused)
      throw new DomainError(
        'vault_refused',
        `${order.toVaultId} no longer accepts these funds: its limits or the partner's policy forbid it. Nothing was changed: return them to cash and report at /moves that ${order.id} failed; the next hour decides again.`,
      );
    return this.steps.book(order, report);
  }

  private async requireResolved({ id: orderId }: MoveOrder, report: StepReport): Promise<void> {
    if (report.keyId === null) return;
    const txHashes = transactionsOf({ ...report, amount: report.amount ?? 0n }).map(({ txHash }) => txHash);
    await this.checks.requireResolved(report.keyId, { txHashes, orderId });
  }
}

const inLowerCase = (report: StepReport): StepReport => ({
  ...report,
  txHash: report.txHash === null ? null : report.txHash.toLowerCase(),
  transactions: report.transactions?.map(({ txHash, amount }) => ({ txHash: txHash.toLowerCase(), amount })),
});
