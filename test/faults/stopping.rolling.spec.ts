import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import type { Deployment } from './load/deployment.js';
import type { Load } from './load/load.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';
import { Trial } from './load/trial.js';

/** In each of which every process is restarted once: another seed begins anew. */
const ROUNDS = 1;

/** Two processes are restarted in turn, as a new version is rolled out, under load that goes to the other one where a connection is refused. */
describe.each(seeds())('a rolling restart under load (seed %i)', (seed) => {
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
        await deployment.hour(random.pick([1, 2, 12]));
        await sleep(random.between(200, 600));
        exits.push(await deployment.replicas[index]!.kill('SIGTERM'));
        await deployment.replace(index);
      }
      await load.stop();
      expect(exits).toEqual(exits.map(() => 0));
      // The last word of a process that let go of everything by itself.
      expect(deployment.logs.match(/"msg":"stopped"/g)).toHaveLength(exits.length);
    },
    60_000 + ROUNDS * 20_000,
  );

  it('answers every request whole: none is cut off, and none fails', () => {
    const kinds = Object.keys(load.journal.counts());
    // `unavailable` by a process that starts.
    expect(kinds.filter((kind) => kind !== 'acknowledged' && kind !== 'unavailable')).toEqual([]);
    expect(load.journal.troubles()).toEqual([]);
  });

  it('loses no send: each event reaches each endpoint exactly once', async () => {
    expect(await trial.troubles(load)).toEqual([]);
  }, 120_000);
});
