import pg, { type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { AbstractLogger, DataSource, DefaultNamingStrategy, getMetadataArgsStorage } from 'typeorm';
import { databaseUrlIn } from '../config/read-environment.js';
import type { Settings } from '../config/settings.js';
import { VALUE_TYPES } from '../domain/kernel/store/column.js';
import { Tenants1100000000000 } from './migrations/1100000000000-tenants.js';
import { Markets1100000000001 } from './migrations/1100000000001-markets.js';
import { Books1100000000002 } from './migrations/1100000000002-books.js';
import { Ledger1100000000003 } from './migrations/1100000000003-ledger.js';
import { Routing1100000000004 } from './migrations/1100000000004-routing.js';
import { Outbound1100000000005 } from './migrations/1100000000005-outbound.js';
import { Sends1100000000006 } from './migrations/1100000000006-sends.js';
import { Accounts1100000000007 } from './migrations/1100000000007-accounts.js';
import { Deployment1100000000008 } from './migrations/1100000000008-deployment.js';
import { BoundOfReports1200000000000 } from './migrations/1200000000000-bound-of-reports.js';
import { OutcomesAndOwner1200000000010 } from './migrations/1200000000010-outcomes-and-owner.js';
import { SuspendedKeys1200000000020 } from './migrations/1200000000020-suspended-keys.js';
import { OneLifeOfAMove1200000000030 } from './migrations/1200000000030-one-life-of-a-move.js';
import { DecisionMarkets1200000000040 } from './migrations/1200000000040-decision-markets.js';
import { ScenariosOfMoves1200000000050 } from './migrations/1200000000050-scenarios-of-moves.js';
import { NoCheckpoints1200000000060 } from './migrations/1200000000060-no-checkpoints.js';
import { Withdrawals1200000000070 } from './migrations/1200000000070-withdrawals.js';
import { Reserves1200000000080 } from './migrations/1200000000080-reserves.js';
import { ReportChecks1200000000090 } from './migrations/1200000000090-report-checks.js';
import { TransactionsOfReports1200000000100 } from './migrations/1200000000100-transactions-of-reports.js';
import { SeparateCustody1200000000110 } from './migrations/1200000000110-separate-custody.js';
import { ExpectedCosts1200000000120 } from './migrations/1200000000120-expected-costs.js';
import { Invoices1200000000130 } from './migrations/1200000000130-invoices.js';
import { TermsOfCampaigns1200000000140 } from './migrations/1200000000140-terms-of-campaigns.js';
import { ClosedMonths1200000000150 } from './migrations/1200000000150-closed-months.js';
import { requireFit, sessionOptions } from './session.js';

/** In order of execution. */
export const MIGRATIONS = [
  Tenants1100000000000,
  Markets1100000000001,
  Books1100000000002,
  Ledger1100000000003,
  Routing1100000000004,
  Outbound1100000000005,
  Sends1100000000006,
  Accounts1100000000007,
  Deployment1100000000008,
  BoundOfReports1200000000000,
  OutcomesAndOwner1200000000010,
  SuspendedKeys1200000000020,
  OneLifeOfAMove1200000000030,
  DecisionMarkets1200000000040,
  ScenariosOfMoves1200000000050,
  NoCheckpoints1200000000060,
  Withdrawals1200000000070,
  Reserves1200000000080,
  ReportChecks1200000000090,
  TransactionsOfReports1200000000100,
  SeparateCustody1200000000110,
  ExpectedCosts1200000000120,
  Invoices1200000000130,
  TermsOfCampaigns1200000000140,
  ClosedMonths1200000000150,
] as const;
/** The steps of 1.0.0, which never change. */
export const BASELINE = MIGRATIONS.filter(({ name }) => /11000000000\d\d$/.test(name));

/** Keep-alive delay: a connection silently lost by the network is noticed while idle, some ten seconds after this. */
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 60_000;
/** Age at which a connection through a pooler is replaced. */
const POOLED_SECONDS = 300;
interface ConnectionConfig extends Omit<PoolConfig, 'onConnect'> {
  /** File that holds the URL of each new connection, so that a changed password takes effect; while it holds none, `connectionString` does. */
  urlFile?: string | null;
  /** Rejects where the connection must not be used. */
  onConnect?: (client: ClientBase) => Promise<void>;
}

class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** Otherwise TypeORM writes plain text between the log lines. Callers report migration errors. */
class NoOutput extends AbstractLogger {
  protected override writeLog(): void {}
}

/** Waiting callers get the error of a connection; a listener only prevents that it ends the process. */
const ignore = (): void => undefined;

/** What the driver sends at the start of a connection. */
type Startup = ClientConfig & Pick<PoolConfig, 'statement_timeout' | 'lock_timeout'>;

export class Connection extends pg.Client {
  constructor(config: ClientConfig & ConnectionConfig = {}) {
    const connectionString = config.urlFile ? databaseUrlIn(config.urlFile) : undefined;
    super(connectionString === undefined ? config : { ...config, connectionString });
    this.on('error', ignore);
    if (config.options === undefined) return;
    // With the driver, the URL's settings replace ours. Of two values of an option the later one counts.
    const { connectionParameters: startup } = this as unknown as { connectionParameters: Startup };
    if (startup.options !== config.options) startup.options = `${startup.options} ${config.options}`;
    startup.statement_timeout =
      startup.lock_timeout =
      startup.idle_in_transaction_session_timeout =
        undefined;
  }
}

const CLIENT_POOL = {
  Client: Connection,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  idleTimeoutMillis: IDLE_MS,
};

export function createDataSource(settings: Settings): DataSource {
  const { databaseUrl, files } = settings;
  return source(settings, databaseUrl, { ...requestPool(settings), urlFile: files.databaseUrl ?? null });
}

/** Data source for migrations: a single connection without a request's timeouts. */
export function createMigrationSource(settings: Settings, url: string): DataSource {
  return source(settings, url, { ...unboundedPool(settings), max: 1 });
}

export function createQueuePool(settings: Settings, url: string, max: number): Pool {
  const { databaseDirectUrl, files } = settings;
  const pool: ConnectionConfig = {
    ...sessionPool(settings),
    connectionString: url,
    urlFile: (databaseDirectUrl === null ? files.databaseUrl : files.databaseDirectUrl) ?? null,
    max,
    application_name: `vaultline-${settings.contract}-queue`,
  };
  return newPool(pool);
}

/** The queue's library may release the connection of its listener twice when it breaks during a stop; the second time does nothing. */
class QueuePool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Parameters<typeof Pool.prototype.connect>[0]): void;
  override connect(callback?: Parameters<typeof Pool.prototype.connect>[0]): Promise<PoolClient> | void {
    if (!callback) return super.connect();
    super.connect((error, client, done) => {
      let isHeld = true;
      callback(error, client, (destroy) => {
        // A connection that failed has nothing to release.
        if (isHeld) (done as typeof done | undefined)?.(destroy);
        isHeld = false;
      });
    });
  }
}

