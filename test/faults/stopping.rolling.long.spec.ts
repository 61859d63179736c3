import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { loadSettings } from '../../src/config/settings.js';
import { createMigrationSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import type { Deployment } from './load/deployment.js';
import type { Load } from './load/load.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';
import { Trial } from './load/trial.js';

/** Rounds in which every process is restarted once; another seed starts a new deployment. */
const ROUNDS = 1;

/** A migration such as a next version may bring, on tables that every request reads or writes. */
class Next9000000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN tier text COLLATE "C", ALTER COLUMN label TYPE varchar(500);
      ALTER TABLE positions ADD COLUMN tier text COLLATE "C" NOT NULL DEFAULT 'basic';
      ALTER TABLE ledger_entries ADD COLUMN tier text COLLATE "C";
      ALTER TABLE events ADD COLUMN tier text COLLATE "C";
      ALTER TABLE deliveries ADD CONSTRAINT tried_at_most_once CHECK (attempts <= 1) NOT VALID;
      CREATE INDEX positions_by_tier ON positions (partner_id, tier);
      CREATE TABLE tiers (name text COLLATE "C" PRIMARY KEY);`);
  }

  down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** Runs `vaultline migrate` of a next version while processes of this one serve; a migration that is the victim of a deadlock is repeated */
async function migrateOn(databaseUrl: string): Promise<void> {
  const settings = loadSettings({
    CONTRACT: 'partner',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  const source = createMigrationSource(settings, databaseUrl);
  source.setOptions({
    migrations: [...(source.options.migrations as (new () => MigrationInterface)[]), Next9000000000000],
  });
  await source.initialize();
  try {
    for (;;) {
      try {
        await source.runMigrations({ transaction: 'all' });
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== '40P01') throw error;
      }
    }
  } finally {
    await source.destroy();
  }
}

/**
 * A rolling upgrade: two processes are restarted in turn under load, which retries on the other process where a connection is refused. All restarts
 * but the first follow a migration that runs while both serve.
 */
describe.each(seeds())('a rolling upgrade under load (seed %i)', (seed) => {
  let database: TestDatabase;
  let trial: Trial;
  let deployment: Deployment;
  let load: Load;
  const exits: (number | null)[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { WEBHOOK_TIMEOUT_MS: '10000', LOG_LEVEL: 'info' };
    trial = await Trial.start({ database, env, seed });
    deployment = trial.deployment;
    load = await trial.load({ seed });
  }, 60_000);
  afterAll(async () => {
    await trial?.close();
    await database?.drop();
  });

  it(
    'ends every process with status 0, and none is cut off',
    async () => {
      const random = new Random(seed);
      load.start();
      for (let restart = 0; restart < ROUNDS * 2; restart++) {
        const index = restart % 2;
        if (restart === 1) await migrateOn(database.url);
        await deployment.hour(random.pick([1, 2, 12]));
        await sleep(random.between(200, 600));
        exits.push(await deployment.replicas[index]!.kill('SIGTERM'));
        await deployment.replace(index);
      }
      await load.stop();
      expect(exits).toEqual(exits.map(() => 0));
      // The last log line of a process that stopped in order.
      expect(deployment.logs.match(/"msg":"stopped"/g)).toHaveLength(exits.length);
    },
    60_000 + ROUNDS * 20_000,
  );

  it('answers every request whole: none is cut off, and none fails', () => {
    const kinds = Object.keys(load.journal.counts());
    // `unavailable` is answered by a process that is starting.
    expect(kinds.filter((kind) => kind !== 'acknowledged' && kind !== 'unavailable')).toEqual([]);
    expect(load.journal.troubles()).toEqual([]);
  });

  it('is migrated once', async () => {
    const migrations = await database.query(
      'live',
      `SELECT FROM migrations WHERE name = 'Next9000000000000'`,
    );
    expect(migrations).toHaveLength(1);
  });

  it('loses no send: each event reaches each endpoint exactly once', async () => {
    expect(await trial.troubles(load)).toEqual([]);
  }, 120_000);
});
