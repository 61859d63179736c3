import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Answer } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';

const WALLETS = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'];
const HOOK = { url: 'http://127.0.0.1:9999/hook' };

/** Well-formed requests that conflict with stored records. */
describe.each(eitherContract('sandbox'))('%s contract: conflicts', (contract) => {
  const schema = schemaOf(contract);
  let app: TestApp;
  let one: TestPartner;
  let two: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    one = await createPartner(app.admin);
    two = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();

  /** The partners within which an external id is unique, for an id that the first partner has. */
  const within = (): TestPartner[] => (contract === 'partner' ? [one, two] : [one]);

  it('external_id_taken: by the same partner, in the live contract also by another; creating is never an upsert', async () => {
    const first = await one.api.post('/users', { external_id: 'taken', label: 'First' });
    expect(first.status).toBe(201);
    for (const { api } of within()) {
      expectError(
        await api.post('/users', { external_id: 'taken', label: 'Second' }),
        409,
        'external_id_taken',
      );
    }
    const rows = await app.database.query(schema, `SELECT id, label FROM users WHERE external_id = 'taken'`);
    expect(rows).toEqual([{ id: first.body.data.id, label: 'First' }]);
    expect((await two.api.post('/users', { external_id: 'Taken' })).status).toBe(201);
  });

  it('external_id_taken: of two requests at once, by two partners in the live contract, one gets it', async () => {
    for (let round = 0; round < 15; round++) {
      const body = { external_id: `race:${round}` };
      const [asker = one, rival = one] = within();
      const answers = await Promise.all([asker, rival].map(({ api }) => api.post('/users', body)));
      expect(statuses(answers)).toEqual([201, 409]);
      expectError(
        answers.find(({ status }) => status === 409)!,
        409,
        'external_id_taken',
      );
    }
  });

  it('wallet_taken: however its letters are written; and nothing of the refused user is kept', async () => {
    const [wallet, free] = WALLETS;
    expect((await one.api.post('/users', { external_id: 'w:1', wallets: [wallet] })).status).toBe(201);
    for (const spelling of [wallet!, wallet!.toLowerCase()]) {
      const body = { external_id: 'w:2', wallets: [free, spelling] };
      expectError(await one.api.post('/users', body), 409, 'wallet_taken');
    }
    expect((await one.api.post('/users', { external_id: 'w:2', wallets: [free] })).status).toBe(201);
    expect((await two.api.post('/users', { external_id: 'w:3', wallets: WALLETS })).status).toBe(201);
  });

  it('wallet_taken: of two requests that name wallets in opposite order at once, one gets them', async () => {
    for (let round = 10; round < 25; round++) {
      const wallets = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(20)}${String(round).repeat(10)}`);
      const answers = await Promise.all([
        one.api.post('/users', { external_id: `one:${round}`, wallets }),
        one.api.post('/users', { external_id: `two:${round}`, wallets: wallets.toReversed() }),
      ]);
      expect(statuses(answers)).toEqual([201, 409]);
      expectError(
        answers.find(({ status }) => status === 409)!,
        409,
        'wallet_taken',
      );
    }
  });

  it('webhook_limit_reached: 60 registrations at once end with exactly 50; deleting one makes room for one; another partner has room of its own', async () => {
    const { api } = await createPartner(app.admin);
    const answers = await Promise.all(Array.from({ length: 60 }, () => api.post('/webhooks', HOOK)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(10);
    refused.forEach((answer) => expectError(answer, 409, 'webhook_limit_reached'));
    const { body } = await api.get('/webhooks');
    expect(body.data).toHaveLength(50);
    await api.delete(`/webhooks/${body.data[7].id}`);
    expect((await api.post('/webhooks', HOOK)).status).toBe(201);
    expectError(await api.post('/webhooks', HOOK), 409, 'webhook_limit_reached');
    expect((await one.api.post('/webhooks', HOOK)).status).toBe(201);
  });

  /** Whether a request holds its claim; the test then delays that request. */
  const claimIsHeld = async (): Promise<boolean> => {
    const sql = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO users%'`;
    return (await app.database.query(schema, sql)).length > 0;
  };

  it('idempotency_in_progress: the first request with the key has not ended yet', async () => {
    const key = { 'idempotency-key': 'slow' };
    const blocker = new Client({ connectionString: app.database.url, options: `-c search_path=${schema}` });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT id FROM partners WHERE id = $1 FOR UPDATE', [one.id]);
    const first = one.api.post('/users', { external_id: 'p:1' }, key);
    await until(claimIsHeld);
    expectError(await one.api.post('/users', { external_id: 'p:1' }, key), 409, 'idempotency_in_progress');
    await blocker.query('ROLLBACK');
    await blocker.end();
    const { status, text } = await first;
    expect(status).toBe(201);
    const retry = await one.api.post('/users', { external_id: 'p:1' }, key);
    expect([retry.status, retry.text]).toEqual([201, text]);
  });
});

describe.each(eitherContract('sandbox'))('%s contract: too many requests', (contract) => {
  it('rate_limited: from the first beyond the bound, for this key alone; Retry-After tells how long', async () => {
    const app = await startApp(contract, { RATE_LIMIT_PER_MINUTE: '3' });
    const other = await createPartner(app.admin);
    for (const _ of [2, 3]) expect((await app.admin.get('/partners')).status).toBe(200);
    for (const path of ['/partners', '/keys']) {
      const answer = await app.admin.get(path);
      expectError(answer, 429, 'rate_limited');
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(answer.body.error.message).toContain(`${seconds} s`);
    }
    expect((await other.api.get('/webhooks')).status).toBe(200);
    await app.close();
  });
});
