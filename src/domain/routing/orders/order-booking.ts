import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { hourOf } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { gainParts } from '../../books/positions/cost-parts.js';
import { Accruals, type Posted } from '../../books/positions/accruals.js';
import { CampaignTimes, type PointTime } from '../../books/positions/points.js';
import type { Entry, Position, Quote } from '../../books/positions/position.js';
import { gain, move, topUp } from '../../books/positions/steps.js';
import { rowsText } from '../../kernel/store/column.js';
import { LOCK_ORDERED } from '../../books/positions/position.queries.js';
import { type ChangedPosition, PositionStore } from '../../books/positions/position.store.js';
import { baselinesOf, momentOf, shownVault } from '../../books/positions/quotes.js';
import { Store } from '../../kernel/store/store.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import { movedEvent } from '../allocation/move-batch.js';
import { type Arrival, arrivalOf, ReportBounds } from './report-bounds.js';
import { type MoveOrder, type Report, StoredOrder } from '../allocation/move-order.js';
import * as queries from '../allocation/move-order.queries.js';
import { MoveOrderService } from '../allocation/move-order.service.js';

/** Report by an executor's key. */
export interface KeyedReport extends Report {
  keyId: string;
}

/** Moved position, the amount that arrived, and its total cost of the order. Micro-units. */
interface Moved {
  change: ChangedPosition;
  amount: bigint;
  cost: bigint;
}

export type Booked = Awaited<ReturnType<OrderBooking['book']>>;

/**
 * Position with what arrived beyond its value: yield of its new vault or, of a received deposit, principal.
 * @param time point time of the deposit's campaign; null: it is yield
 */
export function withGain(
  position: Position,
  amount: bigint,
  {
    view,
    time,
    ...booking
  }: { view: MarketView; at: Date; vault: Quote; decisionId: string; time: PointTime | null },
  { revenue, termsOf }: Pick<Posted, 'revenue' | 'termsOf'>,
): { position: Position; entry: Entry } {
  const { at, vault, decisionId } = booking;
  if (time !== null)
    return topUp(
      position,
      amount,
      { at, vault, baselines: baselinesOf(view, position, at), time },
      decisionId,
    );
  const terms = termsOf(position);
  const gained = gain(position, amount, booking, terms);
  return { ...gained, entry: revenue.accrual(gained.position, gained.entry, terms) };
}

/** What arrived, without a gain that waits for review. */
export const bookedAmount = ({ expected, cost, gain }: Booked): bigint => expected - cost + gain;

