import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { JobQueue, JOBS } from './event.service.js';
import { Store } from '../../kernel/store/store.js';
import {
  END_FAN_OUT,
  FIND_BROADCAST,
  FIND_OWED,
  FIND_SUBSCRIBERS,
  QUEUE_DELIVERIES,
  TAKE_EVENTS,
} from './delivery.queries.js';
import type { DeliveryTarget } from './backlog.js';
import { QueueBound } from './queue-bound.js';

interface Pending {
  again: boolean;
  done: PromiseWithResolvers<boolean>;
}

/**
 * Round-robin scheduler of work in slices, by partner: after a slice, a partner with more work queues behind the others, so that each partner waits
 * for at most one slice of every other. A partner has one slice at a time, and costs no more memory than its name.
 */
export class RoundRobin<Owner> {
  /** Partners that wait for a slice or run one. */
  private readonly pending = new Map<Owner, Pending>();
  private readonly queue: Owner[] = [];
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  /**
   * @param slice a bounded piece of a partner's work
   * @returns whether there is more
   * @param atOnce concurrent slices, each of another partner
   */
  constructor(
    private readonly slice: (owner: Owner) => Promise<boolean>,
    private readonly atOnce: number,
  ) {}

  /**
   * Does all of the work that is there now.
   * @returns whether it was completed: a stop may interrupt it
   * @throws what a slice throws, to all who asked for it
   */
  ask(owner: Owner): Promise<boolean> {
    const under = this.pending.get(owner);
    if (under) {
      under.again = true;
      return under.done.promise;
    }
    if (this.stopped) return Promise.resolve(false);
    const entry: Pending = { again: false, done: Promise.withResolvers() };
    this.pending.set(owner, entry);
    this.queue.push(owner);
    this.goOn();
    return entry.done.promise;
  }

  /**
   * Starts no more slices and waits for those in progress.
   * @returns partners with work left
   */
  async stop(): Promise<Owner[]> {
    this.stopped = true;
    await Promise.all(this.running);
    const left = [...this.pending];
    this.pending.clear();
    left.forEach(([, { done }]) => done.resolve(false));
    return left.map(([owner]) => owner);
  }

  private goOn(): void {
    while (!this.stopped && this.running.size < this.atOnce && this.queue.length > 0) {
      const run = this.run(this.queue.shift()!).finally(() => {
        this.running.delete(run);
        this.goOn();
      });
      this.running.add(run);
    }
  }

  private async run(owner: Owner): Promise<void> {
    const entry = this.pending.get(owner)!;
    entry.again = false;
    try {
      if ((await this.slice(owner)) || entry.again) {
        this.queue.push(owner);
        return;
      }
      entry.done.resolve(true);
    } catch (error) {
      entry.done.reject(error);
    }
    this.pending.delete(owner);
  }
}

export interface Subscriber {
  eventId: string;
  webhookId: string;
  partnerId: string;
  /** Whether it is sent: endpoint and partner are active. An event that is not sent is marked as undelivered. */
  isSent: boolean;
}

interface Slice {
  targets: DeliveryTarget[];
  goesOn: boolean;
}

/** Deliveries queued in one slice; it takes some tens of milliseconds. */
const SLICE = 500;
/** Deliveries queued in the first slice of an event for all partners, so that sends begin while the rest is fanned out. */
const FIRST_SLICE = 100;
/** Concurrent slices in this process, each of another partner and on a connection of its own. */
const SLICES_AT_ONCE = 2;
const OVERDUE_SECONDS = 15;

