import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as migrateQueue } from 'graphile-worker';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.js';
import type { Settings } from '../config/settings.js';
import { queueLogger } from '../telemetry/logger.js';
import { createMigrationPool, createMigrationSource, MIGRATIONS } from './data-source.js';
import { isFinal, isSqlState } from './refusal.js';
import { checkSchema } from './schema-state.js';
import { grantServerRole } from './server-role.js';

const TRY_LOCK_MS = 100;
/** One connection that holds the lock, and one for the queue's own migrations. */
const CONNECTIONS = 2;

/** The schemas belong to another role, which has not migrated them yet. */
export class NotMigratedError extends Error {
  readonly code = 'NOT_MIGRATED';

  constructor(schema: string, reason: string) {
    super(
      `The schema ${schema} is not up to date (${reason}), and the role of DATABASE_URL may not change it: run \`vaultline migrate\` with DATABASE_MIGRATION_URL, the URL of the role that owns it.`,
    );
  }
}

/**
 * Migrates the deployment's schema and its queue's. It holds a session lock, so that any number of replicas may start at once: one migrates, the
 * others wait and find nothing to do. A killed process releases the lock with its session and leaves nothing half done. It connects as the owner when
 * that is configured, and then grants the server's role its rights. A role that cannot create tables only checks that everything is done.
 * @returns what an operator should know of the schema, which no migration changes
 * @throws NotMigratedError when another role has to migrate first
 * @throws ConfigError for a schema that is not one of this program, or only in part, and for a migration that fails
 */
export async function migrate(
  settings: Settings,
  url: string,
  log: Logger,
  giveUp: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const {
    databaseSchema: schema,
    databaseMigrationUrl: migrationUrl,
    databaseDirectUrl: directUrl,
  } = settings;
  // Session locks do not work through a pooler.
  const ownersUrl = migrationUrl ?? directUrl ?? url;
  const pool = createMigrationPool(settings, ownersUrl, CONNECTIONS);
  try {
    const holder = await pool.connect();
    try {
      await lock(holder, schema, giveUp);
      if (migrationUrl === null && !(await mayMigrate(holder, schema)))
        return await requireMigrated(schema, holder, pool, log);
      const notes = await checkSchema(holder, schema);
      await holder.query(`CREATE SCHEMA IF NOT EXISTS ${holder.escapeIdentifier(schema)}`);
      await bringUpQueue(schema, pool, log);
      const source = await createMigrationSource(settings, ownersUrl).initialize();
      await source
        .runMigrations({ transaction: 'all' })
        .catch((error: unknown) => {
          throw failedMigration(schema, error) ?? error;
        })
        .finally(() => source.destroy());
      if (migrationUrl !== null) await grantServerRole(holder, settings, url, [schema, queueSchema(schema)]);
      return notes;
    } finally {
      // Ending the session releases the lock.
      holder.release(true);
    }
  } finally {
    await pool.end();
  }
}

const MAY_MIGRATE = `
SELECT coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1),
                has_database_privilege(current_database(), 'CREATE')) AS may`;

async function mayMigrate(holder: ClientBase, schema: string): Promise<boolean> {
  const { rows } = await holder.query<{ may: boolean }>(MAY_MIGRATE, [schema]);
  return rows[0]!.may;
}

/** Errors of a role without sufficient rights: insufficient privilege, undefined table, undefined schema. */
const NOT_YET = /^(42501|42P01|3F000)$/;

async function requireMigrated(
  schema: string,
  holder: PoolClient,
  pool: Pool,
  log: Logger,
): Promise<string[]> {
  try {
    const { rows } = await pool.query<{ name: string }>(`SELECT name FROM "${schema}".migrations`);
    const missing = MIGRATIONS.find(({ name }) => !rows.some((row) => row.name === name));
    if (missing) throw new NotMigratedError(schema, `${missing.name} is missing`);
    // The queue compares its own migrations, and writes only when some are missing.
    await bringUpQueue(schema, pool, log);
    return await checkSchema(holder, schema);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    throw NOT_YET.test(code ?? '') ? new NotMigratedError(schema, message) : error;
  }
}

/** @throws ConfigError for a queue that a later version of its library has changed in a way that this one cannot use */
async function bringUpQueue(schema: string, pool: Pool, log: Logger): Promise<void> {
  try {
    await migrateQueue({ pgPool: pool, schema: queueSchema(schema), logger: queueLogger(log) });
  } catch (error) {
    if (!/schema revision/.test((error as Error).message)) throw error;
    throw new ConfigError([
      `A later version has migrated the schema ${queueSchema(schema)}, whose queue this version cannot use: start the later version. ${(error as Error).message}`,
    ]);
  }
}

/** Null: an outage, after which the migration is tried again. */
function failedMigration(schema: string, error: unknown): ConfigError | null {
  const { code, message } = error as Error & { code?: unknown };
  if (!isSqlState(code) || !isFinal(error)) return null;
  return new ConfigError([
    `A migration of the schema ${schema} failed and was rolled back: ${message}. Correct the cause, and migrate again.`,
  ]);
}

/** The lock is polled: a blocking wait on a lost connection would never end. @throws the signal's reason */
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

export const queueSchema = (schema: string): string => `${schema}_jobs`;
