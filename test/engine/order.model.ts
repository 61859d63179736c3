import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { GainReviews, type ReviewAction } from '../../src/domain/routing/orders/gain-review.service.js';
import { type OrderReport, sendReport } from '../support/executor.js';
import { bookingTroubles, type ExpectedHolding, heldBy, withoutYield } from './held.js';
import { type KnownOrder, ordersOf, positionsOf, waitingOf } from './order.rows.js';
import { type Forecast, forecastOf, idleOf, isBeyond, sumOf, worthOf } from './order.forecast.js';
import { wholeState } from './audit.js';
import { differences, end, type ModelOrder, releasedTroubles, sharingTroubles } from './order.compare.js';
import { outcome, type Outcome } from './outcome.js';
import type { World } from './world.js';

/** Model of the orders of a life: it knows each from its creation, forecasts what a report does, and compares the books with that. */
export class OrderModel {
  private readonly orders = new Map<string, ModelOrder>();
  /** What was reported, and what came of it, in the order of time: it names the cause of a failure. */
  readonly log: string[] = [];
  /** Number of reports by their answer, and whether a batch was meant. */
  readonly answers = new Map<string, number>();
  private readonly keys = new Set<string>();

  constructor(private readonly world: World) {}

  private get partnerIds(): string[] {
    return this.world.partners.map(({ id }) => id);
  }

  get waiting(): ModelOrder[] {
    return [...this.orders.values()].filter(({ review }) => review?.status === 'pending_review');
  }

  get open(): ModelOrder[] {
    return [...this.orders.values()].filter(({ isEnded }) => !isEnded);
  }

  /** Makes a report, which has the effect that the model forecasts, or none. */
  readonly report = async (report: OrderReport): Promise<Outcome> => {
    const { engine } = this.world;
    // Entries that are dated at the same moment would be dated a millisecond later.
    engine.wait(2);
    const before = await heldBy(engine, this.partnerIds);
    const forecast = forecastOf([...this.orders.values()], report, before, {
      constants: engine.settings.constants.routing,
      isFresh: !this.keys.has(report.keyId),
    });
    const send = (): Promise<Outcome> => outcome(() => sendReport(engine, report));
    const said = await this.sent(send, forecast);
    this.log.push(
      `${engine.now.toISOString()} ${JSON.stringify({ ...report, amount: `${report.amount}` })} ${said}`,
    );
    this.count(`${report.step}${forecast.orders.length > 1 ? ' batch' : ''}: ${said}`);
    if (said !== 'done' || forecast.orders.length === 0) return said;
    this.keys.add(report.keyId);
    await this.compare(report, forecast, before);
    // A repeated report changes nothing.
    if (report.step !== 'taken') await this.world.expectNoEffect(send, ['done']);
    return said;
  };

