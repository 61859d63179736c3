import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import { ConfigError } from '../config/config-error.js';
import type { Settings } from '../config/settings.js';
import { sessionOptions } from './data-source.js';
import { PatientClient } from './patient-client.js';

interface End {
  database: string;
  isStandby: boolean;
}

/** $1, $2 a key. The lock belongs to the transaction, so that a pooler releases it. */
const TAKE = `
SELECT current_database() AS database, pg_is_in_recovery() AS "isStandby", pg_try_advisory_xact_lock($1::int, $2::int)`;

/** $1, $2 the key. Advisory locks are of one database, and any role may read them. */
const SEE = `
SELECT current_database() AS database, pg_is_in_recovery() AS "isStandby",
       EXISTS (SELECT FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND (classid, objid, objsubid) = ($1::oid, $2::oid, 2)
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS same`;

/** One of the paths leads to a standby, as during a failover. */
class StandbyPathError extends Error {
  readonly code = 'STANDBY_PATH';

  constructor() {
    super(
      'DATABASE_URL and DATABASE_DIRECT_URL do not lead to the same server, and one of them is a standby.',
    );
  }
}

/**
 * Checks the paths to the database before anything is locked or written: connections that are not those of a pooler in transaction mode take settings
 * at their start, and DATABASE_DIRECT_URL leads to the database of DATABASE_URL.
 * @param url the value of DATABASE_URL
 * @throws ConfigError naming the setting that is wrong
 * @throws StandbyPathError when waiting may help
 */
export async function checkPaths(settings: Settings, url: string): Promise<void> {
  const { pooling, directUrl, migrationUrl } = settings.database;
  const isPooled = pooling !== 'session';
  const open: Client[] = [];
  const path = async (name: keyof typeof REFUSALS, to: string): Promise<Client> => {
    const takesOptions = name !== 'DATABASE_URL' || !isPooled;
    const client = newClient(settings, to, takesOptions);
    open.push(client);
    await connect(client, name, takesOptions ? settings.database.schema : null);
    return client;
  };
  try {
    const main = await path('DATABASE_URL', url);
    if (migrationUrl !== null) await path('DATABASE_MIGRATION_URL', migrationUrl);
    if (directUrl !== null) await requireSame(main, await path('DATABASE_DIRECT_URL', directUrl));
  } finally {
    await Promise.all(open.map((client) => client.end()));
  }
}

const REFUSALS = {
  DATABASE_URL:
    'DATABASE_POOLING is "session", and DATABASE_URL does not take the settings of a session (options), as poolers in transaction mode do not; allowed with a pooler is DATABASE_POOLING=transaction, or transaction_named where it keeps named statements, and DATABASE_DIRECT_URL with the URL of the database itself.',
  DATABASE_DIRECT_URL:
    'DATABASE_DIRECT_URL does not take the settings of a session (options), as poolers do not; allowed is the URL of the database itself, past any pooler.',
  DATABASE_MIGRATION_URL:
    'DATABASE_MIGRATION_URL does not take the settings of a session (options), as poolers do not; allowed is the URL of the database itself, past any pooler.',
};

function newClient({ constants, database }: Settings, url: string, takesOptions: boolean): Client {
  const { connectTimeoutMs, answerGraceMs } = constants.database;
  return new PatientClient({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    answerTimeoutMillis: connectTimeoutMs + answerGraceMs,
    ...(takesOptions && { options: sessionOptions(database.schema) }),
  });
}

/**
 * @param schema sent as a setting of the session; null: none is sent
 * @throws ConfigError when a pooler refuses or ignores the setting. PgBouncer refuses it with 08P01, which otherwise stands for a broken connection.
 */
async function connect(client: Client, name: keyof typeof REFUSALS, schema: string | null): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === '08P01' && /startup parameter/i.test(message)) throw new ConfigError([REFUSALS[name]]);
    throw error;
  }
  if (schema === null) return;
  const { rows } = await client.query<{ path: string }>(`SELECT current_setting('search_path') AS path`);
  if (rows[0]!.path !== schema) throw new ConfigError([REFUSALS[name]]);
}

/**
 * An advisory lock that is taken on one path is seen on the other exactly when both lead to one database of one running server. Names, oids and the
 * system identifier would not tell a server from a copy of it.
 */
async function requireSame(main: Client, direct: Client): Promise<void> {
  const key = [randomInt(2 ** 31 - 1), randomInt(2 ** 31 - 1)];
  await main.query('BEGIN');
  const { rows: taken } = await main.query<End>(TAKE, key);
  const { rows: seen } = await direct.query<End & { same: boolean }>(SEE, key);
  await main.query('ROLLBACK');
  const [here, there] = [taken[0]!, seen[0]!];
  if (there.same) return;
  if (here.isStandby || there.isStandby) throw new StandbyPathError();
  const other =
    here.database === there.database
      ? 'to one of that name on another server'
      : `to ${JSON.stringify(there.database)}`;
  throw new ConfigError([
    `DATABASE_URL leads to the database ${JSON.stringify(here.database)}, and DATABASE_DIRECT_URL ${other}; allowed is the same database, once through the pooler and once past it.`,
  ]);
}
