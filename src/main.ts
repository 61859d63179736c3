import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Application } from './application.js';
import { loadSettings, type Settings } from './config/settings.js';
import { explain } from './start-failure.js';
import type { LogOutput } from './telemetry/logger.js';
import type { WorkerApplication } from './worker.application.js';

type Running = Pick<Application | WorkerApplication, 'metrics' | 'listen' | 'stop'>;

/** Only the modules of the role are loaded. */
async function create(settings: Settings, log: Logger): Promise<Running> {
  if (settings.role !== 'worker') return (await import('./application.js')).Application.create(settings, log);
  return (await import('./worker.application.js')).WorkerApplication.create(settings, log);
}

/** Time for the last log lines at exit: a stalled reader does not keep the process. */
const LAST_LINES_MS = 1_000;

let output: LogOutput | undefined;
const end = async (code: number): Promise<void> => {
  await output?.drained(LAST_LINES_MS);
  process.exit(code);
};
// Its reader may be gone, which is ignored.
process.stderr.on('error', () => undefined);

try {
  const settings = loadSettings(process.env);
  // Modules of the server are loaded once the settings are valid, so that a mistake is reported without that second.
  const { createProcessLogger } = await import('./telemetry/logger.js');
  const logger = createProcessLogger(settings);
  const { log } = logger;
  output = logger.output;
  // Node's default output would include all fields of an error, such as the parameters of a statement.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected end');
    void end(1);
  });
  // Node's default would write warnings to standard error as plain text.
  process.removeAllListeners('warning').on('warning', (warning) => {
    log.warn({ err: warning }, 'Node.js warning');
  });
  const running = await create(settings, log);
  running.metrics.watchLog(output);
  // Beyond the grace for requests, closing gets a few seconds more; supervisors do not wait longer either.
  const bound = settings.constants.http.shutdownGraceSeconds * 1000 + 4_000;
  const stop = (): void =>
    void Promise.race([running.stop(), sleep(bound)]).then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        return end(1);
      },
    );
  process.on('SIGTERM', stop).on('SIGINT', stop);
  // Started by another process: when that ends, this one is no longer needed.
  process.on('disconnect', stop).channel?.unref();
  const { ready } = await running.listen();
  await ready;
  process.send?.('ready');
} catch (error) {
  process.stderr.write(`${explain(error, process.env, process.send !== undefined)}\n`);
  await end(1);
}
