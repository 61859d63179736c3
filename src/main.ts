import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from './application.js';
import type { AccountsThread } from './accounts.thread.js';
import { DEPLOYMENTS } from './config/deployments.js';
import type { Role } from './config/environment.js';
import { loadSettings, type Settings } from './config/settings.js';
import { explain } from './start-failure.js';
import type { LogOutput } from './telemetry/log-output.js';
import type { createProcessLogger } from './telemetry/logger.js';
import type { WorkerProcess } from './worker.process.js';
import type { WorkerThread } from './worker.thread.js';

type Running = Pick<Application | WorkerProcess, 'metrics' | 'listen' | 'stop'>;
type ProcessLogger = ReturnType<typeof createProcessLogger>;

/** Processes by role. Only the modules of the requested one are loaded. */
const PROCESSES: Record<Role, (settings: Settings, logger: ProcessLogger) => Promise<Running>> = {
  all: async (settings, logger) => {
    const { Application } = await import('./application.js');
    const jobs = await workerThread(settings, logger);
    return Application.create(settings, logger.log, jobs, await accountsThread(settings, logger));
  },
  api: async (settings, logger) => {
    const { Application } = await import('./application.js');
    return Application.create(settings, logger.log, 'elsewhere', await accountsThread(settings, logger));
  },
  worker: async (settings, logger) => {
    const { WorkerProcess } = await import('./worker.process.js');
    return new WorkerProcess(settings, logger.log, await workerThread(settings, logger));
  },
};

async function workerThread(settings: Settings, { log, output }: ProcessLogger): Promise<WorkerThread> {
  const { WorkerThread } = await import('./worker.thread.js');
  return new WorkerThread(settings, log, output);
}

/** Thread that advances and resets accounts; null for a contract without. */
async function accountsThread(
  settings: Settings,
  { log, output }: ProcessLogger,
): Promise<AccountsThread | null> {
  if (!DEPLOYMENTS[settings.contract].simulated) return null;
  const { AccountsThread } = await import('./accounts.thread.js');
  return new AccountsThread(settings, log, output);
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
    log.warn({ err: warning }, 'warning of the runtime');
  });
  const running = await PROCESSES[settings.role](settings, logger);
  running.metrics.watchLog(output);
  // Beyond the grace for requests, closing gets a few seconds more; supervisors do not wait longer either.
  const bound = settings.constants.http.shutdownGraceSeconds * 1000 + 4_000;
  const stop = (): void =>
    void Promise.race([running.stop(), sleep(bound)]).then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop failed');
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
