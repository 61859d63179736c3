import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Store } from '../../kernel/store/store.js';
import { Backlog, BATCH, type DeliveryTarget, type Queued } from './backlog.js';
import * as queries from './delivery.queries.js';
import { DeliveryService } from './delivery.service.js';
import { Batcher } from './batcher.js';
import { SendSlots } from './send-slots.js';

interface Lease {
  until: number;
}

const FORGOTTEN_AT_ONCE = 200;
const AT_ONCE = 200;
/** Pause before an endpoint whose slots are taken (by test sends, by another process, or by others of its host) is tried again. */
const FULL_MS = 200;

/**
 * Sends queued deliveries, endpoint by endpoint. One process at a time holds an endpoint's lease, and each claim counts the sends in flight to the
 * endpoint and to its host, so the limits hold over all processes, and a hanging receiver delays only its own events. Every shared resource is granted to partners in round-robin
 * order.
 */
@Injectable()
export class Dispatcher {
  /** Drain of each endpoint in this process, by endpoint id. */
  private readonly drains = new Map<string, { again: boolean; done: Promise<void> }>();
  private readonly leases = this.batched((ids) =>
    idsOf(this.store.query(queries.TAKE_LEASES, [ids, this.leaseMs, this.holder])),
  );
  /** Ends leases; true where deliveries were queued between the last read and this end, which were left to this process. */
  private readonly ends = this.batched(async (ids) => {
    await this.store.query(queries.END_LEASES, [ids, this.holder]);
    return idsOf(this.store.query(queries.HAVE_QUEUED, [ids]));
  });
  private readonly holder = randomUUID();
  private stopping = false;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly deliveries: DeliveryService,
    private readonly slots: SendSlots,
    private readonly backlog: Backlog,
  ) {}

  /** Starts draining an endpoint's queue, and returns at once. An endpoint has one drain in this process; a call during it makes it look again. */
  wake(target: DeliveryTarget, onError: (error: unknown) => void): void {
    const { webhookId } = target;
    const running = this.drains.get(webhookId);
    if (running) running.again = true;
    if (running || this.stopping) return;
    const entry = { again: false, done: Promise.resolve() };
    this.drains.set(webhookId, entry);
    entry.done = this.drain(target)
      .catch(onError)
      .finally(() => {
        this.drains.delete(webhookId);
        if (entry.again) this.wake(target, onError);
      });
  }

  /** Wakes endpoints whose process died or whose wake-up was lost. */
  async wakeForgotten(onError: (error: unknown) => void): Promise<void> {
    const forgotten = await this.store.query(queries.FIND_FORGOTTEN, [FORGOTTEN_AT_ONCE]);
    forgotten.forEach((target) => this.wake(target, onError));
  }

  /** Starts no more sends and waits for those in flight. Queued deliveries stay queued. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.drains.values()].map(({ done }) => done));
  }

  private async drain(target: DeliveryTarget): Promise<void> {
    const { webhookId, partnerId } = target;
    let isLeft: boolean;
    do {
      const lease: Lease = { until: this.leaseEnd };
      if (!(await this.leases.ask(partnerId, webhookId))) {
        // Either another process drains the endpoint and will check again when it ends, or the endpoint no longer takes these deliveries.
        await this.store.query(queries.DROP_UNWANTED, [webhookId]);
        return;
      }
      try {
        while (!this.stopping && (await this.sendBatch(target, lease)));
      } finally {
        isLeft = await this.ends.ask(partnerId, webhookId);
      }
    } while (!this.stopping && isLeft && (await this.isWanted(webhookId)));
  }

  private async isWanted(webhookId: string): Promise<boolean> {
    await this.store.query(queries.DROP_UNWANTED, [webhookId]);
    return (await this.store.query(queries.HAVE_QUEUED, [[webhookId]])).length > 0;
  }

  /** @returns whether to continue: there may be more to send, and the lease is still held */
  private async sendBatch(target: DeliveryTarget, lease: Lease): Promise<boolean> {
    const { webhookId, partnerId } = target;
    const batch = await this.backlog.read(target);
    if (batch.size === 0) return false;
    const sendNext = async (): Promise<'sent' | 'full' | 'stale' | null> => {
      // Checked once the slot is granted: by then, the process may be stopping or the lease too old.
      const goesOn = !this.stopping && (this.outlasts(lease) || (await this.renew(webhookId, lease)));
      const queued = goesOn ? batch.take() : undefined;
      if (!queued) return null;
      const outcome = await this.dispatch(target, queued);
      if (outcome === 'full') batch.putBack(queued);
      if (outcome === 'stale') batch.forget();
      return outcome;
    };
    // It keeps what was read while it waits: a host that is full would otherwise cost a read a second for each of its endpoints.
    const first = async (): Promise<boolean> => {
      for (;;) {
        const outcome = await this.slots.first.run(sendNext, partnerId);
        if (outcome !== 'full') return outcome !== null;
        await sleep(FULL_MS);
      }
    };
    const more = async (): Promise<boolean> =>
      (await this.slots.further.runNow(sendNext, partnerId)) === 'sent';
    // No lane runs longer than the lease: when further lanes find no slot, the rest is left to the next batch.
    const lane = async (next: () => Promise<boolean>): Promise<void> => {
      for (let round = 0; round < this.rounds && (await next()); round++);
    };
    const further = Math.min(batch.size, this.settings.constants.webhooks.concurrencyPerEndpoint) - 1;
    const lanes = [lane(first), ...Array.from({ length: further }, () => lane(more))];
    // All lanes are awaited: the lease must not be released while one still sends.
    const results = await Promise.allSettled(lanes);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (!batch.mayGoOn && batch.size === 0) return false;
    return this.outlasts(lease) || this.renew(webhookId, lease);
  }

  /** Whether a send that begins now ends before the lease does. */
  private outlasts({ until }: Lease): boolean {
    return performance.now() + this.settings.webhooks.timeoutMs <= until;
  }

  /** @returns whether the lease is still held */
  private async renew(webhookId: string, lease: Lease): Promise<boolean> {
    const until = this.leaseEnd;
    const renewed = await this.store.query(queries.RENEW_LEASE, [webhookId, this.leaseMs, this.holder]);
    if (renewed.length > 0) lease.until = until;
    return renewed.length > 0;
  }

  /**
   * Claim, one request, record. Does nothing when the row was claimed before or is no longer wanted.
   * @returns `full` or `stale` when it stays queued: the endpoint or its host has no free slot, or its secret or URL was replaced
   */
  private async dispatch(target: DeliveryTarget, queued: Queued): Promise<'sent' | 'full' | 'stale'> {
    const { webhookId, partnerId } = target;
    const { id, url, secretSealed, eventId, body } = queued;
    const signature = this.deliveries.signed({ ...queued, id: webhookId }, body);
    const claimed = await this.backlog.claim(target, { id, url, signature, secretSealed });
    if (claimed === 'full' || claimed === 'stale') return claimed;
    if (claimed === 'claimed') await this.deliveries.send({ id, partnerId, url, eventId, body, signature });
    return 'sent';
  }

  /** Batches a statement over many endpoints. @param idsOf returns the endpoints for which it holds */
  private batched(idsOf: (webhookIds: string[]) => Promise<Set<string>>): Batcher<string, boolean> {
    const answer = async (webhookIds: string[]): Promise<boolean[]> => {
      const ids = await idsOf(webhookIds);
      return webhookIds.map((id) => ids.has(id));
    };
    return new Batcher(answer, AT_ONCE);
  }

  /** Most sends of a lane, one after another, before the lease is renewed. */
  private get rounds(): number {
    return Math.ceil(BATCH / this.settings.constants.webhooks.concurrencyPerEndpoint);
  }

  /** End of a lease that is about to be requested, by this process's monotonic clock: never later than by the database's. */
  private get leaseEnd(): number {
    return performance.now() + this.leaseMs;
  }

  private get leaseMs(): number {
    const { timeoutMs } = this.settings.webhooks;
    return this.rounds * timeoutMs + this.settings.constants.webhooks.interruptedGraceSeconds * 1000;
  }
}

const idsOf = async (rows: Promise<{ id: string }[]>): Promise<Set<string>> =>
  new Set((await rows).map(({ id }) => id));
