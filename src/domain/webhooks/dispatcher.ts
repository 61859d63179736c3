import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { Store } from '../store/store.js';
import * as queries from './delivery.queries.js';
import { DeliveryService } from './delivery.service.js';
import { EndpointService } from './endpoint.service.js';
import { Semaphore } from './semaphore.js';

/** A queued delivery, with all that its sending takes. */
interface Queued {
  id: string;
  secretSealed: Buffer;
  eventId: string;
  body: string;
}

/** Rows read at a time; the lease outlasts their sending with some to spare. */
const BATCH = 20;
const FORGOTTEN_AT_ONCE = 200;

/**
 * Sends what is queued, endpoint by endpoint: one process at a time holds an endpoint's lease, so the cap on sends in flight to it holds over all
 * processes, and a receiver that hangs delays nobody's events but its own.
 */
@Injectable()
export class Dispatcher {
  /** Endpoint id -> its drain in this process. */
  private readonly drains = new Map<string, { again: boolean; done: Promise<void> }>();
  private readonly inFlight: Semaphore;
  private stopping = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly endpoints: EndpointService,
    private readonly deliveries: DeliveryService,
  ) {
    this.inFlight = new Semaphore(settings.constants.webhooks.concurrency);
  }

  /** Sees to it that what is queued for an endpoint is sent, and returns at once. One drain an endpoint runs here; asked meanwhile, it looks again. */
  wake(webhookId: string, onError: (error: unknown) => void): void {
    const running = this.drains.get(webhookId);
    if (running) running.again = true;
    if (running || this.stopping) return;
    const entry = { again: false, done: Promise.resolve() };
    this.drains.set(webhookId, entry);
    entry.done = this.drain(webhookId)
      .catch(onError)
      .finally(() => {
        this.drains.delete(webhookId);
        if (entry.again) this.wake(webhookId, onError);
      });
  }

  /** Wakes endpoints whose process died or whose wake-up was lost. */
  async wakeForgotten(onError: (error: unknown) => void): Promise<void> {
    const forgotten = await this.store.query<{ webhookId: string }>(queries.FIND_FORGOTTEN, [
      FORGOTTEN_AT_ONCE,
    ]);
    forgotten.forEach(({ webhookId }) => this.wake(webhookId, onError));
  }

  /** Begins no more sends and waits for those in flight. What is queued stays queued. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.drains.values()].map(({ done }) => done));
  }

  private async drain(webhookId: string): Promise<void> {
    const holder = randomUUID();
    do {
      const leased = await this.store.query(queries.TAKE_LEASE, [webhookId, this.leaseMs, holder]);
      if (leased.length === 0) {
        // Another process drains it and looks once more when it ends; or nobody wants these any more.
        await this.store.query(queries.DROP_UNWANTED, [webhookId]);
        return;
      }
      try {
        while (!this.stopping && (await this.sendBatch(webhookId, holder)));
      } finally {
        await this.store.query(queries.END_LEASE, [webhookId, holder]);
      }
      await this.store.query(queries.DROP_UNWANTED, [webhookId]);
      // What was queued between the last look and the end of the lease found it taken.
    } while (!this.stopping && (await this.store.query(queries.HAS_QUEUED, [webhookId])).length > 0);
  }

  /** @returns whether to go on: there was something to send, and the lease is still ours */
  private async sendBatch(webhookId: string, holder: string): Promise<boolean> {
    const batch = await this.store.query<Queued>(queries.FIND_QUEUED, [webhookId, BATCH]);
    if (batch.length === 0) return false;
    const waiting = batch[Symbol.iterator]();
    const lane = async (): Promise<void> => {
      for (const queued of waiting) {
        if (this.stopping) return;
        // Asked again in its turn: the wait for a place may outlast the decision to stop.
        await this.inFlight.run(async () => {
          if (!this.stopping) await this.dispatch(webhookId, queued);
        });
      }
    };
    const lanes = Math.min(batch.length, this.settings.constants.webhooks.concurrency_per_endpoint);
    // Settled, not raced: the lease is not let go while a lane still sends.
    const results = await Promise.allSettled(Array.from({ length: lanes }, lane));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return (await this.store.query(queries.RENEW_LEASE, [webhookId, this.leaseMs, holder])).length > 0;
  }

  /** Claim, one request, record. Does nothing when it was claimed before or nobody wants it any more. */
  private async dispatch(webhookId: string, { id, secretSealed, eventId, body }: Queued): Promise<void> {
    const signature = this.deliveries.signed(this.endpoints.secretOf({ id: webhookId, secretSealed }), body);
    const [claimed] = await this.store.query<{ url: string }>(queries.CLAIM, [
      id,
      signature,
      this.clock.now(),
    ]);
    if (claimed) await this.deliveries.send({ id, url: claimed.url, eventId, body, signature });
  }

  private get leaseMs(): number {
    const { concurrency_per_endpoint, interrupted_grace_seconds } = this.settings.constants.webhooks;
    const rounds = Math.ceil(BATCH / concurrency_per_endpoint);
    return rounds * this.settings.webhooks.timeoutMs + interrupted_grace_seconds * 1000;
  }
}
