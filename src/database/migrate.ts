import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as migrateQueue } from 'graphile-worker';
import type { ClientBase } from 'pg';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { queueLogger } from '../telemetry/logger.js';
import { createMigrationPool, createMigrationSource } from './data-source.js';

const TRY_LOCK_MS = 100;
/** The one that holds the lock, and one for the queue's own migrations. */
const CONNECTIONS = 2;

/**
 * Brings the deployment's schema and its queue's up to date. Runs under a session lock, so that any number of replicas may start at once: one
 * migrates, the others wait and find nothing left to do. One that is killed leaves the lock with its session, and nothing half done.
 */
export async function migrate(
  settings: Settings,
  url: string,
  log: Logger,
  giveUp: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { schema } = settings.database;
  const pool = createMigrationPool(settings, url, CONNECTIONS);
  try {
    const holder = await pool.connect();
    try {
      await lock(holder, schema, giveUp);
      await holder.query(`CREATE SCHEMA IF NOT EXISTS ${holder.escapeIdentifier(schema)}`);
      await migrateQueue({ pgPool: pool, schema: queueSchema(schema), logger: queueLogger(log) });
      const source = await createMigrationSource(settings, url).initialize();
      await source.runMigrations({ transaction: 'all' }).finally(() => source.destroy());
    } finally {
      // With its session goes the lock.
      holder.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** Asked for again and again rather than waited for: a wait that the network lost would have no end. @throws the signal's reason */
async function lock(holder: ClientBase, schema: string, giveUp: AbortSignal): Promise<void> {
  for (;;) {
    giveUp.throwIfAborted();
    const { rows } = await holder.query<{ ours: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('vaultline.migrate'), hashtext($1)) AS ours`,
      [schema],
    );
    if (rows[0]?.ours) return;
    await sleep(TRY_LOCK_MS);
  }
}

/** Where the queue of a deployment lives. */
export const queueSchema = (schema: string): string => `${schema}_jobs`;
