import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type Contract, CONTRACTS } from '../../src/config/deployments.js';
import { loadSettings } from '../../src/config/settings.js';
import { migrate } from '../../src/database/migrate.js';
import { PruneTask } from '../../src/jobs/tasks/prune.task.js';
import { SweepTask } from '../../src/jobs/tasks/sweep.task.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { Account } from '../sandbox/account.js';
import { startApp, type TestApp } from '../support/app.js';
import { type CommandRun, vaultline } from '../support/command.js';
import { schemaOf } from '../support/database.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { untilSettled } from '../support/settled.js';
import { createSplitDatabase, type SplitDatabase } from '../support/split-database.js';
import { until } from '../support/until.js';

const SECRETS_KEY = Buffer.alloc(32, 5).toString('base64');
const REFUSED = '42501';

/** Migrates a deployment's schemas in this process, as `vaultline migrate` does. */
async function migrated(contract: Contract, env: Record<string, string>): Promise<void> {
  const settings = loadSettings({ CONTRACT: contract, SECRETS_KEY, ...env });
  await migrate(settings, settings.databaseUrl!, silentLogger());
}

const splitEnv = ({ roles }: SplitDatabase, contract: Contract): Record<string, string> => ({
  DATABASE_URL: roles[contract].server,
  DATABASE_MIGRATION_URL: roles[contract].owner,
});

