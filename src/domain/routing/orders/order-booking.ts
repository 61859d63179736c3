import { sum } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Accruals } from '../../books/positions/accruals.js';
import { gainParts } from '../../books/positions/cost-parts.js';
import { CampaignTimes } from '../../books/positions/points.js';
import type { Position } from '../../books/positions/position.js';
import { LOCK_ORDERED } from '../../books/positions/position.queries.js';
import {
  type ChangedPosition,
  type LockedPositions,
  PositionStore,
} from '../../books/positions/position.store.js';
import { momentOf, shownVault } from '../../books/positions/quotes.js';
import { move } from '../../books/positions/steps.js';
import { DomainError } from '../../kernel/domain-error.js';
import { rowsText } from '../../kernel/store/column.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import { type MoveBooking, isOfServer, type MoveOrder, type Step, stepOf } from '../allocation/move-order.js';
import * as queries from '../allocation/move-order.queries.js';
import { MoveOrderService, PART } from '../allocation/move-order.service.js';
import { type Arrival, arrivalOf, ReportBounds } from './report-bounds.js';
import type { StepReport } from './report-checks.js';
import { LOCK_DEVIATIONS, STORE_GAIN } from './report.queries.js';
import { bookingAfter, initialBooking, movedEvent, divideStep, withGain } from './step-part.js';

/** Moved position, the amount that arrived, and its total cost of the order. Micro-units. */
interface MovedPosition {
  change: ChangedPosition;
  amount: bigint;
  cost: bigint;
}

/** Arrival that an executor reported, and the value that bounds its deviations. */
type ReportedArrival = Arrival & { boundValue: bigint };

/** Booked part of a step. */
export interface BookedPart {
  step: Step;
  /** What remains of the step; after the last part, only what the positions could not bear. */
  booking: MoveBooking;
  isLast: boolean;
  /** Of this part, micro-units. */
  cost: bigint;
  gain: bigint;
  view: MarketView;
  at: Date;
  moved: MovedPosition[];
  /** null: the server's own step, or not its first part. */
  arrival: ReportedArrival | null;
}

/** Locked positions of a part. */
interface LockedPart {
  locked: LockedPositions;
  positions: readonly Position[];
  place: number;
  isLast: boolean;
}

/** Books steps of orders, a few hundred positions a transaction. */
@Injectable()
export class OrderBooking {
  /** Positions that one transaction moves, so that their locks are held for tens of milliseconds. */
  partSize = PART;

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
   * Books the next part of a locked order's step.
   * @param report on the step; null: it was reported before
   * @throws DomainError `amount_out_of_bounds`, `move_not_open` when no position of a reported step is left
   */
  async book(order: MoveOrder, report: StepReport | null, entryTime = report?.at): Promise<BookedPart> {
    const step = stepOf(order);
    const { asset, decisionId, marketId } = order;
    const part = await this.lockPart(order, step);
    const { locked, positions, isLast } = part;
    // Read after the locks: an index older than a position's last entry would take yield back.
    const view = await (entryTime
      ? this.market.look(marketId, entryTime)
      : this.market.viewForBooking(marketId));
    const at = locked.after(view.now);
    const moment = momentOf(view, at);
    const [from, to] = [moment.quoteAt(step.vaultId, at), moment.quoteAt(step.toVaultId, at)];
    const settled = await this.accruals.post({ ...locked, positions }, moment);
    const { posted, revenue } = settled;
    const values = posted.map(({ position }) => valueOf(position.shares, from.index));
    const isReported = !isOfServer(order);
    const arrival =
      report !== null && isReported
        ? await this.arrivalOf(order, report, from.index, isLast ? { positions, values } : null, at)
        : null;
    const remaining = order.booking ?? initialBooking(order, arrival);
    const parts = divideStep(remaining, values, { isLast, isReported });
    const received = order.positionId !== null && sum(parts.gains) > 0n;
    const time = received ? await this.times.at(positions[0]!.campaignId, at) : null;
    const toIdle = step.toVaultId === idleVaultId(asset);
    const changes = posted.map(({ position: accrued, entries }, index): ChangedPosition => {
      const before = positions[index]!;
      const transit = {
        at,
        from,
        to,
        toIdle,
        late: step.staysInTransit,
        cost: parts.costs[index]!,
        decisionId,
      };
      const { position, entry } = move(accrued, transit);
      // Worth less than a micro-unit: it stays where it is, and its transit ends.
      if (!entry) return { before, after: { ...accrued, transitId: null }, entries };
      const expectedCost = parts.expected?.[index] ?? null;
      const rebalance = revenue.move(position, { ...entry, expectedCost });
      const gain = parts.gains[index]!;
      if (gain === 0n) return { before, after: position, entries: [...entries, rebalance] };
      const gained = withGain(position, gain, { view, at, vault: to, decisionId, time }, settled);
      return { before, after: gained.position, entries: [...entries, rebalance, gained.entry] };
    });
    const changed = changes.filter(({ before, entries }) => entries.length > 0 || before!.transitId !== null);
    await this.positions.save(changed, settled, at);
    await this.storeWaiting(order, positions, parts.waiting, at);
    const moved = changes.flatMap((change, index): MovedPosition[] => {
      if (change.before!.vaultId === change.after.vaultId) return [];
      const cost = parts.costs[index]!;
      const amount = values[index]! - cost + parts.gains[index]!;
      return [{ change, amount, cost: locked.partOf(positions[index]!) + cost }];
    });
    const booking = bookingAfter(remaining, parts, values, {
      place: part.place,
      positions: moved.length,
      arrived: sum(moved.map(({ amount }) => amount)),
    });
    return {
      step,
      booking,
      isLast,
      cost: sum(parts.costs),
      gain: sum(parts.gains),
      view,
      at,
      moved,
      arrival,
    };
  }

