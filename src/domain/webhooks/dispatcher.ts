import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { Foreground } from '../foreground.js';
import { Store } from '../store/store.js';
import * as queries from './delivery.queries.js';
import { DeliveryService } from './delivery.service.js';
import { EndpointService } from './endpoint.service.js';
import { Gathered } from './gathered.js';
import { Semaphore } from './semaphore.js';

/** A queued delivery, with all that its sending takes. */
interface Queued {
  id: string;
  secretSealed: Buffer;
  eventId: string;
  body: string;
}

/** Until when it is ours at least, by this process's monotonic clock. */
interface Lease {
  until: number;
}

interface Claim {
  id: string;
  signature: string;
}

/** Rows read at a time; the lease outlasts their sending with some to spare. */
const BATCH = 20;
const FORGOTTEN_AT_ONCE = 200;
/** Of all places. */
const SPARE_SHARE = 0.25;
/** Endpoints that one statement is for. */
const AT_ONCE = 50;
/** Deliveries that one claim is for: what is claimed is to be sent within moments. */
const CLAIMS_AT_ONCE = 8;
/** Endpoints whose sending begins together. */
const BEGUN_AT_ONCE = 8;
/** Left to requests between two statements for endpoints; of those that end in it, one statement takes care. */
const PAUSE_MS = 60;

/**
 * Sends what is queued, endpoint by endpoint: one process at a time holds an endpoint's lease, so the cap on sends in flight to it holds over all
 * processes, and a receiver that hangs delays nobody's events but its own.
 */
