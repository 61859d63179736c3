import type { Calls } from './calls.js';
import type { components, paths } from './generated/sandbox.js';
import type { RequestOptions } from './operations.js';
import { pause } from './transport.js';

type Advance = components['schemas']['SimulationAdvance'];
type Delivery = components['schemas']['Delivery'];
type Endpoint = components['schemas']['Webhook'];

export interface SettlingOptions extends RequestOptions {
  /** The longest wait for deliveries. Default: 30,000. */
  deadlineMs?: number;
  /** The time without a delivery after which the log counts as settled. Default: 1,000. */
  quietMs?: number;
}

export interface SettledDeliveries {
  /** Deliveries of the advance's events that have an outcome, oldest first. */
  deliveries: Delivery[];
  /** false: the deadline came before all had an outcome. */
  settled: boolean;
}

/** A page of 100 costs a tenth of one of 1,000; further pages are read only where something is new. */
const PAGE = 100;
const FIRST_LOOK_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Waits for the deliveries of one advance. The API does not tell what is queued, but the log shows sends in progress, and the advance says how many
 * events it raised: one `position.active` or `position.rebalanced` for each moved position, and a `yield.threshold` for each other one. Deliveries of
 * an endpoint begin in the order of their events, so that earlier ones have begun once these have.
 */
export class Settling {
  readonly #list;
  readonly #endpoints;
  readonly #advance: Advance;
  readonly #options: RequestOptions;
  readonly #deadlineMs: number;
  readonly #quietMs: number;
  /** Deliveries with an outcome, by id. */
  readonly #ended = new Map<string, Delivery>();

  constructor(calls: Calls<paths>, advance: Advance, options: SettlingOptions) {
    const { deadlineMs = 30_000, quietMs = 1_000, signal } = options;
    this.#list = calls.list('/webhooks/events');
    this.#endpoints = calls.list('/webhooks');
    this.#advance = advance;
    this.#options = signal ? { signal } : {};
    this.#deadlineMs = deadlineMs;
    this.#quietMs = quietMs;
  }

  async wait(): Promise<SettledDeliveries> {
    const signals = this.#options.signal ? [this.#options.signal] : [];
    const began = performance.now();
    const endpoints = await this.#activeEndpoints();
    const isTold = endpoints.every((endpoint) => {
      const { count, isExact } = this.#expected(endpoint);
      return isExact && count > 0;
    });
    let quietSince = began;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
      const sizeBefore = this.#ended.size;
      await this.#readOn();
      const isSending =
        (await this.#list({ status: 'pending', limit: 1 }, this.#options).page()).data.length > 0;
      const now = performance.now();
      if (isSending || this.#ended.size !== sizeBefore) quietSince = now;
      const isComplete = !isSending && endpoints.every((endpoint) => this.#hasAll(endpoint));
      const isQuiet = isTold || now - quietSince >= this.#quietMs;
      if (endpoints.length === 0 || (isComplete && isQuiet))
        return { deliveries: this.#deliveries(), settled: true };
      if (now - began >= this.#deadlineMs) return { deliveries: this.#deliveries(), settled: false };
      await pause(Math.min(waitMs, this.#deadlineMs - (now - began)), signals);
    }
  }

  async #activeEndpoints(): Promise<Endpoint[]> {
    const all: Endpoint[] = [];
    for await (const endpoint of this.#endpoints({}, this.#options)) all.push(endpoint);
    return all.filter(({ active }) => active);
  }

  /** The least number of deliveries that an endpoint gets, and whether it is exact. */
  #expected({ events }: Endpoint): { count: number; isExact: boolean } {
    const { rebalances, events: raised } = this.#advance;
    const moves = ['position.active' as const, 'position.rebalanced' as const].filter((type) =>
      events.includes(type),
    );
    const crossings = events.includes('yield.threshold') ? raised - rebalances : 0;
    const moved = moves.length === 2 ? rebalances : 0;
    return { count: crossings + moved, isExact: moves.length !== 1 || rebalances === 0 };
  }

  #hasAll(endpoint: Endpoint): boolean {
    const count = this.#deliveries().filter(({ webhook_id }) => webhook_id === endpoint.id).length;
    return count >= this.#expected(endpoint).count;
  }

  /** Reads the log, newest first, up to a page without new rows, or a delivery from before the advance's first event. */
  async #readOn(): Promise<void> {
    for await (const { data } of this.#list({ limit: PAGE }, this.#options).pages()) {
      const fresh = data.filter(({ id, status }) => status !== 'pending' && !this.#ended.has(id));
      for (const delivery of fresh) this.#ended.set(delivery.id, delivery);
      if (fresh.length === 0 || data.every(({ payload }) => payload.created_at <= this.#advance.from)) return;
    }
  }

  #deliveries(): Delivery[] {
    const deliveries = [...this.#ended.values()].filter((delivery) => this.#isOwn(delivery));
    return deliveries.sort((a, b) => (`${a.at}${a.id}` < `${b.at}${b.id}` ? -1 : 1));
  }

  #isOwn({ payload }: Delivery): boolean {
    return payload.created_at > this.#advance.from && payload.created_at <= this.#advance.to;
  }
}
