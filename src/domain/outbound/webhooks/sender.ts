import type { Readable } from 'node:stream';
import { Client } from 'undici';
import {
  Connections,
  guardedConnector,
  IDLE_MARGIN_MS,
  MAX_IDLE_MS,
  type OnStage,
} from '../egress/connections.js';
import { isTlsFailure } from '../../kernel/tls-code.js';
import { ForbiddenUrlError, type UrlGuard } from '../egress/url-guard.js';

/** Bytes of an answer's body that are read and discarded before the connection is dropped. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const TOO_LATE = new Error('The deadline of the send has passed.');

export interface WebhookSenderOptions {
  guard: UrlGuard;
  /** Deadline in milliseconds over DNS, connect, TLS, headers and body. */
  timeoutMs: number;
  userAgent: string;
}

interface WebhookRequest {
  url: string;
  /** The signed bytes, sent unchanged. */
  body: Buffer;
  /** Headers other than User-Agent, which the sender sets. */
  headers: Record<string, string>;
}

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
      status: number | null;
      latencyMs: number;
      /** false when nothing was sent to the receiver, not even a connection attempt */
      attempted: boolean;
    };

/**
 * Sends each webhook once. Every outcome is a result; undici retries neither a POST nor a request that it has begun to write, and follows no
 * redirect.
 */
export class WebhookSender {
  private readonly connections = new Connections((...args) => this.openClient(...args));
  private readonly inFlight = new Set<Promise<SendOutcome>>();
  private closing = false;

  constructor(private readonly options: WebhookSenderOptions) {}

  /**
   * POSTs `body`. A 2xx counts as delivered when its body ends within the deadline, or is cut: by us at 16 KiB, or by a receiver that closes the
   * connection after its answer. The status line decides; the body is discarded.
   * @param onStage called with the progress of its connection, which is then a new one
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

  /** Waits for sends in flight, which are bounded by their deadline, then drops all connections. May be called twice. */
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
      // In whatever state the send is, dropping its connection fails it at once.
      if (client) this.connections.drop(client);
    }, this.options.timeoutMs);
    let attempted = false;
    let isSent = false;
    // undici asks for the next piece once the socket has taken the one before, or failed; in the second case it refuses even an empty one.
    const whole = function* (): Generator<Buffer> {
      yield* [body, Buffer.alloc(0)];
      isSent = true;
    };
    let status: number | null = null;
    try {
      const { url } = await this.options.guard.check(text, 'send', deadline.signal);
      client = this.connections.take(url.origin, onStage);
      attempted = true;
      const answer = await client.request({
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'user-agent': this.options.userAgent, 'content-length': `${body.length}` },
        body: whole() as unknown as Readable, // undici takes any iterable, which its types do not say
      });
      status = answer.statusCode;
      await answer.body.dump({ limit: MAX_ANSWER_BYTES });
      deadline.signal.throwIfAborted();
      // A send is not repeated, so the next one must not meet a closing connection.
      this.connections.release(url.origin, client, String(answer.headers['keep-alive'] ?? ''));
      client = null;
      if (status >= 200 && status < 300) return { ok: true, status, latencyMs: latencyMs() };
      return { ok: false, failure: 'http_status', status, latencyMs: latencyMs(), attempted };
    } catch (error) {
      const failure = deadline.signal.aborted ? 'timeout' : failureOf(error, isSent);
      // The name was checked again for the connection, and was forbidden by then.
      if (error instanceof ForbiddenUrlError) attempted = false;
      return { ok: false, failure, status, latencyMs: latencyMs(), attempted };
    } finally {
      clearTimeout(timer);
      if (client) this.connections.drop(client);
    }
  }

  private openClient(origin: string, signal: AbortSignal, onStage?: OnStage): Client {
    const { guard, timeoutMs } = this.options;
    return new Client(origin, {
      pipelining: 1,
      headersTimeout: 0, // the deadline is the timeout
      bodyTimeout: 0,
      keepAliveTimeout: 1,
      keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: guardedConnector(guard, origin, timeoutMs, signal, onStage),
    });
  }
}

type ConnectionFailure =
  'blocked_address' | 'dns_error' | 'connect_error' | 'tls_error' | 'response_error' | 'timeout';

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
/** Programming errors of the caller, which no receiver can cause. */
const CALLER_CODES = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);

/**
 * Once the request was sent, any failure is a `response_error`: the receiver may have handled the event, whatever it did afterwards.
 * @throws the error itself when it is a programming error
 */
function failureOf(error: unknown, isSent: boolean): ConnectionFailure {
  if (error instanceof ForbiddenUrlError) return error.kind;
  const thrown = (error as { code?: unknown } | null)?.code;
  const code = typeof thrown === 'string' ? thrown : '';
  if (CALLER_CODES.has(code)) throw error;
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (isSent) return 'response_error';
  return isTlsFailure(code) ? 'tls_error' : 'connect_error';
}
