import type { Logger } from 'pino';

/** Logs a failed drain. Its deliveries are found again by the sweep. */
export const sendingStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'sending stopped; what is queued is taken up again');

/** Logs a failed fan-out. Its events are found again as overdue. */
export const fanOutStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'fan-out stopped; its events are taken up again');
