import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** The folder of findings for `global-teardown.mjs`, which fails the run over them; set by `global-setup.mjs`. */
const FINDINGS = 'VAULTLINE_TEST_FINDINGS';

/** Shorter secrets are words that a test made up. */
const SHORTEST = 16;

/** Secrets that are recognised by their form, wherever they come from. */
const FORMS: Record<string, RegExp> = {
  'an API key': /vl_(?:live|sandbox)_[0-9A-Za-z]{38}/,
  'a one-time code': /vlc_(?:live|sandbox)_[0-9A-Za-z]{38}/,
  'a signing secret': /whsec_[0-9A-Za-z+/]{43}=/,
  'a credential': /\bBearer (?!<)[^\s"'\\]{8,}/,
};

/** Prefixes of these secrets, by which columns are searched, and their full patterns for PostgreSQL. */
const BEGINNINGS = ['vl_live_', 'vl_sandbox_', 'vlc_live_', 'vlc_sandbox_', 'whsec_'];
const IN_FULL = 'vlc?_(live|sandbox)_[0-9A-Za-z]{38}|whsec_[0-9A-Za-z+/]{43}=';

/** Other secrets of the test file that runs now, with their kinds. Those of earlier files are in databases of their own. */
const secretNames = new Map<string, string>();
let knownFor = '';

/** The kind of a secret, and the place where it was found. The secret itself is left out. */
export interface Finding {
  secret: string;
  location: string;
  file: string;
}

/** Registers the secrets of a deployment's environment, including those without a form. */
export function watchEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  if (knownFor !== testFile()) secretNames.clear();
  knownFor = testFile();
  const remember = (what: string, secret: string | undefined): void => {
    if (secret !== undefined && secret.length >= SHORTEST) secretNames.set(secret, what);
  };
  const { BOOTSTRAP_ADMIN_KEY: bootstrap, SECRETS_KEY: key, DATABASE_URL: url } = env;
  remember('a bootstrap key', bootstrap);
  remember('a secrets key', key);
  if (key !== undefined) remember('a secrets key', Buffer.from(key, 'base64').toString('hex'));
  if (url !== undefined && URL.canParse(url)) remember('a database password', new URL(url).password);
  for (const [name, urls] of Object.entries(env))
    if (name.startsWith('RPC_URL_'))
      for (const item of urls?.split(',') ?? [])
        remember('a key of an RPC URL', new URL(item).pathname.slice(1));
}

/** Records each kind of secret in a text. It is called for all output of the service but the answer that shows a new secret. */
export function searchText(location: string, text: string): void {
  for (const secret of secretsIn(text)) report({ secret, location: location, file: testFile() });
}

/** @returns the kinds of secrets in a text */
export function secretsIn(text: string): string[] {
  const byForm = Object.entries(FORMS).flatMap(([what, form]) => (form.test(text) ? [what] : []));
  const byValue = [...secretNames].flatMap(([secret, what]) => (text.includes(secret) ? [what] : []));
  return [...new Set([...byForm, ...byValue])];
}

/** Records each column of a database that contains a secret. A database that was dropped has none. */
export async function searchDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c lock_timeout=10000' });
  try {
    await client.connect();
  } catch (error) {
    if ((error as { code?: string }).code === '3D000') return;
    throw error;
  }
  try {
    for (const location of await columnsWithSecrets(client)) {
      report({ secret: 'a secret', location: location, file: testFile() });
    }
  } finally {
    await client.end();
  }
}

/** @returns `schema.table.column` of each */
export async function columnsWithSecrets(client: Client): Promise<string[]> {
  const columns = await searchedColumns(client);
  const leaks: string[] = [];
  const within = (texts: string[]): string[] => texts.map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`);
  const exact = within([...secretNames.keys()]);
  const values = [[...within(BEGINNINGS), ...exact], IN_FULL, exact];
  // One statement a table: the table is read once for all its columns.
  for (const [table, tableColumns] of Map.groupBy(columns, ({ table }) => table)) {
    const hits = tableColumns.map(({ text }, index) => `bool_or(${suspect(text)}) AS c${index}`);
    const { rows } = await client.query<Record<string, boolean | null>>(
      `SELECT ${hits.join(', ')} FROM ${table}`,
      values,
    );
    leaks.push(
      ...tableColumns.flatMap(({ column }, index) => (rows[0]![`c${index}`] ? [`${table}.${column}`] : [])),
    );
  }
  return leaks;
}

/** Cheap checks come first: of millions of strings many are too short for a secret, and nearly none contains a prefix. */
const suspect = (text: string): string =>
  `octet_length(${text}) >= ${SHORTEST} AND ${text} LIKE ANY ($1::text[]) AND (${text} ~ $2 OR ${text} LIKE ANY ($3::text[]))`;

/**
 * Columns that could contain a string, each with an expression that reads it as text; bytes as far as they are ASCII. Empty tables are left out, and
 * foreign keys, because the column that they refer to is searched.
 */
async function searchedColumns(client: Client): Promise<{ table: string; column: string; text: string }[]> {
  const { rows } = await client.query<{ table: string; column: string; text: string }>(
    `SELECT format('%I.%I', nspname, relname) AS table, attname AS column,
            CASE WHEN atttypid = 'bytea'::regtype THEN format('encode(%I, ''escape'')', attname)
                 ELSE format('%I::text', attname) END AS text
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
            JOIN pg_type ON pg_type.oid = atttypid
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname !~ '^pg_|^information_schema$'
        AND attnum > 0 AND NOT attisdropped AND (relkind = 'p' OR pg_relation_size(pg_class.oid) > 0)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'f' AND attnum = ANY (conkey) AND convalidated)
        AND (typcategory IN ('S', 'A') OR atttypid IN ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype))
      ORDER BY 1, 2`,
  );
  return rows;
}

function report(finding: Finding): void {
  const folder = process.env[FINDINGS];
  // Outside the test runner, as in a benchmark, findings are not recorded.
  if (folder === undefined) return;
  appendFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(finding));
}

function testFile(): string {
  const { expect } = globalThis as { expect?: { getState(): { testPath?: string } } };
  return expect?.getState().testPath?.replace(`${process.cwd()}/`, '') ?? 'an unknown test';
}
