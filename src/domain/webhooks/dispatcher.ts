import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Store } from '../store/store.js';
import { Backlog, BATCH, type Outlet, type Queued } from './backlog.js';
import * as queries from './delivery.queries.js';
import { DeliveryService } from './delivery.service.js';
import { Gathered } from './gathered.js';
import { SendPlaces } from './send-places.js';

/** Until when it is ours at least, by this process's monotonic clock. */
interface Lease {
  until: number;
}

const FORGOTTEN_AT_ONCE = 200;
/** Endpoints that one statement is for. */
const AT_ONCE = 200;
/** Until an endpoint that is full of test sends, or of another process's sends, is looked at again. */
const FULL_MS = 200;

/**
 * Sends what is queued, endpoint by endpoint. One process at a time holds an endpoint's lease, and each claim counts its sends in flight, so the cap on them holds over all
 * processes, and a receiver that hangs delays nobody's events but its own. Whatever is waited for here is had by partner in turn.
 */
@Injectable()
export class Dispatcher {
  /** Endpoint id -> its drain in this process. */
  private readonly drains = new Map<string, { again: boolean; done: Promise<void> }>();
  private readonly leases = this.gathered((ids) =>
    idsOf(this.store.query(queries.TAKE_LEASES, [ids, this.leaseMs, this.holder])),
  );
  private readonly ends = this.gathered(async (ids) => {
    await this.store.query(queries.END_LEASES, [ids, this.holder]);
    return new Set();
  });
  private readonly left = this.gathered((ids) => idsOf(this.store.query(queries.HAVE_QUEUED, [ids])));
  /** This process, as leases name it. */
  private readonly holder = randomUUID();
  private stopping = false;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly deliveries: DeliveryService,
    private readonly places: SendPlaces,
    private readonly backlog: Backlog,
  ) {}

  /** Sees to it that what is queued for an endpoint is sent, and returns at once. One drain an endpoint runs here; asked meanwhile, it looks again. */
  wake(outlet: Outlet, onError: (error: unknown) => void): void {
    const { webhookId } = outlet;
    const running = this.drains.get(webhookId);
    if (running) running.again = true;
    if (running || this.stopping) return;
    const entry = { again: false, done: Promise.resolve() };
    this.drains.set(webhookId, entry);
    entry.done = this.drain(outlet)
      .catch(onError)
      .finally(() => {
        this.drains.delete(webhookId);
        if (entry.again) this.wake(outlet, onError);
      });
  }

  /** Wakes endpoints whose process died or whose wake-up was lost. */
  async wakeForgotten(onError: (error: unknown) => void): Promise<void> {
    const forgotten = await this.store.query(queries.FIND_FORGOTTEN, [FORGOTTEN_AT_ONCE]);
    forgotten.forEach((outlet) => this.wake(outlet, onError));
  }

  /** Begins no more sends and waits for those in flight. What is queued stays queued. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.drains.values()].map(({ done }) => done));
  }

  private async drain(outlet: Outlet): Promise<void> {
    const { webhookId, partnerId } = outlet;
    do {
      const lease: Lease = { until: this.leaseEnd };
      if (!(await this.leases.ask(partnerId, webhookId))) {
        // Another process drains it and looks once more when it ends; or nobody wants these any more.
        await this.store.query(queries.DROP_UNWANTED, [webhookId]);
        return;
      }
      try {
        while (!this.stopping && (await this.sendBatch(outlet, lease)));
      } finally {
        await this.ends.ask(partnerId, webhookId);
      }
      // What was queued between the last look and the end of the lease found it taken.
    } while (!this.stopping && (await this.isLeft(outlet)));
  }

  /** Whether something that is wanted is still queued. */
  private async isLeft({ webhookId, partnerId }: Outlet): Promise<boolean> {
    if (!(await this.left.ask(partnerId, webhookId))) return false;
    await this.store.query(queries.DROP_UNWANTED, [webhookId]);
    return this.left.ask(partnerId, webhookId);
  }

  /** @returns whether to go on: there may be more to send, and the lease is still ours */
  private async sendBatch(outlet: Outlet, lease: Lease): Promise<boolean> {
    const { webhookId, partnerId } = outlet;
    const batch = await this.backlog.read(outlet);
    if (batch.size === 0) return false;
    const sendNext = async (): Promise<'sent' | 'full' | 'stale' | null> => {
      // Asked in its turn: the wait for a place may outlast the decision to stop, and the lease.
      const outlasts = performance.now() + this.settings.webhooks.timeoutMs <= lease.until;
      const goesOn = !this.stopping && (outlasts || (await this.renew(webhookId, lease)));
      const queued = goesOn ? batch.take() : undefined;
      if (!queued) return null;
      const outcome = await this.dispatch(outlet, queued);
      if (outcome === 'full') batch.putBack(queued);
      if (outcome === 'stale') batch.forget();
      return outcome;
    };
    const first = async (): Promise<boolean> => {
      const outcome = await this.places.first.run(sendNext, partnerId);
      if (outcome === 'full') await sleep(FULL_MS);
      return outcome !== null;
    };
    const more = async (): Promise<boolean> =>
      (await this.places.further.runNow(sendNext, partnerId)) === 'sent';
    // None goes on for longer than the lease: where further ones found no place, the rest is left to the next batch.
    const lane = async (next: () => Promise<boolean>): Promise<void> => {
      for (let round = 0; round < this.rounds && (await next()); round++);
    };
    const further = Math.min(batch.size, this.settings.constants.webhooks.concurrency_per_endpoint) - 1;
    const lanes = [lane(first), ...Array.from({ length: further }, () => lane(more))];
    // Settled, not raced: the lease is not let go while a lane still sends.
    const results = await Promise.allSettled(lanes);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (!batch.mayGoOn && batch.size === 0) return false;
    return this.renew(webhookId, lease);
  }

  /** @returns whether the lease is still ours */
  private async renew(webhookId: string, lease: Lease): Promise<boolean> {
    const until = this.leaseEnd;
    const renewed = await this.store.query(queries.RENEW_LEASE, [webhookId, this.leaseMs, this.holder]);
    if (renewed.length > 0) lease.until = until;
    return renewed.length > 0;
  }

  /**
   * Claim, one request, record. Does nothing when it was claimed before or nobody wants it any more.
   *
   * @returns `full`, `stale` where it is still queued: there is no place for it, or it was signed with a secret that was replaced
   */
  private async dispatch(outlet: Outlet, queued: Queued): Promise<'sent' | 'full' | 'stale'> {
    const { webhookId, partnerId } = outlet;
    const { id, secretSealed, eventId, body } = queued;
    const signature = this.deliveries.signed({ ...queued, id: webhookId }, body);
    const claimed = await this.backlog.claim(outlet, { id, signature, secretSealed });
    if (claimed === 'full' || claimed === 'stale') return claimed;
    if (claimed !== 'unwanted')
      await this.deliveries.send({ id, partnerId, url: claimed.url, eventId, body, signature });
    return 'sent';
  }

  /** A statement for many endpoints. @param idsOf those that it holds for */
  private gathered(idsOf: (webhookIds: string[]) => Promise<Set<string>>): Gathered<string, boolean> {
    const answer = async (webhookIds: string[]): Promise<boolean[]> => {
      const ids = await idsOf(webhookIds);
      return webhookIds.map((id) => ids.has(id));
    };
    return new Gathered(answer, AT_ONCE);
  }

  /** Sends one after another in a lane, at most, before the lease is renewed. */
  private get rounds(): number {
    return Math.ceil(BATCH / this.settings.constants.webhooks.concurrency_per_endpoint);
  }

  /** Of a lease that is about to be asked for, by this process's monotonic clock: not later than by the database's. */
  private get leaseEnd(): number {
    return performance.now() + this.leaseMs;
  }

  private get leaseMs(): number {
    const { timeoutMs } = this.settings.webhooks;
    return this.rounds * timeoutMs + this.settings.constants.webhooks.interrupted_grace_seconds * 1000;
  }
}

const idsOf = async (rows: Promise<{ id: string }[]>): Promise<Set<string>> =>
  new Set((await rows).map(({ id }) => id));
