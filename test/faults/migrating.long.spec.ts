import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { migrate } from '../../src/database/migrate.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import {
  administrate,
  createTestDatabase,
  databaseUrl,
  SERVER_URL,
  type TestDatabase,
} from '../support/database.js';
import { vaultline } from '../support/command.js';
import { Replica } from '../support/replica.js';
import { shapeOf } from '../support/schema-shape.js';
import { until } from '../support/until.js';
import { onDatabase } from './load/audit.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';

describe('replicas that migrate one database at once', () => {
  const server = process.env[SERVER_URL]!;
  const names: string[] = [];
  let template: TestDatabase;
  let shape: string[];

  beforeAll(async () => {
    template = await createTestDatabase();
    shape = await shapeOf(template.url);
    expect(shape.length).toBeGreaterThan(300);
  });
  afterAll(async () => {
    await template?.drop();
    for (const name of names) await administrate(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  const emptyDatabase = async (): Promise<string> => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    names.push(name);
    await administrate(server, `CREATE DATABASE ${name}`);
    return databaseUrl(server, name);
  };
  const settingsOf = (url: string): Settings =>
    loadSettings({
      CONTRACT: 'partner',
      DATABASE_URL: url,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    });
  /** The migrations that replicas run before they answer requests. */
  const migrateMany = async (url: string, replicas: number): Promise<void> => {
    const settings = settingsOf(url);
    await Promise.all(Array.from({ length: replicas }, () => migrate(settings, url, silentLogger())));
  };
  /** Delays every change to the schema, as with large tables, so that a kill interrupts one. */
  const dawdle = (url: string): Promise<unknown> =>
    onDatabase(url, async (database) => {
      await database.sql(
        `CREATE FUNCTION public.dawdle() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.02); END'`,
      );
      await database.sql('CREATE EVENT TRIGGER dawdle ON ddl_command_end EXECUTE FUNCTION public.dawdle()');
    });
  const hurry = (url: string): Promise<unknown> =>
    onDatabase(url, (database) => database.sql('DROP EVENT TRIGGER dawdle'));

  it('Replicas that migrate one database at once create the schema once when many start at the same moment', async () => {
    const url = await emptyDatabase();
    await migrateMany(url, 8);
    expect(await shapeOf(url)).toEqual(shape);
  });

  it('Replicas that migrate one database at once refuse a schema of before the first release, as the command does, and change nothing', async () => {
    const url = await emptyDatabase();
    await onDatabase(url, (database) =>
      database.sql(
        `CREATE SCHEMA live; CREATE TABLE live.migrations (name text); INSERT INTO live.migrations VALUES ('Foundation1000000000000')`,
      ),
    );
    const before = await shapeOf(url);
    const env = { DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32).toString('base64') };
    const { code, output } = await vaultline(['--contract', 'partner', 'migrate'], env);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^The schema live was created by a version before the first release, .+; nothing in it was changed\. Start with an empty database .+\n$/,
    );
    await expect(Replica.start('partner', { DATABASE_URL: url })).rejects.toThrow(
      'The schema live was created by a version before the first release',
    );
    expect(await shapeOf(url)).toEqual(before);
  }, 30_000);

  it('All become ready, of both contracts', async () => {
    const url = await emptyDatabase();
    const env = { DATABASE_URL: url, LOG_LEVEL: 'warn' };
    const replicas = await Promise.all(
      (['partner', 'partner', 'sandbox', 'sandbox'] as const).map((contract) => Replica.start(contract, env)),
    );
    await Promise.all(replicas.map((replica) => replica.kill()));
    expect(await shapeOf(url)).toEqual(shape);
  }, 60_000);

  it.each(seeds())(
    'Replicas that migrate one database at once finish the migration of one that was killed (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const url = await emptyDatabase();
      await dawdle(url);
      const env = { DATABASE_URL: url, LOG_LEVEL: 'warn' };
      const killed = await Replica.spawn('partner', env);
      const migrating = (): Promise<unknown[]> =>
        onDatabase(url, (database) =>
          database.sql(
            `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database WHERE datname = current_database() AND locktype = 'advisory' AND granted`,
          ),
        );
      await until(async () => (await migrating()).length > 0, 30_000);
      const waiting = await Replica.spawn('partner', env);
      await sleep(random.between(0, 3_000));
      await killed.kill('SIGKILL');
      await hurry(url);
      await waiting.untilReady();
      await waiting.kill();
      expect({ seed, shape: await shapeOf(url) }).toEqual({ seed, shape });
    },
    60_000,
  );

  it('Replicas that migrate one database at once try again when their connection breaks', async () => {
    const url = await emptyDatabase();
    await dawdle(url);
    const replica = await Replica.spawn('partner', { DATABASE_URL: url, LOG_LEVEL: 'warn' });
    await onDatabase(url, async (database) => {
      for (let round = 0; round < 3; round++) {
        // The text of a migration's statement begins on a new line.
        const making = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^\\s*CREATE' AND state = 'active' AND pid <> pg_backend_pid()`;
        await until(async () => (await database.sql(making)).length > 0, 30_000);
        await database.sql(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
      }
    });
    await hurry(url);
    await replica.untilReady();
    await replica.kill();
    expect(await shapeOf(url)).toEqual(shape);
  }, 60_000);
});
