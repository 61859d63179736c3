import { sum } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { Accruals, type PostedYield } from '../../books/positions/accruals.js';
import { gainParts } from '../../books/positions/cost-parts.js';
import { CampaignTimes, type PointTime } from '../../books/positions/points.js';
import type { Entry, Position } from '../../books/positions/position.js';
import { LOCK_LISTED } from '../../books/positions/position.queries.js';
import {
  type ChangedPosition,
  type LockedPositions,
  PositionStore,
} from '../../books/positions/position.store.js';
import { type Moment, momentOf } from '../../books/positions/quotes.js';
import { bearCost, move } from '../../books/positions/steps.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { type MoveOrder, StoredOrder, toOrder } from '../allocation/move-order.js';
import { requireOpen } from '../orders/report-checks.js';
import { withGain } from '../orders/step-part.js';
import { CONTRADICTED, type Resolution } from '../settlements/settlement.js';
import { checkResolvedAlert, type CheckedStep, MoveCheck } from './move-check.js';
import { FIND_MOVED, VOID_ORDER } from './move-check.queries.js';

export interface MoveResolution {
  id: string;
  step: CheckedStep;
  action: Resolution;
  note: string;
}

type MovedPosition = RowFrom<typeof FIND_MOVED>;

/** What a change of a position is booked by. */
interface Booking {
  order: MoveOrder;
  view: MarketView;
  moment: Moment;
  settled: PostedYield;
  /** Point time of a received deposit's campaign, whose gain is principal; null: a gain is yield. */
  time: PointTime | null;
}

/** An administrator's decision on a report that the chain contradicts: accept what the chain moved, or void the report. */
@Injectable()
export class MoveResolver {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly positions: PositionStore,
    private readonly accruals: Accruals,
    private readonly times: CampaignTimes,
    private readonly alerts: AlertEvents,
  ) {}

  /**
   * Decides on all transactions of a report at once. `accept` books what the chain moved beside it as a cost or gain of the positions that are still
   * open, where they are; a transaction that was not found stays as it was reported. `void` returns the funds to where they were before the report, and
   * ends the move. Repeating a decision changes nothing.
   * @throws DomainError `not_found`, `move_not_open` (nothing contradicts it, it was resolved otherwise, another of its transactions is not looked up
   * yet, or it cannot be voided any more), `service_unavailable` (clock error)
   */
  async resolve({ id, step, action, note }: MoveResolution): Promise<void> {
    if (!isId('move', id)) throw notFound('move');
    this.clock.requireRight();
    await this.store.transaction(async () => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = await this.store.repository(StoredOrder).findOne({ where: { id }, lock });
      if (!row) throw notFound('move');
      const order = toOrder(row);
      const stored = this.store.repository(MoveCheck);
      const checks = await stored.find({ where: { orderId: id, step }, order: { place: 'ASC' }, lock });
      if (checks[0]?.resolution === action) return;
      requireContradicted(checks, step);
      if (action === 'accept') requireLookedUp(checks);
      if (order.booking !== null) requireOpen(order);
      const moved = await this.movedBy(row, step);
      if (action === 'void') requireUnchanged(order, step, moved);
      const { at, booked } =
        action === 'accept'
          ? await this.accept(order, checks, moved)
          : await this.takeBack(order, step, moved);
      if (action === 'void') await this.store.query(VOID_ORDER, [id, at, note]);
      await stored.update(
        { orderId: id, step },
        { resolution: action, note, resolvedAt: at, dueAt: null, booked: `${booked}` },
      );
      const alerts = checks.filter(isContradicted).map((check) => ({
        alert: checkResolvedAlert({ ...check, amount: BigInt(check.amount) }, action, at),
        partnerIds: [order.partnerId],
      }));
      await this.alerts.notifyAll(alerts, at);
    });
  }

  private movedBy(row: StoredOrder, step: CheckedStep): Promise<MovedPosition[]> {
    const { decisionId, partnerId, asset, toVaultId, redeemedAt, redeemedUntil, settledAt, settledUntil } =
      row;
    const [from, until, into] =
      step === 'redeemed'
        ? [redeemedAt!, redeemedUntil ?? redeemedAt!, idleVaultId(asset)]
        : [settledAt!, settledUntil ?? settledAt!, toVaultId];
    return this.store.query(FIND_MOVED, [decisionId, from, until, into, partnerId, asset]);
  }

  /** Books the difference between what was found and what was reported. The part of a position that is closed is not booked. */
  private async accept(order: MoveOrder, checks: readonly MoveCheck[], moved: readonly MovedPosition[]) {
    const difference = sum(
      checks.map(({ amount, foundAmount }) =>
        foundAmount === null ? 0n : BigInt(foundAmount) - BigInt(amount),
      ),
    );
    const size = difference < 0n ? -difference : difference;
    const parts = gainParts(
      size,
      moved.map((part) => part.amount + part.gain),
    );
    const signed = new Map(
      moved.map(({ positionId }, index) => [positionId, difference < 0n ? -parts[index]! : parts[index]!]),
    );
    return this.book(order, moved, (accrued, entries, booking) =>
      this.adjusted(accrued, entries, signed.get(accrued.id)!, booking),
    );
  }

  /** Returns the funds to where they were: what the report cost returns as a gain, what it gained and what was earned since as a cost. */
  private async takeBack(order: MoveOrder, step: CheckedStep, moved: readonly MovedPosition[]) {
    const byId = new Map(moved.map((part) => [part.positionId, part]));
    const to = step === 'redeemed' ? order.fromVaultId : idleVaultId(order.asset);
    return this.book(order, moved, (accrued, entries, booking) => {
      const { view, moment, settled } = booking;
      if (!view.vaults.has(to)) throw irreversible(order, step, `${to} is no longer in the catalogue`);
      const { at } = moment;
      const [source, target] = [moment.quoteAt(accrued.vaultId, at), moment.quoteAt(to, at)];
      const toIdle = to === idleVaultId(order.asset);
      const { position, entry } = move(accrued, {
        at,
        from: source,
        to: target,
        toIdle,
        late: false,
        cost: 0n,
        decisionId: null,
      });
      if (!entry) return { position: { ...accrued, transitId: null }, entries, booked: 0n };
      const { cost, gain, earned } = byId.get(accrued.id)!;
      const fresh = sum(
        entries.filter(({ decisionId }) => decisionId === null).map((posted) => posted.amount),
      );
      const returned = [...entries, settled.revenue.move(position, entry)];
      return this.adjusted(
        position,
        returned,
        cost - gain - (step === 'settled' ? earned + fresh : 0n),
        booking,
      );
    });
  }

  private async book(
    order: MoveOrder,
    moved: readonly MovedPosition[],
    change: (
      accrued: Position,
      entries: readonly Entry[],
      booking: Booking,
    ) => { position: Position; entries: readonly Entry[]; booked: bigint },
  ): Promise<{ at: Date; booked: bigint }> {
    const locked = await this.positions.lock(LOCK_LISTED, [moved.map(({ positionId }) => positionId)]);
    const view = await this.market.viewForBooking(order.marketId);
    const at = locked.after(view.now);
    const open: LockedPositions = {
      ...locked,
      positions: locked.positions.filter(({ closedAt }) => closedAt === null),
    };
    if (open.positions.length === 0) return { at, booked: 0n };
    const moment = momentOf(view, at);
    const settled = await this.accruals.post(open, moment);
    const time = order.positionId === null ? null : await this.times.at(open.positions[0]!.campaignId, at);
    let booked = 0n;
    const changes = settled.posted.map(({ position: accrued, entries }, index): ChangedPosition => {
      const changed = change(accrued, entries, { order, view, moment, settled, time });
      booked += changed.booked;
      return { before: open.positions[index]!, after: changed.position, entries: [...changed.entries] };
    });
    await this.positions.save(changes, settled, at);
    return { at, booked };
  }

  /** Position with a gain, or for a negative amount a cost, of which it keeps a micro-unit at least. A transit goes on. */
  private adjusted(
    position: Position,
    entries: readonly Entry[],
    amount: bigint,
    { order, view, moment, settled, time }: Booking,
  ): { position: Position; entries: readonly Entry[]; booked: bigint } {
    const { at } = moment;
    const vault = moment.quoteAt(position.vaultId, at);
    if (amount > 0n) {
      const gained = withGain(
        position,
        amount,
        { view, at, vault, decisionId: order.decisionId, time },
        settled,
      );
      return { position: gained.position, entries: [...entries, gained.entry], booked: amount };
    }
    const bearable = valueOf(position.shares, vault.index) - 1n;
    const cost = -amount < bearable ? -amount : bearable;
    if (cost <= 0n) return { position, entries, booked: 0n };
    const borne = bearCost(position, cost, at, vault);
    const after = { ...borne.position, transitId: position.transitId };
    return {
      position: after,
      entries: [...entries, settled.revenue.move(after, borne.entry!)],
      booked: -cost,
    };
  }
}

