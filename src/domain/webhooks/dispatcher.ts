import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { Foreground } from '../foreground.js';
import { Store } from '../store/store.js';
import * as queries from './delivery.queries.js';
import { DeliveryService } from './delivery.service.js';
import { EndpointService } from './endpoint.service.js';
import { Gathered } from './gathered.js';
import { SendPlaces } from './send-places.js';

/** An endpoint, and whose turn it takes. */
export interface Outlet {
  webhookId: string;
  partnerId: string;
}

/** A queued delivery, with all that its sending takes. */
interface Queued {
  id: string;
  /** Its place among those that were read together. */
  number: number;
  secretSealed: Buffer;
  eventId: string;
  body: string;
}

interface Batch {
  /** Oldest first; those that are taken by a lane are gone from it. */
  waiting: Queued[];
  /** Whether more may be queued behind them. */
  goesOn: boolean;
}

/** Until when it is ours at least, by this process's monotonic clock. */
interface Lease {
  until: number;
}

interface Claim {
  id: string;
  signature: string;
}

/** What became of a claim: its address where it is ours to send; `full` where as many sends to its endpoint as may be are in flight. */
type Claimed = { url: string } | 'full' | 'unwanted';

/** Rows read at a time; the lease outlasts their sending with some to spare. */
const BATCH = 20;
/** Of their bodies: a partner's endpoints hold fifty times as much in memory, at most. */
const BATCH_BYTES = 128 * 1024;
const FORGOTTEN_AT_ONCE = 200;
/** Endpoints that one statement is for. */
const AT_ONCE = 50;
/** Deliveries that one claim is for: what is claimed is to be sent within moments. */
const CLAIMS_AT_ONCE = 8;
/** Endpoints whose sending begins together. */
const BEGUN_AT_ONCE = 8;
/** Left to requests between two statements for endpoints; of those that end in it, one statement takes care. */
const PAUSE_MS = 60;
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
    private readonly places: SendPlaces,
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
    const forgotten = await this.store.query<Outlet>(queries.FIND_FORGOTTEN, [FORGOTTEN_AT_ONCE]);
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
    const batch = await this.batches.ask(partnerId, webhookId);
    if (batch.waiting.length === 0) return false;
    const sendNext = async (): Promise<'sent' | 'full' | null> => {
      // Asked in its turn: the wait for a place may outlast the decision to stop, and the lease.
      const outlasts = performance.now() + this.settings.webhooks.timeoutMs <= lease.until;
      const goesOn = !this.stopping && (outlasts || (await this.renew(webhookId, lease)));
      const queued = goesOn ? batch.waiting.shift() : undefined;
      if (!queued) return null;
      if (await this.dispatch(outlet, queued)) return 'sent';
      // Where it was: another lane may have put its own back before.
      const behind = batch.waiting.findIndex(({ number }) => number > queued.number);
      batch.waiting.splice(behind < 0 ? batch.waiting.length : behind, 0, queued);
      return 'full';
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
    const further =
      Math.min(batch.waiting.length, this.settings.constants.webhooks.concurrency_per_endpoint) - 1;
    const lanes = [lane(first), ...Array.from({ length: further }, () => lane(more))];
    // Settled, not raced: the lease is not let go while a lane still sends.
    const results = await Promise.allSettled(lanes);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (!batch.goesOn && batch.waiting.length === 0) return false;
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
   * @returns false where it is still queued: there is no place for it
   */
  private async dispatch({ webhookId, partnerId }: Outlet, queued: Queued): Promise<boolean> {
    const { id, secretSealed, eventId, body } = queued;
    const signature = this.deliveries.signed(this.endpoints.secretOf({ id: webhookId, secretSealed }), body);
    const claimed = await this.claims.ask(partnerId, { id, signature });
    if (typeof claimed === 'object')
      await this.deliveries.send({ id, partnerId, url: claimed.url, eventId, body, signature });
    return claimed !== 'full';
  }

  private async claim(asked: Claim[]): Promise<Claimed[]> {
    const ids = asked.map(({ id }) => id);
    const signatures = asked.map(({ signature }) => signature);
    const rows = await this.store.query<{ id: string; url: string | null }>(queries.CLAIM, [
      ids,
      signatures,
      this.clock.now(),
      this.settings.constants.webhooks.concurrency_per_endpoint,
    ]);
    const urls = new Map(rows.map(({ id, url }) => [id, url]));
    return ids.map((id) => {
      const url = urls.get(id);
      if (url === undefined) return 'unwanted';
      return url === null ? 'full' : { url };
    });
  }

  private async findQueued(webhookIds: string[]): Promise<Batch[]> {
    const rows = await this.store.query<Queued & { webhookId: string; read: number }>(queries.FIND_QUEUED, [
      webhookIds,
      BATCH,
      BATCH_BYTES,
    ]);
    const byEndpoint = Map.groupBy(rows, ({ webhookId }) => webhookId);
    return webhookIds.map((id) => {
      const waiting = byEndpoint.get(id) ?? [];
      return { waiting, goesOn: waiting.some(({ read }) => read === BATCH || read > waiting.length) };
    });
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
