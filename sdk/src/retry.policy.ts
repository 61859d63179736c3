import type { Settings } from './options.js';

/** The end of an attempt without success. */
export interface Failure {
  /** Status of the answer; null: no answer. */
  status: number | null;
  code: string | null;
  /** Retry-After of the answer; null: the server named no time. */
  retryAfterSeconds: number | null;
}

type Pace = Pick<Settings, 'retryDelayMs' | 'maxRetryDelayMs' | 'maxRetryAfterSeconds'>;

const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * The wait before the next attempt; null where a retry would be of no use. Every request may be repeated: a GET reads, a POST has an
 * `Idempotency-Key`, a PATCH sets fields to the same values, and a deleted record stays deleted.
 *
 * @param attempt the failed attempt, from 1
 * @param random from 0 to 1
 */
export function retryDelay(
  failure: Failure,
  attempt: number,
  pace: Pace,
  random = Math.random(),
): number | null {
  const { status, code, retryAfterSeconds } = failure;
  const passes =
    status === null || PASSING.has(status) || (status === 409 && code === 'idempotency_in_progress');
  if (!passes) return null;
  const delayMs = Math.min(pace.retryDelayMs * 2 ** (attempt - 1), pace.maxRetryDelayMs);
  // Jitter against the thundering herd: callers that failed together do not retry together.
  const backoff = delayMs * (0.5 + random / 2);
  if (retryAfterSeconds === null) return backoff;
  if (retryAfterSeconds > pace.maxRetryAfterSeconds) return null;
  return Math.max(backoff, retryAfterSeconds * 1000 + random * pace.retryDelayMs);
}

/** Parses seconds or an HTTP date. @returns null for anything else */
export function parseRetryAfter(value: string | null, now = Date.now()): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
