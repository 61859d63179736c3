import { envelopeError, VaultlineConnectionError, VaultlineTimeoutError } from './errors.js';
import type { EffectOptions } from './operations.js';
import { checkKey, checkNumber, type ResponseNotice, type Settings } from './options.js';
import { type Failure, parseRetryAfter, retryDelay } from './retry.policy.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** One call: a `fetch` that authenticates, retries transient failures, and has a total timeout. It rejects only without an answer. */
export class Call {
  attempts = 0;
  path = '';
  idempotencyKey: string | null;
  /** Whether an attempt without an answer may have had its effect. */
  isUncertain = false;
  /** A private field, so that neither `inspect` nor JSON shows the key in it. */
  readonly #settings: Settings;
  readonly #signal: AbortSignal | undefined;

  /** @param isFile whether the body of a success is left to the caller */
  constructor(
    settings: Settings,
    options: EffectOptions = {},
    private readonly isFile = false,
  ) {
    const { signal, idempotencyKey, ...given } = options;
    for (const [name, value] of Object.entries(given)) checkNumber(name, value);
    const { maxRetries, timeoutMs, totalTimeoutMs } = settings;
    this.#settings = {
      ...settings,
      maxRetries: given.maxRetries ?? maxRetries,
      timeoutMs: given.timeoutMs ?? timeoutMs,
      totalTimeoutMs: given.totalTimeoutMs ?? totalTimeoutMs,
    };
    this.#signal = signal;
    this.idempotencyKey = idempotencyKey ?? null;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { maxRetries, totalTimeoutMs } = this.#settings;
    const { method } = request;
    this.path = new URL(request.url).pathname;
    const signals = [request.signal, this.#signal].filter((signal) => signal !== undefined);
    const endsAt = performance.now() + totalTimeoutMs;
    const headers = new Headers(request.headers);
    if (method === 'POST') {
      this.idempotencyKey ??= headers.get(IDEMPOTENCY_KEY) ?? randomKey();
      headers.set(IDEMPOTENCY_KEY, this.idempotencyKey);
    }
    const body = await request.text();
    const init: RequestInit = { method, headers, credentials: 'omit', redirect: 'error', cache: 'no-store' };
    if (body !== '') init.body = body;
    for (;;) {
      this.attempts += 1;
      const ended = await this.#attempt(request.url, init, signals, endsAt);
      const failure = failureOf(ended);
      const mayRepeat = this.attempts <= maxRetries && !('isLast' in ended && ended.isLast);
      const delayMs = failure && mayRepeat ? retryDelay(failure, this.attempts, this.#settings) : null;
      if (failure === null || delayMs === null || performance.now() + delayMs >= endsAt)
        return this.#end(ended, method);
      this.isUncertain ||= failure.status === null || failure.status >= 500;
      const { status, code } = failure;
      this.#settings.onRetry?.({ method, path: this.path, attempt: this.attempts, delayMs, status, code });
      await pause(delayMs, signals);
    }
  };

  /** @throws the reason with which the caller's signal was aborted */
  async #attempt(url: string, init: RequestInit, signals: AbortSignal[], endsAt: number): Promise<Ended> {
    const { apiKey, fetch, timeoutMs } = this.#settings;
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    checkKey(key);
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${key}`);
    const timeout = new AbortController();
    const restMs = Math.max(0, endsAt - performance.now());
    const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, restMs));
    const stop = (): void => timeout.abort();
    let isRead = true;
    for (const signal of signals) signal.addEventListener('abort', stop);
    try {
      throwIfAborted(signals);
      const response = await fetch(new Request(url, { ...init, headers, signal: timeout.signal }));
      if (this.isFile && response.ok) {
        isRead = false;
        return { response, text: '' };
      }
      // The body is read to its end here, so that an answer that breaks off is retried like a missing one.
      const text = await response.text();
      return { response, text };
    } catch (error) {
      throwIfAborted(signals);
      // A timer may fire a millisecond early: the clock alone would allow an attempt after the total timeout's.
      const isTimeout = timeout.signal.aborted;
      return { error, isTimeout, isLast: isTimeout && restMs <= timeoutMs };
    } finally {
      clearTimeout(timer);
      // A file is read later, and the caller may still abort it.
      if (isRead) for (const signal of signals) signal.removeEventListener('abort', stop);
    }
  }

  #end(ended: Ended, method: string): Response {
    const { path, attempts, idempotencyKey } = this;
    if ('response' in ended) {
      const { response, text } = ended;
      this.#settings.onResponse?.(noticeOf(response, text, { method, path, attempts }));
      if (this.isFile && response.ok) return response;
      const { status, statusText, headers } = response;
      return new Response(text === '' ? null : text, { status, statusText, headers });
    }
    const call = { method, path, attempts, idempotencyKey };
    const tries = attempts === 1 ? '' : ` after ${attempts} attempts`;
    const cause = { cause: ended.error };
    if (ended.isTimeout)
      throw new VaultlineTimeoutError(`${method} ${path} had no answer in time${tries}.`, call, cause);
    throw new VaultlineConnectionError(
      `${method} ${path} had no answer${tries}: ${reasonOf(ended.error)}.`,
      call,
      cause,
    );
  }
}

/** The end of an attempt: a whole answer, or an error. */
type Ended =
  | { response: Response; text: string }
  | {
      error: unknown;
      isTimeout: boolean;
      /** Whether it ended by the total timeout. */
      isLast: boolean;
    };

function failureOf(ended: Ended): Failure | null {
  if ('error' in ended)
    return { status: null, code: ended.isTimeout ? 'timeout' : 'connection_error', retryAfterSeconds: null };
  const { response, text } = ended;
  if (response.ok) return null;
  const retryAfterSeconds = parseRetryAfter(response.headers.get('Retry-After'));
  return { status: response.status, code: envelopeError(parsed(text))?.code ?? null, retryAfterSeconds };
}

function noticeOf(
  { status, headers }: Response,
  text: string,
  call: Pick<ResponseNotice, 'method' | 'path' | 'attempts'>,
): ResponseNotice {
  const requestId = headers.get('X-Request-Id') ?? envelopeError(parsed(text))?.request_id ?? null;
  return { ...call, status, requestId, replayed: headers.get('Idempotency-Replayed') === 'true' };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The innermost message: `fetch failed` has the actual error as its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string };
  if (cause instanceof Error && cause.message !== '') return reasonOf(cause);
  return (message ?? String(error)).replace(/\.$/, '');
}

function throwIfAborted(signals: readonly AbortSignal[]): void {
  for (const signal of signals) signal.throwIfAborted();
}

/** @throws the reason of a signal that is aborted meanwhile */
export async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some(({ aborted }) => aborted)) end();
  });
  throwIfAborted(signals);
}

/** `randomUUID` is not used, because browsers have it on secure pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
