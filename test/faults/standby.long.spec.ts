import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import type { Role } from '../../src/config/environment.js';
import { Reader } from '../../src/domain/kernel/store/reader.js';
import { Standby } from '../../src/domain/kernel/store/standby.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, databaseUrl } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { databaseAt, DatabaseServer } from './database-server.js';
import { SEED } from './load/runs.js';
import { Trial } from './load/trial.js';

/** A lag longer than any test takes. */
const ANY_LAG_MS = 600_000;

describe('two servers in streaming replication', () => {
  let primary: DatabaseServer;
  let standby: DatabaseServer;

  beforeAll(async () => {
    primary = await DatabaseServer.start();
    standby = await DatabaseServer.start({ standbyOf: primary });
  }, 60_000);
  afterAll(async () => {
    await standby?.close();
    await primary?.close();
  });

  describe('a standby for reports', () => {
    const NAME = 'reports';
    let way: DatabaseProxy;
    let market: TestMarket;
    let partner: TestPartner;
    let other: TestPartner;
    let userId: string;

    beforeAll(async () => {
      const database = await primary.createDatabase(NAME);
      way = await DatabaseProxy.open(databaseUrl(standby.url, NAME));
      market = await startMarket('partner', {
        database,
        env: { DATABASE_REPLICA_URL: way.url, REQUESTS_AT_ONCE: '4', RATE_LIMIT_PER_MINUTE: '0' },
        adjust: ({ database: bounds }) =>
          Object.assign(bounds, {
            replicaLagMs: ANY_LAG_MS,
            replicaTimeoutMs: 2_000,
            answerGraceMs: 100,
          }),
      });
      ({ partner } = market);
      userId = await market.createUser();
      other = await createPartner(market.app.admin);
    }, 60_000);
    afterAll(async () => {
      await market?.close();
      await way?.cut();
    });

    const allowLag = (ms: number): void => void (market.app.settings.constants.database.replicaLagMs = ms);
    const deposit = async (amount: number): Promise<void> => {
      const body = { user_id: userId, asset: 'USDC', amount, tx_hash: newTxHash() };
      expect((await market.protocol.post('/positions', body)).status).toBe(201);
    };
    /** Reads a report of deposits, and notes which server it was read from. */
    const deposits = async ({ api }: TestPartner): Promise<{ total: number; by: string }> => {
      const { counts } = market.app.application.get(Reader);
      const before = counts.standby;
      const { status, body } = await api.get('/partner/deposits');
      expect(status).toBe(200);
      return { total: body.data.total, by: counts.standby > before ? 'standby' : 'primary' };
    };
    const untilBy = (server: string, reader: TestPartner): Promise<void> =>
      until(async () => (await deposits(reader)).by === server);
    /** Servers that reports are read from, one after the other, by the log. */
    const changes = (): string[] =>
      [...market.app.logs().matchAll(/reports are read from the (standby|primary)/g)].map(
        ([, server]) => server!,
      );
    const standbyHas = (name: string): Promise<void> =>
      until(
        async () => (await standby.query('SELECT FROM pg_database WHERE datname = $1', [name])).length > 0,
      );
    const metric = async (name: string): Promise<number> => {
      const text = await market.app.application.get(Metrics).registry.metrics();
      return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)![1]);
    };

    it('answers them, and each holds what its partner was told is done', async () => {
      for (let turn = 1; turn <= 10; turn++) {
        await deposit(10);
        expect((await deposits(partner)).total).toBe(10 * turn);
      }
      await untilBy('standby', partner);
      expect((await deposits(partner)).total).toBe(100);
      expect(await metric('vaultline_report_statements_total{server="standby"}')).toBeGreaterThan(0);
      await until(async () => (await metric('vaultline_replica_lag_seconds')) === 0);
      expect(changes()).toEqual(['standby']);
    });

    it('of another database is told, and no report is read there', async () => {
      const app = await startApp(
        'partner',
        { DATABASE_REPLICA_URL: databaseUrl(standby.url, 'postgres'), SETTLEMENT: 'instant' },
        market.app.database,
      );
      try {
        await until(async () =>
          /"found":"postgres".*DATABASE_REPLICA_URL is of another database/.test(app.logs()),
        );
        expect(await app.application.get(Standby).mayServe()).toBe(false);
      } finally {
        await app.close();
      }
    });

    it('of another primary is told, although its database has the same name', async () => {
      const foreign = await createTestDatabase();
      const name = new URL(foreign.url).pathname.slice(1);
      await primary.createDatabase(name);
      await standbyHas(name);
      const way = { DATABASE_REPLICA_URL: databaseUrl(standby.url, name) };
      const app = await startApp('partner', way, foreign);
      try {
        await until(async () => app.logs().includes('DATABASE_REPLICA_URL follows another primary'));
        expect(await app.application.get(Standby).mayServe()).toBe(false);
      } finally {
        await app.close();
        await foreign.drop();
      }
    });

    it('that stands still answers who wrote nothing since, within the bound, and nobody beyond it', async () => {
      await untilBy('standby', other);
      await standby.query('SELECT pg_wal_replay_pause()');
      await deposit(10);
      expect(await deposits(partner)).toEqual({ total: 110, by: 'primary' });
      expect((await deposits(other)).by).toBe('standby');
      expect(await metric('vaultline_replica_lag_seconds')).toBeGreaterThan(0);
      allowLag(100);
      await untilBy('primary', other);
      await standby.query('SELECT pg_wal_replay_resume()');
      await untilBy('standby', other);
      await untilBy('standby', partner);
      expect(await deposits(partner)).toEqual({ total: 110, by: 'standby' });
      allowLag(ANY_LAG_MS);
    });

    it('is never where a write looks, nor what checks a key', async () => {
      await standby.query('SELECT pg_wal_replay_pause()');
      const { body } = await partner.api.post('/users', { external_id: 'standby:1' });
      expect((await partner.api.get(`/users/${body.data.id}/ledger`)).body.data).toEqual([]);
      const { body: made } = await market.app.admin.post('/keys', { label: 'new', scopes: ['read'] });
      expect((await market.app.admin.as(made.data.secret).get('/vaults')).status).toBe(200);
      await standby.query('SELECT pg_wal_replay_resume()');
    });

    it('has connections left for others while the reports of one partner wait there', async () => {
      await untilBy('standby', partner);
      const outside = new Client({ connectionString: databaseUrl(primary.url, NAME) });
      await outside.connect();
      // The lock is replayed on the standby, where it blocks readers of the table.
      await outside.query('BEGIN; LOCK TABLE live.book_totals IN ACCESS EXCLUSIVE MODE');
      const waits = async (): Promise<number> => {
        const [row] = await standby.query<{ waits: number }>(
          `SELECT count(*)::int AS waits FROM pg_stat_activity WHERE application_name = 'vaultline-partner-reports' AND wait_event_type = 'Lock'`,
        );
        return row!.waits;
      };
      await until(async () => {
        const [row] = await standby.query<{ locks: number }>(
          `SELECT count(*)::int AS locks FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND locktype = 'relation'`,
        );
        return row!.locks > 0;
      });
      const asked = Array.from({ length: 20 }, () => partner.api.get('/partner/deposits'));
      await until(async () => (await waits()) >= 4);
      for (let count = 0; count < 5; count++)
        expect((await market.app.admin.get('/partners')).status).toBe(200);
      // As many as the partner's concurrent requests.
      expect(await waits()).toBe(4);
      await outside.end();
      for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    });

    it('that does not answer is bypassed, and then not tried for a while', async () => {
      expect(way.connections).toBeGreaterThan(0);
      allowLag(100);
      await sleep(100);
      way.silence();
      expect((await deposits(partner)).by).toBe('primary');
      const asked = way.messages;
      for (let turn = 0; turn < 5; turn++) expect((await deposits(partner)).by).toBe('primary');
      expect(way.messages).toBe(asked);
      expect(changes().slice(-2)).toEqual(['standby', 'primary']);
      expect(market.app.logs()).toContain('the server of DATABASE_REPLICA_URL does not answer');
    });

    it('that answers again is used again, without a report that asks', async () => {
      const before = changes().length;
      way.heal();
      await until(async () => changes().length > before, 30_000);
      expect(changes().slice(before)).toEqual(['standby']);
      expect(await metric('vaultline_replica_lag_seconds')).not.toBe(Infinity);
    });
  });

  takesOver(['all', 'all'], () => [primary, standby]);
});

describe('two more servers in streaming replication', () => {
  let primary: DatabaseServer;
  let standby: DatabaseServer;

  beforeAll(async () => {
    primary = await DatabaseServer.start();
    standby = await DatabaseServer.start({ standbyOf: primary });
  }, 60_000);
  afterAll(async () => {
    await standby?.close();
    await primary?.close();
  });

  takesOver(['api', 'worker'], () => [primary, standby]);
});

/** `synchronous_commit=remote_apply`: a commit is acknowledged only after the standby has applied it. */
function takesOver(roles: Role[], servers: () => [DatabaseServer, DatabaseServer]): void {
  describe(`a standby that takes over under load, of ${roles.join(' and ')}`, () => {
    const NAME = 'taken_over';
    let primary: DatabaseServer;
    let standby: DatabaseServer;
    let address: DatabaseProxy;
    let trial: Trial;

    beforeAll(async () => {
      [primary, standby] = servers();
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
    }, 60_000);
    afterAll(async () => {
      await trial?.close();
      await address?.cut();
    });

    const ready = async (): Promise<boolean> =>
      (await Promise.all(trial.deployment.replicas.map(({ url }) => fetch(`${url}/health/ready`)))).every(
        ({ ok }) => ok,
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
