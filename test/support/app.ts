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

/** A deployment that listens on a free port of loopback, on a database of its own. */
export interface TestApp {
  application: Application;
  settings: Settings;
  database: TestDatabase;
  /** Sends as the bootstrap administrator. */
  admin: Api;
  adminKey: string;
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Everything it logged so far. */
  logs(): string;
  close(): Promise<void>;
}

/**
 * @param env settings beside the usual ones of a test
 * @param database to share one with another app of the file
 * @param adjust changes constants that `config/*.yaml` sets, such as a bound that a test would wait for too long, or other settings
 */
export async function startApp(
  contract: Contract,
  env: Record<string, string> = {},
  database?: TestDatabase,
  adjust?: (constants: Constants, settings: Settings) => void,
): Promise<TestApp> {
  // Another configuration may make another market of the same hours.
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
    // A suite sends more bad keys from one address than any caller would.
    AUTH_FAILURES_PER_MINUTE: '0',
    // Nothing leaves this machine: nobody listens there.
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
      // Nobody asks any more: a stop need not wait for who might.
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

/** The same on a database in which nothing has ticked yet: for what hangs on a market's first hours, or on a time of the test's own. */
export const startFreshApp = (
  contract: Contract,
  env: Record<string, string> = {},
  adjust: (constants: Constants, settings: Settings) => void = () => undefined,
): Promise<TestApp> => startApp(contract, env, undefined, adjust);
