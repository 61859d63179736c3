import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from './config/config-error.js';
import { SupersededSchemaError } from './database/superseded-schema.error.js';
import { portSetting } from './config/quickstart.js';
import { databaseSettings, loadSettings } from './config/settings.js';
import type { LogOutput } from './telemetry/log-output.js';

/** Time that the last lines get to be written: a reader of the log that stalls does not keep the process. */
const LAST_LINES_MS = 1_000;

let output: LogOutput | undefined;
const end = async (code: number): Promise<void> => {
  await output?.drained(LAST_LINES_MS);
  process.exit(code);
};
// Its reader may be gone; nobody hears of that there.
process.stderr.on('error', () => undefined);

try {
  const settings = loadSettings(process.env);
  // Modules of the server are loaded once its settings are right: a mistake in them is answered without that second.
  const { createProcessLogger } = await import('./telemetry/logger.js');
  const { Metrics } = await import('./telemetry/metrics.js');
  const { Application } = await import('./application.js');
  const logger = createProcessLogger(settings);
  const { log } = logger;
  output = logger.output;
  // Node's own last words would show all that hangs on an error, such as the parameters of a statement.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected end');
    void end(1);
  });
  // Node's own would be written to standard error, as text.
  process.removeAllListeners('warning').on('warning', (warning) => {
    log.warn({ err: warning }, 'warning of the runtime');
  });
  const application = await Application.create(settings, log);
  application.get(Metrics).watchLog(output);
  // Past the grace for requests, what closes behind them gets a little more; a supervisor waits no longer than that either.
  const bound = settings.constants.http.shutdown_grace_seconds * 1000 + 4_000;
  const stop = (): void =>
    void Promise.race([application.stop(), sleep(bound)]).then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop failed');
        return end(1);
      },
    );
  process.on('SIGTERM', stop).on('SIGINT', stop);
  // Started by another process: when that is gone, nobody wants this one.
  process.on('disconnect', stop).channel?.unref();
  const { ready } = await application.listen();
  await ready;
  process.send?.('ready');
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  await end(1);
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof SupersededSchemaError) return error.message;
  const { code, stack, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `${message}. Stop what listens there, or set ${portSetting(process.env, port, process.send !== undefined)} to another one.`;
  // PostgreSQL refused for good (a wrong password, a database that does not exist); its own words say it best.
  if (/^[0-9A-Z]{5}$/.test(code ?? '')) return `${databaseSettings(process.env)}: ${message}.`;
  return stack ?? message;
}