const isContradicted = ({ status }: MoveCheck): boolean => CONTRADICTED.includes(status);

/** @throws DomainError `move_not_open` */
function requireContradicted(checks: readonly MoveCheck[], step: CheckedStep): void {
  const [first] = checks;
  if (first?.resolution === null && checks.some(isContradicted)) return;
  const statuses = [...new Set(checks.map(({ status }) => status))].join(' and ');
  const why =
    first === undefined
      ? 'there is none that is looked up'
      : first.resolution === null
        ? `it is ${statuses}, which the chain does not contradict`
        : `it was already resolved, by ${first.resolution}`;
  throw new DomainError(
    'move_not_open',
    `The report that the move was ${step} needs no resolution: ${why}. Nothing was changed.`,
  );
}

/** Nobody would look at the others again. @throws DomainError `move_not_open` */
function requireLookedUp(checks: readonly MoveCheck[]): void {
  const open = checks.find((check) => check.status !== 'confirmed' && !isContradicted(check));
  if (open === undefined) return;
  throw new DomainError(
    'move_not_open',
    `The transaction ${open.txHash} of the same report is ${open.status}: what it moved is not known yet. Nothing was changed: accept the report once that is, or void it.`,
  );
}

/** Later steps are not undone with it: what was booked since may have been paid out. @throws DomainError `move_not_open` */
function requireUnchanged(order: MoveOrder, step: CheckedStep, moved: readonly MovedPosition[]): void {
  if (order.review !== null) throw irreversible(order, step, 'a gain of the move waits, or was reviewed');
  if (order.positionId !== null && order.gain > 0n)
    throw irreversible(order, step, 'more than the deposit was booked as its principal');
  const changed = moved.find(({ isChanged }) => isChanged);
  if (changed)
    throw irreversible(
      order,
      step,
      `more has been booked to the position ${changed.positionId} since, or is under way`,
    );
}

const irreversible = ({ id }: MoveOrder, step: CheckedStep, why: string): DomainError =>
  new DomainError(
    'move_not_open',
    `The report that the move ${id} was ${step} cannot be voided: ${why}. Nothing was changed: accept it, which books what the chain moved.`,
  );