  private count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }

  private async sent(send: () => Promise<Outcome>, { orders, outcomes }: Forecast): Promise<Outcome> {
    const { engine } = this.world;
    const mayChange = orders.length > 0 && outcomes.includes('done');
    const state = mayChange && outcomes.length === 1 ? null : await wholeState(engine);
    const said = await send();
    expect(outcomes).toContain(said);
    // Whatever is refused, or was reported before, leaves every row as it is.
    if (state !== null && (said !== 'done' || !mayChange)) expect(await wholeState(engine)).toEqual(state);
    return said;
  }

  /** An administrator's decision on a gain that waits. */
  async review(order: ModelOrder, action: ReviewAction): Promise<void> {
    const { world } = this;
    const { engine } = world;
    engine.wait(2);
    const reviews = engine.context.get(GainReviews);
    const reviewing = (): Promise<Outcome> => outcome(() => reviews.review(order.id, action, 'reviewed'));
    const before = await heldBy(engine, this.partnerIds);
    expect(await reviewing()).toBe('done');
    await world.expectNoEffect(reviewing, ['done']);
    const after = await heldBy(engine, this.partnerIds);
    const { gain } = order.review!;
    const total = sumOf([...order.waiting.values()]);
    const found: string[] = [];
    let booked = 0n;
    for (const [id, is] of after) {
      const was = before.get(id)!;
      const worth = was.status === 'closed' || action === 'reject' ? 0n : (order.waiting.get(id) ?? 0n);
      const more = is.value - was.value;
      booked += more;
      const rest = more * total - gain * worth;
      if (
        worth === 0n
          ? !isDeepStrictEqual(withoutYield(is), withoutYield(was))
          : rest >= total || -rest >= total
      )
        found.push(`${id}: has ${more} of the reviewed gain of ${gain}, worth ${worth} of ${total}`);
      const principal = order.positionId === null ? 0n : more;
      if (is.deposited !== was.deposited + principal) found.push(`${id}: its deposit grew by a gain`);
    }
    const isWhole = [...order.waiting.keys()].every((id) => before.get(id)!.status !== 'closed');
    if (booked > gain || (action === 'approve' && isWhole && booked !== gain))
      found.push(`${order.id}: ${booked} of the reviewed gain of ${gain} are booked`);
    expect(found).toEqual([]);
    order.gain += booked;
    order.review = { status: action === 'approve' ? 'approved' : 'rejected', gain, booked };
    this.world.topUp(order.positionId, booked);
    this.count(action);
    this.log.push(`${engine.now.toISOString()} ${action} ${order.id}`);
  }

  /**
   * Compares stored orders with those of the model. Time may have made new ones, and ended others for reasons that hold.
   * @returns a sentence for each difference
   */
  async troubles(): Promise<string[]> {
    const { engine } = this.world;
    const stored = await ordersOf(engine, this.partnerIds);
    const created = stored.filter(({ id }) => !this.orders.has(id));
    const places = await positionsOf(
      engine,
      created.map(({ id }) => id),
    );
    const held = await heldBy(engine, this.partnerIds);
    const found: string[] = [];
    for (const order of created) {
      if (order.takenBy !== null || order.redeemed !== null || order.settled !== null)
        found.push(`${order.id}: begins as ${order.status}`);
      // It may have lapsed since, or have been replaced.
      const begun = { status: order.positionId === null ? 'requested' : 'arriving', isEnded: false };
      const positionIds = places.get(order.id) ?? [];
      const known = { ...order, ...begun, failure: null, note: null, positionIds, waiting: new Map() };
      this.orders.set(order.id, known);
    }
    for (const order of stored) {
      const known = this.orders.get(order.id)!;
      if (order.isEnded && !known.isEnded) {
        const ending = this.endingTrouble(known, order, stored, held);
        if (ending === null) end(known, 'failed', order.failure, order.note);
        else found.push(ending);
      }
      found.push(...differences(known, order));
    }
    return found;
  }

  /** Takes orders as they are stored, after reports whose order of effects is not known: their gains, and what waits of them, too. */
  async adopt(): Promise<void> {
    const { engine } = this.world;
    for (const order of await ordersOf(engine, this.partnerIds)) {
      const known = this.orders.get(order.id)!;
      if (order.positionId !== null) this.world.topUp(order.positionId, order.gain - known.gain);
      const isNew = order.review !== null && known.review === null;
      const waiting = isNew ? await waitingOf(engine, order.id) : known.waiting;
      this.orders.set(order.id, { ...order, positionIds: known.positionIds, waiting });
    }
  }

  private endingTrouble(
    known: ModelOrder,
    { id, failure }: KnownOrder,
    stored: readonly KnownOrder[],
    held: ReadonlyMap<string, ExpectedHolding>,
  ): string | null {
    const { takenBy, status, expiresAt, partnerId, fromVaultId } = known;
    if (failure === 'lapsed' && takenBy === null && expiresAt <= this.world.engine.now) return null;
    const isLeft = known.positionIds.some((one) => held.get(one)!.status !== 'closed');
    if (failure === 'empty' && !isLeft) return null;
    const isReplaced = stored.some(
      (one) => one.urgent && one.id > id && one.partnerId === partnerId && one.fromVaultId === fromVaultId,
    );
    if (failure === 'superseded' && status === 'requested' && isReplaced) return null;
    return `${id}: was ${status}, and ended as ${String(failure)} without a reason`;
  }

  /** Compares the books with the forecast of a report that was accepted. */
  private async compare(
    report: OrderReport,
    { orders }: Forecast,
    before: ReadonlyMap<string, ExpectedHolding>,
  ): Promise<void> {
    const { engine } = this.world;
    const after = await heldBy(engine, this.partnerIds);
    const stored = new Map((await ordersOf(engine, this.partnerIds)).map((order) => [order.id, order]));
    const found: string[] = [];
    const moved = new Set<string>();
    for (const known of orders as ModelOrder[]) {
      const now = stored.get(known.id)!;
      const positions = worthOf(known, before);
      for (const { id } of positions) moved.add(id);
      if (report.step === 'taken') {
        this.take(known, now, report.keyId);
        if (known.isEnded) found.push(...releasedTroubles(positions, after));
        else for (const { id } of positions) moved.delete(id);
      } else if (report.step === 'failed') {
        end(known, 'failed', 'reported', report.note);
        found.push(...releasedTroubles(positions, after));
      } else found.push(...this.book(known, now, report, positions, after));
      found.push(...differences(known, now));
    }
    if (report.step !== 'taken' && report.step !== 'failed') found.push(...sharingTroubles(report, orders));
    for (const [id, was] of before)
      if (!moved.has(id) && !isDeepStrictEqual(withoutYield(after.get(id)!), withoutYield(was)))
        found.push(`${id}: changed by a report that is not of it`);
    if (found.length > 0) throw new Error([...found.slice(0, 10), ...this.log.slice(-5)].join('\n'));
  }

  private take(known: ModelOrder, { failure, note }: KnownOrder, keyId: string): void {
    const isClosed = !this.world.engine.settings.vaults.some(
      ({ id, active }) => id === known.toVaultId && active,
    );
    // A limit of the vault or of a policy, which other suites check, or a vault that takes nothing.
    if (failure === 'refused' || isClosed) return end(known, 'failed', 'refused', note);
    known.takenBy = keyId;
    if (known.status === 'requested') known.status = 'redeeming';
  }

  private book(
    known: ModelOrder,
    now: KnownOrder,
    { step, txHash, keyId }: OrderReport,
    positions: readonly ExpectedHolding[],
    after: ReadonlyMap<string, ExpectedHolding>,
  ): string[] {
    const name = step === 'redeemed' ? 'redeemed' : 'settled';
    const value = sumOf(positions.map((position) => position.value));
    // How a batch divides its amount is compared over all of its orders.
    const amount = now[name]?.amount ?? 0n;
    const cost = amount < value ? value - amount : 0n;
    const more = amount > value ? amount - value : 0n;
    const { maxUnreviewedGain } = this.world.engine.settings.constants.routing;
    const waits = isBeyond(more, value, maxUnreviewedGain) ? more : 0n;
    const gain = more - waits;
    known[name] = { txHash: txHash.toLowerCase(), amount, value };
    known.takenBy ??= keyId;
    known.cost += cost;
    known.gain += gain;
    if (waits > 0n) {
      known.review = { status: 'pending_review', gain: waits, booked: null };
      known.waiting = new Map(positions.map((position) => [position.id, position.value]));
    }
    const idle = idleOf(known.asset);
    const toVaultId = name === 'redeemed' ? idle : known.toVaultId;
    if (toVaultId !== known.toVaultId) known.status = 'arriving';
    else {
      end(known, 'settled', null, null);
      known.outcome = {
        positions: positions.filter((one) => one.value > 0n).length,
        amount: value - cost + gain,
      };
    }
    const isRefused = known.status === 'arriving' && now.failure === 'refused';
    if (isRefused) end(known, 'failed', 'refused', now.note);
    const isReceived = known.positionId !== null && name === 'settled';
    this.world.topUp(isReceived ? known.positionId : null, gain);
    const goesOn = known.status === 'arriving';
    const booking = { decisionId: known.decisionId, toVaultId, goesOn, isReceived, cost, gain };
    return bookingTroubles(positions, after, booking);
  }
}
