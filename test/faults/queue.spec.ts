import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { Replica } from '../support/replica.js';

/** The library of the queue manages its own connections; an error on one of them must not end the process. */
describe('a queue whose connection breaks', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.url);
  });
  afterAll(async () => {
    await proxy.cut();
    await database.drop();
  });

  it('while it begins to listen and is stopped, ends nothing: the process stops as it was asked to', async () => {
    const unheard = proxy.meet({ said: 'LISTEN "jobs:insert"', reaches: true, how: 'silence' });
    const replica = await Replica.start('partner', {
      DATABASE_URL: proxy.url,
      BOOTSTRAP_ADMIN_KEY: newKeySecret('live'),
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
