import pg, { type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { DataSource, DefaultNamingStrategy, getMetadataArgsStorage } from 'typeorm';
import type { Constants } from '../config/constants.js';
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

/** Timeouts of a session that the database enforces, in milliseconds. */
type Bounds = Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>;

/** Keep-alive delay: a connection silently lost by the network is noticed while idle, some ten seconds after this. */
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 60_000;
/** Timeout of an idle transaction. Ours are never idle for so long unless this process is gone, while others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;
interface ConnectionConfig extends PoolConfig {
  /** File that holds the URL of each new connection, so that a changed password takes effect; while it holds none, `connectionString` does. */
  urlFile?: string | null;
}

class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** Waiting callers get the error of a connection; a listener only prevents that it ends the process. */
const ignore = (): void => undefined;

class Connection extends pg.Client {
  constructor(config: ClientConfig & ConnectionConfig = {}) {
    const connectionString = config.urlFile ? databaseUrlIn(config.urlFile) : undefined;
    super(connectionString === undefined ? config : { ...config, connectionString });
    this.on('error', ignore);
  }
}

const KEPT = {
  Client: Connection,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  idleTimeoutMillis: IDLE_MS,
};

export function createDataSource(settings: Settings): DataSource {
  const { url, files } = settings.database;
  return source(settings, url, { ...requestPool(settings), urlFile: files.url });
}

/** Data source for migrations: a single connection without a request's timeouts, because a migration may rewrite a table. */
export function createMigrationSource(settings: Settings, url: string): DataSource {
  return source(settings, url, {
    ...unboundedPool(settings),
    options: sessionOptions(settings.database.schema),
    max: 1,
  });
}

export function createQueuePool(settings: Settings, url: string, max: number): Pool {
  const { directUrl, files } = settings.database;
  const pool: ConnectionConfig = {
    ...sessionPool(settings),
    connectionString: url,
    urlFile: directUrl === null ? files.url : files.directUrl,
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
  if (settings.database.pooling === 'session') return { ...sessionPool(settings), ...pipelined };
  // Session settings belong to the role behind a pooler; `checkPooler` has verified them.
  return { ...answeredPool(settings), ...pipelined };
}

function sessionPool(settings: Settings): ConnectionConfig {
  return {
    ...answeredPool(settings),
    ...boundsOf(settings.constants),
    options: sessionOptions(settings.database.schema),
  };
}

/** The database cancels a statement at its timeout; when its response is lost, the driver drops the connection. */
function answeredPool({ constants, database }: Settings): ConnectionConfig {
  return {
    max: database.poolSize,
    connectionTimeoutMillis: constants.database.connectTimeoutMs,
    query_timeout: constants.database.statementTimeoutMs + constants.database.answerGraceMs,
    ...KEPT,
  };
}

export function boundsOf({ database }: Constants): Bounds {
  return {
    statement_timeout: database.statementTimeoutMs,
    lock_timeout: database.lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

function unboundedPool({ constants }: Settings): ConnectionConfig {
  return { connectionTimeoutMillis: constants.database.connectTimeoutMs, ...KEPT };
}

/** Session settings of a connection: the deployment's schema, and UTC. */
export const sessionOptions = (schema: string): string => `-c search_path=${schema} -c timezone=UTC`;

function source(settings: Settings, url: string | null, pool: ConnectionConfig): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: pg,
    ...(url !== null && { url }),
    schema: settings.database.schema,
    // Every entity that the program has loaded, as with Nest's `autoLoadEntities`.
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
    migrations: [
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
    ],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNamingStrategy(),
    installExtensions: false,
    applicationName: `vaultline-${settings.contract}`,
    extra: pool,
  });
}
