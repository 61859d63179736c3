import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, hourOf } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { stillTakes } from '../allocation/candidates.js';
import { vaultRules } from '../allocation/routing-constants.js';
import { Store } from '../../kernel/store/store.js';
import {
  type MoveOrder,
  StoredOrder,
  toOrder,
  areReported,
  isRepeated,
  orSome,
  requireOpen,
} from '../allocation/move-order.js';
import { PolicyService } from '../../tenants/policies/policy.service.js';
import { MoveOrderService } from '../allocation/move-order.service.js';
import { bookedAmount, type KeyedReport, OrderBooking } from './order-booking.js';

type KeyedArrival = Omit<KeyedReport, 'amount'> & { amount: bigint | null };

/** Order by id; with a partner, only when it is the partner's. */
export interface WhichOrder {
  id: string;
  partnerId: string | null;
  /** Whether all orders of its batch are meant. */
  batch?: boolean | undefined;
}

/**
 * Reports on moves by the executor. Each report is one transaction: it locks the order, then its positions, and books the reported amount. Repeating
 * a report changes nothing.
 */
@Injectable()
export class MoveReportService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly market: MarketService,
    private readonly booking: OrderBooking,
    private readonly policies: PolicyService,
    private readonly orders: MoveOrderService,
  ) {}

  /**
   * Takes an order, which no longer expires then. When its target cannot take the funds any more, the order fails instead.
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported` (already taken), `service_unavailable` (clock error)
   */
  take(which: WhichOrder, keyId: string): Promise<void> {
    return this.on(which, async (orders) => {
      const [{ marketId }] = orders as [MoveOrder];
      const view = await this.market.look(marketId);
      let together = 0n;
      for (const order of orSome(orders, ({ endedAt, takenAt }) => endedAt === null && takenAt === null)) {
        requireOpen(order);
        if (order.takenAt !== null)
          throw new DomainError(
            'move_already_reported',
            `The move was taken at ${order.takenAt.toISOString()}. Leave it to that executor, or report that it failed.`,
          );
        if (await this.takes(view, order, together + order.amount)) {
          together += order.amount;
          const status = order.status === 'requested' ? 'redeeming' : order.status;
          const taken = { takenAt: view.now, takenBy: keyId, status };
          await this.store.repository(StoredOrder).update({ id: order.id }, taken);
        } else await this.refuse(order, view.now);
      }
    });
  }

  /**
   * Reports that the funds left their vault: they are cash of the reported amount. For an order to cash they have arrived. When the target cannot
   * take them any more they stay cash, and the order fails: the executor reads the status before it moves the funds on.
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `amount_out_of_bounds`, `service_unavailable` (clock error)
   */
  redeemed(which: WhichOrder, given: KeyedReport): Promise<void> {
    const isOf = ({ status }: MoveOrder): boolean => status === 'requested' || status === 'redeeming';
    return this.report(which, 'redeemed', given, isOf, (order, report) => this.redeem(order, report));
  }

  private async redeem(order: MoveOrder, report: KeyedReport): Promise<void> {
    if (isRepeated(order.redeemed, report, 'redemption')) return;
    requireOpen(order);
    const idle = idleVaultId(order.asset);
    if (order.fromVaultId === idle || order.status === 'arriving')
      throw new DomainError(
        'move_not_open',
        'The funds of this move are in cash already: there is nothing to redeem. Report that they are settled.',
      );
    const goesOn = order.toVaultId !== idle;
    const booked = await this.booking.book(order, { toVaultId: idle, goesOn }, report);
    await this.booking.keepStep(order, booked, report.keyId, {
      ...{ status: 'arriving', redeemedTxHash: report.txHash, redeemedAmount: `${report.amount}` },
      ...{ redeemedValue: `${booked.expected}`, redeemedAt: booked.at, redeemedBy: report.keyId },
      boundValue: `${booked.boundValue}`,
    });
    if (!goesOn) return this.booking.settle(order, booked);
    if (!(await this.takes(booked.view, order, bookedAmount(booked))))
      return this.refuse({ ...order, status: 'arriving' }, booked.at);
    await this.booking.keepPaid(order, booked);
  }

  /**
   * Reports that the funds are in their new vault, with the given amount: a fact that is accepted whatever the vault's limits are now.
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `vault_refused` (removed from the catalogue), `amount_out_of_bounds`,
   * `service_unavailable` (clock error)
   */
  settled(which: WhichOrder, given: KeyedReport): Promise<void> {
    const isOf = ({ asset, status, endedAt, fromVaultId }: MoveOrder): boolean =>
      endedAt === null && (status === 'arriving' || fromVaultId === idleVaultId(asset));
    return this.report(which, 'settled', given, isOf, (order, report) => this.arrive(order, report));
  }

  private report(
    which: WhichOrder,
    step: 'redeemed' | 'settled',
    given: KeyedReport,
    isOf: (order: MoveOrder) => boolean,
    book: (order: MoveOrder, report: KeyedReport) => Promise<void>,
  ): Promise<void> {
    const report = inLowerCase(given);
    return this.on(which, async (orders) => {
      if (areReported(orders, step, report)) return;
      for (const [order, amount] of await this.booking.shared(orSome(orders, isOf), report))
        await book(order, { ...report, amount });
    });
  }

  /**
   * Reports that a received deposit is in its chosen vault, whose limits and the partner's policy are checked again.
   * @param given without amount: exactly the position's value
   * @throws DomainError `not_found` (position), `move_not_open`, `move_already_reported`, `vault_refused`, `amount_out_of_bounds`,
   * `service_unavailable` (clock error)
   */
  async allocated(positionId: string, partnerId: string | null, given: KeyedArrival): Promise<void> {
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
          'This position waits for no report: its deposit was not reported as received only, or no vault took it. Moves of it are at /moves.',
        );
      await this.arrive(toOrder(row), inLowerCase(given), true);
    });
  }

  /**
   * Reports that the order will not settle: funds that left their vault are cash, the rest stays in place, and all of it is routed again.
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `service_unavailable` (clock error)
   */
  failed(which: WhichOrder, note: string): Promise<void> {
    return this.on(which, async (orders) => {
      for (const order of orSome(orders, ({ endedAt }) => endedAt === null)) {
        if (order.failure === 'reported') {
          if (order.note === note) continue;
          throw new DomainError(
            'move_already_reported',
            `The move was reported as failed before, with another note. Nothing was changed.`,
          );
        }
        requireOpen(order);
        await this.orders.fail(order, 'reported', note, await this.market.now(order.marketId));
      }
    });
  }

  private async on(
    { id, partnerId, batch = false }: WhichOrder,
    work: (orders: readonly MoveOrder[]) => Promise<void>,
  ): Promise<void> {
    if (!isId('move', id)) throw notFound('move');
    this.clock.requireRight();
    await this.store.transaction(async () => {
      const orders = this.store.repository(StoredOrder);
      const where = { id, ...(partnerId !== null && { partnerId }) };
      const found = batch ? await orders.findOneBy(where) : null;
      const rows = await orders.find({
        where: found?.batchId ? { batchId: found.batchId } : where,
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (rows.length === 0) throw notFound('move');
      const locked = rows.map(toOrder);
      await this.orders.lock(locked);
      await work(locked);
    });
  }

  /** @param asks whether the vault's limits are checked */
  private async arrive(order: MoveOrder, given: KeyedArrival, asks = false): Promise<void> {
    const { settled } = order;
    if (isRepeated(settled, { ...given, amount: given.amount ?? settled?.amount ?? 0n }, 'arrival')) return;
    requireOpen(order);
    if (order.status !== 'arriving' && order.fromVaultId !== idleVaultId(order.asset))
      throw new DomainError(
        'move_not_open',
        `The move is ${order.status}: report what its vault paid out before what arrived in the next one.`,
      );
    const view = await this.market.look(order.marketId);
    const isRefused = asks && !(await this.takes(view, order, given.amount ?? order.amount));
    if (!view.vaults.has(order.toVaultId) || isRefused)
      throw new DomainError(
        'vault_refused',
        `${order.toVaultId} no longer takes these funds, by its limits or the partner's policy. Nothing was changed: return them to cash and report at /moves that ${order.id} failed; the next hour decides again.`,
      );
    const booked = await this.booking.book(order, { toVaultId: order.toVaultId, goesOn: false }, given);
    await this.booking.keepStep(order, booked, given.keyId, {
      ...{ settledTxHash: given.txHash, settledAmount: `${given.amount ?? booked.expected}` },
      ...{ settledValue: `${booked.expected}`, settledAt: booked.at, settledBy: given.keyId },
      ...(order.redeemed === null && { boundValue: `${booked.boundValue}` }),
    });
    await this.booking.settle(order, booked);
  }

  private refuse(order: MoveOrder, at: Date): Promise<void> {
    return this.orders.fail(order, 'refused', `${order.toVaultId} no longer takes the funds.`, at);
  }

  /** Whether the target takes the funds, by its limits and the partner's policy. */
  private async takes(
    view: MarketView,
    { partnerId, toVaultId }: MoveOrder,
    amount: bigint,
  ): Promise<boolean> {
    const policy = await this.policies.inForce(partnerId);
    const target = view.vaults.get(toVaultId);
    return !!target && stillTakes(target, amount, hourOf(view.now), vaultRules(this.settings), policy);
  }
}

const inLowerCase = <T extends { txHash: string }>(report: T): T => ({
  ...report,
  txHash: report.txHash.toLowerCase(),
});
