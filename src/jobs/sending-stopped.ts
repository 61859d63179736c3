import type { Logger } from 'pino';

/** What becomes of a drain that failed: a line in the log. Its deliveries are found again. */
export const sendingStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'sending stopped; what is queued is taken up again');