/** Connections without timeouts, to migrate the queue's own schema. */
export function createMigrationPool(settings: Settings, url: string, max: number): Pool {
  return newPool({ ...unboundedPool(settings), connectionString: url, max });
}

/** A connection that breaks while idle is replaced at its next use. */
const newPool = (config: ConnectionConfig): Pool =>
  // The queue asks for a listener of each connection as well.
  new QueuePool(config).on('error', ignore).on('connect', (client) => client.on('error', ignore));

function requestPool(settings: Settings): ConnectionConfig {
  // Pipelining: statements of a transaction that need not wait for each other take one round trip.
  const pipelined = { pipeline: true, types: VALUE_TYPES };
  if (settings.databasePooling === 'session') return { ...sessionPool(settings), ...pipelined };
  // Behind a pooler, session settings belong to the role. Its new connections pick up a change, which a long-lived connection of ours would miss.
  const checked = { onConnect: checks(settings, true), maxLifetimeSeconds: POOLED_SECONDS };
  return { ...answeredPool(settings), ...checked, ...pipelined };
}

function sessionPool(settings: Settings): ConnectionConfig {
  return {
    ...answeredPool(settings),
    options: sessionOptions(settings, true),
    onConnect: checks(settings, false),
  };
}

/** The database cancels a statement at its timeout; when its response is lost, the driver drops the connection. */
function answeredPool({ constants, databasePoolSize }: Settings): ConnectionConfig {
  return {
    max: databasePoolSize,
    connectionTimeoutMillis: constants.database.connectTimeoutMs,
    query_timeout: constants.database.statementTimeoutMs + constants.database.answerGraceMs,
    ...CLIENT_POOL,
  };
}

function unboundedPool(settings: Settings): ConnectionConfig {
  return {
    connectionTimeoutMillis: settings.constants.database.connectTimeoutMs,
    options: sessionOptions(settings, false),
    onConnect: checks(settings, false),
    ...CLIENT_POOL,
  };
}

const checks = (settings: Settings, pooled: boolean) => (client: ClientBase) =>
  requireFit(client, settings, pooled);

function source(settings: Settings, url: string | null, pool: ConnectionConfig): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: pg,
    ...(url !== null && { url }),
    schema: settings.databaseSchema,
    // Every entity that the program has loaded, as with Nest's `autoLoadEntities`.
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
    migrations: [...MIGRATIONS],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNamingStrategy(),
    logger: new NoOutput(),
    installExtensions: false,
    applicationName: `vaultline-${settings.contract}`,
    extra: pool,
  });
}
