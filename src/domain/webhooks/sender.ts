import { Client } from 'undici';

import { Connections, type OnStage } from '../egress/connections.js';
import { guardedConnector } from '../egress/guarded-connector.js';
import { failureOf, type ConnectionFailure } from './send-failure.js';
import { ForbiddenUrlError, type UrlGuard } from '../egress/url-guard.js';

/** Bytes of an answer's body that are read, and thrown away, before the connection is dropped. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Bytes of an answer's header. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long an idle connection may wait for the next send when its receiver offers longer. */
const MAX_IDLE_MS = 10_000;
const TOO_LATE = new Error('The deadline of the send has passed.');

export interface WebhookSenderOptions {
  guard: UrlGuard;
  /** one deadline over DNS, connect, TLS, headers and body, in milliseconds */
  timeoutMs: number;
  /** `Vaultline/<version>` */
  userAgent: string;
}

export interface WebhookRequest {
  url: string;
  /** the bytes that were signed, sent unchanged */
  body: Buffer;
  /** all but User-Agent, which is the sender's */
  headers: Record<string, string>;
}

/** The request of an event. @param body its envelope, as it was signed */
export const eventRequest = (
  url: string,
  { eventId, body, signature }: { eventId: string; body: string; signature: string },
): WebhookRequest => ({
  url,
  body: Buffer.from(body),
  headers: {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-signature': signature,
  },
});

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
  private readonly connections = new Connections((...given) => this.openClient(...given));
  private readonly inFlight = new Set<Promise<SendOutcome>>();
  private closing = false;

  constructor(options: WebhookSenderOptions) {
    this.guard = options.guard;
    this.timeoutMs = options.timeoutMs;
    this.userAgent = options.userAgent;
  }

  /**
   * POSTs `body`. Delivered is a 2xx whose body ends within the deadline, or is cut: by us at 16 KiB, or by a receiver that
   * drops the connection after it has answered. Its status line is its word; the body is never looked at.
   *
   * @param onStage told how far its connection comes, which is a new one then
   * @throws Error after `close`, and for headers that HTTP cannot carry
   */
  async send(request: WebhookRequest, onStage?: OnStage): Promise<SendOutcome> {
    if (this.closing) throw new Error('The webhook sender is closed.');
    const sending = this.attempt(request, onStage);
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
    await this.connections.close();
  }

  private async attempt(
    { url: text, body, headers }: WebhookRequest,
    onStage?: OnStage,
  ): Promise<SendOutcome> {
    const startedAt = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - startedAt);
    const deadline = new AbortController();
    let client: Client | null = null;
    const timer = setTimeout(() => {
      deadline.abort(TOO_LATE);
      // Whether it is connecting, waiting or reading: what it does fails at once.
      if (client) this.connections.drop(client);
    }, this.timeoutMs);
    let attempted = false;
    let status: number | null = null;
    try {
      const { url } = await this.guard.check(text, 'send', deadline.signal);
      client = this.connections.take(url.origin, onStage);
      attempted = true;
      const answer = await client.request({
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'user-agent': this.userAgent },
        body,
      });
      status = answer.statusCode;
      await answer.body.dump({ limit: MAX_ANSWER_BYTES });
      deadline.signal.throwIfAborted();
      // Only where the receiver says that it waits: a guess would meet closing connections, and a send is not repeated.
      if ('keep-alive' in answer.headers) this.connections.keep(url.origin, client);
      else this.connections.drop(client);
      client = null;
      if (status >= 200 && status < 300) return { ok: true, status, latencyMs: latencyMs() };
      return { ok: false, failure: 'http_status', status, latencyMs: latencyMs(), attempted };
    } catch (error) {
      const failure = deadline.signal.aborted ? 'timeout' : failureOf(error);
      // The name was judged again when the connection was to be opened, and no longer passed.
      if (error instanceof ForbiddenUrlError) attempted = false;
      return { ok: false, failure, status, latencyMs: latencyMs(), attempted };
    } finally {
      clearTimeout(timer);
      if (client) this.connections.drop(client);
    }
  }

  private openClient(origin: string, signal: AbortSignal, onStage?: OnStage): Client {
    return new Client(origin, {
      pipelining: 1,
      headersTimeout: 0, // the deadline is the timeout
      bodyTimeout: 0,
      keepAliveTimeout: 1,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: guardedConnector(this.guard, origin, this.timeoutMs, signal, onStage),
    });
  }
}