/** @returns 'done', or the SQLSTATE of the refusal. The attempt is rolled back. */
async function attempt(url: string, schema: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

/** Two deployments on one database, each with an owner role and a server role. */
describe('a server whose role is not the owner of its tables', () => {
  let database: SplitDatabase;
  let market: TestMarket;
  let sandbox: TestApp;
  let receiver: Receiver;

  beforeAll(async () => {
    database = await createSplitDatabase();
    receiver = await Receiver.start();
    // One deployment has two roles from its beginning; the other began with a single role, as former versions did, and is split later.
    await migrated('partner', splitEnv(database, 'partner'));
    await migrated('sandbox', { DATABASE_URL: database.roles.sandbox.owner });
    await migrated('sandbox', splitEnv(database, 'sandbox'));
    // Running the migration again changes nothing, and does not fail.
    await migrated('sandbox', splitEnv(database, 'sandbox'));
    market = await startMarket('partner', {
      env: { DATABASE_URL: database.roles.partner.server },
      database,
    });
    sandbox = await startApp('sandbox', { DATABASE_URL: database.roles.sandbox.server }, database);
  }, 120_000);
  afterAll(async () => {
    await market?.close();
    await sandbox?.close();
    await receiver?.close();
    await database?.drop();
  });

  const partitions = async (schema: 'live' | 'sandbox'): Promise<number> =>
    (await database.query(schema, `SELECT FROM pg_inherits WHERE inhparent = 'ledger_entries'::regclass`))
      .length;

  it('A server whose role is not the owner of its tables serves the partner contract: users, settled transfers, hours, days, reports, deliveries', async () => {
    const { partner, protocol, app } = market;
    const user = await partner.api.post('/users', { external_id: 'roles' });
    expect(user.status).toBe(201);
    const webhook = await partner.api.post('/webhooks', { url: receiver.url });
    expect(webhook.status).toBe(201);
    const settled = { user_id: user.body.data.id, asset: 'USDC', amount: 1000, tx_hash: newTxHash() };
    const opened = await protocol.post('/positions', settled, { 'idempotency-key': 'roles' });
    expect(opened.status).toBe(201);
    expect((await protocol.post('/positions', settled, { 'idempotency-key': 'roles' })).text).toBe(
      opened.text,
    );
    // The hours pass the ends of days and of a month, whose next partition only the owner can create.
    const before = await partitions('live');
    await market.advance(24 * 31);
    expect(await partitions('live')).toBeGreaterThan(before);
    const out = { amount: 10, tx_hash: newTxHash() };
    expect((await protocol.post(`/positions/${opened.body.data.id}/withdrawals`, out)).status).toBe(201);
    expect((await partner.api.get('/partner/summary')).body.data.totals.withdrawals).toBe(10);
    const types = (await partner.api.get(`/users/${user.body.data.id}/ledger?limit=500`)).body.data;
    expect(new Set(types.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['deposit', 'yield_accrual', 'withdrawal']),
    );
    await untilSettled(app);
    const [got] = await receiver.waitFor(1);
    expect(JSON.parse(String(got!.body)).type).toMatch(/^position\./);
    expect((await app.admin.patch(`/partners/${partner.id}`, { status: 'disabled' })).status).toBe(200);
  }, 120_000);

  it('A server whose role is not the owner of its tables serves the sandbox: advances of months, a synthetic event, a reset that deletes the ledger', async () => {
    const account = await Account.open(sandbox);
    await account.deposit(500);
    const months = await partitions('sandbox');
    for (let month = 0; month < 2; month++) await account.advance(744);
    // Entries of its months ahead are in the partition that accounts share.
    expect(await partitions('sandbox')).toBe(months);
    expect(await database.query('sandbox', 'SELECT FROM ledger_entries_shared LIMIT 1')).toHaveLength(1);
    expect((await account.read('/partner/summary')).totals.yield).toBeGreaterThan(0);
    const before = receiver.received.length;
    await account.api.post('/webhooks', { url: receiver.url });
    expect((await account.api.post('/simulation/events', { type: 'position.opened' })).status).toBeLessThan(
      300,
    );
    await receiver.waitFor(before + 1);
    await account.reset();
    expect(await account.read('/partner/summary')).toMatchObject({ totals: { net_tvl: 0 } });
    await account.deposit(5);
  }, 120_000);

  it('A server whose role is not the owner of its tables runs the scheduled sweeps and prunes', async () => {
    for (const app of [market.app, sandbox]) {
      await app.application.get(SweepTask).run();
      await app.application.get(PruneTask).run();
      await untilSettled(app);
      expect(app.logs()).not.toMatch(/permission denied|must be owner/);
    }
  });

  /** Statements that an attacker with the server's connection may try. */
  const ATTACKS = [
    ...['ledger_entries', 'decisions'].flatMap((table) => [
      `UPDATE ${table} SET at = at`,
      `TRUNCATE ${table} CASCADE`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${table} DISABLE TRIGGER USER`,
      `ALTER TABLE ${table} RENAME TO other`,
      `DROP TABLE ${table} CASCADE`,
      `CREATE TRIGGER mine BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
      `CREATE RULE mine AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
      `SELECT FROM ${table} FOR UPDATE`,
    ]),
    'DROP TRIGGER ledger_is_final ON ledger_entries',
    'DROP TRIGGER ledger_stays ON ledger_entries',
    'DROP TRIGGER decisions_are_final ON decisions',
    'DROP TRIGGER snapshots_are_final ON snapshots',
    'ALTER TABLE snapshots DISABLE TRIGGER ALL',
    'ALTER TABLE ledger_entries DETACH PARTITION partition',
    'UPDATE partition SET at = at',
    'DELETE FROM partition',
    'TRUNCATE partition',
    'DROP TABLE partition',
    'SET session_replication_role = replica',
    `SELECT set_config('session_replication_role', 'replica', false)`,
    'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'DROP FUNCTION refuse_change() CASCADE',
    'CREATE TABLE mine (id int)',
    'DELETE FROM migrations',
    `INSERT INTO migrations (timestamp, name) VALUES (1, 'mine')`,
    `COPY partners TO PROGRAM 'true'`,
    `COPY partners FROM '/etc/hostname'`,
    'CREATE ROLE mine',
  ];

  it.each(CONTRACTS)(
    'A server whose role is not the owner of its tables cannot remove what protects the ledger (%s)',
    async (contract) => {
      const schema = schemaOf(contract);
      const [partition] = await database.query<{ name: string }>(
        schema,
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger_entries'::regclass ORDER BY 1`,
      );
      const { server, owner } = database.roles[contract];
      const outcomes: Record<string, string> = {};
      for (const sql of ATTACKS)
        outcomes[sql] = await attempt(server, schema, sql.replace(/\bpartition\b/, partition!.name));
      expect(outcomes).toEqual(Object.fromEntries(ATTACKS.map((sql) => [sql, REFUSED])));
      // The owner, as which servers connected before, is bound by triggers only, and can drop them.
      for (const sql of [
        'DROP TRIGGER ledger_is_final ON ledger_entries',
        'ALTER TABLE decisions DISABLE TRIGGER USER',
      ])
        expect(await attempt(owner, schema, sql)).toBe('done');
      // The server role is not a member of the owner, so that it cannot become the owner.
      const name = new URL(owner).username;
      expect(await attempt(server, schema, `SET ROLE ${name}`)).toBe(REFUSED);
      expect(await attempt(server, schema, `ALTER TABLE ledger_entries OWNER TO CURRENT_USER`)).toBe(REFUSED);
    },
  );

  it('A server whose role is not the owner of its tables cannot delete from the live ledger; in the sandbox a reset alone may', async () => {
    for (const table of ['ledger_entries', 'decisions']) {
      expect(await attempt(database.roles.partner.server, 'live', `DELETE FROM ${table}`)).toBe(REFUSED);
      // In the sandbox the triggers decide, which look for an account that is being reset.
      expect(await attempt(database.roles.sandbox.server, 'sandbox', `DELETE FROM ${table}`)).toMatch(
        /done|P0001/,
      );
    }
  });

  it.each([
    ['partner', 'sandbox'],
    ['sandbox', 'partner'],
  ] as const)(
    'A server of the %s contract whose role is not the owner of its tables can neither read nor call objects of the %s contract',
    async (contract, other) => {
      const schema = schemaOf(other);
      for (const sql of [
        'SELECT FROM SCHEMA.api_keys',
        'SELECT FROM SCHEMA.webhook_endpoints',
        'SELECT FROM SCHEMA.ledger_entries',
        'INSERT INTO SCHEMA.markets (id) VALUES (1)',
        'DELETE FROM SCHEMA.users',
        'SELECT FROM SCHEMA_jobs._private_jobs',
        'SELECT SCHEMA.prepare_ledger(now())',
        `SELECT SCHEMA.enqueue('[]')`,
        `SELECT SCHEMA_jobs.add_job('tick')`,
      ]) {
        const { server } = database.roles[contract];
        expect([sql, await attempt(server, 'public', sql.replace(/SCHEMA/g, schema))]).toEqual([
          sql,
          REFUSED,
        ]);
      }
    },
  );

  it('A server whose role is not the owner of its tables cannot inject objects into a function that runs as the owner', async () => {
    const [made] = await database.query<Record<string, unknown>>(
      'live',
      `SELECT p.prosecdef AS definer, p.proconfig AS config, has_function_privilege('public', p.oid, 'EXECUTE') AS anybody
         FROM pg_proc p WHERE p.oid = 'prepare_ledger'::regproc`,
    );
    expect(made).toEqual({ definer: true, config: ['search_path=live, pg_temp'], anybody: false });
  });

  it('A server whose role is not the owner of its tables is refused a role that could become the owner', async () => {
    const { owner } = database.roles.partner;
    const env = { DATABASE_URL: owner, DATABASE_MIGRATION_URL: owner };
    await expect(migrated('partner', env)).rejects.toThrow(/can act as the owner of the schema live/);
    const superuser = { ...splitEnv(database, 'partner'), DATABASE_URL: database.url };
    await expect(migrated('partner', superuser)).rejects.toThrow(
      /use a role that is neither a superuser nor a member of the owner/,
    );
  });
});

describe('a server before its schemas are migrated', () => {
  let database: SplitDatabase;

  beforeAll(async () => {
    database = await createSplitDatabase();
  });
  afterAll(() => database.drop());

  const command = (...args: string[]): Promise<CommandRun> =>
    vaultline(args, { CONTRACT: 'partner', SECRETS_KEY, ...splitEnv(database, 'partner') });

  it('A server before its schemas are migrated waits for the migration, says so, and is ready after it', async () => {
    const replica = await Replica.spawn('partner', { DATABASE_URL: database.roles.partner.server });
    const told = 'run `vaultline migrate` with DATABASE_MIGRATION_URL';
    await until(async () => replica.logs.includes(told), 30_000);
    expect((await fetch(`${replica.url}/health/ready`)).status).toBe(503);
    expect(await command('migrate')).toMatchObject({ code: 0, output: 'The database is up to date.\n' });
    await replica.untilReady();
    await replica.kill();
  }, 60_000);

  it('A server before its schemas are migrated waits for a part of it as well', async () => {
    const last = 'SELECT name FROM live.migrations ORDER BY timestamp DESC LIMIT 1';
    const [{ name } = { name: '' }] = await database.query<{ name: string }>('live', last);
    await database.query('live', `UPDATE migrations SET name = 'gone' WHERE name = '${name}'`);
    const starting = migrated('partner', { DATABASE_URL: database.roles.partner.server });
    await expect(starting).rejects.toThrow(`The schema live is not up to date (${name} is missing)`);
    await database.query('live', `UPDATE migrations SET name = '${name}' WHERE name = 'gone'`);
    await database.query(
      'live',
      'DELETE FROM live_jobs.migrations WHERE id = (SELECT max(id) FROM live_jobs.migrations)',
    );
    await expect(migrated('partner', { DATABASE_URL: database.roles.partner.server })).rejects.toThrow(
      /not up to date \(permission denied for table migrations\)/,
    );
  });
});
