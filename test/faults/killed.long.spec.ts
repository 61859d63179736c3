import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { onDatabase } from './load/audit.js';
import type { Deployment } from './load/deployment.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';
import { Trial } from './load/trial.js';

const KILLS_A_RUN = 2;

/**
 * Moments at which a process is killed: the table is locked, so that a process that writes it waits and dies in the middle of its transaction.
 * `null`: at any moment.
 */
const MOMENTS: Record<string, string | null> = {
  'any moment': null,
  'a tick': 'markets',
  'a claim of a delivery, or its record': 'deliveries',
  'a claim of a key': 'idempotency_claims',
  'the fan-out': 'events',
  'a statement': 'statements',
  'a transfer': 'ledger_entries',
};

/** A process of each role; one of them is killed repeatedly under load, and replaced. */
describe('kill -9 under load', () => {
  let database: TestDatabase;
  let trial: Trial;
  let deployment: Deployment;

  beforeAll(async () => {
    database = await createTestDatabase();
    // A short send timeout, after which the claims of a killed process are closed.
    const env = { WEBHOOK_TIMEOUT_MS: '1000' };
    trial = await Trial.start({ database, env, roles: ['all', 'api', 'worker'] });
    deployment = trial.deployment;
  }, 60_000);
  afterAll(async () => {
    await trial?.close();
    await database?.drop();
  });

  /** Holds a lock on the table while the work runs, so that processes that write the table wait. */
  const holding = (table: string, work: () => Promise<void>): Promise<void> =>
    onDatabase(database.url, async (session) => {
      await session.sql('BEGIN');
      await session.sql(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      await work();
      await session.sql('COMMIT');
    });

  const killAt = async (moment: string, random: Random): Promise<void> => {
    const table = MOMENTS[moment]!;
    const victim = random.between(0, 2);
    const hit = async (): Promise<void> => {
      // A day's end is included often enough for statements to be due.
      await deployment.hour(random.pick([1, 1, 3, 12]));
      await sleep(random.between(0, 300));
      await deployment.replicas[victim]!.kill('SIGKILL');
    };
    await (table === null ? hit() : holding(table, hit));
    await deployment.replace(victim);
  };

  it.each(seeds())(
    'goes on with what is left (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const load = await trial.load({ seed });
      load.start();
      const moments = Object.keys(MOMENTS);
      for (let kill = 0; kill < KILLS_A_RUN; kill++)
        await killAt(moments[(seed * KILLS_A_RUN + kill) % moments.length]!, random);
      await load.stop();
      expect(load.journal.troubles()).toEqual([]);
    },
    180_000,
  );

  it('loses nothing that it acknowledged, writes nothing twice and sends nothing twice', async () => {
    const outcomes = trial.loads.map(({ journal }) => journal.counts());
    // The kills had an effect: some requests broke in the middle.
    expect(outcomes.flatMap((counts) => Object.keys(counts)).some((name) => name.startsWith('broken'))).toBe(
      true,
    );
    for (const load of trial.loads) {
      // On a busy machine a send may take longer than its timeout.
      const found = await trial.troubles(load, { failures: ['interrupted', 'timeout'] });
      expect({ seed: load.options.seed, found }).toEqual({ seed: load.options.seed, found: [] });
    }
  }, 1_200_000);
});