/** Fan-out: from an event to its deliveries. Partners are served round-robin, so that one that raises many events delays another's by one slice. */
@Injectable()
export class FanOutService {
  /** Called with endpoints that have new deliveries, once these are committed. Without a listener, the sweep for forgotten endpoints finds them. */
  onQueued: (targets: readonly DeliveryTarget[]) => void = () => undefined;
  /** Slices by partner; null stands for the events for all partners. */
  private readonly byPartner = new RoundRobin<string | null>(async (partnerId) => {
    const { targets, goesOn } = await (partnerId === null ? this.broadcast() : this.fanOutSome(partnerId));
    this.onQueued(targets);
    return goesOn;
  }, SLICES_AT_ONCE);
  /** One poll at a time; a request during a poll is served by the next. */
  private readonly looks = new RoundRobin<'look'>(async () => {
    // Not awaited: each partner with pending events has a job of its own, which reports its outcome.
    for (const partnerId of await this.owed(0)) this.fanOut(partnerId).catch(() => undefined);
    return false;
  }, 1);
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
   * Queues a delivery for every active endpoint that subscribed, for all pending events of a partner. It is idempotent, also across processes.
   * @param partnerId null: the events for all partners
   * @returns whether it was completed: shutdown may interrupt it
   */
  fanOut(partnerId: string | null): Promise<boolean> {
    return this.byPartner.ask(partnerId);
  }

  /** Fans out for every partner with pending events: a partner's own job may be queued behind hundreds of another partner's. */
  async fanOutOwed(): Promise<void> {
    await this.looks.ask('look');
  }

  /** Queues the single delivery of an event that no other endpoint gets, and its wake-up, in the transaction that stored the event. */
  async deliverTo(subscriber: Omit<Subscriber, 'isSent'>): Promise<void> {
    await this.queue([{ ...subscriber, isSent: true }]);
    await this.store.query(END_FAN_OUT, [[subscriber.eventId]]);
    const payload = { webhookIds: [subscriber.webhookId], partnerIds: [subscriber.partnerId] };
    await this.jobs.add([{ task: JOBS.drain, payload }]);
  }

  /**
   * Fans out events that a crashed process or a lost connection left behind.
   * @param seconds for how long they have waited
   * @returns number of partners
   */
  async fanOutOverdue(seconds = OVERDUE_SECONDS): Promise<number> {
    const owed = await this.owed(seconds);
    const done = await Promise.allSettled(owed.map((partnerId) => this.fanOut(partnerId)));
    const failed = done.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return done.filter((one) => one.status === 'fulfilled' && one.value).length;
  }

  /** Finishes the slices in progress; the rest returns to the queue for another process. */
  async stop(): Promise<void> {
    const left = await this.byPartner.stop();
    await this.jobs.add(left.map((partnerId) => ({ task: JOBS.fanOut, payload: { partnerId } })));
  }

  /** Partners with events that await their fan-out for longer than that. */
  private async owed(seconds: number): Promise<(string | null)[]> {
    const rows = await this.store.query(FIND_OWED, [seconds]);
    return rows.map(({ partnerId }) => partnerId);
  }

  private async fanOutSome(partnerId: string): Promise<Slice> {
    const { endpointsPerPartner: endpoints } = this.settings.constants.webhooks;
    const most = Math.max(1, Math.floor(SLICE / endpoints));
    return this.store.transaction(async () => {
      const rows = await this.store.query(TAKE_EVENTS, [partnerId, most]);
      const eventIds = [...new Set(rows.map(({ eventId }) => eventId))];
      if (eventIds.length === 0) return { targets: [], goesOn: false };
      const targets = await this.queue(rows.filter((row) => row.webhookId !== null));
      await this.store.query(END_FAN_OUT, [eventIds]);
      return { targets, goesOn: eventIds.length === most };
    });
  }

  private async broadcast(): Promise<Slice> {
    if (this.page === null) {
      const [event] = await this.store.query(FIND_BROADCAST, []);
      if (!event) return { targets: [], goesOn: false };
      this.page = { eventId: event.id, after: '' };
    }
    const { eventId, after } = this.page;
    const most = after === '' ? FIRST_SLICE : SLICE;
    const subscribers = await this.store.query(FIND_SUBSCRIBERS, [eventId, after, most]);
    const targets = await this.queue(subscribers);
    const isLast = subscribers.length < most;
    if (isLast) await this.store.query(END_FAN_OUT, [[eventId]]);
    this.page = isLast ? null : { eventId, after: subscribers.at(-1)!.webhookId };
    return { targets, goesOn: true };
  }

  /** @returns endpoints with newly queued deliveries, each once */
  private async queue(subscribers: readonly Subscriber[]): Promise<DeliveryTarget[]> {
    if (subscribers.length === 0) return [];
    const now = this.clock.now();
    const added = await this.store.query(QUEUE_DELIVERIES, [
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
