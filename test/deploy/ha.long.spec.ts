import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { databaseAt } from '../faults/database-server.js';
import { Trial } from '../faults/load/trial.js';
import { until } from '../support/until.js';
import { whereInstalled } from './debian-postgres.js';
import { HaCluster } from './ha-cluster.js';

/** HA_ROUNDS of them, in turn. */
const FAULTS = ['kill', 'partition', 'switchover'] as const;
const ROUNDS = Number(process.env['HA_ROUNDS'] ?? FAULTS.length);
/** Patroni replaces a leader that is gone after 20 seconds. */
const LONGEST_OUTAGE_MS = 30_000;

jest.setTimeout(180_000 + ROUNDS * 120_000);

whereInstalled(['patroni', 'etcd', 'haproxy', 'setpriv', 'ps'], 'no database fails over by Patroni')(
  'three nodes of Patroni behind HAProxy and PgBouncer',
  () => {
    let cluster: HaCluster;
    let trial: Trial;

    beforeAll(async () => {
      cluster = await HaCluster.start();
      trial = await Trial.start({
        database: databaseAt(cluster.directUrl),
        roles: ['api', 'worker'],
        env: {
          DATABASE_URL: cluster.pooledUrl,
          DATABASE_POOLING: 'transaction',
          DATABASE_DIRECT_URL: cluster.directUrl,
          LOG_LEVEL: 'fatal',
        },
      });
    });
    afterAll(async () => {
      await trial?.close();
      await cluster?.close();
    });

    it('Replicated databases lose no acknowledged write and send nothing twice when the leader is killed, partitioned or switched over', async () => {
      const load = await trial.load({ seed: 1, writers: 8 });
      const admin = trial.deployment.replicas[0]!.api(trial.deployment.adminKey);
      const outages: string[] = [];
      let [lastAt, longest, watching] = [performance.now(), 0, true];
      const watch = (async () => {
        for (let turn = 0; watching; turn++) {
          const written = await admin.post('/keys', { label: `probe ${turn}` }).catch(() => null);
          if (written?.status === 201) {
            longest = Math.max(longest, performance.now() - lastAt);
            lastAt = performance.now();
          }
          await sleep(100);
        }
      })();
      load.start();
      const began = performance.now();
      for (let round = 0; round < ROUNDS; round++) {
        await sleep(3_000);
        await cluster.untilWhole();
        longest = 0;
        const fault = FAULTS[round % FAULTS.length]!;
        const former = (await cluster.leader())!;
        let heal: () => unknown = () => undefined;
        if (fault === 'kill') {
          await cluster.kill(former);
          heal = () => cluster.revive(former);
        } else if (fault === 'partition') heal = cluster.pause(former);
        else await cluster.switchOver(former);
        const faultAt = performance.now();
        await until(async () => {
          const leader = await cluster.leader();
          return leader !== null && leader !== former;
        }, 90_000);
        await until(() => Promise.resolve(lastAt > faultAt && performance.now() - lastAt < 1_000), 60_000);
        await sleep(2_000);
        await heal();
        await cluster.untilWhole();
        outages.push(`${fault} ${(longest / 1000).toFixed(1)} s`);
        expect(longest).toBeLessThan(LONGEST_OUTAGE_MS);
      }
      await load.stop();
      watching = false;
      await watch;
      const seconds = (performance.now() - began) / 1000;
      const counts = load.journal.counts();
      const answers = Object.values(counts).reduce((sum, count) => sum + count, 0);
      process.stderr.write(
        `without writes for: ${outages.join(', ')}; ${answers} answers in ${seconds.toFixed(0)} s: ${JSON.stringify(counts)}\n`,
      );
      expect(await trial.troubles(load, { failures: ['interrupted', 'timeout'] })).toEqual([]);
    });
  },
);
