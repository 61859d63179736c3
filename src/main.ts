import { Application } from './application.js';
import { ConfigError } from './config/config-error.js';
import { loadSettings } from './config/settings.js';
import { createLogger } from './telemetry/logger.js';

try {
  const settings = loadSettings(process.env);
  const application = await Application.create(settings, createLogger(settings));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void application.stop().then(() => process.exit(0)));
  }
  const { ready } = await application.listen();
  await ready;
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`);
  process.exit(1);
}
