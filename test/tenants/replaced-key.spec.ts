import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { expectFirst, expectReplay } from '../support/posts.js';

describe('a key that is replaced', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, shortMarkets);
  });
  afterAll(() => app?.close());

  const sql = <Row>(text: string, values?: unknown[]): Promise<Row[]> =>
    app.database.query('sandbox', text, values);
  const newKey = async (partnerId: string | null, scopes: string[]): Promise<Api> => {
    const bound = partnerId === null ? {} : { partner_id: partnerId };
    const { body } = await app.admin.post('/keys', { label: 'another', scopes, ...bound });
    return app.admin.as(body.data.secret);
  };
  const depositor = async () => {
    const partner = await createPartner(app.admin);
    const { id: userId } = (await partner.api.post('/users', { external_id: `of ${partner.id}` })).body.data;
    const deposit = (api: Api, key: string, amount = 250): Promise<Answer> =>
      api.post('/positions', { user_id: userId, asset: 'USDC', amount }, { 'idempotency-key': key });
    const positions = async (): Promise<number> =>
      (await sql('SELECT FROM positions WHERE partner_id = $1', [partner.id])).length;
    return { ...partner, deposit, positions };
  };

  it('leaves its retries to the next one: no second position', async () => {
    const { id, api, keyId, deposit, positions } = await depositor();
    const first = await deposit(api, 'once');
    expectFirst(first);
    const next = await newKey(id, ['partner:read']);
    await app.admin.delete(`/keys/${keyId}`);
    expectError(await deposit(api, 'once'), 401, 'invalid_api_key');
    expectReplay(await deposit(next, 'once'), first);
    expectError(await deposit(next, 'once', 251), 422, 'idempotency_key_reused');
    expect(await positions()).toBe(1);
  });

  it('leaves them to nobody who may not ask for it', async () => {
    const { id, api, deposit, positions } = await depositor();
    expectFirst(await deposit(api, 'mine'));
    const reader = await newKey(id, ['read']);
    expectError(await deposit(reader, 'mine'), 403, 'insufficient_scope');
    const stranger = await depositor();
    expectFirst(await stranger.deposit(stranger.api, 'mine'));
    expect(await positions()).toBe(1);
  });

  it('that is bound to no partner keeps what it was told: another administrator reads none of it', async () => {
    const headers = { 'idempotency-key': 'a-partner' };
    const first = await app.admin.post('/partners', { name: 'First' }, headers);
    expectFirst(first);
    const other = await newKey(null, ['partner:admin']);
    const second = await other.post('/partners', { name: 'First' }, headers);
    expectFirst(second);
    expect(second.body.data.partner.id).not.toBe(first.body.data.partner.id);
  });

  it("or not, an answer that repeats its request is stored without it: a caller's words are kept once", async () => {
    const { api } = await depositor();
    const data = { note: randomBytes(2_900).toString('base64') };
    const send = (key: string) =>
      api.post('/simulation/events', { type: 'system.status', data }, { 'idempotency-key': key });
    const first = await send('large');
    expectFirst(first);
    expect(first.text.length).toBeGreaterThan(3_800);
    const [{ bytes }] = (await sql<{ bytes: number }>(
      `SELECT coalesce(length(answer), 0) + coalesce(length(packed), 0) AS bytes FROM idempotency_claims WHERE key = 'large'`,
    )) as [{ bytes: number }];
    expect(bytes).toBeLessThan(1_024);
    expectReplay(await send('large'), first);
    const tooMuch = await api.post('/simulation/events', {
      type: 'system.status',
      data: { note: 'x'.repeat(4_096) },
    });
    expectError(tooMuch, 400, 'validation_failed');
  });
});
