import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { Replica } from '../support/replica.js';
import { Random } from './load/random.js';
import { seeds } from './load/runs.js';

/** A database that fails over while a deployment is rolled out. */
describe('a process whose database connections break during its start', () => {
  const adminKey = newKeySecret('live');
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  /** Number of messages that an undisturbed start sends to the database. */
  let messages = 0;

  const start = (): Promise<Replica> =>
    Replica.start('partner', {
      DATABASE_URL: proxy.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      LOG_LEVEL: 'warn',
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.url);
    // The first start also migrates.
    for (let turn = 0; turn < 2; turn++) {
      const before = proxy.messages;
      const replica = await start();
      messages = proxy.messages - before;
      expect(await replica.kill()).toBe(0);
    }
  });
  afterAll(async () => {
    await proxy.cut();
    await database.drop();
  });

  it.each(seeds(2))(
    'A process whose database connections break during its start becomes ready, whenever they broke (seed %i)',
    async (seed) => {
      const after = new Random(seed).between(1, messages);
      proxy.resetAfter(after);
      const replica = await start();
      proxy.heal();
      const { status } = await replica.api(adminKey).get('/keys');
      expect({ after, status, ended: await replica.kill() }).toEqual({ after, status: 200, ended: 0 });
    },
  );

  it('A process whose database connections break during its start stops with status 0 when the connection of the queue breaks during the stop', async () => {
    const unheard = proxy.meet({ said: 'LISTEN "jobs:insert"', reaches: true, how: 'silence' });
    const replica = await Replica.start('partner', {
      DATABASE_URL: proxy.url,
      BOOTSTRAP_ADMIN_KEY: adminKey,
      LOG_LEVEL: 'warn',
    });
    await unheard;
    const ended = replica.kill();
    await sleep(200);
    proxy.reset();
    expect({ code: await ended, logs: replica.logs.match(/.*"level":60.*/g) }).toEqual({
      code: 0,
      logs: null,
    });
  });
});
