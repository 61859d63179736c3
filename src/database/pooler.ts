import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { ConfigError } from '../config/config-error.js';
import type { Settings } from '../config/settings.js';
import { boundsOf } from './data-source.js';

interface Session {
  role: string;
  database: string;
  schema: string | null;
  timezone: string;
  /** Timeouts in milliseconds by name; 0: none. */
  bounds: Record<string, number>;
}

const SESSION = `
SELECT current_user AS role, current_database() AS database, current_schema() AS schema, current_setting('TimeZone') AS timezone,
       (SELECT json_object_agg(name, setting::int) FROM pg_settings
         WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')) AS bounds`;

/** PostgreSQL's codes of a prepared statement whose name is taken, or is not known. */
const WRONG_NAME = /^(42P05|26000)$/;

/**
 * Checks a pooler in transaction mode before it is used.
 * @throws ConfigError when the role lacks settings, or the pooler does not keep named statements that it is said to keep
 */
export async function checkPooler(source: DataSource, settings: Settings): Promise<void> {
  await checkPooledRole(source, settings);
  if (settings.database.pooling === 'transaction_named') await checkNamedStatements(source);
}

/**
 * Checks that the role has the settings that a session otherwise gets at its start, because a pooler in transaction mode passes none on.
 * @throws ConfigError with the statements that set them
 */
async function checkPooledRole(source: DataSource, settings: Settings): Promise<void> {
  const [session] = await source.query<Session[]>(SESSION);
  const missing = missingSettings(session!, settings);
  if (missing.length === 0) return;
  const { role, database } = session!;
  const statements = missing.map(
    ([name, value]) => `ALTER ROLE "${role}" IN DATABASE "${database}" SET ${name} = '${value}';`,
  );
  throw new ConfigError([
    `DATABASE_POOLING is "${settings.database.pooling}", and sessions of the role ${role} are not set up for that. As a superuser run ${statements.join(' ')} Then let the pooler connect anew (RECONNECT).`,
  ]);
}

/**
 * Two sessions prepare a statement of the same name, and use it again. A pooler that passes names on gives both the same connection, where the name is
 * taken, or the second use another connection, where it is not known.
 */
async function checkNamedStatements(source: DataSource): Promise<void> {
  const runners = [source.createQueryRunner(), source.createQueryRunner()];
  try {
    const sessions = await Promise.all(runners.map((runner) => runner.connect() as Promise<PoolClient>));
    for (const session of [...sessions, ...sessions])
      await session.query({ name: 'names_are_kept', text: 'SELECT 1' });
  } catch (error) {
    if (!WRONG_NAME.test((error as { code?: string }).code ?? '')) throw error;
    throw new ConfigError([
      'DATABASE_POOLING is "transaction_named", and the pooler of DATABASE_URL does not keep named statements. PgBouncer does from 1.21 on with max_prepared_statements above 0; with another one set DATABASE_POOLING=transaction.',
    ]);
  } finally {
    await Promise.all(runners.map((runner) => runner.release()));
  }
}

function missingSettings(session: Session, { database, constants }: Settings): [string, string | number][] {
  const { schema, timezone, bounds } = session;
  // Operators may choose a shorter timeout.
  const unbounded = Object.entries(boundsOf(constants)).filter(
    ([name, most]) => bounds[name] === 0 || bounds[name]! > most,
  );
  return [
    ...(schema === database.schema ? [] : ([['search_path', database.schema]] as [string, string][])),
    ...(/^(Etc\/)?(UTC|GMT)$/.test(timezone) ? [] : ([['timezone', 'UTC']] as [string, string][])),
    ...unbounded,
  ];
}
