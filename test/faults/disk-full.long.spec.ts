import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { DatabaseServer } from './database-server.js';
import type { Deployment } from './load/deployment.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';
import { Trial } from './load/trial.js';
import { ENDS } from '../support/child-environment.js';

const SIZE = '64m';
/** Requests that must have been refused by the full disk, in each run. */
const TURNED_AWAY = 10;

/** Runs PostgreSQL in user and mount namespaces of its own, where an ordinary account may mount a tmpfs, and under an account that is not root. */
const APART = ['unshare', '--user', '--map-root-user', '--mount', '--'];
const NOT_ROOT = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];
const MOUNT = `mount -t tmpfs -o size=${SIZE},mode=0777 tmpfs "$0" && exec "$@"`;

/** Whether the system allows namespaces; containers may forbid them. */
const isPossible =
  spawnSync(APART[0]!, [...APART.slice(1), 'sh', '-c', MOUNT, '/mnt', ...NOT_ROOT, 'true'], ENDS).status ===
  0;
if (!isPossible)
  process.stderr.write(
    'Skipped: no disk is full, because this system forbids a mount in a namespace of its own.\n',
  );

(isPossible ? describe : describe.skip)('a disk that is full, under load', () => {
  let server: DatabaseServer;
  let database: TestDatabase;
  let trial: Trial;
  let deployment: Deployment;

  beforeAll(async () => {
    server = await DatabaseServer.start({
      wrap: (command, folder) => {
        const postgres = command.slice(command.findIndex((word) => word.endsWith('/postgres')));
        return [...APART, 'sh', '-c', MOUNT, folder, ...NOT_ROOT, ...postgres];
      },
    });
    await server.query(`CREATE TABLESPACE small LOCATION '${server.folder}'`);
    database = await server.createDatabase('vaultline', 'TABLESPACE small');
    trial = await Trial.start({ database, env: { WEBHOOK_TIMEOUT_MS: '500' } });
    deployment = trial.deployment;
  }, 60_000);
  afterAll(async () => {
    await trial?.close();
    await server?.close();
  });

  /** Fills the rest of the disk, as another program on the machine might. */
  const fill = (): Promise<unknown> =>
    server
      .query(`COPY (SELECT repeat('x', 1000) FROM generate_series(1, 1000000)) TO '${server.folder}/filler'`)
      .catch((error: { code?: string }) => expect(error.code).toBe('53100'));
  const readiness = async (url: string): Promise<any> => {
    const response = await fetch(`${url}/health/ready`);
    const body = (await response.json()) as { status: string };
    expect(response.status).toBe(body.status === 'ready' ? 200 : 503);
    return body;
  };
  const empty = (): Promise<unknown> => server.query(`COPY (SELECT 1) TO '${server.folder}/filler'`);

  it.each(seeds())(
    'turns writes away with 503, answers reads, and goes on when there is room again (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const { urls, adminKey } = deployment;
      const load = await trial.load({ seed, pauseMs: 0 });
      const turnedAway = (): number => load.journal.counts()['unavailable'] ?? 0;
      load.start();
      await sleep(random.between(0, 300));
      await fill();
      await until(async () => turnedAway() > TURNED_AWAY, 30_000);
      // The market's next hour: jobs meet the full disk as well.
      await deployment.hour().catch((error: { code?: string }) => expect(error.code).toBe('53100'));
      const reading = deployment.replicas.map((replica) =>
        replica.api(load.accounts[0]!.secret).get('/partner/summary'),
      );
      expect((await Promise.all(reading)).map(({ status }) => status)).toEqual([200, 200]);
      for (const url of urls())
        await until(async () => (await readiness(url)).degraded === 'disk_full', 10_000);
      await empty();
      for (const url of urls()) await until(async () => (await readiness(url)).status === 'ready', 10_000);
      await load.stop();
      const created = deployment.replicas.map((replica) =>
        replica.api(adminKey).post('/keys', { label: 'room again' }),
      );
      expect((await Promise.all(created)).map(({ status }) => status)).toEqual([201, 201]);
      const counts = load.journal.counts();
      expect({
        seed,
        wrong: Object.keys(counts).filter((name) => /^(failed|broken|unreached)/.test(name)),
      }).toEqual({
        seed,
        wrong: [],
      });
      const found = await trial.troubles(load, { failures: ['interrupted', 'timeout'] });
      expect({ seed, found }).toEqual({ seed, found: [] });
    },
    180_000,
  );

  it('was full, and PostgreSQL never went', () => {
    expect(server.log).toContain('No space left on device');
    expect(server.log).not.toMatch(/PANIC|server process .* was terminated/);
    expect(deployment.replicas.map(({ child }) => child.exitCode)).toEqual([null, null]);
  });
});
