import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { startApp } from '../support/app.js';
import { differencesOf } from '../support/differences.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

/** Enough hours for a kill in the middle. */
const HOURS = 300;

/** A process that dies while it advances an account's clock: the account is unchanged, and the retry runs every hour. */
describe('kill -9 in the middle of an advance', () => {
  const adminKey = newKeySecret('sandbox');
  const replicas: Replica[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill('SIGKILL')));
    await database.drop();
  });

  const start = async (): Promise<Replica> => {
    const replica = await Replica.start('sandbox', {
      DATABASE_URL: database.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      LOG_LEVEL: 'warn',
    });
    replicas.push(replica);
    return replica;
  };
  /** Every stored figure of accounts. */
  const everything = async (): Promise<unknown> => {
    const tables = [
      'positions',
      'ledger_entries',
      'decisions',
      'moves',
      'statements',
      'book_totals',
      'book_shares',
    ];
    return Promise.all(
      [...tables, 'vault_states', 'snapshots', 'markets'].map((table) =>
        database.query(
          'sandbox',
          `SELECT t::text FROM ${table} t ${table === 'markets' ? 'WHERE owner_id IS NOT NULL' : ''}
            ${['snapshots', 'vault_states'].includes(table) ? `WHERE market_id <> 'base'` : ''} ORDER BY 1`,
        ),
      ),
    );
  };
  /** Whether an advance is in progress: its transaction has written some hours and is not committed. */
  const underWay = async (): Promise<boolean> =>
    (
      await database.query(
        'sandbox',
        `SELECT FROM pg_stat_activity
          WHERE application_name = 'vaultline-sandbox' AND state <> 'idle' AND datname = current_database()
            AND xact_start < clock_timestamp() - interval '200 milliseconds'`,
      )
    ).length > 0;

  it('leaves the account at the last whole hour; a retry with the same key runs the rest', async () => {
    const victim = await start();
    const { api, key } = await createPartner(victim.api(adminKey));
    const { id: user } = (await api.post('/users', { external_id: 'interrupted' })).body.data;
    for (const asset of ['USDC', 'USDT'])
      expect((await api.post('/positions', { user_id: user, asset, amount: 40_000 })).status).toBe(201);
    const clock = (await api.get('/simulation/clock')).body.data;
    const before = await everything();
    const once = { 'idempotency-key': 'for-days' };
    const lost = api.post('/simulation/clock/advance', { hours: HOURS }, once).catch(() => 'connection lost');
    await until(underWay);
    await victim.kill('SIGKILL');
    expect(await lost).toBe('connection lost');
    const survivor = (await start()).api(key);
    // PostgreSQL notices that the client is gone.
    await until(async () => !(await underWay()));
    const after = (await survivor.get('/simulation/clock')).body.data;
    expect(after).toMatchObject({ hours_ahead: 0, hour: clock.hour });
    expect(await everything()).toEqual(before);
    const retried = await survivor.post('/simulation/clock/advance', { hours: HOURS }, once);
    expect(retried.status).toBe(200);
    expect(retried.headers.get('idempotency-replayed')).toBeNull();
    expect(retried.body.data.hours).toBe(HOURS);
    const now = (await survivor.get('/simulation/clock')).body.data;
    expect(now.hours_ahead).toBe(HOURS);
    expect(Date.parse(now.hour) - Date.parse(clock.hour)).toBe(HOURS * HOUR_MS);
    expect(await differences()).toEqual([]);
  }, 180_000);

  const differences = async (): Promise<string[]> => {
    const app = await startApp('sandbox', { BOOTSTRAP_ADMIN_KEY: adminKey }, database);
    const found = await differencesOf(app.application);
    await app.close();
    return found;
  };
});
