import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { Standby } from '../../src/domain/kernel/store/standby.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/until.js';

const TOLD = /"level":40\b.*reports are read from the primary: the server of DATABASE_REPLICA_URL [a-z ]+/g;

/** A DATABASE_REPLICA_URL that leads to no standby does not fail a start, so the log has to tell of it. */
describe('a DATABASE_REPLICA_URL that leads to no standby', () => {
  let database: TestDatabase;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    closing.push(() => database.drop());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const start = async (url: string, adjust?: (constants: Constants) => void): Promise<TestApp> => {
    const app = await startApp('partner', { DATABASE_REPLICA_URL: url }, database, adjust);
    closing.push(() => app.close());
    return app;
  };
  const told = (app: TestApp): string[] => [...app.logs().matchAll(TOLD)].map(([line]) => line);
  const lag = async (app: TestApp): Promise<string | undefined> => {
    const text = await app.application.get(Metrics).registry.metrics();
    return /^vaultline_replica_lag_seconds (\S+)$/m.exec(text)?.[1];
  };

  it('for its password, is logged with the error, once, and without the password', async () => {
    const url = new URL(database.url);
    url.password = 'not-the-password';
    const app = await start(url.href);
    await until(async () => told(app).length > 0);
    app.application.get(Standby).rest(Object.assign(new Error('the same'), { code: '28P01' }));
    expect(told(app)).toEqual([expect.stringMatching(/"code":"28P01".* does not answer$/)]);
    expect(app.logs()).not.toContain('not-the-password');
    expect(await lag(app)).toBe('+Inf');
    // Another reason is told again.
    app.application.get(Standby).rest(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(told(app)).toHaveLength(2);
  });

  it('but to the primary, is logged as that', async () => {
    const app = await start(database.url);
    await until(async () => told(app).length > 0);
    expect(told(app)).toEqual([expect.stringMatching(/ is not a standby$/)]);
    expect(await lag(app)).toBe('+Inf');
  });

  it('but to a host that never answers, delays neither the start nor a scrape', async () => {
    const way = await DatabaseProxy.open(database.url);
    way.silence();
    // Longer than the test: whatever waited for an answer would fail it.
    const app = await start(way.url, ({ database: bounds }) => (bounds.replicaTimeoutMs = 600_000));
    closing.push(() => way.cut());
    await until(async () => way.connections > 0);
    expect(await lag(app)).toBe('+Inf');
    expect(told(app)).toEqual([]);
  });
});
