import { Client, type ClientBase } from 'pg';
import { ConfigError } from '../config/config-error.js';
import { DEPLOYMENTS } from '../config/deployments.js';
import type { Settings } from '../config/settings.js';

/** Functions that the server calls at run time and only the owner may execute. They take no text, and access nothing outside of their schema. */
const OWNERS_FUNCTIONS = ['prepare_ledger', 'share_ledger', 'forget_audit'];

/** $1 schema, $2 role. A superuser is a member of every role. */
const IS_OWNER = `
SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = $1 AND pg_has_role($2, nspowner, 'MEMBER')`;

/**
 * Rights on tables that the role lacks or has in excess: $1 schemas, $2 role, $3 whether it deletes markets on a reset. Tables that refuse TRUNCATE are
 * append-only: ledger, closings, decisions, audit log. Partitions are reached through their parent only. migrations is readable, so that the role can
 * check it.
 */
const TABLE_RIGHTS = `
SELECT format(CASE WHEN wanted THEN 'GRANT %s ON %I.%I TO %I' ELSE 'REVOKE %s ON %I.%I FROM %I' END, name, nspname, relname, $2::text) AS command
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
 CROSS JOIN (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'), ('TRIGGER')) AS priv(name)
 CROSS JOIN LATERAL (
   SELECT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc f ON f.oid = tgfoid
                   WHERE tgrelid = c.oid AND tgtype & 32 <> 0 AND proname = 'refuse_change') AS kept) AS rule
 CROSS JOIN LATERAL (
   SELECT CASE WHEN relispartition THEN false
               WHEN name = 'SELECT' THEN true
               WHEN relname = 'migrations' THEN false
               WHEN name = 'INSERT' THEN true
               WHEN name = 'UPDATE' THEN NOT kept
               WHEN name = 'DELETE' THEN NOT kept OR $3
               ELSE false END AS wanted) AS verdict
 WHERE nspname = ANY($1) AND relkind IN ('r', 'p', 'v') AND has_table_privilege($2, c.oid, name) <> wanted`;

/** The queue's tables only admit their owner (row level security without a policy); with a policy, the rights on the tables decide. */
const POLICIES = `
SELECT format('CREATE POLICY server ON %I.%I USING (true) WITH CHECK (true)', nspname, relname) AS command
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
 WHERE nspname = ANY($1) AND relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'server')`;

/** $1 schema, $2 names, $3 role. A migration that replaces a function resets its rights to the defaults. */
const FUNCTIONS = `
SELECT format('ALTER FUNCTION %1$s SECURITY DEFINER SET search_path = %2$I, pg_temp; REVOKE ALL ON FUNCTION %1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION %1$s TO %3$I',
              p.oid::regprocedure, nspname, $3::text) AS command
  FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = $1 AND proname = ANY($2)`;

/**
 * Grants the server's role what it needs in the deployment's two schemas, and revokes everything else: it reads and writes, but cannot alter tables,
 * drop triggers or rewrite append-only rows. Runs as the owner after every migration; it is idempotent.
 * @param schemas the deployment's and its queue's
 * @throws ConfigError when the role may act as the owner
 */
export async function grantServerRole(
  owner: ClientBase,
  { contract, databaseSchema }: Settings,
  url: string,
  schemas: readonly [string, string],
): Promise<void> {
  const role = roleOf(url);
  const [schema, queue] = schemas;
  const { rows } = await owner.query<{ owner: string }>(IS_OWNER, [schema, role]);
  if (rows[0]) {
    throw new ConfigError([
      `DATABASE_MIGRATION_URL is set, and the role of DATABASE_URL (${role}) can act as the owner of the schema ${schema} (${rows[0].owner}): use a role that is neither a superuser nor a member of the owner, or leave DATABASE_MIGRATION_URL out.`,
    ]);
  }
  const [to, both, ofQueue] = [role, schemas, queue].map((names) =>
    [names]
      .flat()
      .map((name) => owner.escapeIdentifier(name))
      .join(', '),
  );
  await owner.query('BEGIN');
  try {
    await owner.query(`REVOKE ALL ON SCHEMA ${both} FROM PUBLIC; REVOKE CREATE ON SCHEMA ${both} FROM ${to}`);
    await owner.query(`GRANT USAGE ON SCHEMA ${both} TO ${to}`);
    await owner.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${both} TO ${to}`);
    // A new version of the queue may recreate its tables while replicas of the older version run.
    await owner.query(
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${ofQueue} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${to};
       ALTER DEFAULT PRIVILEGES IN SCHEMA ${ofQueue} GRANT USAGE ON SEQUENCES TO ${to}`,
    );
    await execute(owner, TABLE_RIGHTS, [schemas, role, DEPLOYMENTS[contract].simulated]);
    await execute(owner, POLICIES, [schemas]);
    await execute(owner, FUNCTIONS, [databaseSchema, OWNERS_FUNCTIONS, role]);
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function execute(owner: ClientBase, query: string, values: unknown[]): Promise<void> {
  const { rows } = await owner.query<{ command: string }>(query, values);
  for (const { command } of rows) await owner.query(command);
}

/** As the driver does: a URL without a user means the user of this process. */
function roleOf(url: string): string {
  return new Client({ connectionString: url }).user ?? '';
}