@Injectable()
export class Dispatcher {
  /** Endpoint id -> its drain in this process. */
  private readonly drains = new Map<string, { again: boolean; done: Promise<void> }>();
  /** For one send of each endpoint at a time. Receivers that hang take one each, and leave the rest to the others. */
  private readonly places: Semaphore;
  /** For further sends to the same endpoints, where there is one to spare at the moment. */
  private readonly spare: Semaphore;
  private readonly leases = this.gathered(
    (ids) => this.idsOf(queries.TAKE_LEASES, [ids, this.leaseMs, this.holder]),
    BEGUN_AT_ONCE,
  );
  private readonly ends = this.gathered((ids) => this.idsOf(queries.END_LEASES, [ids, this.holder]));
  private readonly left = this.gathered((ids) => this.idsOf(queries.HAVE_QUEUED, [ids]));
  private readonly batches = new Gathered((ids: string[]) => this.findQueued(ids), AT_ONCE);
  /** Each that is claimed begins to be sent in a turn of its own, between which requests are seen to. */
  private readonly claims = new Gathered((asked: Claim[]) => this.claim(asked), CLAIMS_AT_ONCE, {
    between: nextTurn,
  });
  /** This process, as leases name it. */
  private readonly holder = randomUUID();
  private stopping = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly endpoints: EndpointService,
    private readonly deliveries: DeliveryService,
    private readonly foreground: Foreground,
  ) {
    const { concurrency } = settings.constants.webhooks;
    const spare = Math.floor(concurrency * SPARE_SHARE);
    this.places = new Semaphore(concurrency - spare);
    this.spare = new Semaphore(spare);
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
    do {
      const lease: Lease = { until: this.leaseEnd };
      if (!(await this.leases.ask(webhookId))) {
        // Another process drains it and looks once more when it ends; or nobody wants these any more.
        await this.store.query(queries.DROP_UNWANTED, [webhookId]);
        return;
      }
      try {
        while (!this.stopping && (await this.sendBatch(webhookId, lease)));
      } finally {
        await this.ends.ask(webhookId);
      }
      // What was queued between the last look and the end of the lease found it taken.
    } while (!this.stopping && (await this.isLeft(webhookId)));
  }

  /** Whether something that is wanted is still queued. */
  private async isLeft(webhookId: string): Promise<boolean> {
    if (!(await this.left.ask(webhookId))) return false;
    await this.store.query(queries.DROP_UNWANTED, [webhookId]);
    return this.left.ask(webhookId);
  }

  /** @returns whether to go on: there may be more to send, and the lease is still ours */
  private async sendBatch(webhookId: string, lease: Lease): Promise<boolean> {
    const batch = await this.batches.ask(webhookId);
    if (batch.length === 0) return false;
    const waiting = batch[Symbol.iterator]();
    const sendNext = async (): Promise<boolean> => {
      // Asked in its turn: the wait for a place may outlast the decision to stop, and the lease.
      const outlasts = performance.now() + this.settings.webhooks.timeoutMs <= lease.until;
      const goesOn = !this.stopping && (outlasts || (await this.renew(webhookId, lease)));
      const { value: queued, done } = goesOn ? waiting.next() : { value: null, done: true };
      if (!done) await this.dispatch(webhookId, queued!);
      return !done;
    };
    // None goes on for longer than the lease: where further ones found no place, the rest is left to the next batch.
    const lane = async (place: () => Promise<boolean> | null): Promise<void> => {
      for (let round = 0; round < this.rounds && (await place()); round++);
    };
    const further = Math.min(batch.length, this.settings.constants.webhooks.concurrency_per_endpoint) - 1;
    const lanes = [
      lane(() => this.places.run(sendNext)),
      ...Array.from({ length: further }, () => lane(() => this.spare.runNow(sendNext))),
    ];
    // Settled, not raced: the lease is not let go while a lane still sends.
    const results = await Promise.allSettled(lanes);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (batch.length < BATCH && waiting.next().done) return false;
    return this.renew(webhookId, lease);
  }

  /** @returns whether the lease is still ours */
  private async renew(webhookId: string, lease: Lease): Promise<boolean> {
    const until = this.leaseEnd;
    const renewed = await this.store.query(queries.RENEW_LEASE, [webhookId, this.leaseMs, this.holder]);
    if (renewed.length > 0) lease.until = until;
    return renewed.length > 0;
  }

  /** Claim, one request, record. Does nothing when it was claimed before or nobody wants it any more. */
  private async dispatch(webhookId: string, { id, secretSealed, eventId, body }: Queued): Promise<void> {
    const signature = this.deliveries.signed(this.endpoints.secretOf({ id: webhookId, secretSealed }), body);
    const url = await this.claims.ask({ id, signature });
    if (url !== null) await this.deliveries.send({ id, url, eventId, body, signature });
  }

  /** @returns the address of each, or null where it was claimed before or nobody wants it any more */
  private async claim(asked: Claim[]): Promise<(string | null)[]> {
    const ids = asked.map(({ id }) => id);
    const signatures = asked.map(({ signature }) => signature);
    const rows = await this.store.query<{ id: string; url: string }>(queries.CLAIM, [
      ids,
      signatures,
      this.clock.now(),
    ]);
    const urls = new Map(rows.map(({ id, url }) => [id, url]));
    return ids.map((id) => urls.get(id) ?? null);
  }

  private async findQueued(webhookIds: string[]): Promise<Queued[][]> {
    const rows = await this.store.query<Queued & { webhookId: string }>(queries.FIND_QUEUED, [
      webhookIds,
      BATCH,
    ]);
    const byEndpoint = Map.groupBy(rows, ({ webhookId }) => webhookId);
    return webhookIds.map((id) => byEndpoint.get(id) ?? []);
  }

  /** A statement for many endpoints. @param idsOf those that it holds for */
  private gathered(
    idsOf: (webhookIds: string[]) => Promise<Set<string>>,
    most = AT_ONCE,
  ): Gathered<string, boolean> {
    const answer = async (webhookIds: string[]): Promise<boolean[]> => {
      const ids = await idsOf(webhookIds);
      return webhookIds.map((id) => ids.has(id));
    };
    return new Gathered(answer, most, {
      after: async () => (this.stopping ? undefined : this.foreground.giveWay(PAUSE_MS)),
    });
  }

  private async idsOf(...asked: Parameters<Store['query']>): Promise<Set<string>> {
    return new Set((await this.store.query<{ id: string }>(...asked)).map(({ id }) => id));
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
