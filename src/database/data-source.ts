import { DataSource } from 'typeorm';
import type { Settings } from '../config/settings.js';
import { ApiKey } from '../domain/access/api-key.entity.js';
import { Campaign } from '../domain/partners/campaign.entity.js';
import { Partner } from '../domain/partners/partner.entity.js';
import { User, Wallet } from '../domain/users/user.entity.js';
import { Endpoint } from '../domain/webhooks/endpoint.entity.js';
import { Foundation1000000000000 } from './migrations/1000000000000-foundation.js';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';

/** Waiting longer than this for a connection is answered 503. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Session settings of every connection: the deployment's schema, and bounds that no statement of a request reaches in health. */
export function sessionOptions(schema: string): string {
  return [`search_path=${schema}`, 'statement_timeout=30s', 'lock_timeout=10s', 'timezone=UTC']
    .concat('idle_in_transaction_session_timeout=60s')
    .map((option) => `-c ${option}`)
    .join(' ');
}

/** The data source of one deployment, not yet connected. */
export function createDataSource(settings: Settings): DataSource {
  return new DataSource({
    type: 'postgres',
    ...(settings.database.url !== null && { url: settings.database.url }),
    schema: settings.database.schema,
    entities: [ApiKey, Partner, Campaign, User, Wallet, Endpoint],
    migrations: [Foundation1000000000000],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNamingStrategy(),
    installExtensions: false,
    poolSize: settings.database.poolSize,
    applicationName: `vaultline-${settings.contract}`,
    extra: {
      options: sessionOptions(settings.database.schema),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
    },
  });
}
