import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { HttpAdapterHost } from '@nestjs/core';
import { Application } from '../../src/application.js';
import type { Constants } from '../../src/config/constants.js';
import type { Contract } from '../../src/config/deployments.js';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { Api } from './api.js';
import {
  createTestDatabase,
  newTestDatabaseUrl,
  TEMPLATE,
  type TestDatabase,
  TICKED_TEMPLATE,
} from './database.js';
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
  /** Runs SQL in the schema of the deployment. */
  sql<Row = any>(text: string, values?: unknown[]): Promise<Row[]>;
  /** What `/metrics` says. */
  metrics(): Promise<string>;
  /** The log so far. */
  logs(): string;
  close(): Promise<void>;
}

type Adjust = (constants: Constants, settings: Settings) => void;

/** Settings by which the hours of a market are added. */
const rulesOf = ({ vaults, constants: { assets, signals, regime, yieldThresholds, routing } }: Settings) => {
  const { maxIndexLoss, maxAssetsLoss } = routing;
  return { vaults, assets, signals, regime, yieldThresholds, maxIndexLoss, maxAssetsLoss };
};

/**
 * Starts a deployment on a database of its own, in which the first tick is done already where its market has the usual rules.
 *
 * @param env settings besides the usual ones of a test
 * @param database a database to share with another app of the file
 * @param adjust changes constants of `config/*.yaml`, such as a bound that a test would wait for too long, or other settings
 */
export const startApp = (
  contract: Contract,
  env: Record<string, string> = {},
  database?: TestDatabase,
  adjust: Adjust = () => undefined,
): Promise<TestApp> =>
  start(contract, env, database, (settings) => {
    const usual = structuredClone(rulesOf(settings));
    adjust(settings.constants, settings);
    // Other rules make another market of the same hours.
    return isDeepStrictEqual(rulesOf(settings), usual) ? TICKED_TEMPLATE : TEMPLATE;
  });

/**
 * Accounts of a sandbox begin with nine days of their market, as far back as signals and regimes are read, and not with a month: for suites that make
 * many accounts and ask nothing of their markets.
 */
export const shortMarkets: Adjust = ({ simulation }) => void (simulation.historyHours = 9 * 24);

/** The same on a database in which nothing has ticked yet: for what hangs on a market's first hours, or on a time of the test's own. */
export const startFreshApp = (
  contract: Contract,
  env: Record<string, string> = {},
  adjust: Adjust = () => undefined,
): Promise<TestApp> =>
  start(contract, env, undefined, (settings) => {
    adjust(settings.constants, settings);
    return TEMPLATE;
  });

/** @param adjust changes the settings. Returns the template of the database, unless one was given */
async function start(
  contract: Contract,
  env: Record<string, string>,
  database: TestDatabase | undefined,
  adjust: (settings: Settings) => string,
): Promise<TestApp> {
  const databaseUrl = database?.url ?? newTestDatabaseUrl();
  const adminKey = env['BOOTSTRAP_ADMIN_KEY'] ?? newKeySecret(contract === 'partner' ? 'live' : 'sandbox');
  const environment = {
    CONTRACT: contract,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
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
  const template = adjust(settings);
  const testDatabase = database ?? (await createTestDatabase(template, databaseUrl));
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
    if (!database) await testDatabase.drop();
    throw error;
  });
  const url = application.url;
  const app: TestApp = {
    application,
    settings,
    database: testDatabase,
    admin: new Api(url, adminKey),
    adminKey,
    url,
    sql: (text, values) => testDatabase.query(settings.environment, text, values),
    metrics: () => application.get(Metrics).registry.metrics(),
    logs: () => lines.join(''),
    close: async () => {
      // Idle connections are closed, so that a stop need not wait for them.
      (application.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server).closeIdleConnections();
      await application.stop();
      searchText(`the log of a ${contract} deployment`, lines.join(''));
      searchText('the metrics', await app.metrics());
      if (!database) await testDatabase.drop();
    },
  };
  await untilTicked(app);
  return app;
}
