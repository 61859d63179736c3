import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { createTestDatabase, schemaOf, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { rawHead, sendRaw } from '../support/raw.js';
import { untilSettled } from '../support/settled.js';

/** Failures below the contract: bytes on the wire, the database, errors of the server itself. */
describe.each(eitherContract('sandbox'))('%s contract: when the ground gives way', (contract) => {
  const schema = schemaOf(contract);
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, ({ http }) => {
      http.requestTimeoutSeconds = 1;
    });
  });
  afterAll(() => app.close());

  const head = (extra: Record<string, string>): string =>
    rawHead('POST', '/keys', { Authorization: `Bearer ${app.adminKey}`, ...extra });

  it('request_timeout: a body, a chunk or a head that does not end', async () => {
    const type = { 'Content-Type': 'application/json' };
    const unfinished = [
      head({ ...type, 'Content-Length': '100' }) + '{"label":',
      head({ ...type, 'Transfer-Encoding': 'chunked' }) + '5\r\n{"lab',
      head({ ...type, 'Content-Length': '100' }).slice(0, -2),
    ];
    const answers = await Promise.all(unfinished.map((bytes) => sendRaw(app.url, bytes)));
    answers.forEach((answer) => expectError(answer, 408, 'request_timeout'));
    const { body } = await app.admin.get('/keys');
    expect(body.data).toHaveLength(1);
  });

  it('headers_too_large: from 16 KiB on, in one header or in the path', async () => {
    const filler = 'x'.repeat(16_384);
    expectError(await sendRaw(app.url, head({ 'X-Filler': filler })), 431, 'headers_too_large');
    expectError(await sendRaw(app.url, rawHead('GET', `/keys?x=${filler}`)), 431, 'headers_too_large');
    expect((await sendRaw(app.url, head({ 'X-Filler': 'x'.repeat(12_000) }))).status).toBe(400);
  });

  it('internal_error: shows nothing of what is inside; the log has it, under the request id', async () => {
    await app.database.query(schema, 'ALTER TABLE partners RENAME TO mislaid');
    const answers = [await app.admin.get('/partners'), await app.admin.post('/partners', { name: 'Nobody' })];
    await app.database.query(schema, 'ALTER TABLE mislaid RENAME TO partners');
    for (const answer of answers) {
      expectError(answer, 500, 'internal_error');
      expect(answer.text).not.toMatch(
        /partners|relation|does not exist|select|insert|42P01|Error:|\.[jt]s\b|\/src\//i,
      );
      const line = app
        .logs()
        .split('\n')
        .find((entry) => entry.includes('unexpected error') && entry.includes(answer.body.error.request_id));
      expect(line).toMatch(/42P01/);
      expect(line).not.toContain('Nobody');
    }
    expect((await app.admin.get('/partners')).status).toBe(200);
  });
});

describe.each(eitherContract('sandbox'))('%s contract: when the database is gone', (contract) => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let app: TestApp;
  let calls: (() => Promise<Answer>)[];

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.url);
    app = await startApp(contract, { DATABASE_URL: proxy.url }, database);
    const { api } = await createPartner(app.admin);
    calls = [
      () => app.admin.get('/keys'),
      () => app.admin.post('/partners', { name: 'Later' }),
      () => api.get('/webhooks'),
      () => api.post('/users', { external_id: 'later' }, { 'idempotency-key': 'later' }),
    ];
  });
  afterAll(async () => {
    await app.close();
    await proxy.cut();
    await database.drop();
  });

  const statusOf = async (path: string): Promise<number> => (await fetch(app.url + path)).status;

  it('service_unavailable, with Retry-After and without a word about the database', async () => {
    // The test waits until no job runs, so that none ends at the moment at which the database goes: another test covers that.
    await untilSettled(app);
    await proxy.cut();
    for (const call of calls) {
      const answer = await call();
      expectError(answer, 503, 'service_unavailable');
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|database|terminated/i);
    }
    expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 503]);
  });

  it('still refuses requests whose refusal needs no database', async () => {
    expectError(await app.admin.as(undefined).get('/keys'), 401, 'missing_api_key');
    expectError(await app.admin.as('vl_live_mistyped').get('/keys'), 401, 'invalid_api_key');
    expectError(await app.admin.get('/nowhere'), 404, 'route_not_found');
  });

  it('answers again once it is back; nothing of what was refused had happened', async () => {
    await proxy.restore();
    expect(await statusOf('/health/ready')).toBe(200);
    expect(
      await database.query(schemaOf(contract), `SELECT name FROM partners WHERE name = 'Later'`),
    ).toEqual([]);
    expect(await Promise.all(calls.map(async (call) => (await call()).status))).toEqual([200, 201, 200, 201]);
  });
});
