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

  /** Positions that open orders have, which an executor has taken. */
  underWay(): Set<string> {
    const taken = this.open.filter(({ takenBy }) => takenBy !== null);
    return new Set(taken.flatMap(({ positionIds }) => positionIds));
  }

  /** To be called before a withdrawal reserves positions: they leave the orders that nobody took, with their part of the expected cost. */
  async reserving(): Promise<{ leave(positionIds: readonly string[]): void }> {
    const holdings = await heldBy(this.world.engine, this.partnerIds);
    const sharesOf = (ids: readonly string[]): bigint => sumOf(ids.map((id) => holdings.get(id)!.shares));
    return {
      leave: (positionIds) => {
        for (const order of this.open.filter(({ takenBy }) => takenBy === null)) {
          const left = order.positionIds.filter((id) => !positionIds.includes(id));
          if (left.length === order.positionIds.length) continue;
          order.expectedCost = (order.expectedCost * sharesOf(left)) / sharesOf(order.positionIds);
          order.positionIds = left;
          if (left.length === 0)
            end(order, 'failed', 'superseded', 'A withdrawal of its funds was requested.');
        }
      },
    };
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
    const problems: string[] = [];
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
        problems.push(`${id}: has ${more} of the reviewed gain of ${gain}, worth ${worth} of ${total}`);
      const principal = order.positionId === null ? 0n : more;
      if (is.deposited !== was.deposited + principal) problems.push(`${id}: its deposit grew by a gain`);
    }
    const isWhole = [...order.waiting.keys()].every((id) => before.get(id)!.status !== 'closed');
    if (booked > gain || (action === 'approve' && isWhole && booked !== gain))
      problems.push(`${order.id}: ${booked} of the reviewed gain of ${gain} are booked`);
    expect(problems).toEqual([]);
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
    const holdings = await heldBy(engine, this.partnerIds);
    const problems: string[] = [];
    for (const order of created) {
      if (order.takenBy !== null || order.redeemed !== null || order.settled !== null)
        problems.push(`${order.id}: begins as ${order.status}`);
      // It may have lapsed since, or have been replaced.
      const begun = { status: order.positionId === null ? 'requested' : 'arriving', isEnded: false };
      const positionIds = places.get(order.id) ?? [];
      const modelOrder = { ...order, ...begun, failure: null, note: null, positionIds, waiting: new Map() };
      this.orders.set(order.id, modelOrder);
    }
    for (const order of stored) {
      const modelOrder = this.orders.get(order.id)!;
      if (order.isEnded && !modelOrder.isEnded) {
        const ending = this.endingTrouble(modelOrder, order, stored, holdings);
        if (ending === null) end(modelOrder, 'failed', order.failure, order.note);
        else problems.push(ending);
      }
      problems.push(...differences(modelOrder, order));
    }
    return problems;
  }

  /** Takes orders as they are stored, after reports whose order of effects is not known: their gains, and what waits of them, too. */
  async adopt(): Promise<void> {
    const { engine } = this.world;
    for (const order of await ordersOf(engine, this.partnerIds)) {
      const modelOrder = this.orders.get(order.id)!;
      if (order.positionId !== null) this.world.topUp(order.positionId, order.gain - modelOrder.gain);
      const isNew = order.review !== null && modelOrder.review === null;
      const waiting = isNew ? await waitingOf(engine, order.id) : modelOrder.waiting;
      this.orders.set(order.id, { ...order, positionIds: modelOrder.positionIds, waiting });
    }
  }

  private endingTrouble(
    modelOrder: ModelOrder,
    { id, failure }: KnownOrder,
    stored: readonly KnownOrder[],
    holdings: ReadonlyMap<string, ExpectedHolding>,
  ): string | null {
    const { takenBy, status, expiresAt, partnerId, fromVaultId } = modelOrder;
    if (failure === 'lapsed' && takenBy === null && expiresAt <= this.world.engine.now) return null;
    const isLeft = modelOrder.positionIds.some((positionId) => holdings.get(positionId)!.status !== 'closed');
    if (failure === 'empty' && !isLeft) return null;
    const isReplaced = stored.some(
      (item) =>
        item.urgent && item.id > id && item.partnerId === partnerId && item.fromVaultId === fromVaultId,
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
    const problems: string[] = [];
    const moved = new Set<string>();
    for (const modelOrder of orders as ModelOrder[]) {
      const now = stored.get(modelOrder.id)!;
      const positions = worthOf(modelOrder, before);
      for (const { id } of positions) moved.add(id);
      if (report.step === 'taken') {
        this.take(modelOrder, now, report.keyId);
        if (modelOrder.isEnded) problems.push(...releasedTroubles(positions, after));
        else for (const { id } of positions) moved.delete(id);
      } else if (report.step === 'failed') {
        end(modelOrder, 'failed', 'reported', report.note);
        problems.push(...releasedTroubles(positions, after));
      } else problems.push(...this.book(modelOrder, now, report, positions, after));
      problems.push(...differences(modelOrder, now));
    }
    if (report.step !== 'taken' && report.step !== 'failed')
      problems.push(...sharingTroubles(report, orders));
    for (const [id, was] of before)
      if (!moved.has(id) && !isDeepStrictEqual(withoutYield(after.get(id)!), withoutYield(was)))
        problems.push(`${id}: changed by a report that is not of it`);
    if (problems.length > 0) throw new Error([...problems.slice(0, 10), ...this.log.slice(-5)].join('\n'));
  }

  private take(modelOrder: ModelOrder, { failure, note }: KnownOrder, keyId: string): void {
    const isClosed = !this.world.engine.settings.vaults.some(
      ({ id, active }) => id === modelOrder.toVaultId && active,
    );
    // A limit of the vault or of a policy, which other suites check, or a vault that takes nothing.
    if (failure === 'refused' || isClosed) return end(modelOrder, 'failed', 'refused', note);
    modelOrder.takenBy = keyId;
    if (modelOrder.status === 'requested') modelOrder.status = 'redeeming';
  }

  private book(
    modelOrder: ModelOrder,
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
    modelOrder[name] = { txHash: txHash.toLowerCase(), amount, value };
    modelOrder.takenBy ??= keyId;
    modelOrder.cost += cost;
    modelOrder.gain += gain;
    if (waits > 0n) {
      modelOrder.review = { status: 'pending_review', gain: waits, booked: null };
      modelOrder.waiting = new Map(positions.map((position) => [position.id, position.value]));
    }
    const idle = idleOf(modelOrder.asset);
    const toVaultId = name === 'redeemed' ? idle : modelOrder.toVaultId;
    if (toVaultId !== modelOrder.toVaultId) modelOrder.status = 'arriving';
    else {
      end(modelOrder, 'settled', null, null);
      modelOrder.outcome = {
        positions: positions.filter((position) => position.value > 0n).length,
        amount: value - cost + gain,
      };
    }
    const isRefused = modelOrder.status === 'arriving' && now.failure === 'refused';
    if (isRefused) end(modelOrder, 'failed', 'refused', now.note);
    const isReceived = modelOrder.positionId !== null && name === 'settled';
    this.world.topUp(isReceived ? modelOrder.positionId : null, gain);
    const goesOn = modelOrder.status === 'arriving';
    const booking = { decisionId: modelOrder.decisionId, toVaultId, goesOn, isReceived, cost, gain };
    return bookingTroubles(positions, after, booking);
  }
}
