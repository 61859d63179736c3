import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { JobQueue, JOBS } from './event.service.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './fan-out.queries.js';
import type { DeliveryTarget } from './backlog.js';
import { Dispatcher } from './dispatcher.js';
import { QueueBound } from './queue-bound.js';

type Subscriber = RowFrom<typeof queries.FIND_SUBSCRIBERS>;

interface Slice {
  targets: DeliveryTarget[];
  hasMore: boolean;
}

/** Deliveries queued in one slice; it takes some tens of milliseconds. */
const SLICE = 500;
/** Deliveries queued in the first slice of an event for all partners, so that sends begin while the rest is fanned out. */
const FIRST_SLICE = 100;
const OVERDUE_SECONDS = 15;

/**
 * Fan-out: queues the deliveries of events, in slices. Each round takes one slice of every partner with pending events, so that a partner waits for one
 * slice of every other at most.
 */
@Injectable()
export class FanOutService {
  private running: Promise<void> | null = null;
  /** Whether a call during the run asked for another look. */
  private again = false;
  private stopping = false;
  /** Progress of the fan-out of the current event for all partners. */
  private page: { eventId: string; after: string } | null = null;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
    private readonly settings: DomainSettings,
    private readonly bound: QueueBound,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * Queues a delivery of each pending event for every active endpoint that subscribed. A call during a run makes it look again, and shares its promise.
   * Idempotent, across processes too.
   */
  fanOut(): Promise<void> {
    this.again = true;
    return (this.running ??= this.run());
  }

  /** Queues the single delivery of an event that no other endpoint gets, and its wake-up, in the transaction that stored the event. */
  async deliverTo(eventId: string, target: DeliveryTarget): Promise<void> {
    await this.queue([{ eventId, ...target, isSent: true }]);
    await this.store.query(queries.END_FAN_OUT, [[eventId]]);
    await this.jobs.add(JOBS.drain, target);
  }

  /** Fans out events that a crashed process or a lost connection left behind. @returns number of their partners */
  async fanOutOverdue(): Promise<number> {
    const pending = await this.store.query(queries.FIND_PENDING, []);
    const overdue = pending.filter(({ seconds }) => seconds > OVERDUE_SECONDS);
    if (overdue.length > 0) await this.fanOut();
    return overdue.length;
  }

  /** Finishes the slice in progress; the rest is queued for another process. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running?.catch(() => undefined);
    if (this.again) await this.jobs.add(JOBS.fanOut);
  }

  private async run(): Promise<void> {
    try {
      let failed: { error: unknown } | null = null;
      while (this.again && !this.stopping) {
        this.again = false;
        failed = null;
        for (const { partnerId } of await this.store.query(queries.FIND_PENDING, [])) {
          try {
            if (this.stopping || (await this.slice(partnerId))) this.again = true;
          } catch (error) {
            // The fan-out of the other partners continues.
            failed ??= { error };
          }
        }
      }
      if (failed) throw failed.error;
    } finally {
      this.running = null;
    }
  }

  /** @returns whether there may be more of the partner; null stands for the events for all partners */
  private async slice(partnerId: string | null): Promise<boolean> {
    const { targets, hasMore } = await (partnerId === null
      ? this.broadcast()
      : this.fanOutPartner(partnerId));
    for (const target of targets) this.dispatcher.wake(target);
    return hasMore;
  }

  private async fanOutPartner(partnerId: string): Promise<Slice> {
    const { endpointsPerPartner: endpoints } = this.settings.constants.webhooks;
    const maxEvents = Math.max(1, Math.floor(SLICE / endpoints));
    return this.store.transaction(async () => {
      const rows = await this.store.query(queries.TAKE_EVENTS, [partnerId, maxEvents]);
      const eventIds = [...new Set(rows.map(({ eventId }) => eventId))];
      if (eventIds.length === 0) return { targets: [], hasMore: false };
      const targets = await this.queue(rows.filter((row) => row.webhookId !== null));
      await this.store.query(queries.END_FAN_OUT, [eventIds]);
      return { targets, hasMore: eventIds.length === maxEvents };
    });
  }

  private async broadcast(): Promise<Slice> {
    if (this.page === null) {
      const [event] = await this.store.query(queries.FIND_BROADCAST, []);
      if (!event) return { targets: [], hasMore: false };
      this.page = { eventId: event.id, after: '' };
    }
    const { eventId, after } = this.page;
    const maxRows = after === '' ? FIRST_SLICE : SLICE;
    const subscribers = await this.store.query(queries.FIND_SUBSCRIBERS, [eventId, after, maxRows]);
    const targets = await this.queue(subscribers);
    const isLast = subscribers.length < maxRows;
    if (isLast) await this.store.query(queries.END_FAN_OUT, [[eventId]]);
    this.page = isLast ? null : { eventId, after: subscribers.at(-1)!.webhookId };
    return { targets, hasMore: true };
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
    this.store.afterCommit(() => this.bound.countQueued(added.map(({ partnerId }) => partnerId)));
    return [...new Map(added.map((target) => [target.webhookId, target])).values()];
  }
}
