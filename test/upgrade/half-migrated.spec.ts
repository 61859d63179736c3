import { afterEach, describe, expect, it } from '@jest/globals';
import { onDatabase } from '../faults/load/audit.js';
import { vaultline } from '../support/command.js';
import { createTestDatabase, TEMPLATE, type TestDatabase } from '../support/database.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { Replica } from '../support/replica.js';

/** What `vaultline migrate`, and a start, say of a schema that no migration leaves as it is. */
describe('a schema', () => {
  let database: TestDatabase;
  afterEach(() => database.drop());

  const prepared = async (template: string, sql: string): Promise<Record<string, string>> => {
    database = await createTestDatabase(template);
    await onDatabase(database.url, (client) => client.sql(sql));
    return { DATABASE_URL: database.url, SECRETS_KEY };
  };
  const migrate = (env: Record<string, string>) => vaultline(['--contract', 'partner', 'migrate'], env);
  const tables = () =>
    onDatabase(database.url, (client) =>
      client.sql(`SELECT schemaname, tablename FROM pg_tables WHERE schemaname ~ '^live' ORDER BY 1, 2`),
    );

  const FOREIGN = (names: string) =>
    `The schema live contains objects that no migration of Vaultline recorded (${names}); nothing in it was changed. Another program's tables need another database or schema; after an interrupted restore, drop the schemas live and live_jobs, and restore again.\n`;
  const HALF = (what: string) =>
    `The schema live is half migrated: ${what}; nothing in it was changed. A migration is one transaction, and leaves no such state: restore a backup as a whole, or start with an empty database.\n`;
  const LATER =
    "INSERT INTO live.migrations (timestamp, name) VALUES (1790000000000, 'Further1790000000000');";
  const FIRST = 'Tenants1100000000000';

  it.each<[string, string, string, string]>([
    [
      "with another program's tables is refused",
      'template1',
      'CREATE SCHEMA live; CREATE TABLE live.orders (); CREATE TABLE live.invoices ();',
      FOREIGN('invoices, orders'),
    ],
    [
      'with the migrations of another program is refused',
      'template1',
      "CREATE SCHEMA live; CREATE TABLE live.migrations (name text); INSERT INTO live.migrations VALUES ('CreateUsers1600000000000');",
      FOREIGN('migrations'),
    ],
    [
      'with a list of migrations in another form is refused',
      'template1',
      'CREATE SCHEMA live; CREATE TABLE live.migrations (id int, migration text);',
      FOREIGN('migrations'),
    ],
    [
      'whose list of migrations was not restored is refused',
      TEMPLATE,
      'DROP TABLE live.migrations;',
      FOREIGN('alerted_partners, alerts, api_keys, audit_chain, audit_entries and 56 more'),
    ],
    [
      'of which a part of the baseline is recorded is refused',
      TEMPLATE,
      `DELETE FROM live.migrations WHERE name <> '${FIRST}' AND name !~ '^(Markets|Books|Ledger|Routing)';`,
      HALF(
        `${FIRST}, Markets1100000000001, Books1100000000002, Ledger1100000000003, Routing1100000000004 is recorded, and Outbound1100000000005, Sends1100000000006, Accounts1100000000007, Deployment1100000000008 is not`,
      ),
    ],
    [
      'that lacks tables of its migrations is refused',
      TEMPLATE,
      'DROP TABLE live.positions, live.ledger_entries CASCADE;',
      HALF('its migrations are recorded, but it lacks the tables positions, ledger_entries'),
    ],
  ])('%s, and nothing in it is changed', async (_, template, sql, message) => {
    const env = await prepared(template, sql);
    const before = await tables();
    expect(await migrate(env)).toEqual({ code: 1, stdout: '', stderr: message, output: message });
    expect(await tables()).toEqual(before);
  });

  it('A schema that is half migrated ends the start, in one log line', async () => {
    const env = await prepared(TEMPLATE, 'DROP TABLE live.positions CASCADE;');
    const replica = await Replica.spawn('partner', env);
    expect(await replica.exit()).toBe(1);
    expect(JSON.parse(replica.logs.trimEnd().split('\n').at(-1)!)).toMatchObject({
      level: 60,
      msg: expect.stringMatching(/^The schema live is half migrated: .*positions/),
    });
  }, 30_000);

  it('A schema whose first migration was interrupted after that of its queue is migrated', async () => {
    const env = await prepared('template1', '');
    expect(await migrate(env)).toMatchObject({ code: 0 });
    await onDatabase(database.url, (client) =>
      client.sql(
        'CREATE TABLE public.kept AS TABLE live.migrations; DROP SCHEMA live CASCADE; CREATE SCHEMA live; CREATE TABLE live.migrations (LIKE public.kept)',
      ),
    );
    expect(await migrate(env)).toMatchObject({ code: 0 });
  });

  it('A schema of a later version serves an older one, and its command says so', async () => {
    const env = await prepared(TEMPLATE, LATER);
    const output =
      'A later version has migrated the schema live (Further1790000000000): this version migrates nothing there, and serves requests until every process runs the later version.\nThe database is up to date.\n';
    expect(await migrate(env)).toMatchObject({ code: 0, output });
    const replica = await Replica.start('partner', env);
    expect(await replica.kill()).toBe(0);
    expect(replica.logs).toMatch(/"level":40,.*A later version has migrated the schema live/);
  }, 30_000);

  it('A schema whose queue a later version changed is refused', async () => {
    const env = await prepared(
      TEMPLATE,
      'INSERT INTO live_jobs.migrations (id, breaking) VALUES (999999, true);',
    );
    expect(await migrate(env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^A later version has migrated the schema live_jobs, whose queue this version cannot use: start/,
      ),
    });
  });

  it('A schema with an index that an interrupted step left invalid is migrated, and the command names the index', async () => {
    const env = await prepared(
      TEMPLATE,
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'live.partners_pkey'::regclass;",
    );
    expect(await migrate(env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('run REINDEX INDEX CONCURRENTLY live.partners_pkey'),
    });
  });

  it('A schema that a migration cannot change is left as it was, and the command names the cause', async () => {
    const env = await prepared('template1', 'CREATE SCHEMA live; CREATE TYPE live.partners AS (id text);');
    expect(await migrate(env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^A migration of the schema live failed and was rolled back: .*partners.*\. Correct the cause, and migrate again\.\n$/,
      ),
    });
  });
});
