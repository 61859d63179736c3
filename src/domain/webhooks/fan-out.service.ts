import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { newId } from '../identifier.js';
import { JobQueue, JOBS } from '../store/job-queue.js';
import { Store } from '../store/store.js';
import {
  END_FAN_OUT,
  FIND_OVERDUE_EVENTS,
  FIND_SUBSCRIBERS,
  FIND_SUBSCRIBERS_OF_PARTNER,
  QUEUE_DELIVERIES,
} from './delivery.queries.js';

/** An event and the endpoint that it goes to. */
export interface Subscriber {
  eventId: string;
  webhookId: string;
  partnerId: string;
}

const BATCH = 1000;
const OVERDUE_SECONDS = 15;

/** From an event to its deliveries. */
@Injectable()
export class FanOutService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
  ) {}

  /** Queues a delivery for every active endpoint that subscribed. Set-based, in batches; running twice adds nothing. */
  async fanOut(eventIds: readonly string[], partnerId: string | null): Promise<void> {
    const statement = partnerId === null ? FIND_SUBSCRIBERS : FIND_SUBSCRIBERS_OF_PARTNER;
    let after: Subscriber | undefined;
    for (;;) {
      const subscribers = await this.store.query<Subscriber>(statement, [
        eventIds,
        after?.webhookId ?? '',
        after?.eventId ?? '',
        BATCH,
        ...(partnerId === null ? [] : [partnerId]),
      ]);
      await this.queue(subscribers);
      if (subscribers.length < BATCH) break;
      after = subscribers[subscribers.length - 1];
    }
    await this.store.query(END_FAN_OUT, [eventIds]);
  }

  /** Queues the one delivery of an event that no other endpoint gets; in the transaction that stored it. */
  async deliverTo(subscriber: Subscriber): Promise<void> {
    await this.queue([subscriber]);
    await this.store.query(END_FAN_OUT, [[subscriber.eventId]]);
  }

  /** Fans out what a dead process, or a lost connection, left. @returns how many events */
  async fanOutOverdue(): Promise<number> {
    const events = await this.store.query<{ id: string; partnerId: string | null }>(FIND_OVERDUE_EVENTS, [
      OVERDUE_SECONDS,
      BATCH,
    ]);
    const failures: unknown[] = [];
    for (const [partnerId, own] of Map.groupBy(events, (event) => event.partnerId)) {
      const ids = own.map(({ id }) => id);
      // One partner's, oldest as they are, would be in everybody's way each time.
      await this.fanOut(ids, partnerId).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return events.length;
  }

  /** Rows and their wake-up in one transaction. While a wake-up of the same endpoints waits, another takes its place. */
  private async queue(subscribers: readonly Subscriber[]): Promise<void> {
    if (subscribers.length === 0) return;
    const now = this.clock.now();
    await this.store.transaction(async () => {
      const added = await this.store.query<{ webhookId: string }>(QUEUE_DELIVERIES, [
        subscribers.map(() => newId('delivery', now)),
        subscribers.map(({ eventId }) => eventId),
        subscribers.map(({ webhookId }) => webhookId),
        subscribers.map(({ partnerId }) => partnerId),
        now,
      ]);
      const webhookIds = [...new Set(added.map(({ webhookId }) => webhookId))].sort();
      if (webhookIds.length === 0) return;
      // One job for all of them: a job each would cost more than to send.
      const key = `drain ${createHash('sha256').update(webhookIds.join()).digest('base64url')}`;
      await this.jobs.add([{ task: JOBS.drain, payload: { webhookIds }, key }]);
    });
  }
}
