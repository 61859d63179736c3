import type { LoggerService } from '@nestjs/common';
import { Logger as QueueLogger } from 'graphile-worker';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.js';

/** Injection token of the process's pino logger. */
export const LOGGER = Symbol('logger');

/** JSON lines on standard output. What could hold a secret is removed, whoever logs it. */
export function createLogger(settings: Settings, destination?: DestinationStream): Logger {
  return pino(
    {
      level: settings.logLevel,
      base: { contract: settings.contract },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['secret', '*.secret', 'authorization', '*.authorization', '*.headers', 'body', '*.body'],
        censor: '[removed]',
      },
      serializers: { err: errorForLog },
    },
    destination ?? pino.destination({ sync: true }),
  );
}

/** An error without what a driver hangs on it: `detail` and `parameters` of a database error hold a caller's values. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, cause } = error as Error & { code?: string; constraint?: string };
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    stack: error.stack,
    cause: cause && errorForLog(cause),
  };
}

/** Lets Nest log through pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly log_: Logger) {}
  log = (message: unknown, context?: string): void => this.write('debug', message, context);
  warn = (message: unknown, context?: string): void => this.write('warn', message, context);
  debug = (message: unknown, context?: string): void => this.write('debug', message, context);
  verbose = (message: unknown, context?: string): void => this.write('trace', message, context);
  error = (message: unknown, stack?: string, context?: string): void => {
    this.log_.error(
      { context, ...(message instanceof Error ? { err: message } : { stack }) },
      String(message),
    );
  };

  private write(level: 'debug' | 'warn' | 'trace', message: unknown, context?: string): void {
    this.log_[level]({ context }, String(message));
  }
}

/** Its level `info` tells every job. */
const QUEUE_LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/** Lets graphile-worker log through pino. */
export function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger((scope) => (level, message) => {
    log[QUEUE_LEVELS[level]]({ job: scope.jobId, task: scope.taskIdentifier }, message);
  });
}
