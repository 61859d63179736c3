import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Role } from '../../src/config/environment.js';
import { loadSettings } from '../../src/config/settings.js';
import { createMigrationSource } from '../../src/database/data-source.js';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { DatabaseServer } from './database-server.js';
import { onDatabase } from './load/audit.js';
import type { Load } from './load/load.js';
import { Random } from './load/random.js';
import { SEED, seeds } from './load/runs.js';
import { Trial } from './load/trial.js';

const ROLES: Role[] = ['all', 'api', 'worker'];
/** More requests than a process has connections. */
const AFTERWARDS = 30;
/** On a busy machine a send may take longer than its timeout. */
const LATE = ['timeout'];
const CUT = [...LATE, 'interrupted'];

/**
 * Moments at which a process is killed: the table is locked, so that a process that writes it waits and dies in the middle of its transaction.
 * `null`: at any moment.
 */
const MOMENTS: Record<string, string | null> = {
  'at any moment': null,
  'in a tick': 'markets',
  'in a claim of a delivery, or its record': 'deliveries',
  'in a claim of a key': 'idempotency_claims',
  'in the fan-out': 'events',
  'in a statement': 'statements',
  'in a transfer': 'ledger_entries',
};

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

/** What a fault does, and what it may lead to. */
interface Fault {
  happens: (random: Random) => Promise<void>;
  /** Requests may break in the middle, because their process is killed. Default: they are answered, if only with 503. */
  breaks?: boolean;
  /** Requests must have been turned away with 503. */
  turnsAway?: boolean;
  /** Accepted failures of sends. */
  failures: readonly string[];
}

/**
 * What is killed or cut, by the role that it befalls: a process of each role works under load on one database. After each fault the same invariants hold:
 * what was acknowledged is there, once; every event was sent at most once, as its record says; `vaultline ledger verify` finds nothing; and all
 * processes are at work again.
 */
