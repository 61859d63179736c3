import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { troubles } from '../engine/audit.js';
import type { Answer, Api } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Engine, newTxHash } from '../support/engine.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { onDatabase, verifierTroubles } from './load/audit.js';
import { WallClock } from './load/wall-clock.js';

const VAULT = 'vlt_aave_v3_usdc';
const AMOUNT = 50_000;
/** Hours without an observation: three more, and the vault is evicted. */
const SILENT_HOURS = 22;
const HISTORY_HOURS = 60;

/** A reported move, whose process is killed before and after the commit of each step. */
describe('kill -9 around each step of a move', () => {
  const adminKey = newKeySecret('live');
  const clock = new WallClock();
  let database: TestDatabase;
  let server: Replica;
  let env: Record<string, string>;
  let executorKey: string;
  let positionId: string;
  /** Id of the only move. */
  let id: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    positionId = await silentVault(database);
    env = {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      SETTLEMENT: 'reported',
      LOG_LEVEL: 'warn',
      ...clock.env,
    };
    server = await Replica.start('partner', env);
    const key = { label: 'executor', scopes: ['write'] };
    executorKey = (await server.api(adminKey).post('/keys', key)).body.data.secret;
  }, 60_000);
  afterEach(async () => {
    expect(await onDatabase(database.url, troubles)).toEqual([]);
    expect(await verifierTroubles(database.url)).toEqual([]);
  });
  afterAll(async () => {
    await server?.kill();
    await database?.drop();
    clock.remove();
  });

  const api = (): Api => server.api(executorKey);
  const get = async (path: string): Promise<any> => (await api().get(path)).body.data;
  const hour = (): Promise<unknown> =>
    database.query('live', `SELECT enqueue('[{"identifier": "tick", "job_key": "tick", "payload": {}}]')`);
  const orders = (): Promise<{ id: string; status: string }[]> =>
    database.query('live', 'SELECT id, status FROM move_orders');
  const killed = async (): Promise<void> => {
    await server.kill('SIGKILL');
    server = await Replica.start('partner', env);
  };

  /** Kills the process in the transaction that is about to write the order. */
  const killedWithin = async (begin: () => Promise<unknown>): Promise<void> => {
    await onDatabase(database.url, async (session) => {
      await session.sql('BEGIN');
      await session.sql('LOCK TABLE move_orders IN SHARE MODE');
      const begun = begin().catch(() => 'connection lost');
      const waiting = `SELECT FROM pg_locks WHERE relation = 'move_orders'::regclass AND NOT granted`;
      await until(async () => (await session.sql(waiting)).length > 0);
      await server.kill('SIGKILL');
      await begun;
      await session.sql('ROLLBACK');
    });
    server = await Replica.start('partner', env);
  };

  it('The hour that requests a move is evaluated once, even if its process is killed', async () => {
    await killedWithin(async () => {
      clock.add(3);
      await hour();
    });
    await hour();
    await until(async () => (await orders()).length > 0);
    await killed();
    await hour();
    expect(await get('/moves?status=requested')).toMatchObject([
      { from_vault_id: VAULT, reason: 'evicted', positions: 1, urgent: true },
    ]);
    ({ id } = (await orders())[0]!);
  }, 60_000);

  it.each([
    ['redeeming', 'taken', null],
    ['arriving', 'redeemed', AMOUNT - 20],
    ['settled', 'settled', AMOUNT - 30],
  ])(
    '%s: the report has no effect before its commit and one after it; a retry with its key is replayed',
    async (status, step, amount) => {
      const path = `/moves/${id}/${step}`;
      const body = amount === null ? undefined : { tx_hash: newTxHash(), amount };
      const key = { 'idempotency-key': randomUUID() };
      const report = (): Promise<Answer> => api().post(path, body, key);
      const [before, position] = [await get(`/moves/${id}`), await get(`/positions/${positionId}`)];

      await killedWithin(report);
      expect(await get(`/moves/${id}`)).toEqual(before);
      expect(await get(`/positions/${positionId}`)).toMatchObject({
        vault_id: position.vault_id,
        costs: position.costs,
      });

      const answered = report().catch(() => null);
      await until(async () => (await orders())[0]!.status === status);
      await killed();
      await answered;
      const after = await get(`/moves/${id}`);
      expect(after.status).toBe(status);
      const again = await report();
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(again.body.data).toEqual(after);
    },
    60_000,
  );

  it('Kill -9 around each step of a move leaves one move, and a position of the amount that arrived', async () => {
    const move = await get(`/moves/${id}`);
    expect(move).toMatchObject({ redeemed: { amount: AMOUNT - 20 }, settled: { amount: AMOUNT - 30 } });
    expect(await orders()).toHaveLength(1);
    expect(await get(`/positions/${positionId}`)).toMatchObject({
      vault_id: move.to_vault_id,
      status: 'active',
    });
    const entries = await database.query<{ amount: string }>(
      'live',
      `SELECT amount FROM ledger_entries WHERE position_id = $1 AND type = 'rebalance' ORDER BY id`,
      [positionId],
    );
    expect(entries).toEqual([{ amount: '49980000000' }, { amount: '49970000000' }]);
  });
});

/** A market in which the only vault with a deposit has been silent until this hour. @returns the id of the position */
async function silentVault(database: TestDatabase): Promise<string> {
  const now = addHours(hourOf(new Date()), -HISTORY_HOURS);
  const engine = await Engine.start('partner', { database, now, settlement: 'reported' });
  try {
    const usdc = engine.settings.vaults.filter(({ asset }) => asset === 'USDC');
    engine.sights = Object.fromEntries(usdc.map(({ id }) => [id, { apy: id === VAULT ? 0.06 : 0.04 }]));
    await engine.hours(HISTORY_HOURS - SILENT_HOURS);
    const partnerId = await engine.createPartner();
    const user = await engine.createUser(partnerId);
    const { id, vault_id } = await engine.deposit(user, BigInt(AMOUNT) * 1_000_000n, 'USDC', newTxHash());
    expect(vault_id).toBe(VAULT);
    engine.sights[VAULT] = null;
    await engine.hours(SILENT_HOURS);
    return id;
  } finally {
    await engine.stop();
  }
}
