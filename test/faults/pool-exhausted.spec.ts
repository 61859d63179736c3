import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

const AT_ONCE = 8;
const POOL = 2;

/** A pool of two connections, and a session outside the pool that holds the locks which both wait for. */
describe('a pool with all connections in use', () => {
  let app: TestApp;
  let partner: TestPartner;
  let other: TestPartner;

  beforeAll(async () => {
    app = await startApp(
      'partner',
      {
        DATABASE_POOL_SIZE: String(POOL),
        RATE_LIMIT_PER_MINUTE: '0',
        REQUESTS_AT_ONCE: '0',
        LOG_LEVEL: 'error',
      },
      undefined,
      ({ database }) => {
        change(database, {
          connectTimeoutMs: 300,
          lockTimeoutMs: 1_000,
          statementTimeoutMs: 2_700, // A request waits for two locks in turn: the request before it, and the session outside.
        });
      },
    );
    await app.application.get(HousekeepingTimer).stop();
    [partner, other] = [await createPartner(app.admin), await createPartner(app.admin)];
  }, 30_000);
  afterAll(() => app?.close());

  const create = (turn: number, { api } = partner): Promise<Answer> =>
    api.post(
      '/webhooks',
      { url: `https://hooks.example.com/${turn}` },
      { 'idempotency-key': `taken-${turn}` },
    );
  const createMany = (): Promise<Answer[]> =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => create(turn)));
  const health = async (what: string): Promise<unknown[]> => {
    const response = await fetch(`${app.url}/health/${what}`);
    return [response.status, response.headers.get('retry-after'), await response.json()];
  };
  /** Connections of the request pool, by state. */
  const states = (): Promise<{ state: string; connections: number }[]> =>
    app.sql(`SELECT state, count(*)::int AS connections FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'vaultline-partner' GROUP BY 1 ORDER BY 1`);
  const lockWaits = async (): Promise<number> =>
    (
      await app.sql<{ waits: number }>(`SELECT count(*)::int AS waits FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'vaultline-partner' AND wait_event_type = 'Lock'`)
    )[0]!.waits;
  const webhooks = async (): Promise<number> =>
    (await app.sql<{ rows: number }>('SELECT count(*)::int AS rows FROM webhook_endpoints'))[0]!.rows;
  /** Checks a 503 answer to a request that a timeout ended. */
  const isUnavailable = (answer: Answer): void => {
    expectError(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
  };
  /** Holds a lock on the partner's row, which a registration needs, while the work runs. */
  const holding = async (work: () => Promise<void>): Promise<void> => {
    const outside = new Client({ connectionString: app.database.url, options: '-c search_path=live' });
    outside.on('error', () => undefined);
    await outside.connect();
    try {
      await outside.query('BEGIN');
      await outside.query('SELECT id FROM partners WHERE id = $1 FOR UPDATE', [partner.id]);
      await work();
    } finally {
      await outside.end();
    }
  };

  it('A pool with all connections in use answers 503 in time to requests that wait for a lock or for a connection', async () => {
    await holding(async () => {
      const answers = createMany();
      await until(async () => (await lockWaits()) === POOL);
      // Another partner's request needs a connection, but not the lock.
      const [others, live, ready] = await Promise.all([
        other.api.get('/webhooks'),
        health('live'),
        health('ready'),
      ]);
      isUnavailable(others);
      expect(live).toEqual([200, null, { status: 'live' }]);
      expect(ready).toEqual([503, '2', { status: 'database_unavailable' }]);
      (await answers).forEach(isUnavailable);
    });
    expect(app.logs()).toContain('"code":"55P03"');
    expect(app.logs()).toContain('timeout exceeded when trying to connect');
    expect(app.logs()).not.toContain('"code":"57014"');
  });

  it('A pool with all connections in use has stored nothing of them, and left no transaction open', async () => {
    expect(await webhooks()).toBe(0);
    const openStates = await states();
    expect(openStates.filter(({ state }) => state !== 'idle')).toEqual([]);
    expect(openStates.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThanOrEqual(POOL);
  });

  it('A pool with all connections in use serves all requests again once they are free, with one effect for each key', async () => {
    expect(await health('ready')).toEqual([200, null, { status: 'ready', role: 'all', worker: 'running' }]);
    for (const replayed of [null, 'true']) {
      const answers = await createMany();
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(
        answers.map(() => replayed),
      );
    }
    expect(await webhooks()).toBe(AT_ONCE);
    expect((await other.api.get('/webhooks')).status).toBe(200);
  });

  it('A pool with all connections in use rolls back the transaction of a statement that takes too long', async () => {
    await app.sql(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NEW; END';
       CREATE TRIGGER dawdle BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION dawdle()`);
    const user = { external_id: 'slow', wallets: [`0x${'ab'.repeat(20)}`] };
    isUnavailable(await partner.api.post('/users', user, { 'idempotency-key': 'slow' }));
    await app.sql('DROP TRIGGER dawdle ON wallets');
    expect(app.logs()).toContain('"code":"57014"');
    expect(await app.sql('SELECT id FROM users')).toEqual([]);
    const again = await partner.api.post('/users', user, { 'idempotency-key': 'slow' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });
});
