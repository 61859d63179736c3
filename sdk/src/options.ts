/** Options of a client. */
export interface VaultlineOptions {
  /** The API key, or a function that is called before each attempt, so that a rotated key is replaced. */
  apiKey: string | (() => string | Promise<string>);
  /** URL of the deployment, with or without `/api/v1`: `https://yield.example.com`. */
  baseUrl: string;
  /** The most retries of a call. Default: 3. */
  maxRetries?: number;
  /** The timeout of one attempt, the answer's body included. Default: 30,000. */
  timeoutMs?: number;
  /** The timeout of a call with all its attempts and the waits between them. Default: 120,000. */
  totalTimeoutMs?: number;
  /** The wait before the first retry, doubled for each further one. Default: 250. */
  retryDelayMs?: number;
  /** The longest wait between attempts. Default: 8,000. */
  maxRetryDelayMs?: number;
  /** The longest `Retry-After` that is waited for: beyond it, the call fails with `retryAfterSeconds`. Default: 60. */
  maxRetryAfterSeconds?: number;
  /** Called before each wait. */
  onRetry?: (retry: RetryNotice) => void;
  /** Called with the last answer of a call, also for an error. */
  onResponse?: (answer: ResponseNotice) => void;
  /** Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface RetryNotice {
  method: string;
  path: string;
  /** The attempt that failed, from 1. */
  attempt: number;
  delayMs: number;
  /** Status of the answer; null without one. */
  status: number | null;
  /** `error.code` of the answer; without an answer `connection_error` or `timeout`. */
  code: string | null;
}

export interface ResponseNotice {
  method: string;
  path: string;
  status: number;
  requestId: string | null;
  attempts: number;
  /** Whether the answer is a replay for the `Idempotency-Key`. */
  replayed: boolean;
}

export type Settings = Required<Omit<VaultlineOptions, 'onRetry' | 'onResponse' | 'baseUrl' | 'apiKey'>> &
  Pick<VaultlineOptions, 'onRetry' | 'onResponse' | 'apiKey'> & { root: string };

const ROOT = '/api/v1';

/** @throws TypeError for invalid options. Its message never contains the key */
export function settingsOf(options: VaultlineOptions): Settings {
  const { apiKey, baseUrl, onRetry, onResponse } = options;
  if (typeof apiKey !== 'function') checkKey(apiKey);
  const settings = {
    apiKey,
    root: rootOf(baseUrl),
    maxRetries: options.maxRetries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 120_000,
    retryDelayMs: options.retryDelayMs ?? 250,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 8_000,
    maxRetryAfterSeconds: options.maxRetryAfterSeconds ?? 60,
    // `fetch` is called as a function of the global object: browsers refuse it as a method of another one.
    fetch: options.fetch ?? ((request: Request) => globalThis.fetch(request)),
    ...(onRetry && { onRetry }),
    ...(onResponse && { onResponse }),
  };
  for (const [name, value] of Object.entries(settings)) checkNumber(name, value);
  return settings;
}

/** A key that no header can hold would appear in the error of the HTTP library, so that it is refused here. @throws TypeError */
export function checkKey(key: unknown): asserts key is string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new TypeError(
      'apiKey is no API key: one is 1 to 200 visible ASCII characters, without spaces or line ends.',
    );
}

export function checkNumber(name: string, value: unknown): void {
  const isWrong = typeof value === 'number' && !(value >= 0 && value <= 2 ** 31 - 1);
  if (isWrong) throw new TypeError(`${name} is ${value}: it takes a number from 0 to ${2 ** 31 - 1}.`);
}

function rootOf(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError(
      'baseUrl is no absolute URL: name the deployment, such as https://yield.example.com.',
    );
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl takes http or https, a host and a path: no credentials, query or fragment.');
  let base = url.href;
  while (base.endsWith('/')) base = base.slice(0, -1);
  return base.endsWith(ROOT) ? base : base + ROOT;
}
