import { runMigrations as migrateQueue } from 'graphile-worker';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { queueLogger } from '../telemetry/logger.js';
import { createMigrationSource } from './data-source.js';

/**
 * Brings the deployment's schema and its queue's up to date. Runs under a session lock, so that any number of replicas may start at once: one
 * migrates, the others wait and find nothing left to do.
 */
export async function migrate(settings: Settings, url: string, log: Logger): Promise<void> {
  const { schema } = settings.database;
  const client = new Client({ connectionString: url });
  // Without a listener, a connection that breaks while it waits would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('vaultline.migrate'), hashtext($1))`, [schema]);
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
    await client.end();
  }
}

/** Where the queue of a deployment lives. */
export const queueSchema = (schema: string): string => `${schema}_jobs`;
