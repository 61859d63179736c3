import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { Logger as QueueLogger } from 'graphile-worker';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.js';

/** Injection token of the process's pino logger. */
export const LOGGER = Symbol('logger');

/** Settings of a logger; before they are read, the contract may be missing or unknown. */
type LogSettings = Pick<Settings, 'logLevel' | 'tracing'> & { contract: string | undefined };

export interface ProcessLogger {
  log: Logger;
  output: LogOutput;
}

/** Logger of JSON lines on standard output without blocking, and its output. */
export function createProcessLogger(settings: LogSettings): ProcessLogger {
  const output = logOutput((dropped) =>
    log.error({ dropped }, 'log lines were dropped before this one: standard output did not take them'),
  );
  const log = createLogger(settings, output);
  return { log, output };
}

/** Logger that discards everything, for commands, which have output of their own. */
export const silentLogger = (): Logger => pino({ level: 'silent' }, { write: () => undefined });

/** Logger of JSON lines. Anything that may contain a secret is removed. */
export function createLogger(settings: LogSettings, destination: DestinationStream): Logger {
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

/** Trace id of lines that are written within a traced request, send or tick. */
function traceId(): object {
  const place = tracePlace.getStore();
  return place ? { trace_id: place.traceId } : {};
}

/** Field names that are never logged, at the top level and one below. */
const NAMED = new Set(['secret', 'authorization', 'body']);
const NAMED_BELOW = new Set([...NAMED, 'headers']);
/** Errors under these names have serializers. */
const SERIALIZED = new Set(['err', 'error']);
const REMOVED = '[removed]';

/** pino's own `redact` is not used, because its walk costs more than the rest of a line: few lines hold anything but plain values. */
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

/** Removes secrets recognised by their format: keys, signing secrets, credentials in URLs but those of an example. The last step of every line. */
export function withoutSecrets(line: string): string {
  return line
    .replace(/\b(vl_(?:live|sandbox)_|whsec_)[0-9A-Za-z+/]{32,}=?/g, '$1[removed]')
    .replace(/:\/\/(?!user:password@)[^\s/?#"@]+@/g, '://[removed]@');
}

/** Error without the driver's extra fields: `detail` and `parameters` of a database error contain callers' values. */
function errorForLog(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, cause } = error as Error & { code?: string; constraint?: string };
  const message = withoutValues(error.message, code);
  return {
    type: error.name,
    message,
    code,
    constraint,
    // The stack begins with the message.
    stack: error.stack?.replace(error.message, () => message),
    cause: cause && depth < CAUSES ? errorForLog(cause, depth + 1) : undefined,
  };
}

/** Limit on logged causes: further ones add nothing, and chains may be circular. */
const CAUSES = 5;

/** For a value that it cannot convert (class 22), PostgreSQL includes the value in its message. */
const withoutValues = (message: string, code: string | undefined): string =>
  /^22[0-9A-Z]{3}$/.test(code ?? '') ? message.replace(/".*"/gs, '"[removed]"') : message;

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

/** graphile-worker's `info` reports every job. */
const QUEUE_LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

export function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger((scope) => (level, message) => {
    log[QUEUE_LEVELS[level]]({ job: scope.jobId, task: scope.taskIdentifier }, message);
  });
}

/** Trace of the current execution. Separate from the recorder, which is loaded only when tracing is on. */
export const tracePlace = new AsyncLocalStorage<{ readonly traceId: string }>();

/** Bytes of lines that the reader has not taken: half a minute of a busy process. Further lines are dropped. */
const HELD_BYTES = 4 * 1024 * 1024;
/** Bytes of lines that are buffered for one write: writes of 4 KiB took 5 % of the CPU of an authenticated request. pino allows less than 16 KiB. */
const GATHERED_BYTES = 15_360;
/** Interval at which fewer are written, and at which a failed write is tried again, as on a disk that was full. */
const FLUSH_MS = 100;

export interface LogOutput {
  write(line: string): void;
  /** Number of lines since the start. */
  readonly dropped: number;
  /** Resolves when every line is written. Once a write fails or the time is over the rest is given up, so that no exit waits for it. */
  drained(ms: number): Promise<void>;
}

/**
 * pino's destination, in the asynchronous mode. Reading `process.stdout` makes a pipe non-blocking, so that a stalled reader costs neither a thread
 * nor an exit: pino tries again every 100 ms. In the synchronous mode it would sleep in between, and all requests with it.
 * @param afterDrops receives, once all held lines are written, how many are missing before
 */
export function logOutput(
  afterDrops: (dropped: number) => void,
  { fd = process.stdout.fd, heldBytes = HELD_BYTES }: { fd?: number; heldBytes?: number } = {},
): LogOutput {
  // The regular flush also writes what a failed write has left; pino itself waits for the next line, which a full buffer drops.
  const destination = pino.destination({
    fd,
    sync: false,
    maxLength: heldBytes,
    minLength: GATHERED_BYTES,
    periodicFlush: FLUSH_MS,
  });
  const count = { dropped: 0, untold: 0 };
  destination.on('drop', () => {
    count.dropped++;
    count.untold++;
  });
  destination.on('drain', () => {
    const { untold } = count;
    count.untold = 0;
    if (untold > 0) afterDrops(untold);
  });
  // A reader that is gone, or a full disk: logging fails, nothing else.
  destination.on('error', () => undefined);
  return {
    write: (line) => void destination.write(line),
    get dropped() {
      return count.dropped;
    },
    async drained(ms) {
      let giveUp: NodeJS.Timeout | undefined;
      const isDrained = await Promise.race([
        new Promise<boolean>((resolve) => destination.flush((error) => resolve(isWritten(error)))),
        new Promise<boolean>((resolve) => (giveUp = setTimeout(() => resolve(false), ms))),
      ]);
      clearTimeout(giveUp);
      // At the exit pino would write the rest synchronously, for as long as it takes: for ever, on a full disk.
      if (!isDrained) destination.destroy();
    },
  };
}

/** A pipe cannot be synchronised with a disk, which pino tries once all is written. */
const isWritten = (error?: NodeJS.ErrnoException | null): boolean => !error || error.syscall === 'fsync';
