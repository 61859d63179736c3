import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Role } from '../../src/config/environment.js';
import { loadSettings } from '../../src/config/settings.js';
import { createMigrationSource } from '../../src/database/data-source.js';
import { ENDS } from '../support/child-environment.js';
import type { TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { expectError } from '../support/expected-error.js';
import { until } from '../support/until.js';
import { databaseAt, DatabaseServer } from './database-server.js';
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
  let standby: DatabaseServer | undefined;
  /** The address that a failover moves from one server to the other. */
  let address: DatabaseProxy;
  let database: TestDatabase;
  let trial: Trial;

  beforeAll(async () => {
    server = await DatabaseServer.start();
    const { url } = await server.createDatabase('vaultline');
    address = await DatabaseProxy.open(url);
    database = databaseAt(address.url);
    // After the timeout of sends the claims of a killed process are closed.
    trial = await Trial.start({ database, roles: ROLES, env: { WEBHOOK_TIMEOUT_MS: '1000' } });
  }, 120_000);
  afterAll(async () => {
    await trial?.close();
    await address?.cut();
    await standby?.close();
    await server?.close();
  });

  const status = (url: string, path: string): Promise<number> =>
    fetch(url + path).then(
      (answer) => answer.status,
      () => 0,
    );
  const create = (): Promise<any> =>
    trial.deployment.servers[0]!.api(trial.deployment.adminKey).post('/keys', { label: 'afterwards' });
  const alter = async (setting: string): Promise<void> => {
    await server.query(`ALTER SYSTEM ${setting}`);
    await server.query('SELECT pg_reload_conf()');
  };

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
    'PostgreSQL restarts': { happens: () => server.restart('fast'), turnsAway: true, failures: CUT },
    'PostgreSQL crashes, and recovers': {
      ...{ happens: () => server.restart('immediate'), turnsAway: true, failures: CUT },
    },
    'PostgreSQL is away for a while': {
      happens: async (random) => {
        await server.stop(random.pick(['fast', 'immediate']));
        await sleep(random.between(0, 1_500));
        const [url] = trial.deployment.urls();
        expect([await status(url!, '/health/live'), await status(url!, '/health/ready')]).toEqual([200, 503]);
        await server.start();
      },
      ...{ turnsAway: true, failures: CUT },
    },
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
    'the database is read-only, and a standby takes over': {
      happens: async () => {
        standby = await DatabaseServer.start({ standbyOf: server });
        for (const setting of [`synchronous_standby_names = '*'`, 'synchronous_commit = remote_apply'])
          await alter(`SET ${setting}`);
        await alter('SET default_transaction_read_only = on');
        await until(async () => (await create()).status === 503);
        const refused = await create();
        expectError(refused, 503, 'service_unavailable');
        expect(refused.headers.get('retry-after')).toBe('2');
        const { secret } = trial.loads.at(-1)!.accounts[0]!;
        for (const replica of trial.deployment.servers)
          expect((await replica.api(secret).get('/partner/summary')).status).toBe(200);
        await alter('RESET default_transaction_read_only');
        await until(async () => (await create()).status === 201);
        await server.stop('immediate');
        await address.cut();
        await standby.promote();
        address.move(standby.url);
        await address.restore();
      },
      ...{ turnsAway: true, failures: CUT },
    },
  };

  let load: Load | undefined;
  afterEach(() => load?.stop());

  it.each(Object.keys(FAULTS).flatMap((name) => seeds().map(([seed]): [string, number] => [name, seed])))(
    'no acknowledged write is lost, and no write or send duplicated, when %s (seed %i)',
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
      const found = await trial.troubles(load, { failures });
      expect({ seed, found }).toEqual({ seed, found: [] });
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

/** Runs PostgreSQL in user and mount namespaces of its own, where an ordinary account may mount a tmpfs, and under an account that is not root. */
const APART = ['unshare', '--user', '--map-root-user', '--mount', '--'];
const NOT_ROOT = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];
const MOUNT = `mount -t tmpfs -o size=64m,mode=0777 tmpfs "$0" && exec "$@"`;
/** Containers may forbid namespaces. */
const isPossible =
  spawnSync(APART[0]!, [...APART.slice(1), 'sh', '-c', MOUNT, '/mnt', ...NOT_ROOT, 'true'], ENDS).status ===
  0;

if (!isPossible)
  process.stderr.write('Skipped: this system forbids mounts in a namespace, so no disk is filled.\n');

(isPossible ? describe : describe.skip)('under load, on a disk of its own', () => {
  let server: DatabaseServer;
  let trial: Trial;

  beforeAll(async () => {
    server = await DatabaseServer.start({
      wrap: (command, folder) => {
        const postgres = command.slice(command.findIndex((word) => word.endsWith('/postgres')));
        return [...APART, 'sh', '-c', MOUNT, folder, ...NOT_ROOT, ...postgres];
      },
    });
    await server.query(`CREATE TABLESPACE small LOCATION '${server.folder}'`);
    const database = await server.createDatabase('vaultline', 'TABLESPACE small');
    trial = await Trial.start({ database, env: { WEBHOOK_TIMEOUT_MS: '500' } });
  }, 60_000);
  afterAll(async () => {
    await trial?.close();
    await server?.close();
  });

  /** Writes a file beside the database's, as another program on the machine might. */
  const fill = (select: string): Promise<unknown> =>
    server.query(`COPY (${select}) TO '${server.folder}/filler'`);
  const isFull = (error: { code?: string }): void => expect(error.code).toBe('53100');
  const readiness = async (url: string): Promise<any> => {
    const response = await fetch(`${url}/health/ready`);
    const body = (await response.json()) as { status: string };
    expect(response.status).toBe(body.status === 'ready' ? 200 : 503);
    return body;
  };

  it.each(seeds())(
    'writes fail with 503 while the disk is full, reads succeed, and no acknowledged write is lost (seed %i)',
    async (seed) => {
      const { deployment } = trial;
      const load = await trial.load({ seed, pauseMs: 0 });
      load.start();
      await fill(`SELECT repeat('x', 1000) FROM generate_series(1, 1000000)`).catch(isFull);
      await until(async () => (load.journal.counts()['unavailable'] ?? 0) > 10, 30_000);
      // The market's next hour: jobs meet the full disk as well.
      await deployment.hour().catch(isFull);
      for (const replica of deployment.replicas) {
        expect((await replica.api(load.accounts[0]!.secret).get('/partner/summary')).status).toBe(200);
        await until(async () => (await readiness(replica.url)).degraded === 'disk_full', 10_000);
      }
      await fill('SELECT 1');
      for (const replica of deployment.replicas) {
        await until(async () => (await readiness(replica.url)).status === 'ready', 10_000);
        const created = await replica.api(deployment.adminKey).post('/keys', { label: 'room again' });
        expect(created.status).toBe(201);
      }
      await load.stop();
      const wrong = Object.keys(load.journal.counts()).filter((kind) =>
        /^(failed|broken|unreached)/.test(kind),
      );
      const found = await trial.troubles(load, { failures: CUT });
      expect({ seed, wrong, found }).toEqual({ seed, wrong: [], found: [] });
      expect(server.log).toContain('No space left on device');
      expect(server.log).not.toMatch(/PANIC|server process .* was terminated/);
    },
    180_000,
  );
});
