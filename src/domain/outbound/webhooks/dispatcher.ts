import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { OperatorLog } from '../../kernel/operator-log.js';
import { Store } from '../../kernel/store/store.js';
import { Backlog, type DeliveryTarget, type QueuedDelivery } from './backlog.js';
import * as queries from './delivery.queries.js';
import { DeliveryService } from './delivery.service.js';
import { SendSlots } from './send-slots.js';

const FORGOTTEN_AT_ONCE = 200;
/** Pause before an endpoint whose slots are taken (by test sends, by another process, or by others of its host) is tried again. */
const RETRY_MS = 200;

/**
 * Sends queued deliveries, endpoint by endpoint. Several processes may drain one endpoint: each claim counts the sends in flight to the endpoint and to
 * its host, so the limits hold over all of them, and a hanging receiver delays only its own events. Every shared resource is granted to partners in
 * round-robin order.
 */
@Injectable()
export class Dispatcher {
  /** Drain of each endpoint in this process, by endpoint id. */
  private readonly drains = new Map<string, { again: boolean; done: Promise<void> }>();
  private stopping = false;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly deliveries: DeliveryService,
    private readonly slots: SendSlots,
    private readonly backlog: Backlog,
    private readonly operatorLog: OperatorLog,
  ) {}

  /** Starts draining an endpoint's queue, and returns at once. An endpoint has one drain in this process; a call during it makes it look again. */
  wake(target: DeliveryTarget): void {
    const { webhookId } = target;
    const running = this.drains.get(webhookId);
    if (running) running.again = true;
    if (running || this.stopping) return;
    const entry = { again: false, done: Promise.resolve() };
    this.drains.set(webhookId, entry);
    entry.done = this.drain(target)
      // The sweep for forgotten endpoints finds its deliveries.
      .catch((error: unknown) =>
        this.operatorLog.warn({ err: error }, 'sending stopped; queued deliveries are sent later'),
      )
      .finally(() => {
        this.drains.delete(webhookId);
        if (entry.again) this.wake(target);
      });
  }

  /** Wakes endpoints whose process died or whose wake-up was lost. */
  async wakeForgotten(): Promise<void> {
    const forgotten = await this.store.query(queries.FIND_FORGOTTEN, [FORGOTTEN_AT_ONCE]);
    const idle = forgotten.filter(({ webhookId }) => !this.drains.has(webhookId));
    idle.forEach((target) => this.wake(target));
  }

  /** Starts no more sends and waits for those in flight. Queued deliveries stay queued. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.drained();
  }

  /** Waits until nothing is being sent. */
  async drained(): Promise<void> {
    while (this.drains.size > 0) await Promise.all([...this.drains.values()].map(({ done }) => done));
  }

  private async drain(target: DeliveryTarget): Promise<void> {
    while (!this.stopping && (await this.sendBatch(target)));
  }

  /** @returns whether there may be more to send */
  private async sendBatch(target: DeliveryTarget): Promise<boolean> {
    const { webhookId, partnerId } = target;
    const batch = await this.backlog.read(target);
    const { waiting } = batch;
    if (waiting.length === 0) {
      await this.store.query(queries.DROP_UNWANTED, [webhookId]);
      return false;
    }
    const sendNext = async (): Promise<'sent' | 'full' | 'stale' | null> => {
      // Checked once the slot is granted: by then, the process may be stopping.
      const queued = this.stopping ? undefined : waiting.shift();
      if (!queued) return null;
      const outcome = await this.dispatch(target, queued);
      if (outcome === 'full') waiting.unshift(queued);
      if (outcome === 'stale') {
        // The rest was read with the same secret and URL.
        waiting.length = 0;
        batch.mayHaveMore = true;
      }
      return outcome;
    };
    const first = async (): Promise<void> => {
      for (;;) {
        const outcome = await this.slots.first.run(sendNext, partnerId);
        if (outcome === null) return;
        // It keeps what was read while it waits: a host that is full would otherwise cost a read a second for each of its endpoints.
        if (outcome === 'full') await sleep(RETRY_MS);
      }
    };
    const further = async (): Promise<void> => {
      while ((await this.slots.further.runNow(sendNext, partnerId)) === 'sent');
    };
    const furtherLanes =
      Math.min(waiting.length, this.settings.constants.webhooks.concurrencyPerEndpoint) - 1;
    const lanes = [first(), ...Array.from({ length: furtherLanes }, further)];
    // All lanes are awaited: a stop waits for what they send.
    const results = await Promise.allSettled(lanes);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return batch.mayHaveMore;
  }

  /** Claim, one request, record; nothing for what was claimed before or is no longer wanted. @returns `full` or `stale` when it stays queued */
  private async dispatch(target: DeliveryTarget, queued: QueuedDelivery): Promise<'sent' | 'full' | 'stale'> {
    const { webhookId, partnerId } = target;
    const { id, url, secretSealed, eventId, body } = queued;
    const signature = this.deliveries.signed({ ...queued, id: webhookId }, body);
    const claimed = await this.backlog.claim(target, { id, url, signature, secretSealed });
    if (claimed === 'full' || claimed === 'stale') return claimed;
    if (claimed === 'claimed') await this.deliveries.send({ id, partnerId, url, eventId, body, signature });
    return 'sent';
  }
}
