import type { Settings } from './options.js';

/** How an attempt ended that is no success. */
export interface Failure {
  /** null: no answer came. */
  status: number | null;
  code: string | null;
  /** null: the server named no time. */
  retryAfterSeconds: number | null;
}

type Pace = Pick<Settings, 'retryDelayMs' | 'maxRetryDelayMs' | 'maxRetryAfterSeconds'>;

const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * How long to wait before the next attempt; null where it would be no use. Every request may be repeated: a GET reads, a POST has an `Idempotency-Key`, a PATCH sets
 * fields to the same values again, and what a DELETE took away stays away.
 *
 * @param attempt that failed, from 1
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
  const most = Math.min(pace.retryDelayMs * 2 ** (attempt - 1), pace.maxRetryDelayMs);
  // Thundering herd: callers that failed together do not come back together.
  const backoff = most * (0.5 + random / 2);
  if (retryAfterSeconds === null) return backoff;
  if (retryAfterSeconds > pace.maxRetryAfterSeconds) return null;
  return Math.max(backoff, retryAfterSeconds * 1000 + random * pace.retryDelayMs);
}

/** Seconds, or the date of HTTP. @returns null for what is neither */
export function parseRetryAfter(value: string | null, now = Date.now()): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
