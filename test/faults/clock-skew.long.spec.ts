import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Api } from '../support/api.js';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { newTxHash } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { WallClock } from './load/wall-clock.js';

const HOUR_S = 3_600;
/** Time that a loaded machine may take for any step; far below the hour of clock skew under test. */
const A_WHILE_S = 120;

/**
 * Clock skew: two processes on one database, of which one has the wrong time. What processes must agree on (leases, expiry, due times) follows the
 * database's clock; an effect is dated by the process that makes it, and stays in order for each position.
 */
describe.each([
  ['ahead', 1],
  ['behind', -1],
])('a process whose clock is an hour %s', (_, skew) => {
  let database: TestDatabase;
  let replicas: Replica[];
  const clock = new WallClock(skew);
  const adminKey = newKeySecret('live');
  let right: Api;
  let wrong: Api;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, BOOTSTRAP_ADMIN_KEY: adminKey, WEBHOOK_TIMEOUT_MS: '3000' };
    replicas = [
      await Replica.start('partner', env),
      await Replica.start('partner', { ...env, ...clock.env }),
    ];
    [right, wrong] = replicas.map((replica) => replica.api(adminKey)) as [Api, Api];
  }, 60_000);
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.kill()));
    clock.remove();
    await database?.drop();
  });

  const query = <Row>(sql: string, values?: unknown[]): Promise<Row[]> => database.query('live', sql, values);

  it('Only the process with the wrong clock logs the skew', () => {
    const [ofRight, ofWrong] = replicas.map(({ logs }) => /"ahead_ms":(-?\d+)/.exec(logs)?.[1]);
    expect(ofRight).toBeUndefined();
    expect(Math.abs(Number(ofWrong) / 1000 - skew * HOUR_S)).toBeLessThan(A_WHILE_S);
  });

  it("The wrong clock of a process does not change when recurring jobs run: the database's clock counts", async () => {
    let due: { key: string; wait: number }[] = [];
    const look = async (): Promise<boolean> => {
      due = await query(
        `SELECT split_part(key, ' ', 1) AS key, extract(epoch FROM run_at - now())::float8 AS wait FROM live_jobs.jobs
          WHERE key ~ '^(sweep|prune|settlements|tick) ' AND run_at > now() ORDER BY 1`,
      );
      return due.length >= 4;
    };
    // A job that is running now has not yet set its next due time.
    await until(look);
    expect(due.map(({ key }) => key)).toEqual(['prune', 'settlements', 'sweep', 'tick']);
    // An hour is added only once it has begun by both clocks.
    const periods: Record<string, number> = { prune: 600, settlements: 60, sweep: 60, tick: HOUR_S + 5 };
    for (const { key, wait } of due) expect(wait).toBeLessThanOrEqual(periods[key]!);
  });

  it('Two processes, of which one has a wrong clock, list every record once, in the same order', async () => {
    const { key } = await createPartner(right);
    const made: string[] = [];
    for (let number = 0; number < 8; number++) {
      const api = (number % 2 === 0 ? right : wrong).as(key);
      made.push((await api.post('/users', { external_id: `skew:${skew}:${number}` })).body.data.id);
    }
    const walk = async (apis: readonly Api[]): Promise<string[]> => {
      const ids: string[] = [];
      for (let page = 0, cursor = ''; ; page++) {
        const { body } = await apis[page % apis.length]!.as(key).get(`/partner/users?limit=3${cursor}`);
        ids.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.meta.has_more) return ids;
        cursor = `&cursor=${body.meta.next_cursor}`;
      }
    };
    const listed = await walk([right]);
    expect([...listed].sort()).toEqual([...made].sort());
    expect(await walk([wrong])).toEqual(listed);
    // A cursor of one process continues on the other.
    expect(await walk([right, wrong])).toEqual(listed);
    // Newest first by the creating process: the records of the clock that is ahead come first.
    expect(listed).toEqual([...made].sort().reverse());
  });
});

describe.each(['all', 'api', 'worker'])('a process with ROLE=%s whose clock is ten days ahead', (role) => {
  const clock = new WallClock(10 * 24);
  let database: TestDatabase;
  let replica: Replica;
  const adminKey = newKeySecret('live');
  afterAll(async () => {
    await replica?.kill();
    clock.remove();
    await database?.drop();
  });

  it('A process is degraded while its clock is ten days ahead, ready once it is corrected, and degraded when it is wrong again', async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, BOOTSTRAP_ADMIN_KEY: adminKey, ROLE: role, ...clock.env };
    replica = await Replica.spawn('partner', env);
    const health = async (): Promise<any> => {
      const answer = await fetch(`${replica.url}/health/ready`).catch(() => null);
      return answer && { code: answer.status, ...((await answer.json()) as object) };
    };
    const api = replica.api(adminKey);
    let protocol: Api | undefined;
    const agrees = async (isRight: boolean): Promise<void> => {
      const degraded = isRight ? null : 'clock';
      const state = isRight ? { code: 200, status: 'ready' } : { code: 503, status: 'degraded', degraded };
      await until(async () => (await health())?.status === state.status, 30_000);
      expect(await health()).toMatchObject({ ...state, role });
      if (role === 'worker') return;
      expect((await api.get('/deployment')).body.data).toMatchObject({ status: state.status, degraded });
      const refused = {
        user_id: 'usr_01kaabcdefghjkmnpqrstvwxyz',
        asset: 'USDC',
        amount: 1,
        tx_hash: newTxHash(),
      };
      const made = await api.post('/keys', { label: 'protocol', scopes: ['write'] });
      protocol ??= api.as(made.body.data.secret);
      expect((await protocol.post('/positions', refused)).status).toBe(isRight ? 404 : 503);
    };
    await agrees(false);
    clock.add(-10 * 24);
    await agrees(true);
    clock.add(-10 * 24);
    await agrees(false);
  }, 90_000);
});

it("A process whose clock is wrong creates the partition of the month by the database's clock", async () => {
  const database = await createTestDatabase();
  const clock = new WallClock(-24 * 70);
  const env = { DATABASE_URL: database.url, BOOTSTRAP_ADMIN_KEY: newKeySecret('live'), ...clock.env };
  const replica = await Replica.spawn('partner', env);
  try {
    await replica.untilDegraded('clock');
    const there = async (time: Date): Promise<unknown> => {
      const month = time.toISOString().slice(0, 7).replace('-', '_');
      const sql = `SELECT to_regclass($1) IS NOT NULL AS there`;
      return (await database.query('live', sql, [`ledger_entries_${month}`]))[0];
    };
    expect(await there(new Date())).toEqual({ there: true });
    expect(await there(clock.now())).toEqual({ there: false });
  } finally {
    await replica.kill();
    clock.remove();
    await database.drop();
  }
}, 60_000);

it('A process does not add an hour that its own clock has not reached', async () => {
  const app = await startApp('partner');
  try {
    const at = new Date(Date.now() + 60_000).toISOString();
    await app.sql(`SELECT enqueue($1::json)`, [
      JSON.stringify([{ identifier: 'tick', job_key: 'early', payload: { at }, max_attempts: 5 }]),
    ]);
    const job = `SELECT attempts, last_error AS error FROM live_jobs._private_jobs WHERE key = 'early' AND attempts > 0 AND locked_at IS NULL`;
    await until(async () => (await app.sql(job)).length === 1);
    expect(await app.sql(job)).toMatchObject([{ error: expect.stringContaining(`it is not ${at} yet`) }]);
  } finally {
    await app.close();
  }
});
