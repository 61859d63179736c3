import type { Logger } from 'pino';

/** What becomes of a drain that failed: a line in the log. Its deliveries are found again. */
export const sendingStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'sending stopped; what is queued is taken up again');

/** The same of a fan-out: its events are found overdue. */
export const fanOutStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'fan-out stopped; its events are taken up again');