  /**
   * Divides an amount that one transaction moved in proportion to the values of the orders' funds, exactly, by largest remainder. Micro-units. An
   * order whose funds were all withdrawn ends without a part, unless none has any.
   */
  async divideAmount(
    orders: readonly MoveOrder[],
    { amount, keyId }: StepReport,
  ): Promise<(readonly [MoveOrder, bigint | null])[]> {
    const [first, ...others] = orders as [MoveOrder, ...MoveOrder[]];
    if (others.length === 0 || amount === null || keyId === null)
      return orders.map((order) => [order, amount] as const);
    // Orders are booked one by one, so what they share is locked here, in the order of any booking. Their positions are locked already.
    const { marketId, asset, fromVaultId, toVaultId } = first;
    await this.store.query(LOCK_DEVIATIONS, [keyId, asset]);
    await this.store.query(queries.LOCK_BOOKS, [
      orders.map((order) => order.partnerId),
      marketId,
      [fromVaultId, toVaultId, idleVaultId(asset)],
    ]);
    const batch = await this.orders.findBatch(first.id, first.partnerId);
    const worth = new Map(batch.map((order) => [order.id, order.amount]));
    const funded = orders.filter((order) => worth.get(order.id));
    if (funded.length === 0) return [[first, amount]];
    for (const order of orders.filter(({ id }) => !worth.get(id)))
      await this.orders.fail(
        order,
        'empty',
        'All of its funds were withdrawn.',
        await this.market.now(marketId),
      );
    const values = funded.map((order) => worth.get(order.id)!);
    return gainParts(amount, values).map((part, index) => [funded[index]!, part] as const);
  }

  /** Raises `position.rebalanced` for each position of a part, or `position.active` when it was pending. */
  async notify({ decisionId }: MoveOrder, { moved, view, at }: BookedPart): Promise<void> {
    await this.events.raise(
      moved.map(({ change, amount, cost }) =>
        movedEvent(change, shownVault(view, change.after.vaultId, at), at, { decisionId, amount, cost }),
      ),
    );
  }

  /** Stores each position's cost of the first report, which the event of the second one includes. */
  async storePaid({ id }: MoveOrder, { moved }: BookedPart): Promise<void> {
    const paid = moved.filter(({ cost }) => cost > 0n);
    if (paid.length === 0) return;
    const rows = paid.map(({ change, cost }) => ({ id: change.after.id, cost: cost.toString() }));
    await this.store.query(queries.SET_PAID, [id, JSON.stringify(rows)]);
  }

  /** Locks the next positions that are where the order expects them. */
  private async lockPart({ id, booking }: MoveOrder, { vaultId, transitId }: Step): Promise<LockedPart> {
    const limit = this.partSize + 1;
    const locked = await this.positions.lock(LOCK_ORDERED, [
      ...([id, vaultId, transitId] as const),
      ...([booking?.place ?? 0, limit] as const),
    ]);
    const listed = locked.candidates.slice(0, this.partSize);
    const next = locked.candidates[this.partSize]?.id;
    return {
      locked,
      positions: locked.positions.filter((position) => position.id !== next),
      place: listed.at(-1)?.place ?? 0,
      isLast: next === undefined,
    };
  }

  /** @param whole positions and values of the order, if one part has them all; null: they are read */
  private async arrivalOf(
    order: MoveOrder,
    { amount, keyId }: StepReport,
    index: bigint,
    whole: { positions: readonly Position[]; values: readonly bigint[] } | null,
    at: Date,
  ): Promise<ReportedArrival> {
    const { vaultId, transitId } = stepOf(order);
    const rows = whole
      ? whole.positions.map(({ id }, row) => ({ id, value: whole.values[row]! }))
      : await this.store.query(queries.FIND_VALUES, [order.id, vaultId, transitId, index]);
    if (rows.length === 0)
      throw new DomainError(
        'move_not_open',
        'All funds of this move were withdrawn, so none can have arrived.',
      );
    const arrival = arrivalOf(
      amount,
      rows.map(({ value }) => value),
      this.settings.constants.routing,
      order.asset,
    );
    const worth = {
      values: new Map(rows.map(({ id, value }) => [id, value])),
      isRedeemed: vaultId !== idleVaultId(order.asset),
    };
    return { ...arrival, boundValue: await this.bounds.admit(order, arrival, worth, keyId!, at) };
  }

  private async storeWaiting(
    { id }: MoveOrder,
    positions: readonly Position[],
    waiting: readonly bigint[],
    at: Date,
  ): Promise<void> {
    const waits = sum(waiting);
    if (waits === 0n) return;
    const parts = positions.map((position, index) => ({ id: position.id, waiting: waiting[index]! }));
    await this.store.query(STORE_GAIN, [id, at, waits.toString(), rowsText(parts)]);
  }
}
