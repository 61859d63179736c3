import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { searchDatabase } from './secret-watch.js';

/** URL of the run's server; set by `global-setup.mjs`. */
export const SERVER_URL = 'VAULTLINE_TEST_SERVER_URL';
/** The database that `global-setup.mjs` migrated for both deployments; no session stays connected to it, so that it can be copied. */
export const TEMPLATE = 'vaultline_template';
/** The same, with the first tick of the sandbox's base market done. */
export const TICKED_TEMPLATE = 'vaultline_template_ticked';

/** The schema of a contract's deployment. */
export const schemaOf = (contract: 'partner' | 'sandbox'): 'live' | 'sandbox' =>
  contract === 'partner' ? 'live' : 'sandbox';

/** A database of one test file: a copy of the migrated template. */
export interface TestDatabase {
  url: string;
  /** Runs SQL in the schema of a deployment. */
  query<Row>(schema: 'live' | 'sandbox', sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** URL of a database that is yet to be created. */
export const newTestDatabaseUrl = (): string =>
  databaseUrl(testServer(), `test_${randomBytes(6).toString('hex')}`);

/**
 * @param template default: both deployments' schemas, migrated
 * @param url as `newTestDatabaseUrl` gives it
 */
export async function createTestDatabase(
  template = TEMPLATE,
  url = newTestDatabaseUrl(),
): Promise<TestDatabase> {
  const [server, name] = [testServer(), new URL(url).pathname.slice(1)];
  await administrate(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const sessions = {
    live: sessionsOf(url, '-c search_path=live'),
    sandbox: sessionsOf(url, '-c search_path=sandbox'),
  };
  return {
    url,
    query: async <Row>(schema: 'live' | 'sandbox', sql: string, values: unknown[] = []) =>
      (await sessions[schema].query(sql, values)).rows as Row[],
    drop: async () => {
      // A test may have dropped the database already, to test the service without it.
      const open = Object.values(sessions).filter(({ ending }) => !ending);
      await Promise.all(open.map((connection) => connection.end()));
      await searchDatabase(url).finally(() =>
        administrate(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      );
    },
  };
}

function testServer(): string {
  const server = process.env[SERVER_URL];
  if (!server) throw new Error('The test server is not running: run the tests with npm test.');
  return server;
}

/**
 * A small pool of sessions: a new session costs as much as a hundred small statements, and a wait sends many a second. Idle sessions end by
 * themselves, so that tests which count a database's connections, or stop its server, see only their own.
 */
function sessionsOf(url: string, options = ''): Pool {
  const sessions = new Pool({
    connectionString: url,
    options,
    idleTimeoutMillis: 300,
    allowExitOnIdle: true,
  });
  // An idle session whose server stopped leaves the pool; the next statement opens another.
  return sessions.on('error', () => undefined);
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement as the server's owner. Copies of the template are serialised. */
export async function administrate(server: string, sql: string): Promise<void> {
  await administration(server).query(sql);
}

const administrations = new Map<string, Pool>();

function administration(server: string): Pool {
  const open = administrations.get(server) ?? sessionsOf(server);
  administrations.set(server, open);
  return open;
}
