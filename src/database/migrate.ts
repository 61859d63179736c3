import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as migrateQueue } from 'graphile-worker';
import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.js';
import type { Settings } from '../config/settings.js';
import { queueLogger } from '../telemetry/logger.js';
import { createMigrationPool, createMigrationSource } from './data-source.js';
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

/** Ends the names of the steps from before the first release: the numbers of the baseline and of what follows it are higher. */
const SUPERSEDED = '10{10}[0-9]{2}$';

/**
 * Migrates the deployment's schema and its queue's. It holds a session lock, so that any number of replicas may start at once: one migrates, the
 * others wait and find nothing to do. A killed process releases the lock with its session and leaves nothing half done. It connects as the owner when
 * that is configured, and then grants the server's role its rights. A role that cannot create tables only checks that everything is done.
 * @throws NotMigratedError when another role has to migrate first
 * @throws ConfigError for data of a version from before the first release
 */
export async function migrate(
  settings: Settings,
  url: string,
  log: Logger,
  giveUp: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { schema, migrationUrl, directUrl } = settings.database;
  // Session locks do not work through a pooler.
  const ownersUrl = migrationUrl ?? directUrl ?? url;
  const pool = createMigrationPool(settings, ownersUrl, CONNECTIONS);
  try {
    const holder = await pool.connect();
    try {
      await lock(holder, schema, giveUp);
      if (migrationUrl === null && !(await mayMigrate(holder, schema)))
        return await requireMigrated(settings, url, pool, log);
      await refuseSuperseded(holder, schema);
      await holder.query(`CREATE SCHEMA IF NOT EXISTS ${holder.escapeIdentifier(schema)}`);
      await migrateQueue({ pgPool: pool, schema: queueSchema(schema), logger: queueLogger(log) });
      const source = await createMigrationSource(settings, ownersUrl).initialize();
      await source.runMigrations({ transaction: 'all' }).finally(() => source.destroy());
      if (migrationUrl !== null) await grantServerRole(holder, settings, url, [schema, queueSchema(schema)]);
    } finally {
      // Ending the session releases the lock.
      holder.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** There is no upgrade from before the first release. @throws ConfigError */
async function refuseSuperseded(holder: ClientBase, schema: string): Promise<void> {
  const table = `${holder.escapeIdentifier(schema)}.migrations`;
  const { rows } = await holder.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [table]);
  if (rows[0]?.found == null) return;
  const { rowCount } = await holder.query(`SELECT FROM ${table} WHERE name ~ $1`, [SUPERSEDED]);
  if (rowCount === 0) return;
  throw new ConfigError([
    `The schema ${schema} was made by a version from before the first release, whose data no later one reads; nothing in it was changed. Start with an empty database or data folder (\`npm start\` keeps its own in .data), or go on with the version that made it.`,
  ]);
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

async function requireMigrated(settings: Settings, url: string, pool: Pool, log: Logger): Promise<void> {
  const { schema } = settings.database;
  const wanted = createMigrationSource(settings, url).options.migrations as { name: string }[];
  try {
    const { rows } = await pool.query<{ name: string }>(`SELECT name FROM "${schema}".migrations`);
    const missing = wanted.filter(({ name }) => !rows.some((row) => row.name === name));
    if (missing.length > 0) throw new NotMigratedError(schema, `${missing[0]!.name} is missing`);
    // The queue compares its own migrations, and writes only when some are missing.
    await migrateQueue({ pgPool: pool, schema: queueSchema(schema), logger: queueLogger(log) });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    throw NOT_YET.test(code ?? '') ? new NotMigratedError(schema, message) : error;
  }
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
