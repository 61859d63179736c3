import type { LoggerService } from '@nestjs/common';
import { Logger as QueueLogger } from 'graphile-worker';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.js';
import { tracePlace } from './trace-place.js';
import { LogOutput, type Sink, standardOutput } from './log-output.js';

/** Injection token of the process's pino logger. */
export const LOGGER = Symbol('logger');

/** JSON lines on standard output, which keep nobody waiting, and where they are held. */
export function createProcessLogger(
  settings: Settings,
  sink: Sink = standardOutput(),
): { log: Logger; output: LogOutput } {
  const output = new LogOutput(sink, settings.constants.log.held_bytes, (dropped) =>
    log.error({ dropped }, 'log lines were dropped before this one: standard output did not take them'),
  );
  const log = createLogger(settings, output);
  return { log, output };
}

/** For what says nothing, such as commands, whose output is their own. */
export const silentLogger = (): Logger => pino({ level: 'silent' }, { write: () => undefined });

/** JSON lines. What could hold a secret is removed, whoever logs it. */
export function createLogger(settings: Settings, destination: DestinationStream): Logger {
  return pino(
    {
      level: settings.logLevel,
      base: { contract: settings.contract },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutNamedSecrets },
      serializers: { err: (error) => errorForLog(error), error: (error) => errorForLog(error) },
      hooks: { streamWrite: withoutSecrets },
      ...(settings.tracing && { mixin: traceId }),
    },
    destination,
  );
}

/** Of lines that are written while a request, a send or a tick is traced. */
function traceId(): object {
  const place = tracePlace.getStore();
  return place ? { trace_id: place.traceId } : {};
}

/** Names of what is never logged: at the top of a line, and one level below. */
const NAMED = new Set(['secret', 'authorization', 'body']);
const NAMED_BELOW = new Set([...NAMED, 'headers']);
/** Errors under these names are shown by their serializers. */
const SERIALIZED = new Set(['err', 'error']);
const REMOVED = '[removed]';

/** Not pino's own `redact`, whose walk takes each line longer than all else together: few lines hold anything but plain values. */
function withoutNamedSecrets(line: Record<string, unknown>): Record<string, unknown> {
  let clean = line;
  for (const name in line) {
    const value = line[name];
    const shown = NAMED.has(name)
      ? REMOVED
      : isRecord(value) && !SERIALIZED.has(name)
        ? withoutFields(value)
        : value;
    if (shown === value) continue;
    if (clean === line) clean = { ...line };
    clean[name] = shown;
  }
  return clean;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function withoutFields(record: Record<string, unknown>): Record<string, unknown> {
  const named = Object.keys(record).filter((name) => NAMED_BELOW.has(name));
  if (named.length === 0) return record;
  return { ...record, ...Object.fromEntries(named.map((name) => [name, REMOVED])) };
}

/** What is told by its form: keys, signing secrets, and who logs in with what in a URL. The last stop of every line, whatever led there. */
function withoutSecrets(line: string): string {
  return line
    .replace(/\b(vl_(?:live|sandbox)_|whsec_)[0-9A-Za-z+/]{32,}=?/g, '$1[removed]')
    .replace(/(?<=:\/\/)[^\s/?#"@]+@/g, '[removed]@');
}

/** An error without what a driver hangs on it: `detail` and `parameters` of a database error hold a caller's values. */
function errorForLog(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, cause } = error as Error & { code?: string; constraint?: string };
  const message = withoutValues(error.message, code);
  return {
    type: error.name,
    message,
    code,
    constraint,
    // It begins with the message.
    stack: error.stack?.replace(error.message, () => message),
    cause: cause && depth < CAUSES ? errorForLog(cause, depth + 1) : undefined,
  };
}

/** Further ones say nothing new, and some are their own. */
const CAUSES = 5;

/** Of a value that it cannot take (class 22), PostgreSQL tells in its message what the value was. */
const withoutValues = (message: string, code: string | undefined): string =>
  /^22[0-9A-Z]{3}$/.test(code ?? '') ? message.replace(/".*"/gs, '"[removed]"') : message;

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
