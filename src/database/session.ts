import type { ClientBase, QueryConfig } from 'pg';
import { ConfigError } from '../config/config-error.js';
import type { Constants } from '../config/constants.js';
import type { Settings } from '../config/settings.js';

const OLDEST_VERSION = 15;
/** Timeout of an idle transaction. Ours are never idle for so long unless this process is gone, while others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/** Timeouts that the database enforces, in milliseconds; 0: none. */
type Bounds = Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>;
type Values = Readonly<Record<string, string | number>>;

const boundsOf = ({ database }: Constants): Bounds => ({
  statement_timeout: database.statementTimeoutMs,
  lock_timeout: database.lockTimeoutMs,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
});
const UNBOUNDED: Bounds = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };

/**
 * Settings that change what a statement reads or writes, and that any role may set. A session starts with them, whatever the server, the database, the
 * role or the URL says. Settings that change speed only, or that turn a statement into an error, are the operator's; so are durability
 * (`synchronous_commit`), and `default_transaction_read_only`, which stops writes.
 */
const PINNED: Values = {
  // Forms of times, intervals, bytes and doubles.
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  // Meaning of a statement's text.
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // Rows that a statement sees.
  default_transaction_isolation: 'read committed',
  row_security: 'on',
};

/** Pinned settings that only a superuser may set, so that a session can only compare them. */
const REQUIRED: Values = {
  // `replica` fires no trigger: neither those that refuse changes of the ledger, nor foreign keys.
  session_replication_role: 'origin',
  // Damaged pages would read as empty.
  zero_damaged_pages: 'off',
  ignore_checksum_failure: 'off',
};

/** Other values of a setting with the same effect. */
const EQUAL: Readonly<Record<string, RegExp>> = {
  timezone: /^(Etc\/)?(UTC|GMT)$/,
  datestyle: /^ISO/,
  extra_float_digits: /^[1-3]$/,
};

/** Settings that a session of a deployment starts with. @param bounded with a request's timeouts; a migration may rewrite a table */
export function sessionOptions({ constants, databaseSchema }: Settings, bounded: boolean): string {
  const bounds = bounded ? boundsOf(constants) : UNBOUNDED;
  return Object.entries({ search_path: databaseSchema, ...PINNED, ...bounds })
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
    .join(' ');
}

/** Session in which statements would read or write something else. Requests get 503 until the operator has corrected it. */
export class UnfitSessionError extends ConfigError {
  override readonly name = 'UnfitSessionError';
}

interface Session {
  role: string;
  database: string;
  schema: string | null;
  standby: boolean;
  /** By name in lower case; timeouts in milliseconds. */
  settings: Readonly<Record<string, string>>;
}

const SESSION = `
SELECT current_user AS role, current_database() AS database, current_schema() AS schema, pg_is_in_recovery() AS standby,
       (SELECT json_object_agg(lower(name), setting) FROM pg_settings WHERE lower(name) = ANY($1)) AS settings`;

const NAMES = [
  ...['server_version', 'server_version_num', 'search_path'],
  ...Object.keys({ ...PINNED, ...REQUIRED, ...UNBOUNDED }),
];

/**
 * Compares the settings of a new session with the required ones.
 * @param pooled through a pooler in transaction mode, which passes nothing on that a session starts with: everything has to be a setting of the role
 * @throws UnfitSessionError that names each wrong setting, its value and the remedy
 * @throws Error with PostgreSQL's code 25006 on a standby, whose rows may be old
 */
export async function requireFit(client: ClientBase, settings: Settings, pooled: boolean): Promise<void> {
  const ask = { text: SESSION, values: [NAMES], query_timeout: settings.constants.database.connectTimeoutMs };
  const { rows } = await client.query<Session>(ask as QueryConfig);
  const session = rows[0]!;
  const { role, database, standby, settings: actual } = session;
  if (!(Number(actual['server_version_num']) >= OLDEST_VERSION * 10_000)) {
    throw new UnfitSessionError([
      `The database ${database} is on PostgreSQL ${actual['server_version']}; the oldest supported version is ${OLDEST_VERSION}: upgrade the server, or set DATABASE_URL to another one.`,
    ]);
  }
  if (standby)
    throw Object.assign(new Error(`The server of the database ${database} is a standby.`), { code: '25006' });
  const wrong = [
    ...(pooled ? roleFaults(session, settings) : []),
    ...differing(actual, { ...PINNED, ...REQUIRED }),
  ];
  if (wrong.length === 0) return;
  const values = wrong.map(([name, value]) => `${name} is "${actual[name]}" and must be "${value}"`);
  const statements = wrong.map(
    ([name, value]) => `ALTER ROLE "${role}" IN DATABASE "${database}" SET ${name} = '${value}';`,
  );
  const fault = pooled
    ? `DATABASE_POOLING is "${settings.databasePooling}", and sessions of the role ${role} lack the settings that it requires`
    : `Statements in sessions of the role ${role} would read or write something else`;
  throw new UnfitSessionError([
    `${fault}: ${values.join(', ')}. As a superuser run ${statements.join(' ')} Remove the setting from the options of the URL, if it is there. Then have the pooler reconnect (RECONNECT).`,
  ]);
}

const differing = (actual: Session['settings'], wanted: Values): [string, string | number][] =>
  Object.entries(wanted).filter(
    ([name, value]) => !(EQUAL[name]?.test(actual[name]!) ?? actual[name] === String(value)),
  );

/** Settings that a session gets at its start, where no pooler prevents it. */
function roleFaults(
  { schema, settings: actual }: Session,
  { databaseSchema, constants }: Settings,
): [string, string | number][] {
  // Operators may choose a shorter timeout.
  const unbounded = Object.entries(boundsOf(constants)).filter(
    ([name, maxMs]) => actual[name] === '0' || !(Number(actual[name]) <= maxMs),
  );
  return [
    ...(schema === databaseSchema ? [] : [['search_path', databaseSchema] as [string, string]]),
    ...unbounded,
  ];
}
