import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { searchDatabase } from './secret-watch.js';

/** Where the run's server is; set by `global-setup.mjs`. */
export const SERVER_URL = 'VAULTLINE_TEST_SERVER_URL';
/** The database that `global-setup.mjs` migrated for both deployments; nobody connects to it, so that it can be copied. */
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

/** @param template default: both deployments' schemas, migrated */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const server = process.env[SERVER_URL];
  if (!server) throw new Error('The test server is not running: run the tests with npm test.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administrate(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = databaseUrl(server, name);
  return {
    url,
    query: (schema, sql, values) => queryOnce(url, schema, sql, values),
    drop: () =>
      searchDatabase(url).finally(() => administrate(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement as the server's owner. Copies of the template wait for each other. */
export async function administrate(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function queryOnce<Row>(
  url: string,
  schema: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
