import { setTimeout as sleep } from 'node:timers/promises';
import { Application } from './application.js';
import { ConfigError } from './config/config-error.js';
import { portSetting } from './config/quickstart.js';
import { loadSettings } from './config/settings.js';
import { createLogger } from './telemetry/logger.js';

try {
  const settings = loadSettings(process.env);
  const log = createLogger(settings);
  // Node's own last words would show all that hangs on an error, such as the parameters of a statement.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected end');
    process.exit(1);
  });
  const application = await Application.create(settings, log);
  // Past the grace for requests, what closes behind them gets a little more; a supervisor waits no longer than that either.
  const bound = settings.constants.http.shutdown_grace_seconds * 1000 + 4_000;
  const stop = (): void =>
    void Promise.race([application.stop(), sleep(bound)]).finally(() => process.exit(0));
  process.on('SIGTERM', stop).on('SIGINT', stop);
  // Started by another process: when that is gone, nobody wants this one.
  process.on('disconnect', stop).channel?.unref();
  const { ready } = await application.listen();
  await ready;
  process.send?.('ready');
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, stack, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `${message}. Stop what listens there, or set ${portSetting(process.env, port, process.send !== undefined)} to another one.`;
  // PostgreSQL refused for good (a wrong password, a database that does not exist); its own words say it best.
  if (/^[0-9A-Z]{5}$/.test(code ?? '')) return `${databaseSettings()}: ${message}.`;
  return stack ?? message;
}

function databaseSettings(): string {
  return process.env['DATABASE_MIGRATION_URL'] ? 'DATABASE_URL or DATABASE_MIGRATION_URL' : 'DATABASE_URL';
}
