import { Client, type ClientConfig, Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { Settings } from '../config/settings.js';
import { ApiKey } from '../domain/access/api-key.entity.js';
import { Campaign } from '../domain/partners/campaign.entity.js';
import { Partner } from '../domain/partners/partner.entity.js';
import { User, Wallet } from '../domain/users/user.entity.js';
import { Endpoint } from '../domain/webhooks/endpoint.entity.js';
import { Foundation1000000000000 } from './migrations/1000000000000-foundation.js';
import { Markets1000000000001 } from './migrations/1000000000001-markets.js';
import { Engine1000000000002 } from './migrations/1000000000002-engine.js';
import { Accounts1000000000003 } from './migrations/1000000000003-accounts.js';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';

/** Waiting longer than this for a connection is answered 503. */
const CONNECT_TIMEOUT_MS = 5_000;

/** A connection that breaks says so to whoever waits for an answer on it; without a listener of its own it would end the process besides. */
class PatientClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** Bounds that no statement of a request reaches in health. */
const REQUEST_BOUNDS = [
  'statement_timeout=30s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=60s',
];

/** Session settings of a connection: the deployment's schema, and what bounds its statements. */
export function sessionOptions(schema: string, bounds: readonly string[] = REQUEST_BOUNDS): string {
  return [`search_path=${schema}`, 'timezone=UTC', ...bounds].map((option) => `-c ${option}`).join(' ');
}

/** The data source of one deployment, not yet connected. */
export function createDataSource(settings: Settings): DataSource {
  return source(settings, settings.database.url, REQUEST_BOUNDS, settings.database.poolSize);
}

/** One that migrates: on a single connection and without a request's bounds, since a migration may rewrite a table. */
export function createMigrationSource(settings: Settings, url: string): DataSource {
  return source(settings, url, [], 1);
}

/** Connections to the deployment's read replica, made as they are needed; null where none is set. */
export function createReplicaPool({ database, contract }: Settings): Pool | null {
  if (database.replicaUrl === null) return null;
  const pool = new Pool({
    Client: PatientClient,
    connectionString: database.replicaUrl,
    max: database.poolSize,
    options: sessionOptions(database.schema),
    application_name: `vaultline-${contract}-reports`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // One that breaks while nobody uses it is replaced when somebody does.
  return pool.on('error', () => undefined);
}

function source(
  settings: Settings,
  url: string | null,
  bounds: readonly string[],
  poolSize: number,
): DataSource {
  return new DataSource({
    type: 'postgres',
    ...(url !== null && { url }),
    schema: settings.database.schema,
    entities: [ApiKey, Partner, Campaign, User, Wallet, Endpoint],
    migrations: [Foundation1000000000000, Markets1000000000001, Engine1000000000002, Accounts1000000000003],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNamingStrategy(),
    installExtensions: false,
    poolSize,
    applicationName: `vaultline-${settings.contract}`,
    extra: {
      Client: PatientClient,
      options: sessionOptions(settings.database.schema, bounds),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
    },
  });
}
