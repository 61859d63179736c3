import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, DAY_MS } from '../../src/domain/kernel/clock.js';
import { StorageUpkeep } from '../../src/jobs/storage-upkeep.js';
import { Schedule } from '../../src/jobs/schedule.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { answerOf, json, LlamaServer, row, status } from '../support/llama-server.js';
import { change } from '../support/change.js';
import { newTxHash } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { until } from '../support/until.js';

const protocolOf = async ({ admin }: TestApp): Promise<Api> =>
  admin.as((await admin.post('/keys', { label: 'protocol', scopes: ['write'] })).body.data.secret);

/** Readiness means that a process takes deposits now: health, the deployment's record and the metrics say so alike. */
describe('a process is ready if it takes deposits, and otherwise says why not:', () => {
  let app: TestApp;
  let protocol: Api;
  let userId: string;
  let feed: LlamaServer;

  beforeAll(async () => {
    feed = await LlamaServer.open();
    feed.pools = status(500);
    app = await startApp('partner', { DEFILLAMA_BASE_URL: feed.url }, undefined, ({ storage }) => {
      change(storage, { checkSeconds: 0.1 });
    });
    const partner = await createPartner(app.admin);
    protocol = await protocolOf(app);
    userId = (await partner.api.post('/users', { external_id: 'ready' })).body.data.id;
  });
  afterAll(async () => {
    await app?.close();
    feed?.close();
  });

  const deposit = (): Promise<Answer> =>
    protocol.post('/positions', { user_id: userId, asset: 'USDC', amount: 1, tx_hash: newTxHash() });
  const health = async (): Promise<[number, any]> => {
    const answer = await fetch(`${app.url}/health/ready`);
    return [answer.status, await answer.json()];
  };
  const shown = async (): Promise<any> => (await app.admin.get('/deployment')).body.data;

  const refuseInserts = (tables: readonly string[]) =>
    app.sql(`CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
             ${tables.map((table) => `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`).join(';')}`);

  const REFUSALS: [string, () => unknown, () => unknown][] = [
    [
      'clock',
      () => (app.application.get(Clock).aheadMs = 10 * DAY_MS),
      () => (app.application.get(Clock).aheadMs = 0),
    ],
    ['nearly_full', () => (app.settings.databaseMaxBytes = 1), () => (app.settings.databaseMaxBytes = null)],
    [
      'market',
      () => app.sql(`UPDATE markets SET ticked_hour = ticked_hour + interval '90 days'`),
      () => app.sql(`UPDATE markets SET ticked_hour = ticked_hour - interval '90 days'`),
    ],
    [
      'disk_full',
      () => refuseInserts(['positions', 'replicas']),
      () => app.sql('DROP FUNCTION full_disk CASCADE'),
    ],
  ];

  it.each(REFUSALS)(
    '%s',
    async (reason, begin, end) => {
      expect((await deposit()).status).toBe(201);
      expect((await health())[0]).toBe(200);
      expect(await shown()).toMatchObject({ status: 'ready', degraded: null });
      await begin();
      try {
        await until(async () => (await deposit()).status === 503);
        expectError(await deposit(), 503, 'service_unavailable');
        expect(await health()).toMatchObject([503, { status: 'degraded', degraded: reason, role: 'all' }]);
        expect(await shown()).toMatchObject({ status: 'degraded', degraded: reason });
        expect(await app.metrics()).toMatch(
          new RegExp(`^vaultline_degraded\\{reason="${reason}"\\} 1$`, 'm'),
        );
      } finally {
        await end();
      }
      await until(async () => (await deposit()).status === 201);
      expect((await health())[0]).toBe(200);
      expect(await shown()).toMatchObject({ status: 'ready', degraded: null });
      expect(await app.metrics()).toMatch(new RegExp(`^vaultline_degraded\\{reason="${reason}"\\} 0$`, 'm'));
    },
    60_000,
  );

  it('A market without an observation is no reason, and its yields are called observed only after one', async () => {
    expect(await shown()).toMatchObject({ yields: 'none', tick: { vaults_observed: 0 } });
    expect((await deposit()).status).toBe(201);
    const { pool } = app.settings.vaults.flatMap(({ feed: item }) =>
      item.kind === 'defillama' ? [item] : [],
    )[0]!;
    feed.pools = json(answerOf([row({ pool })]));
    const clock = app.application.get(Clock);
    clock.now = () => new Date(Date.now() + 3_600_000);
    await app.application.get(HourlyCycle).run();
    expect(await shown()).toMatchObject({ yields: 'observed', tick: { vaults_observed: 1 } });
  }, 30_000);
});

it('A clock that is set while it is measured is not right', async () => {
  const app = await startApp('partner', { ROLE: 'api' });
  const real = Date.now;
  try {
    const measured = app.application.get(Schedule).readClock();
    Date.now = () => real() + 100 * DAY_MS;
    await measured;
    expect(app.application.get(Clock).isRight).toBe(false);
  } finally {
    Date.now = real;
    await app.close();
  }
}, 30_000);

describe('a process before the first hour of its market', () => {
  let database: TestDatabase;
  let app: TestApp;
  afterEach(async () => {
    await app?.close();
    await database?.drop();
  });

  it('A process before the first hour of its market is ready, and takes deposits as cash, also months later', async () => {
    database = await createTestDatabase();
    app = await startApp('partner', { ROLE: 'api' }, database);
    const partner = await createPartner(app.admin);
    expect(await app.sql('SELECT FROM snapshots')).toEqual([]);
    expect((await fetch(`${app.url}/health/ready`)).status).toBe(200);
    const { body } = await partner.api.post('/users', { external_id: 'first' });
    const input = { user_id: body.data.id, asset: 'USDC', amount: 1, tx_hash: newTxHash() };
    const protocol = await protocolOf(app);
    const made = await protocol.post('/positions', input);
    expect(made.body.data).toMatchObject({ status: 'pending' });
    // Without a tick it prepares the ledger for later months itself.
    const clock = app.application.get(Clock);
    clock.wall = clock.now = () => new Date(Date.now() + 70 * DAY_MS);
    const later = { ...input, tx_hash: newTxHash() };
    expectError(await protocol.post('/positions', later), 503, 'service_unavailable');
    await app.application.get(StorageUpkeep).preparePartitions();
    expect((await protocol.post('/positions', later)).status).toBe(201);
  }, 30_000);
});
