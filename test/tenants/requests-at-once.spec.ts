import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { anotherKey, createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

const AT_ONCE = 4;
const WAITING = 6;

describe.each(eitherContract('partner'))('%s contract: concurrent requests of a partner', (contract) => {
  const schema = schemaOf(contract);
  let app: TestApp;
  let partner: TestPartner;
  let other: TestPartner;
  let outside: Client;

  beforeAll(async () => {
    app = await startApp(contract, { REQUESTS_AT_ONCE: String(AT_ONCE) }, undefined, ({ access }) => {
      change(access, { requestsWaiting: WAITING, waitMs: 60_000 });
    });
    [partner, other] = [await newPartner(), await newPartner()];
  });
  afterAll(() => app.close());
  afterEach(() => outside.end());

  /** A partner that was used before: in the sandbox the first request creates its market, which would be one of the requests at once. */
  const newPartner = async (): Promise<TestPartner> => {
    const made = await createPartner(app.admin);
    await made.api.get('/partner/summary');
    return made;
  };
  /** Holds a lock on the partner's row: until it is released, each registration of an endpoint waits for it, with a connection. */
  const hold = (): Promise<void> => lock('SELECT id FROM partners WHERE id = $1 FOR UPDATE', [partner.id]);
  const lock = async (text: string, values: string[] = []): Promise<void> => {
    outside = new Client({ connectionString: app.database.url, options: `-c search_path=${schema}` });
    await outside.connect();
    await outside.query('BEGIN');
    await outside.query(text, values);
  };
  const letGo = (): Promise<unknown> => outside.query('ROLLBACK');
  let hooks = 0;
  const register = (api = partner.api): Promise<Answer> =>
    api.post('/webhooks', { url: `https://hooks.example.com/${hooks++}` });
  const registerMany = (count: number, api?: Api): Promise<Answer>[] =>
    Array.from({ length: count }, () => register(api));
  /** Connections of the deployment that wait for a lock. @param statement pattern of what they run; jobs wait as well */
  const busy = async (statement = '%'): Promise<number> => {
    const [row] = await app.sql<{ connections: number }>(
      `SELECT count(*)::int AS connections FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock' AND query LIKE $2`,
      [`vaultline-${contract}`, statement],
    );
    return row!.connections;
  };
  const untilFull = (): Promise<void> => until(async () => (await busy()) === AT_ONCE);
  const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

  it('Concurrent requests of a partner are bounded; the rest waits without a database connection, and other partners do not wait', async () => {
    await hold();
    const answers = registerMany(AT_ONCE + WAITING);
    await untilFull();
    for (let turn = 0; turn < 20; turn++) expect((await other.api.get('/webhooks')).status).toBe(200);
    expect(await busy()).toBe(AT_ONCE);
    await letGo();
    expect(new Set(statusesOf(await Promise.all(answers)))).toEqual(new Set([201]));
  });

  it('Concurrent requests of a partner are one at a time for pages of more than 100 rows', async () => {
    await lock('LOCK TABLE webhook_endpoints');
    const large = Array.from({ length: 3 }, () => partner.api.get('/webhooks?limit=101'));
    const concurrent = [partner.api.get('/webhooks?limit=100'), other.api.get('/webhooks?limit=101')];
    const reading = (): Promise<number> => busy('SELECT w.id, w.partner_id%');
    await until(async () => (await reading()) >= 3);
    await sleep(200);
    expect(await reading()).toBe(3);
    await letGo();
    expect(statusesOf(await Promise.all([...large, ...concurrent]))).toEqual([200, 200, 200, 200, 200]);
  });

  it('Concurrent requests of a partner are answered 429 with Retry-After and the reason when their queue is full', async () => {
    await hold();
    const answers = registerMany(AT_ONCE + WAITING);
    await untilFull();
    // All that wait are in the queue before one that asks.
    await sleep(500);
    await until(() => isRefused(`${app.url}/api/v1/webhooks`, partner.key));
    for (let turn = 0; turn < 5; turn++) {
      const answer = await partner.api.get('/webhooks');
      expectError(answer, 429, 'rate_limited');
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.headers.get('ratelimit-reason')).toBe('concurrency');
    }
    await letGo();
    expect(new Set(statusesOf(await Promise.all(answers)))).toEqual(new Set([201]));
  });

  it('Concurrent requests of a partner are counted over all its keys; one whose key is revoked while it waits is refused', async () => {
    const second = await anotherKey(app.admin, partner);
    await hold();
    const answers = registerMany(AT_ONCE);
    await untilFull();
    const late = registerMany(2, second.api);
    await sleep(300);
    expect(await busy()).toBe(AT_ONCE);
    expect((await app.admin.delete(`/keys/${second.id}`)).status).toBe(200);
    await letGo();
    expect(new Set(statusesOf(await Promise.all(answers)))).toEqual(new Set([201]));
    for (const answer of await Promise.all(late)) expectError(answer, 401, 'invalid_api_key');
  });

  it('Concurrent requests of a partner leave the queue without an effect when their caller disconnects', async () => {
    const { api, key } = await newPartner();
    await hold();
    const [{ id }] = (await app.sql<{ id: string }>(
      `SELECT partner_id AS id FROM api_keys ORDER BY created_at DESC, id DESC LIMIT 1`,
    )) as [{ id: string }];
    await outside.query('SELECT id FROM partners WHERE id = $1 FOR UPDATE', [id]);
    const answers = registerMany(AT_ONCE, api);
    await untilFull();
    const leaving = Array.from({ length: WAITING }, (_, n) =>
      abandoned(`${app.url}/api/v1/webhooks`, key, n),
    );
    // A request that asks may have taken the place of one that had yet to come.
    await until(async () => {
      if (await isRefused(`${app.url}/api/v1/webhooks`, key)) return true;
      leaving.push(abandoned(`${app.url}/api/v1/webhooks`, key, leaving.length));
      return false;
    });
    leaving.forEach((connection) => connection.destroy());
    // The abandoned places are free at once, although no request was served meanwhile.
    await until(async () => !(await isRefused(`${app.url}/api/v1/webhooks`, key)));
    await sleep(200);
    const next = registerMany(WAITING, api);
    await sleep(200);
    await letGo();
    expect(new Set(statusesOf(await Promise.all([...answers, ...next])))).toEqual(new Set([201]));
    const { body } = await api.get('/webhooks');
    expect(body.data).toHaveLength(AT_ONCE + WAITING);
    expect(app.logs()).not.toContain('CallerGone');
  });

  it('Concurrent requests of a partner hold their slots until their work has ended, also when their caller disconnected', async () => {
    const { api, key, id } = await newPartner();
    await hold();
    await outside.query('SELECT id FROM partners WHERE id = $1 FOR UPDATE', [id]);
    const leaving = Array.from({ length: AT_ONCE }, (_, n) =>
      abandoned(`${app.url}/api/v1/webhooks`, key, n),
    );
    await untilFull();
    leaving.forEach((connection) => connection.destroy());
    await sleep(200);
    let answered = false;
    const waits = api.get('/webhooks').finally(() => (answered = true));
    await sleep(300);
    expect(answered).toBe(false);
    await letGo();
    expect((await waits).status).toBe(200);
  });
});

/** Whether a key's request is refused; a request that has to wait is soon aborted. */
function isRefused(url: string, key: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(url, { headers: { authorization: `Bearer ${key}` }, agent: false, timeout: 500 });
    sent.on('response', ({ statusCode }) => resolve(statusCode === 429));
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(false));
    sent.end();
  });
}

/** A registration that its caller can abort. */
function abandoned(url: string, key: string, number: number): ClientRequest {
  const body = JSON.stringify({ url: `https://hooks.example.com/abandoned/${number}` });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const sent = request(url, { method: 'POST', headers, agent: false });
  sent.on('error', () => undefined);
  sent.end(body);
  return sent;
}