/** Books reports of orders: all positions of an order at once, in the report's transaction. */
@Injectable()
export class OrderBooking {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly events: EventService,
    private readonly orders: MoveOrderService,
    private readonly bounds: ReportBounds,
    private readonly times: CampaignTimes,
  ) {}

  /**
   * @param step destination, and whether the funds are in transit from there
   * @param report amount in micro-units, null for exactly the expected one, and the key of the executor
   * @throws DomainError `amount_out_of_bounds`, `move_not_open` when no position is left
   */
  async book(
    order: MoveOrder,
    { toVaultId, goesOn }: { toVaultId: string; goesOn: boolean },
    { amount, keyId }: { amount: bigint | null; keyId: string },
  ) {
    const { asset, decisionId } = order;
    const locked = await this.lock(order);
    const { positions, partOf } = locked;
    const [first] = positions;
    if (!first)
      throw new DomainError(
        'move_not_open',
        'All of the funds of this move were withdrawn: none is left that could have arrived.',
      );
    // Read after the locks: an index older than a position's last entry would take yield back.
    const view = await this.market.lookToBook(order.marketId);
    const at = locked.after(view.now);
    const moment = momentOf(view, at);
    const [from, to] = [moment.quoteAt(first.vaultId, at), moment.quoteAt(toVaultId, at)];
    const settled = await this.accruals.post(locked, moment);
    const { posted, revenue } = settled;
    const values = posted.map(({ position }) => valueOf(position.shares, from.index));
    const arrival = arrivalOf(amount, values, this.settings.constants.routing, asset);
    const worth = {
      values: new Map(positions.map(({ id }, index) => [id, values[index]!])),
      isRedeemed: first.vaultId !== idleVaultId(asset),
    };
    const boundValue = await this.bounds.admit(order, arrival, worth, keyId, at);
    const toIdle = toVaultId === idleVaultId(asset);
    const received = order.positionId !== null && arrival.gain > 0n;
    const time = received ? await this.times.at(first.campaignId, at) : null;
    const changes = posted.map(({ position: accrued, entries }, index): ChangedPosition => {
      const before = positions[index]!;
      const transit = { at, from, to, toIdle, late: goesOn, cost: arrival.costs[index]!, decisionId };
      const step = move(accrued, transit);
      // Worth less than a micro-unit: it stays where it is, and its transit ends.
      if (!step.entry) return { before, after: { ...accrued, transitId: null }, entries };
      const rebalance = revenue.move(step.position, step.entry);
      const more = arrival.gains[index]!;
      if (more === 0n) return { before, after: step.position, entries: [...entries, rebalance] };
      const gained = withGain(step.position, more, { view, at, vault: to, decisionId, time }, settled);
      return { before, after: gained.position, entries: [...entries, rebalance, gained.entry] };
    });
    await this.positions.save(changes, settled, at);
    await this.keepGain(order, positions, arrival, at);
    const moved = changes.flatMap((change, index): Moved[] => {
      if (change.before!.vaultId === change.after.vaultId) return [];
      const cost = arrival.costs[index]!;
      const amount = values[index]! - cost + arrival.gains[index]!;
      return [{ change, amount, cost: partOf(positions[index]!) + cost }];
    });
    return { ...arrival, boundValue, view, at, moved };
  }

  /** Parts of an amount that one transaction moved, by the values of the orders' funds, exact by largest remainder. Micro-units. */
  async shared(
    orders: readonly MoveOrder[],
    { amount, keyId }: KeyedReport,
  ): Promise<(readonly [MoveOrder, bigint])[]> {
    const [first, ...others] = orders as [MoveOrder, ...MoveOrder[]];
    if (others.length === 0) return [[first, amount]];
    // Each order is booked by itself: what they share is locked here, in the order of any booking. Their positions are, so that no value changes.
    const { marketId, asset, fromVaultId, toVaultId } = first;
    await this.store.query(queries.LOCK_DEVIATIONS, [keyId, asset]);
    await this.store.query(queries.LOCK_BOOKS, [
      orders.map(({ partnerId }) => partnerId),
      marketId,
      [fromVaultId, toVaultId, idleVaultId(asset)],
    ]);
    const worth = new Map((await this.orders.ofBatch(first.id)).map((order) => [order.id, order.amount]));
    const values = orders.map(({ id }) => worth.get(id) ?? 0n);
    return gainParts(amount, values).map((part, index) => [orders[index]!, part] as const);
  }

  private async keepGain(
    { id }: MoveOrder,
    positions: readonly Position[],
    { waiting, waits }: Arrival,
    at: Date,
  ): Promise<void> {
    if (waits === 0n) return;
    const parts = positions.map(({ id: positionId }, index) => ({
      id: positionId,
      waiting: waiting[index]!,
    }));
    await this.store.query(queries.STORE_GAIN, [id, at, waits.toString(), rowsText(parts)]);
  }

  /** Stores each position's cost of the first report, which the event of the second one includes. */
  async keepPaid({ id }: MoveOrder, { moved }: Booked): Promise<void> {
    const paid = moved.filter(({ cost }) => cost > 0n);
    if (paid.length === 0) return;
    const rows = paid.map(({ change, cost }) => ({ id: change.after.id, cost: cost.toString() }));
    await this.store.query(queries.SET_PAID, [id, JSON.stringify(rows)]);
  }

  async keepStep(
    { id, takenAt, takenBy, cost, gain }: MoveOrder,
    booked: Booked,
    keyId: string,
    step: Partial<StoredOrder>,
  ): Promise<void> {
    const sums = { cost: `${cost + booked.cost}`, gain: `${gain + booked.gain}` };
    await this.store
      .repository(StoredOrder)
      .update({ id }, { ...step, ...sums, takenAt: takenAt ?? booked.at, takenBy: takenBy ?? keyId });
  }

  async settle(order: MoveOrder, booked: Booked): Promise<void> {
    const { id, positionId } = order;
    const { at, moved } = booked;
    const amount = bookedAmount(booked).toString();
    await this.store.query(queries.END, [id, 'settled', at, null, null, moved.length, amount]);
    // A deposit has no promised gain over another vault.
    if (positionId === null)
      await this.store.query(queries.KEEP_OUTCOME, [id, hourOf(at), order.amount.toString()]);
    await this.notify(order, booked);
  }

  /** Raises `position.rebalanced` for each position that arrived, or `position.active` when it was pending. */
  private async notify({ decisionId }: MoveOrder, { moved, view, at }: Booked): Promise<void> {
    await this.events.raise(
      moved.map(({ change, amount, cost }) =>
        movedEvent(change, shownVault(view, change.after.vaultId, at), at, { decisionId, amount, cost }),
      ),
    );
  }

  /** Locks the order's positions at their expected place; for an arrival, those in transit in cash. */
  private lock({ id, status, decisionId, fromVaultId, asset }: MoveOrder) {
    return status === 'arriving'
      ? this.positions.lock(LOCK_ORDERED, [id, idleVaultId(asset), decisionId])
      : this.positions.lock(LOCK_ORDERED, [id, fromVaultId, null]);
  }
}
