import { Client } from 'pg';
import { ConfigError } from '../config/config-error.js';
import type { Settings } from '../config/settings.js';
import { sessionOptions } from './data-source.js';

/**
 * Checks the paths to the database before anything is locked or written, because a pooler in transaction mode takes no settings at the start of a
 * connection. Throws ConfigError naming the setting that is wrong.
 */
export async function checkPaths(settings: Settings, url: string): Promise<void> {
  const { pooling, directUrl, migrationUrl } = settings.database;
  const isPooled = pooling !== 'session';
  const open: Client[] = [];
  const check = async (name: keyof typeof REFUSALS, to: string): Promise<void> => {
    const takesOptions = name !== 'DATABASE_URL' || !isPooled;
    const client = newClient(settings, to, takesOptions);
    open.push(client);
    await connect(client, name, takesOptions ? settings.database.schema : null);
  };
  try {
    await check('DATABASE_URL', url);
    if (migrationUrl !== null) await check('DATABASE_MIGRATION_URL', migrationUrl);
    if (directUrl !== null) await check('DATABASE_DIRECT_URL', directUrl);
  } finally {
    await Promise.all(open.map((client) => client.end()));
  }
}

const REFUSALS = {
  DATABASE_URL:
    'DATABASE_POOLING is "session", and DATABASE_URL does not take the settings of a session (options), as poolers in transaction mode do not; with a pooler set DATABASE_POOLING=transaction, or transaction_named where it keeps named statements, and DATABASE_DIRECT_URL with the URL of the database itself.',
  DATABASE_DIRECT_URL:
    'DATABASE_DIRECT_URL does not take the settings of a session (options), as poolers do not; it must be the URL of the database itself, past any pooler.',
  DATABASE_MIGRATION_URL:
    'DATABASE_MIGRATION_URL does not take the settings of a session (options), as poolers do not; it must be the URL of the database itself, past any pooler.',
};

function newClient({ constants, database }: Settings, url: string, takesOptions: boolean): Client {
  const { connectTimeoutMs, answerGraceMs } = constants.database;
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs + answerGraceMs,
    ...(takesOptions && { options: sessionOptions(database.schema) }),
  });
  return client.on('error', () => undefined);
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