describe('under load', () => {
  let server: DatabaseServer;
  let database: TestDatabase;
  let trial: Trial;

  beforeAll(async () => {
    server = await DatabaseServer.start();
    database = await server.createDatabase('vaultline');
    // After the timeout of sends the claims of a killed process are closed.
    trial = await Trial.start({ database, roles: ROLES, env: { WEBHOOK_TIMEOUT_MS: '1000' } });
  }, 120_000);
  afterAll(async () => {
    await trial?.close();
    await server?.close();
  });

  const status = (url: string, path: string): Promise<number> =>
    fetch(url + path).then(
      (answer) => answer.status,
      () => 0,
    );
  const untilReady = (): Promise<void> =>
    until(async () => {
      for (const { child, logs } of trial.deployment.replicas)
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`A process ended (${child.exitCode ?? child.signalCode}): ${logs.slice(-4_000)}`);
      const ready = await Promise.all(
        trial.deployment.replicas.map(({ url }) => status(url, '/health/ready')),
      );
      return ready.every((code) => code === 200);
    }, 60_000);

  /** Statuses of requests over every connection of the pools: no stale one may fail a request once the process is ready. */
  const statusesAfterwards = async (): Promise<number[]> => {
    const answers = await Promise.all(
      trial.deployment.servers.flatMap((replica) =>
        Array.from({ length: AFTERWARDS }, async (_, turn) => {
          const api = replica.api(trial.deployment.adminKey);
          return turn % 3 === 0 ? api.post('/keys', { label: 'afterwards' }) : api.get('/keys?limit=1');
        }),
      ),
    );
    return [...new Set(answers.map((answer) => answer.status))].sort();
  };
  const tickedHour = async (): Promise<Date> =>
    (await database.query<{ hour: Date }>('live', 'SELECT max(ticked_hour) AS hour FROM markets'))[0]!.hour;

  const killed =
    (index: number, moment: string): Fault['happens'] =>
    async (random) => {
      const table = MOMENTS[moment]!;
      const hit = async (): Promise<void> => {
        // A day's end is included often enough for statements to be due.
        await trial.deployment.hour(random.pick([1, 1, 3, 12]));
        await sleep(random.between(0, 300));
        await trial.deployment.replicas[index]!.kill('SIGKILL');
      };
      if (table === null) await hit();
      else
        await onDatabase(database.url, async (session) => {
          await session.sql('BEGIN');
          await session.sql(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
          await hit();
          await session.sql('COMMIT');
        });
      await trial.deployment.replace(index);
    };

  const FAULTS: Record<string, Fault> = {
    ...Object.fromEntries(
      ROLES.map((role, index): [string, Fault] => {
        const moment = Object.keys(MOMENTS)[(SEED * ROLES.length + index) % Object.keys(MOMENTS).length]!;
        return [
          `a process of ${role} is killed ${moment}`,
          { happens: killed(index, moment), breaks: true, failures: CUT },
        ];
      }),
    ),
    ...Object.fromEntries(
      (['fast', 'immediate'] as const).map((how): [string, Fault] => [
        `PostgreSQL ${how === 'fast' ? 'is stopped' : 'crashes'}, and is away for a while`,
        {
          happens: async (random) => {
            await server.stop(how);
            await sleep(random.between(0, 1_500));
            const [url] = trial.deployment.urls();
            expect([await status(url!, '/health/live'), await status(url!, '/health/ready')]).toEqual([
              200, 503,
            ]);
            await server.start();
          },
          turnsAway: true,
          failures: CUT,
        },
      ]),
    ),
    'PostgreSQL ends all connections, again and again': {
      happens: async (random) => {
        for (let round = 0; round < 6; round++) {
          await sleep(random.between(0, 120));
          await server.endConnections();
        }
      },
      failures: CUT,
    },
    ...Object.fromEntries(
      [1, -1].map((hours): [string, Fault] => [
        `the clock of a process is an hour ${hours > 0 ? 'ahead' : 'behind'}`,
        {
          happens: async () => {
            const [clock] = trial.deployment.clocks;
            clock!.add(hours);
            for (let hour = 0; hour < 2; hour++) {
              await trial.deployment.hour();
              await sleep(400);
            }
            clock!.add(-hours);
            // The market has the hour that only this process had reached; the others reach it now.
            if (hours > 0) await trial.deployment.hour();
          },
          failures: LATE,
        },
      ]),
    ),
    'every process is restarted in turn, around the migration of a next version': {
      happens: async (random) => {
        for (const index of ROLES.keys()) {
          if (index === 1) await migrateOn(database.url);
          await trial.deployment.hour(random.pick([1, 2, 12]));
          await sleep(random.between(200, 600));
          expect(await trial.deployment.replicas[index]!.kill('SIGTERM')).toBe(0);
          await trial.deployment.replace(index);
        }
        const name = `SELECT FROM migrations WHERE name = 'Next9000000000000'`;
        expect(await database.query('live', name)).toHaveLength(1);
      },
      failures: LATE,
    },
  };

  let load: Load | undefined;
  afterEach(() => load?.stop());

  it.each(Object.keys(FAULTS).flatMap((name) => seeds().map(([seed]): [string, number] => [name, seed])))(
    'No acknowledged write is lost, and no write or send duplicated, when %s (seed %i)',
    async (name, seed) => {
      const { happens, breaks = false, turnsAway = false, failures } = FAULTS[name]!;
      const random = new Random(seed);
      load = await trial.load({ seed });
      load.start();
      await sleep(random.between(100, 400));
      await happens(random);
      await untilReady();
      expect({ seed, statuses: await statusesAfterwards() }).toEqual({ seed, statuses: [200, 201] });
      // The queue takes jobs again, on any of its connections.
      const before = await tickedHour();
      await trial.deployment.hour();
      await until(async () => (await tickedHour()) > before, 30_000);
      await load.stop();
      const counts = Object.keys(load.journal.counts());
      if (!breaks) expect(counts.filter((kind) => /^(failed|broken|unreached)/.test(kind))).toEqual([]);
      if (turnsAway) expect(counts).toContain('unavailable');
      const troubles = await trial.troubles(load, { failures });
      expect({ seed, found: troubles }).toEqual({ seed, found: [] });
      expect(await database.query('live', DISORDERED)).toEqual([]);
    },
    300_000,
  );
});

/** Entries of a position that are out of order, and hours of a vault that are missing, doubled, or at which its index fell without a loss. */
const DISORDERED = `
SELECT id FROM (SELECT id, at, lag(at) OVER (PARTITION BY position_id ORDER BY id) AS before FROM ledger_entries) AS entry WHERE before > at
UNION ALL
SELECT vault_id FROM (SELECT vault_id, hour, share_index, lag(share_index) OVER w AS before, lag(hour) OVER w AS last FROM snapshots
                       WINDOW w AS (PARTITION BY market_id, vault_id ORDER BY hour)) AS one
 WHERE before > share_index OR hour - last <> interval '1 hour'`;

/** Runs `vaultline migrate` of a next version while processes of this one serve; a migration that is the victim of a deadlock is repeated. */
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
