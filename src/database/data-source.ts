import pg, { type Pool, type PoolConfig } from 'pg';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import type { Constants } from '../config/constants.js';
import type { Settings } from '../config/settings.js';
import { Tenants1100000000000 } from './migrations/1100000000000-tenants.js';
import { Markets1100000000001 } from './migrations/1100000000001-markets.js';
import { Books1100000000002 } from './migrations/1100000000002-books.js';
import { Ledger1100000000003 } from './migrations/1100000000003-ledger.js';
import { Routing1100000000004 } from './migrations/1100000000004-routing.js';
import { Outbound1100000000005 } from './migrations/1100000000005-outbound.js';
import { Sends1100000000006 } from './migrations/1100000000006-sends.js';
import { Accounts1100000000007 } from './migrations/1100000000007-accounts.js';
import { Deployment1100000000008 } from './migrations/1100000000008-deployment.js';
import { LivePool } from './live-pool.js';
import type { PatientConfig } from './patient-client.js';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';
import { VALUE_TYPES } from './value-types.js';

/** Timeouts of a session that the database enforces. */
type Bounds = Partial<
  Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>
>;

/** Keep-alive delay: a connection silently lost by the network is noticed while idle, some ten seconds after this. */
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 60_000;
/** Timeout of an idle transaction. Ours are never idle for so long unless this process is gone, while others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const KEPT = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, idleTimeoutMillis: IDLE_MS };

/** The data source of one deployment, not yet connected. */
export function createDataSource(settings: Settings): DataSource {
  const { url, files } = settings.database;
  return source(settings, url, { ...requestPool(settings, 'statementTimeoutMs'), urlFile: files.url });
}

/** Data source for migrations: a single connection without a request's timeouts, because a migration may rewrite a table. */
export function createMigrationSource(settings: Settings, url: string): DataSource {
  return source(settings, url, {
    ...unboundedPool(settings),
    options: sessionOptions(settings.database.schema),
    max: 1,
  });
}

/** Lazy connections to the deployment's read replica; null when none is configured. */
export function createReplicaPool(settings: Settings): Pool | null {
  const { replicaUrl, files } = settings.database;
  if (replicaUrl === null) return null;
  return new LivePool({
    ...requestPool(settings, 'replicaTimeoutMs'),
    connectionString: replicaUrl,
    urlFile: files.replicaUrl,
    connectionTimeoutMillis: settings.constants.database.replicaTimeoutMs,
    application_name: `vaultline-${settings.contract}-reports`,
  });
}

/** Connections of the job queue. */
export function createQueuePool(settings: Settings, url: string, max: number): Pool {
  const { directUrl, files } = settings.database;
  return new LivePool({
    ...sessionPool(settings, 'statementTimeoutMs'),
    connectionString: url,
    urlFile: directUrl === null ? files.url : files.directUrl,
    max,
    application_name: `vaultline-${settings.contract}-queue`,
  });
}

/** Connections without timeouts, to migrate the queue's own schema. */
export function createMigrationPool(settings: Settings, url: string, max: number): Pool {
  return new LivePool({ ...unboundedPool(settings), connectionString: url, max });
}

type Bound = 'statementTimeoutMs' | 'replicaTimeoutMs';

/** Statement timeouts on both sides: the database cancels the statement, and when that is not heard, the connection is dropped. */
function requestPool(settings: Settings, bound: Bound): PoolConfig & PatientConfig {
  // Pipelining: statements of a transaction that need not wait for each other take one round trip.
  const pool = { ...sessionPool(settings, bound), pipeline: true, types: VALUE_TYPES };
  if (settings.database.pooling === 'session') return pool;
  // Session settings belong to the role behind a pooler; `checkPooler` has verified them.
  const { options: _options, ...pooled } = pool;
  return { ...pooled, unnamed: settings.database.pooling === 'transaction' };
}

function sessionPool(settings: Settings, bound: Bound): PoolConfig & PatientConfig {
  const { constants, database } = settings;
  return {
    max: database.poolSize,
    options: sessionOptions(database.schema, boundsOf(constants, bound)),
    connectionTimeoutMillis: constants.database.connectTimeoutMs,
    answerTimeoutMillis: constants.database[bound] + constants.database.answerGraceMs,
    ...KEPT,
  };
}

/** Timeouts in milliseconds. */
export function boundsOf({ database }: Constants, bound: Bound = 'statementTimeoutMs'): Required<Bounds> {
  return {
    statement_timeout: database[bound],
    lock_timeout: database.lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

function unboundedPool({ constants }: Settings): PoolConfig & PatientConfig {
  return { connectionTimeoutMillis: constants.database.connectTimeoutMs, ...KEPT };
}

/** Session settings of a connection: the deployment's schema, and timeouts in milliseconds. */
export function sessionOptions(schema: string, bounds: Bounds = {}): string {
  const options = { search_path: schema, timezone: 'UTC', ...bounds };
  return Object.entries(options)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

function source(settings: Settings, url: string | null, pool: PoolConfig & PatientConfig): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: { ...pg, Pool: LivePool },
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
    ],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNamingStrategy(),
    installExtensions: false,
    applicationName: `vaultline-${settings.contract}`,
    extra: pool,
  });
}
