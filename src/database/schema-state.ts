import type { ClientBase } from 'pg';
import type { QueryRunner } from 'typeorm';
import { ConfigError } from '../config/config-error.js';
import { BASELINE, MIGRATIONS } from './data-source.js';

/** Ends the names of the steps from before the first release: the numbers of the baseline and of what follows it are higher. */
const SUPERSEDED = /10{10}[0-9]{2}$/;

/** $1 schema. Tables without those of extensions; whether steps are recorded as TypeORM does. */
const STATE = `
SELECT ARRAY(SELECT relname::text FROM pg_class c
              WHERE relnamespace = n.oid AND relkind IN ('r', 'p', 'f') AND NOT EXISTS (
                    SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
              ORDER BY relname COLLATE "C") AS tables,
       ARRAY(SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_index i ON indexrelid = c.oid
              WHERE relnamespace = n.oid AND NOT indisvalid AND NOT relispartition ORDER BY 1) AS indexes,
       EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(format('%I.migrations', nspname)) AND attname = 'name') AS recorded
  FROM pg_namespace n WHERE nspname = $1`;

interface State {
  tables: string[];
  indexes: string[];
  recorded: boolean;
}

/**
 * Checks what a schema holds before anything in it is changed.
 * @returns what an operator should know, which no migration changes
 * @throws ConfigError for a schema that no version of the program has left as it is
 */
export async function checkSchema(session: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await session.query<State>(STATE, [schema]);
  const [state] = rows;
  if (state === undefined) return [];
  const recorded = state.recorded ? await recordedSteps(session, schema) : [];
  if (recorded.some((name) => SUPERSEDED.test(name)))
    throw new ConfigError([
      `The schema ${schema} was created by a version before the first release, whose data no later version reads; nothing in it was changed. Start with an empty database or data folder (\`npm start\` keeps its own in .data), or continue with the version that created it.`,
    ]);
  const baseline = BASELINE.map(({ name }) => name);
  const done = baseline.filter((name) => recorded.includes(name));
  const missing = baseline.filter((name) => !recorded.includes(name));
  if (done.length === 0) refuseForeign(schema, state, recorded);
  else if (missing.length > 0)
    throw halfMigrated(schema, `${listed(done)} is recorded, and ${listed(missing)} is not`);
  else {
    const lost = (await baselineTables()).filter((name) => !state.tables.includes(name));
    if (lost.length > 0)
      throw halfMigrated(schema, `its migrations are recorded, but it lacks the tables ${listed(lost)}`);
  }
  return notesOf(schema, state, recorded);
}

async function recordedSteps(session: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT name FROM ${session.escapeIdentifier(schema)}.migrations ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** An interrupted first start leaves no table but an empty list of steps. */
function refuseForeign(
  schema: string,
  { tables, recorded: isOurs }: State,
  recorded: readonly string[],
): void {
  const foreign = tables.filter((name) => name !== 'migrations' || !isOurs || recorded.length > 0);
  if (foreign.length === 0) return;
  throw new ConfigError([
    `The schema ${schema} contains objects that no migration of Vaultline recorded (${listed(foreign)}); nothing in it was changed. Another program's tables need another database or schema; after an interrupted restore, drop the schemas ${schema} and ${schema}_jobs, and restore again.`,
  ]);
}

const halfMigrated = (schema: string, fault: string): ConfigError =>
  new ConfigError([
    `The schema ${schema} is half migrated: ${fault}; nothing in it was changed. A migration is one transaction, and leaves no such state: restore a backup as a whole, or start with an empty database.`,
  ]);

function notesOf(schema: string, { indexes }: State, recorded: readonly string[]): string[] {
  const later = recorded.filter((name) => !MIGRATIONS.some((step) => step.name === name));
  return [
    ...(later.length === 0
      ? []
      : [
          `A later version has migrated the schema ${schema} (${listed(later)}): this version migrates nothing there, and serves requests until every process runs the later version.`,
        ]),
    ...indexes.map(
      (index) =>
        `The index ${index} is invalid, as an interrupted CREATE INDEX or REINDEX CONCURRENTLY leaves it: run REINDEX INDEX CONCURRENTLY ${index}, or drop it where its name ends in _ccnew or _ccold.`,
    ),
  ];
}

/** Tables of the baseline that a later step dropped. */
const DROPPED: ReadonlySet<string> = new Set([
  'moves',
  'checked_accounts',
  'checked_moves',
  'checked_points',
  'checked_positions',
  'checked_revenue',
  'checked_shares',
  'checked_totals',
  'checked_vaults',
]);

/** Tables that the steps of the baseline create. Those never change, so that they are asked without a database; what a function creates is indented. */
async function baselineTables(): Promise<string[]> {
  const tables: string[] = [];
  const query = async (sql: string): Promise<object[]> => {
    tables.push(...Array.from(sql.matchAll(/^CREATE TABLE (\w+)/gm), ([, name]) => name!));
    return [{ schema: '' }];
  };
  for (const Step of BASELINE) await new Step().up({ query } as unknown as QueryRunner);
  return tables.filter((name) => !DROPPED.has(name));
}

const MAX_LISTED = 5;

const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_LISTED).join(', ') +
  (names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '');
