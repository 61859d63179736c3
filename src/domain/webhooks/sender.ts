import { Agent, Pool } from 'undici';

import { rejectedBy } from '../deadline.js';
import { guardedConnector } from './guarded-connector.js';
import { failureOf, type ConnectionFailure } from './send-failure.js';
import { ForbiddenUrlError, type UrlGuard } from './url-guard.js';

/** Bytes of an answer's body that are read, and thrown away, before the connection is dropped. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Bytes of an answer's header. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long an idle connection may wait for the next send when its receiver offers longer. */
const MAX_IDLE_MS = 10_000;

export interface WebhookSenderOptions {
  guard: UrlGuard;
  /** one deadline over DNS, connect, TLS, headers and body, in milliseconds */
  timeoutMs: number;
  /** `Vaultline/<version>` */
  userAgent: string;
  /** connections to one origin at most; further sends wait, within their deadline. Default: no limit, callers have theirs. */
  concurrencyPerHost?: number;
}

export interface WebhookRequest {
  url: string;
  /** the bytes that were signed, sent unchanged */
  body: Buffer;
  /** all but User-Agent, which is the sender's */
  headers: Record<string, string>;
}

/** `latencyMs`: whole milliseconds of the whole send, DNS included, by a monotonic clock. */
export type SendOutcome =
  | { ok: true; status: number; latencyMs: number }
  | {
      ok: false;
      failure: ConnectionFailure | 'http_status';
      /** null when no header of an answer arrived */
      status: number | null;
      latencyMs: number;
      /** false when nothing was sent towards the receiver, not even a connection attempt */
      attempted: boolean;
    };

/**
 * Sends each webhook once. Whatever happens on the way is a result, never an exception, and nothing is sent again: undici
 * repeats neither a POST nor anything else it has begun to write, and follows no redirect.
 */
export class WebhookSender {
  private readonly guard: UrlGuard;
  private readonly timeoutMs: number;
  private readonly userAgent: string;
  private readonly agent: Agent;
  private readonly inFlight = new Set<Promise<SendOutcome>>();
  /** how many sends wait for an origin; none has no entry */
  private readonly waiting = new Map<string, number>();
  private closing = false;

  constructor(options: WebhookSenderOptions) {
    this.guard = options.guard;
    this.timeoutMs = options.timeoutMs;
    this.userAgent = options.userAgent;
    // A pool an origin: a hanging receiver holds its own connections and nobody else's.
    this.agent = new Agent({
      factory: (origin) => this.openPool(String(origin), options.concurrencyPerHost ?? null),
    });
  }

  /**
   * POSTs `body`. Delivered is a 2xx whose body ends within the deadline, or is cut: by us at 16 KiB, or by a receiver that
   * drops the connection after it has answered. Its status line is its word; the body is never looked at.
   *
   * @throws Error after `close`, and for headers that HTTP cannot carry
   */
  async send(request: WebhookRequest): Promise<SendOutcome> {
    if (this.closing) throw new Error('The webhook sender is closed.');
    const sending = this.attempt(request);
    this.inFlight.add(sending);
    try {
      return await sending;
    } finally {
      this.inFlight.delete(sending);
    }
  }

  /** Waits for sends under way, which their deadline bounds, then drops all connections. May be called twice. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.allSettled(this.inFlight);
    await this.agent.destroy();
  }

  private async attempt(request: WebhookRequest): Promise<SendOutcome> {
    const startedAt = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - startedAt);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.timeoutMs);
    let origin: string | null = null;
    let attempted = false;
    let status: number | null = null;
    try {
      const { url } = await this.guard.check(request.url, 'send', deadline.signal);
      origin = url.origin;
      this.wait(origin, 1);
      attempted = true;
      const answer = await this.post(url, request, deadline.signal);
      status = answer.statusCode;
      await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: deadline.signal });
      if (status >= 200 && status < 300) return { ok: true, status, latencyMs: latencyMs() };
      return { ok: false, failure: 'http_status', status, latencyMs: latencyMs(), attempted };
    } catch (error) {
      const failure = deadline.signal.aborted ? 'timeout' : failureOf(error);
      // The name was judged again when the connection was to be opened, and no longer passed.
      if (error instanceof ForbiddenUrlError) attempted = false;
      return { ok: false, failure, status, latencyMs: latencyMs(), attempted };
    } finally {
      clearTimeout(timer);
      if (origin !== null) this.wait(origin, -1);
    }
  }

  private wait(origin: string, change: 1 | -1): void {
    const count = (this.waiting.get(origin) ?? 0) + change;
    if (count > 0) this.waiting.set(origin, count);
    else this.waiting.delete(origin);
  }

  private async post(url: URL, request: WebhookRequest, signal: AbortSignal): Promise<Answer> {
    const answering = this.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...request.headers, 'user-agent': this.userAgent },
      body: request.body,
      signal,
    });
    // undici hears of an abort only once it is connected. Until then the race keeps the deadline; the request left behind
    // is dropped unwritten when its connection opens, or with its connect timeout.
    return await Promise.race([answering, rejectedBy(signal)]);
  }

  private openPool(origin: string, connections: number | null): Pool {
    return new Pool(origin, {
      connections,
      pipelining: 1,
      headersTimeout: 0, // the deadline is the timeout
      bodyTimeout: 0,
      // Only where the receiver says how long it waits: a guess would meet closing connections, and a send is not repeated.
      keepAliveTimeout: 1,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: guardedConnector(this.guard, origin, this.timeoutMs, () => this.waiting.has(origin)),
    });
  }
}

type Answer = Awaited<ReturnType<Agent['request']>>;
