import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/config/environment.js';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { DatabaseServer } from './database-server.js';
import type { Deployment } from './load/deployment.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';
import { Trial } from './load/trial.js';

/** More requests than a process has connections. */
const AFTERWARDS = 30;

const ROLES: Role[][] = [
  ['all', 'all'],
  ['api', 'worker'],
];

/** PostgreSQL itself, not only the network to it, goes and comes back while two processes use it. */
describe.each(ROLES)(
  '%s and %s: PostgreSQL that restarts, crashes, and ends connections, under load',
  (...roles) => {
    let server: DatabaseServer;
    let database: TestDatabase;
    let trial: Trial;
    let deployment: Deployment;

    beforeAll(async () => {
      server = await DatabaseServer.start();
      database = await server.createDatabase('vaultline');
      trial = await Trial.start({ database, roles, env: { WEBHOOK_TIMEOUT_MS: '500' } });
      deployment = trial.deployment;
    }, 60_000);
    afterAll(async () => {
      await trial?.close();
      await server?.close();
    });

    /** The status of a probe; 0: connection refused. */
    const status = async (url: string, path: string): Promise<number> =>
      fetch(url + path).then(
        (answer) => answer.status,
        () => 0,
      );
    const untilReady = (): Promise<void> =>
      until(async () => {
        for (const { child, logs } of deployment.replicas)
          if (child.exitCode !== null || child.signalCode !== null)
            throw new Error(`A process ended (${child.exitCode ?? child.signalCode}): ${logs.slice(-4_000)}`);
        const ready = await Promise.all(deployment.replicas.map(({ url }) => status(url, '/health/ready')));
        return ready.every((code) => code === 200);
      }, 30_000);

    /** Requests over every connection of the pool, after the readiness probe answered 200: no stale connection may fail a request. */
    const serves = async (): Promise<number[]> => {
      const answers = await Promise.all(
        deployment.servers.flatMap((replica) =>
          Array.from({ length: AFTERWARDS }, async (_, turn) => {
            const api = replica.api(deployment.adminKey);
            return turn % 3 === 0 ? api.post('/keys', { label: 'afterwards' }) : api.get('/keys?limit=1');
          }),
        ),
      );
      return [...new Set(answers.map(({ status }) => status))].sort();
    };

    const tickedHour = async (): Promise<Date> =>
      (await database.query<{ hour: Date }>('live', 'SELECT max(ticked_hour) AS hour FROM markets'))[0]!.hour;

    const FAULTS: Record<string, (random: Random) => Promise<void>> = {
      'a fast restart': () => server.restart('fast'),
      'a crash, and recovery': () => server.restart('immediate'),
      'a while without it': async (random) => {
        await server.stop(random.pick(['fast', 'immediate']));
        await sleep(random.between(0, 1_500));
        expect(await status(deployment.urls()[0]!, '/health/live')).toBe(200);
        expect(await status(deployment.urls()[0]!, '/health/ready')).toBe(503);
        await server.start();
      },
      'connections that it ends, all of them, again and again': async (random) => {
        for (let round = 0; round < 6; round++) {
          await sleep(random.between(0, 120));
          await server.endConnections();
        }
      },
    };

    it.each(seeds())(
      'is waited for, and used again without a failed request (seed %i)',
      async (seed) => {
        const random = new Random(seed);
        const load = await trial.load({ seed, accounts: 8, pauseMs: 40 });
        load.start();
        for (const [name, fault] of Object.entries(FAULTS)) {
          await sleep(random.between(100, 400));
          await fault(random);
          await untilReady();
          expect({ seed, name, statuses: await serves() }).toEqual({ seed, name, statuses: [200, 201] });
        }
        const before = await tickedHour();
        await deployment.hour();
        // The queue takes jobs again, on any of its connections.
        await until(async () => (await tickedHour()) > before, 30_000);
        await load.stop();
        expect({ seed, found: load.journal.troubles() }).toEqual({ seed, found: [] });
        expect(deployment.replicas.map(({ child }) => child.exitCode)).toEqual([null, null]);
      },
      120_000,
    );

    it('had an effect: requests were turned away, with 503 and nothing else', () => {
      const counts = trial.loads.map(({ journal }) => journal.counts());
      for (const count of counts) {
        expect(count).toMatchObject({ unavailable: expect.any(Number), acknowledged: expect.any(Number) });
        // No errors, and no connection that broke or hung.
        expect(Object.keys(count).filter((name) => /^(failed|broken|unreached)/.test(name))).toEqual([]);
      }
    });

    it('lost nothing acknowledged, wrote and sent nothing twice, and finds its queue and its timers at work', async () => {
      for (const load of trial.loads) {
        const found = await trial.troubles(load, { failures: ['interrupted', 'timeout'] });
        expect({ seed: load.options.seed, found }).toEqual({ seed: load.options.seed, found: [] });
      }
      // A job that was running when its connection broke stays locked for hours; the audit checks that another process does its work.
      const due = `SELECT FROM live_jobs.jobs WHERE run_at <= now() AND attempts < max_attempts AND locked_at IS NULL`;
      await until(async () => (await database.query('live', due)).length === 0, 60_000);
    }, 600_000);
  },
);
