import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/config/environment.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { expectError } from '../support/expected-error.js';
import { until } from '../support/until.js';
import { databaseAt, DatabaseServer } from './database-server.js';
import { SEED } from './load/runs.js';
import { Trial } from './load/trial.js';

takesOver(['all', 'all']);
takesOver(['api', 'worker']);

/** `synchronous_commit=remote_apply`: a commit is acknowledged only after the standby has applied it. */
function takesOver(roles: Role[]): void {
  describe(`a standby that takes over under load, of ${roles.join(' and ')}`, () => {
    const NAME = 'taken_over';
    let primary: DatabaseServer;
    let standby: DatabaseServer;
    let address: DatabaseProxy;
    let trial: Trial;

    beforeAll(async () => {
      primary = await DatabaseServer.start();
      standby = await DatabaseServer.start({ standbyOf: primary });
      const { url } = await primary.createDatabase(NAME);
      // The address that a failover moves from one machine to the other.
      address = await DatabaseProxy.open(url);
      trial = await Trial.start({
        database: databaseAt(address.url),
        roles,
        env: { WEBHOOK_TIMEOUT_MS: '1000', LOG_LEVEL: 'fatal' },
      });
      for (const setting of [`synchronous_standby_names = '*'`, 'synchronous_commit = remote_apply'])
        await primary.query(`ALTER SYSTEM SET ${setting}`);
      await primary.query('SELECT pg_reload_conf()');
    }, 120_000);
    afterAll(async () => {
      await trial?.close();
      await address?.cut();
      await standby?.close();
      await primary?.close();
    });

    const ready = async (): Promise<boolean> =>
      Promise.all(trial.deployment.replicas.map(({ url }) => fetch(`${url}/health/ready`))).then(
        (answers) => answers.every(({ ok }) => ok),
        () => false,
      );
    const create = (): Promise<any> =>
      trial.deployment.replicas[0]!.api(trial.deployment.adminKey).post('/keys', { label: 'afterwards' });

    it('leaves callers nothing but 503 until it has, and serves them then', async () => {
      const load = await trial.load({ seed: SEED });
      load.start();
      await trial.deployment.hour();
      await sleep(500);

      // A read-only phase, as before a switchover.
      await primary.query('ALTER SYSTEM SET default_transaction_read_only = on');
      await primary.query('SELECT pg_reload_conf()');
      await until(async () => (await create()).status === 503);
      const refused = await create();
      expectError(refused, 503, 'service_unavailable');
      expect(refused.headers.get('retry-after')).toBe('2');
      const { secret } = load.accounts[0]!;
      for (const replica of trial.deployment.servers)
        expect((await replica.api(secret).get('/partner/summary')).status).toBe(200);
      await primary.query('ALTER SYSTEM RESET default_transaction_read_only');
      await primary.query('SELECT pg_reload_conf()');
      await until(async () => (await create()).status === 201);

      await primary.stop('immediate');
      await address.cut();
      await standby.promote();
      address.move(standby.url);
      await address.restore();
      await until(ready, 30_000);
      expect((await create()).status).toBe(201);
      await trial.deployment.hour();
      await sleep(500);
      await load.stop();
      expect(load.journal.troubles()).toEqual([]);
      const counts = load.journal.counts();
      expect(counts).toMatchObject({ unavailable: expect.any(Number), acknowledged: expect.any(Number) });
      // No errors, and no connection that broke or hung.
      expect(Object.keys(counts).filter((kind) => /^(failed|broken|unreached)/.test(kind))).toEqual([]);
    }, 120_000);

    it('lost nothing that was acknowledged, wrote nothing twice and sent nothing twice', async () => {
      const found = await trial.troubles(trial.loads[0]!, { failures: ['interrupted', 'timeout'] });
      expect(found).toEqual([]);
    }, 120_000);
  });
}
