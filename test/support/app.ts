import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { HttpAdapterHost } from '@nestjs/core';
import { Application } from '../../src/application.js';
import type { Constants } from '../../src/config/constants.js';
import type { Contract } from '../../src/config/environment.js';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { newKeySecret } from '../../src/domain/access/key-secret.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { Api } from './api.js';
import { createTestDatabase, TEMPLATE, type TestDatabase, TICKED_TEMPLATE } from './database.js';
import { SECRETS_KEY } from './secrets-key.js';
import { searchText, watchEnvironment } from './secret-watch.js';
import { untilTicked } from './settled.js';

/** A deployment that listens on a free port of loopback, on its own database. */
export interface TestApp {
  application: Application;
  settings: Settings;
  database: TestDatabase;
  /** A caller with the bootstrap administrator's key. */
  admin: Api;
  adminKey: string;
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** The log so far. */
  logs(): string;
  close(): Promise<void>;
}

/**
 * @param env settings besides the usual ones of a test
 * @param database a database to share with another app of the file
 * @param adjust changes constants of `config/*.yaml`, such as a bound that a test would wait for too long, or other settings
 */
export async function startApp(
  contract: Contract,
  env: Record<string, string> = {},
  database?: TestDatabase,
  adjust?: (constants: Constants, settings: Settings) => void,
): Promise<TestApp> {
  // Other constants may make another market of the same hours, so that the template does not fit.
  const own = database ?? (await createTestDatabase(adjust ? TEMPLATE : TICKED_TEMPLATE));
  const adminKey = env['BOOTSTRAP_ADMIN_KEY'] ?? newKeySecret(contract === 'partner' ? 'live' : 'sandbox');
  const environment = {
    CONTRACT: contract,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: own.url,
    SECRETS_KEY,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    // A suite sends more invalid keys from one address than any caller would.
    AUTH_FAILURES_PER_MINUTE: '0',
    // The feed's address is on this machine, and nothing listens there.
    DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
    ...env,
  };
  watchEnvironment(environment);
  const settings = loadSettings(environment);
  adjust?.(settings.constants, settings);
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const application = await Application.create(settings, createLogger(settings, sink));
  const { ready } = await application.listen();
  await ready.catch(async (error: unknown) => {
    await application.stop();
    if (!database) await own.drop();
    throw error;
  });
  const url = application.url;
  const app: TestApp = {
    application,
    settings,
    database: own,
    admin: new Api(url, adminKey),
    adminKey,
    url,
    logs: () => lines.join(''),
    close: async () => {
      // Idle connections are closed, so that a stop need not wait for them.
      (application.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server).closeIdleConnections();
      await application.stop();
      searchText(`the log of a ${contract} deployment`, lines.join(''));
      searchText('the metrics', await application.get(Metrics).registry.metrics());
      if (!database) await own.drop();
    },
  };
  await untilTicked(app);
  return app;
}

/** The same on a database without a tick yet, for tests of a market's first hours or at a time of their own. */
export const startFreshApp = (
  contract: Contract,
  env: Record<string, string> = {},
  adjust: (constants: Constants, settings: Settings) => void = () => undefined,
): Promise<TestApp> => startApp(contract, env, undefined, adjust);
