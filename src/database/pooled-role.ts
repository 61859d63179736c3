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

/**
 * Checks that the role has the settings that a session otherwise gets at its start, because a pooler in transaction mode passes none on.
 * @throws ConfigError with the statements that set them
 */
export async function checkPooledRole(source: DataSource, settings: Settings): Promise<void> {
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
