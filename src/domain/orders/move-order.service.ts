import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../config/idle-vault.js';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { DomainError, notFound } from '../domain-error.js';
import { isId } from '../identifier.js';
import { MarketService, type MarketView } from '../markets/market.service.js';
import { stillTakes } from '../routing/candidates.js';
import { vaultRules } from '../routing/routing-constants.js';
import { Store } from '../store/store.js';
import { hourOf } from '../vaults/hour.js';
import { isSame, type MoveOrder, type Report, type Reported } from '../routing/move-order.js';
import { toOrder } from '../routing/order-row.js';
import * as queries from '../routing/move-order.queries.js';
import type { Policy } from '../policies/policy.js';
import { PolicyService } from '../policies/policy.service.js';
import { OrderBook } from '../routing/order-book.js';
import { type Booked, OrderBooking } from './order-booking.js';

/** Which order, and only where it is of this partner; null: of any. */
export interface WhichOrder {
  id: string;
  partnerId: string | null;
}

/**
 * What is reported of moves by whoever carries them out. Each report is one transaction: it locks the order, then its positions, and takes the amount that was reported
 * into the books. The same report once more changes nothing.
 */
@Injectable()
export class MoveOrderService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly market: MarketService,
    private readonly book: OrderBook,
    private readonly booking: OrderBooking,
    private readonly policies: PolicyService,
  ) {}

  /**
   * Takes up an order: it lapses no more. Where its target takes the funds no more it has failed instead, and nothing is to be done.
   *
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported` (somebody took it up), `service_unavailable` (the clock)
   */
  take(which: WhichOrder): Promise<void> {
    return this.on(which, async (order) => {
      requireOpen(order);
      if (order.takenAt !== null)
        throw new DomainError(
          'move_already_reported',
          `The move was taken up at ${order.takenAt.toISOString()}. Leave it to whoever did, or report that it failed.`,
        );
      const view = await this.market.look(order.marketId);
      if (!(await this.takes(view, order, order.amount))) return this.refuse(order, view.now);
      await this.store.query(queries.TAKE, [order.id, view.now]);
    });
  }

  /**
   * The funds left their vault, and stand in cash with the amount that was reported. Where they are to go no further, they have arrived; where their target takes them no
   * more they are cash, and the order has failed: whoever reports looks at the status before the funds go on.
   *
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `amount_out_of_bounds`, `service_unavailable` (the clock)
   */
  redeemed(which: WhichOrder, given: Report): Promise<void> {
    const report = inLowerCase(given);
    return this.on(which, async (order) => {
      if (isRepeated(order.redeemed, report, 'redemption')) return;
      requireOpen(order);
      const idle = idleVaultId(order.asset);
      if (order.fromVaultId === idle || order.status === 'arriving')
        throw new DomainError(
          'move_not_open',
          'The funds of this move stand in cash already: there is nothing to redeem. Report that they are settled.',
        );
      const goesOn = order.toVaultId !== idle;
      const booked = await this.booking.book(order, { toVaultId: idle, goesOn }, report.amount);
      await this.set(queries.SET_REDEEMED, order, report, booked);
      if (!goesOn) return this.settle(order, booked, report.amount);
      if (!(await this.takes(booked.view, order, report.amount)))
        return this.refuse({ ...order, status: 'arriving' }, booked.at);
      await this.booking.keepPaid(order, booked);
    });
  }

  /**
   * The funds are in their new vault, with the amount that was reported: that they are there is true whatever its limits say now.
   *
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `vault_refused` (the catalogue no longer lists it), `amount_out_of_bounds`,
   *   `service_unavailable` (the clock)
   */
  settled(which: WhichOrder, given: Report): Promise<void> {
    return this.on(which, (order) => this.arrive(order, inLowerCase(given)));
  }

  /**
   * The funds of a deposit that was received are in the vault that was decided. Its limits are asked for again.
   *
   * @param given no amount: exactly what the position is worth
   * @throws DomainError `not_found` (position), `move_not_open`, `move_already_reported`, `vault_refused`, `amount_out_of_bounds`, `service_unavailable` (the clock)
   */
  async allocated(
    positionId: string,
    partnerId: string | null,
    given: { txHash: string; amount: bigint | null },
  ): Promise<void> {
    if (!isId('position', positionId)) throw notFound('position');
    this.clock.requireRight();
    await this.store.transaction(async () => {
      const [found] = await this.store.query(queries.FIND_POSITION, [positionId, partnerId]);
      if (!found) throw notFound('position');
      const [row] = await this.store.query(queries.LOCK_ORDER_OF_POSITION, [positionId]);
      if (!row)
        throw new DomainError(
          'move_not_open',
          'This position waits for no report: its deposit was not reported as received only, or no vault took it. Moves of it are at /moves.',
        );
      await this.arrive(toOrder(row), inLowerCase(given), true);
    });
  }

  /**
   * It will not be settled: what has left its vault is cash, the rest stays where it is, and all of it is judged anew.
   *
   * @throws DomainError `not_found`, `move_not_open`, `move_already_reported`, `service_unavailable` (the clock)
   */
  failed(which: WhichOrder, note: string): Promise<void> {
    return this.on(which, async (order) => {
      if (order.failure === 'reported') {
        if (order.note === note) return;
        throw new DomainError(
          'move_already_reported',
          `The move was reported as failed before, with another note. Nothing was changed.`,
        );
      }
      requireOpen(order);
      await this.book.fail(order, 'reported', note, await this.market.now(order.marketId));
    });
  }

  private async on({ id, partnerId }: WhichOrder, work: (order: MoveOrder) => Promise<void>): Promise<void> {
    if (!isId('move', id)) throw notFound('move');
    this.clock.requireRight();
    await this.store.transaction(async () => {
      const [row] = await this.store.query(queries.LOCK_ORDER, [id, partnerId]);
      if (!row) throw notFound('move');
      await work(toOrder(row));
    });
  }

  /** @param asks whether the limits of the vault have a say */
  private async arrive(
    order: MoveOrder,
    given: { txHash: string; amount: bigint | null },
    asks = false,
  ): Promise<void> {
    const { settled } = order;
    if (isRepeated(settled, { ...given, amount: given.amount ?? settled?.amount ?? 0n }, 'arrival')) return;
    requireOpen(order);
    if (order.status !== 'arriving' && order.fromVaultId !== idleVaultId(order.asset))
      throw new DomainError(
        'move_not_open',
        `The move is ${order.status}: report what its vault paid out before what arrived in the next one.`,
      );
    const view = await this.market.look(order.marketId);
    // The vault's own limits alone: a policy that changed since the order was made moves the funds on in the next hour, and refuses none that are on their chain.
    const isRefused = asks && !this.hasRoom(view, order, given.amount ?? order.amount);
    if (!view.vaults.has(order.toVaultId) || isRefused)
      throw new DomainError(
        'vault_refused',
        `${order.toVaultId} takes these funds no more. Nothing was changed: take them back into cash and report at /moves that ${order.id} failed, and the next hour decides anew.`,
      );
    const booked = await this.booking.book(
      order,
      { toVaultId: order.toVaultId, goesOn: false },
      given.amount,
    );
    const amount = booked.expected - booked.cost + booked.gain;
    await this.set(queries.SET_SETTLED, order, { ...given, amount }, booked);
    await this.settle(order, booked, amount);
  }

  private async settle(order: MoveOrder, booked: Booked, amount: bigint): Promise<void> {
    const { id, positionId } = order;
    const { at, moved } = booked;
    await this.store.query(queries.END, [id, 'settled', at, null, null, moved.length, amount.toString()]);
    // What a deposit brings over another vault, nobody promised.
    if (positionId === null)
      await this.store.query(queries.KEEP_OUTCOME, [id, hourOf(at), order.amount.toString()]);
    await this.booking.tell(order, booked);
  }

  private refuse(order: MoveOrder, at: Date): Promise<void> {
    return this.book.fail(order, 'refused', `${order.toVaultId} takes the funds no more.`, at);
  }

  /** Whether the target takes the funds, by its limits and by the policy of their partner. */
  private async takes(view: MarketView, order: MoveOrder, amount: bigint): Promise<boolean> {
    return this.hasRoom(view, order, amount, await this.policies.inForce(order.partnerId));
  }

  private hasRoom(view: MarketView, { toVaultId }: MoveOrder, amount: bigint, policy?: Policy): boolean {
    const target = view.vaults.get(toVaultId);
    return !!target && stillTakes(target, amount, hourOf(view.now), vaultRules(this.settings), policy);
  }

  private async set(
    statement: typeof queries.SET_REDEEMED,
    { id }: MoveOrder,
    { txHash, amount }: Report,
    { expected, at, cost, gain }: Booked,
  ): Promise<void> {
    const figures = [`${amount}`, `${expected}`, at, `${cost}`, `${gain}`] as const;
    await this.store.query(statement, [id, txHash, ...figures]);
  }
}

const inLowerCase = <T extends { txHash: string }>(report: T): T => ({
  ...report,
  txHash: report.txHash.toLowerCase(),
});

/** @throws DomainError `move_not_open` */
function requireOpen({ status, failure, endedAt, note }: MoveOrder): void {
  if (endedAt === null) return;
  const how = failure === null ? status : `${status} (${failure}${note === null ? '' : `: ${note}`})`;
  throw new DomainError(
    'move_not_open',
    `The move ended at ${endedAt.toISOString()}: ${how}. Nothing was changed.`,
  );
}

/**
 * @returns whether the same was reported before
 * @throws DomainError `move_already_reported` where something else was
 */
function isRepeated(known: Reported | null, report: Report, what: string): boolean {
  if (known === null) return false;
  if (isSame(known, report)) return true;
  throw new DomainError(
    'move_already_reported',
    `The ${what} of this move was reported at ${known.at.toISOString()} with the transfer ${known.txHash}: another one, or another amount. Nothing was changed.`,
  );
}
