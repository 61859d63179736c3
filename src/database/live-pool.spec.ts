import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { LivePool } from './live-pool.js';

/** Backend pids of the connections. */
const pids = (clients: PoolClient[]): Promise<number[]> =>
  Promise.all(
    clients.map(async (client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid),
  );

describe('a pool of which a connection breaks', () => {
  let database: TestDatabase;
  let pool: LivePool;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    pool = new LivePool({ connectionString: database.url, max: 3 });
  });
  afterEach(() => pool.end());

  const take = (count: number): Promise<PoolClient[]> =>
    Promise.all(Array.from({ length: count }, () => pool.connect()));
  const giveBack = (clients: PoolClient[]): void => clients.forEach((client) => client.release());
  /** Pids of the next connections from the pool, taken all at once. */
  const next = async (): Promise<number[]> => {
    const clients = await take(3);
    const found = await pids(clients);
    giveBack(clients);
    return found;
  };
  const end = async (client: PoolClient, pid: number): Promise<void> => {
    const broken = new Promise((resolve) => client.once('error', resolve));
    await database.query('live', 'SELECT pg_terminate_backend($1)', [pid]);
    await broken;
    client.release(true);
  };

  it('hands the same ones out again while none does', async () => {
    const clients = await take(3);
    const before = await pids(clients);
    giveBack(clients);
    expect((await next()).sort()).toEqual(before.sort());
  });

  it('uses none any more that was opened before: neither what rested then, nor what was in use', async () => {
    const [resting, broken, busy] = await take(3);
    const before = await pids([resting!, broken!, busy!]);
    resting!.release();
    await end(broken!, before[1]!);
    // It is still good for its current use, but not for the next.
    expect(await pids([busy!])).toEqual([before[2]]);
    busy!.release();
    const after = await next();
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    expect(await next()).toEqual(expect.arrayContaining(after));
  });

  it('uses none any more of which one was told that it only reads', async () => {
    const [writing, busy] = await take(2);
    const before = await pids([writing!, busy!]);
    for (const client of [writing!, busy!]) await client.query('SET default_transaction_read_only = on');
    await expect(writing!.query('CREATE TABLE refused ()')).rejects.toMatchObject({ code: '25006' });
    giveBack([writing!, busy!]);
    expect((await next()).filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('keeps those that took their place, when more of the old ones break', async () => {
    const [first, second] = await take(2);
    const before = await pids([first!, second!]);
    await end(first!, before[0]!);
    const clients = await take(2);
    const opened = await pids(clients);
    giveBack(clients);
    await end(second!, before[1]!);
    expect(await next()).toEqual(expect.arrayContaining(opened));
  });

  it('finds out what broke while nobody used it', async () => {
    const clients = await take(3);
    const before = await pids(clients);
    giveBack(clients);
    await database.query('live', 'SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [before]);
    await until(async () => pool.totalCount === 0);
    expect((await next()).filter((pid) => before.includes(pid))).toEqual([]);
  });
});
