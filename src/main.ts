import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Application } from './application.js';
import { loadSettings, type Settings } from './config/settings.js';
import { explain, refuseArguments } from './start-failure.js';
import type { ProcessLogger } from './telemetry/logger.js';
import type { WorkerApplication } from './worker.application.js';

type RunningServer = Pick<Application | WorkerApplication, 'metrics' | 'listen' | 'stop'>;

/** Only the modules of the role are loaded. */
async function create(settings: Settings, log: Logger): Promise<RunningServer> {
  if (settings.role !== 'worker') return (await import('./application.js')).Application.create(settings, log);
  return (await import('./worker.application.js')).WorkerApplication.create(settings, log);
}

/** Time for the last log lines at exit: a stalled reader does not keep the process. */
const LAST_LINES_MS = 1_000;

let logger: ProcessLogger | undefined;
const end = async (code: number): Promise<void> => {
  await logger?.output.drained(LAST_LINES_MS);
  process.exit(code);
};

/** A log line, of an invalid configuration too, and whatever the level; text where an operator looks at a terminal. */
const fail = async (error: unknown): Promise<void> => {
  const { createProcessLogger, withoutSecrets } = await import('./telemetry/logger.js');
  const known = explain(error, process.env, process.send !== undefined);
  if (!process.stdout.isTTY) {
    logger ??= createProcessLogger({ contract: process.env['CONTRACT'], logLevel: 'fatal', tracing: null });
    const line = logger.log.child({}, { level: 'fatal' });
    // Node's default output would include all fields of an error, such as the parameters of a statement.
    if (known === null) line.fatal({ err: error }, 'unexpected end');
    else line.fatal(known);
  }
  if (process.stdout.isTTY || process.stderr.isTTY)
    process.stderr.write(`${withoutSecrets(known ?? (error as Error).stack ?? String(error))}\n`);
  await end(1);
};

// Its reader may be gone, which is ignored.
process.stderr.on('error', () => undefined);
process.on('uncaughtException', (error) => void fail(error));

try {
  refuseArguments('The server', process.argv.slice(2));
  const settings = loadSettings(process.env);
  // Modules of the server are loaded once the settings are valid, so that a mistake is reported without that second.
  const { createProcessLogger } = await import('./telemetry/logger.js');
  logger = createProcessLogger(settings);
  const { log, output } = logger;
  // Node's default would write warnings to standard error as plain text.
  process.removeAllListeners('warning').on('warning', (warning) => {
    log.warn({ err: warning }, 'Node.js warning');
  });
  const running = await create(settings, log);
  running.metrics.watchLog(output);
  // Beyond the grace for requests, closing gets a few seconds more; supervisors do not wait longer either.
  const bound = settings.constants.http.shutdownGraceSeconds * 1000 + 4_000;
  const stop = (): void => void Promise.race([running.stop(), sleep(bound)]).then(() => end(0), fail);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  // Started by another process: when that ends, this one is no longer needed.
  process.on('disconnect', stop).channel?.unref();
  const { ready } = await running.listen();
  await ready;
  process.send?.('ready');
} catch (error) {
  await fail(error);
}
