import pg, { type Pool, type PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import type { Constants } from '../config/constants.js';
import type { Settings } from '../config/settings.js';
import { ApiKey } from '../domain/access/api-key.entity.js';
import { Campaign } from '../domain/partners/campaign.entity.js';
import { Partner } from '../domain/partners/partner.entity.js';
import { User, Wallet } from '../domain/users/user.entity.js';
import { Endpoint } from '../domain/webhooks/endpoint.entity.js';
import { Foundation1000000000000 } from './migrations/1000000000000-foundation.js';
import { Markets1000000000001 } from './migrations/1000000000001-markets.js';
import { YieldEngine1000000000002 } from './migrations/1000000000002-engine.js';
import { Accounts1000000000003 } from './migrations/1000000000003-accounts.js';
import { Retention1000000000004 } from './migrations/1000000000004-retention.js';
import { PageBytes1000000000005 } from './migrations/1000000000005-page-bytes.js';
import { Claims1000000000006 } from './migrations/1000000000006-claims.js';
import { LedgerPartitions1000000000007 } from './migrations/1000000000007-ledger-partitions.js';
import { Users1000000000009 } from './migrations/1000000000009-users.js';
import { Canary1000000000010 } from './migrations/1000000000010-canary.js';
import { SendsInFlight1000000000011 } from './migrations/1000000000011-sends-in-flight.js';
import { Storage1000000000014 } from './migrations/1000000000014-storage.js';
import { Observed1000000000016 } from './migrations/1000000000016-observed.js';
import { ExpectedYield1000000000018 } from './migrations/1000000000018-expected-yield.js';
import { HourlyFactors1000000000020 } from './migrations/1000000000020-hourly-factors.js';
import { Routing1000000000024 } from './migrations/1000000000024-routing.js';
import { Transit1000000000026 } from './migrations/1000000000026-transit.js';
import { Sessions1000000000034 } from './migrations/1000000000034-sessions.js';
import { Histories1000000000035 } from './migrations/1000000000035-histories.js';
import { Policies1000000000042 } from './migrations/1000000000042-policies.js';
import { Rotation1000000000036 } from './migrations/1000000000036-rotation.js';
import { EventHistory1000000000037 } from './migrations/1000000000037-event-history.js';
import { Alerts1000000000043 } from './migrations/1000000000043-alerts.js';
import { Throughput1000000000045 } from './migrations/1000000000045-throughput.js';
import { Blocked1000000000046 } from './migrations/1000000000046-blocked.js';
import { PinnedPlans1000000000048 } from './migrations/1000000000048-pinned-plans.js';
import { GainReviews1000000000054 } from './migrations/1000000000054-gain-reviews.js';
import { StoredBytes1000000000056 } from './migrations/1000000000056-stored-bytes.js';
import { SendsByHost1000000000050 } from './migrations/1000000000050-sends-by-host.js';
import { Identity1000000000052 } from './migrations/1000000000052-identity.js';
import { Dropped1000000000039 } from './migrations/1000000000039-dropped.js';
import { Deployment1000000000041 } from './migrations/1000000000041-deployment.js';
import { SharePrices1000000000028 } from './migrations/1000000000028-share-prices.js';
import { Settlements1000000000030 } from './migrations/1000000000030-settlements.js';
import { MoveOrders1000000000032 } from './migrations/1000000000032-move-orders.js';
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
    entities: [ApiKey, Partner, Campaign, User, Wallet, Endpoint],
    migrations: [
      Foundation1000000000000,
      Markets1000000000001,
      YieldEngine1000000000002,
      Accounts1000000000003,
      Retention1000000000004,
      PageBytes1000000000005,
      Claims1000000000006,
      LedgerPartitions1000000000007,
      Users1000000000009,
      Canary1000000000010,
      SendsInFlight1000000000011,
      Storage1000000000014,
      Observed1000000000016,
      ExpectedYield1000000000018,
      HourlyFactors1000000000020,
      Routing1000000000024,
      Transit1000000000026,
      Sessions1000000000034,
      Histories1000000000035,
      Rotation1000000000036,
      EventHistory1000000000037,
      Alerts1000000000043,
      SharePrices1000000000028,
      Settlements1000000000030,
      MoveOrders1000000000032,
      Policies1000000000042,
      Throughput1000000000045,
      Blocked1000000000046,
      PinnedPlans1000000000048,
      GainReviews1000000000054,
      StoredBytes1000000000056,
      SendsByHost1000000000050,
      Dropped1000000000039,
      Deployment1000000000041,
      Identity1000000000052,
    ],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNamingStrategy(),
    installExtensions: false,
    applicationName: `vaultline-${settings.contract}`,
    extra: pool,
  });
}
