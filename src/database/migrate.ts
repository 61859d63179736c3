import { runMigrations as migrateQueue } from 'graphile-worker';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { queueLogger } from '../telemetry/logger.js';
import { createMigrationSource } from './data-source.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Brings the deployment's schema and its queue's up to date. Runs under a session lock, so that any number of replicas may start at once: one
 * migrates, the others wait and find nothing left to do.
 */
export async function migrate(
  settings: Settings,
  url: string,
  log: Logger,
  giveUp: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { schema } = settings.database;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a connection that breaks while it waits would end the process.
  client.on('error', () => undefined);
  await client.connect();
  const leave = (): void => void client.end();
  try {
    giveUp.throwIfAborted();
    giveUp.addEventListener('abort', leave);
    await client.query(`SELECT pg_advisory_lock(hashtext('vaultline.migrate'), hashtext($1))`, [schema]);
    // From here on it is seen through: to let go of the lock would let another replica in beside us.
    giveUp.removeEventListener('abort', leave);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(schema)}`);
    await migrateQueue({
      connectionString: url,
      maxPoolSize: 2,
      schema: queueSchema(schema),
      logger: queueLogger(log),
    });
    const source = await createMigrationSource(settings, url).initialize();
    await source.runMigrations({ transaction: 'all' }).finally(() => source.destroy());
  } finally {
    giveUp.removeEventListener('abort', leave);
    await client.end();
  }
}

/** Where the queue of a deployment lives. */
export const queueSchema = (schema: string): string => `${schema}_jobs`;
