import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { JobQueue, JOBS } from './event.service.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './fan-out.queries.js';
import type { DeliveryTarget } from './backlog.js';
import { Batcher } from './batcher.js';
import { QueueBound } from './queue-bound.js';

type Subscriber = RowFrom<typeof queries.FIND_SUBSCRIBERS>;

interface Slice {
  targets: DeliveryTarget[];
  goesOn: boolean;
}

/** Deliveries queued in one slice; it takes some tens of milliseconds. */
const SLICE = 500;
/** Deliveries queued in the first slice of an event for all partners, so that sends begin while the rest is fanned out. */
const FIRST_SLICE = 100;
const OVERDUE_SECONDS = 15;

/**
 * Fan-out: from an event to its deliveries, in slices. A slice of each partner that asked, and then the next one of those with more: each waits for one
 * slice of every other at most. Who asks meanwhile shares the next slice.
 */
@Injectable()
export class FanOutService {
  /** Called with endpoints that have new deliveries, once these are committed. Without a listener, the sweep for forgotten endpoints finds them. */
  onQueued: (targets: readonly DeliveryTarget[]) => void = () => undefined;
  /** Whether each partner has more; null stands for the events for all partners. */
  private readonly slices = new Batcher(async (partnerIds: (string | null)[]) => {
    const goesOn = new Map<string | null, boolean>();
    for (const id of new Set(partnerIds)) goesOn.set(id, this.stopping || (await this.slice(id)));
    return partnerIds.map((id) => goesOn.get(id)!);
  }, Infinity);
  /** Polls for partners with pending events: each has a job of its own, too, which reports its outcome. */
  private readonly looks = new Batcher(async (asks: void[]) => {
    for (const partnerId of await this.owed(0)) void this.fanOut(partnerId).catch(() => undefined);
    return asks;
  }, Infinity);
  private readonly running = new Set<Promise<boolean>>();
  private readonly left = new Set<string | null>();
  private stopping = false;
  /** Progress of the fan-out of the current event for all partners. */
  private page: { eventId: string; after: string } | null = null;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
    private readonly settings: DomainSettings,
    private readonly bound: QueueBound,
  ) {}

  /**
   * Queues a delivery for every active endpoint that subscribed. Idempotent, across processes too.
   * @param partnerId null: for all
   * @returns whether it was completed: shutdown may interrupt it
   */
  async fanOut(partnerId: string | null): Promise<boolean> {
    const work = this.allSlices(partnerId);
    this.running.add(work);
    return work.finally(() => this.running.delete(work));
  }

  /** Fans out for every partner with pending events: a partner's own job may be queued behind hundreds of another partner's. */
  async fanOutOwed(): Promise<void> {
    await this.looks.ask('', undefined);
  }

  /** Queues the single delivery of an event that no other endpoint gets, and its wake-up, in the transaction that stored the event. */
  async deliverTo(subscriber: Omit<Subscriber, 'isSent'>): Promise<void> {
    await this.queue([{ ...subscriber, isSent: true }]);
    await this.store.query(queries.END_FAN_OUT, [[subscriber.eventId]]);
    const payload = { webhookIds: [subscriber.webhookId], partnerIds: [subscriber.partnerId] };
    await this.jobs.add([{ task: JOBS.drain, payload }]);
  }

  /** Fans out events that a crashed process or a lost connection left behind for so long. @returns number of partners */
  async fanOutOverdue(seconds = OVERDUE_SECONDS): Promise<number> {
    const owed = await this.owed(seconds);
    const done = await Promise.allSettled(owed.map((partnerId) => this.fanOut(partnerId)));
    const failed = done.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return done.filter((one) => one.status === 'fulfilled' && one.value).length;
  }

  /** Finishes the slices in progress; the rest returns to the queue for another process. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled(this.running);
    await this.jobs.add([...this.left].map((partnerId) => ({ task: JOBS.fanOut, payload: { partnerId } })));
  }

  private async allSlices(partnerId: string | null): Promise<boolean> {
    while (!this.stopping) if (!(await this.slices.ask(partnerId ?? '', partnerId))) return true;
    this.left.add(partnerId);
    return false;
  }

  private async slice(partnerId: string | null): Promise<boolean> {
    const { targets, goesOn } = await (partnerId === null ? this.broadcast() : this.fanOutSome(partnerId));
    this.onQueued(targets);
    return goesOn;
  }

  /** Partners with events that await their fan-out for longer than that. */
  private async owed(seconds: number): Promise<(string | null)[]> {
    const rows = await this.store.query(queries.FIND_OWED, [seconds]);
    return rows.map(({ partnerId }) => partnerId);
  }

  private async fanOutSome(partnerId: string): Promise<Slice> {
    const { endpointsPerPartner: endpoints } = this.settings.constants.webhooks;
    const most = Math.max(1, Math.floor(SLICE / endpoints));
    return this.store.transaction(async () => {
      const rows = await this.store.query(queries.TAKE_EVENTS, [partnerId, most]);
      const eventIds = [...new Set(rows.map(({ eventId }) => eventId))];
      if (eventIds.length === 0) return { targets: [], goesOn: false };
      const targets = await this.queue(rows.filter((row) => row.webhookId !== null));
      await this.store.query(queries.END_FAN_OUT, [eventIds]);
      return { targets, goesOn: eventIds.length === most };
    });
  }

  private async broadcast(): Promise<Slice> {
    if (this.page === null) {
      const [event] = await this.store.query(queries.FIND_BROADCAST, []);
      if (!event) return { targets: [], goesOn: false };
      this.page = { eventId: event.id, after: '' };
    }
    const { eventId, after } = this.page;
    const most = after === '' ? FIRST_SLICE : SLICE;
    const subscribers = await this.store.query(queries.FIND_SUBSCRIBERS, [eventId, after, most]);
    const targets = await this.queue(subscribers);
    const isLast = subscribers.length < most;
    if (isLast) await this.store.query(queries.END_FAN_OUT, [[eventId]]);
    this.page = isLast ? null : { eventId, after: subscribers.at(-1)!.webhookId };
    return { targets, goesOn: true };
  }

  /** @returns endpoints with newly queued deliveries, each once */
  private async queue(subscribers: readonly Subscriber[]): Promise<DeliveryTarget[]> {
    if (subscribers.length === 0) return [];
    const now = this.clock.now();
    const added = await this.store.query(queries.QUEUE_DELIVERIES, [
      subscribers.map(() => newId('delivery', now)),
      subscribers.map(({ eventId }) => eventId),
      subscribers.map(({ webhookId }) => webhookId),
      subscribers.map(({ partnerId }) => partnerId),
      now,
      subscribers.map(({ isSent }) => isSent),
    ]);
    // Bounded after the commit, because before it the rows would be invisible to the check.
    this.store.onceKept(() => this.bound.grew(added.map(({ partnerId }) => partnerId)));
    return [...new Map(added.map((target) => [target.webhookId, target])).values()];
  }
}
