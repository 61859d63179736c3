import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { Account } from './account.js';

/** Lists of an account that grow while they are paged: what was there at the start comes once, whatever is added. */
describe('lists of an account', () => {
  let app: TestApp;
  let receiver: Receiver;
  let account: Account;
  let webhookId: string;

  beforeAll(async () => {
    app = await startApp('sandbox');
    receiver = await Receiver.start();
    account = await Account.open(app, 'lists');
    await Promise.all(Array.from({ length: 12 }, () => grow(true)));
    await until(async () => (await account.list('/webhooks/events')).length >= 12);
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  /** One more of everything that is listed; endpoints only where they are, as there may be 50. */
  const grow = async (endpoints: boolean): Promise<void> => {
    const position = await account.deposit(100);
    await account.withdraw(position.id, 1);
    if (endpoints) {
      const { body } = await account.api.post('/webhooks', { url: receiver.url, events: ['system.status'] });
      webhookId = body.data.id;
    }
    await account.api.post('/simulation/events', { type: 'system.status', webhook_id: webhookId });
    expect((await account.api.post(`/webhooks/${webhookId}/test`)).status).toBe(200);
  };

  const lists: [string, () => string][] = [
    ['deliveries', () => '/webhooks/events'],
    ['deliveries that were delivered', () => '/webhooks/events?status=delivered'],
    ['positions', () => '/positions?status=active'],
    ['positions of a user', () => `/partner/user/${account.userId}/positions`],
    ['decisions', () => '/analytics/decisions?asset=USDC'],
    ['decisions of a user', () => `/analytics/decisions?user_id=${account.userId}`],
    ['ledger', () => `/users/${account.userId}/ledger`],
    ['webhooks', () => '/webhooks'],
  ];

  it.each(lists)('%s: repeat nothing and skip nothing while rows are added', async (_, pathOf) => {
    const path = pathOf();
    const page = async (cursor?: string) => {
      const mark = path.includes('?') ? '&' : '?';
      const { status, body } = await account.api.get(
        `${path}${mark}limit=5${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      expect(body.object).toBe('list');
      return body;
    };
    const atStart = (await account.list(path)).map(({ id }) => id as string);
    expect(atStart.length).toBeGreaterThan(10);
    const paged: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { data, meta } = await page(cursor);
      paged.push(...data.map(({ id }: { id: string }) => id));
      expect(data.length).toBeLessThanOrEqual(5);
      expect('next_cursor' in meta).toBe(meta.has_more);
      if (!meta.has_more) break;
      cursor = meta.next_cursor;
      await grow(path === '/webhooks');
    }
    expect(new Set(paged).size).toBe(paged.length);
    expect(paged.filter((id) => atStart.includes(id))).toEqual(atStart);
  });

  it('refuse a limit beyond 1 to 500, and a cursor of another list or account', async () => {
    const other = await Account.open(app);
    const { meta } = (await account.api.get('/positions?limit=1')).body;
    for (const [, pathOf] of lists) {
      const path = pathOf();
      const mark = path.includes('?') ? '&' : '?';
      for (const limit of ['0', '501', 'all'])
        expectError(await account.api.get(`${path}${mark}limit=${limit}`), 400, 'validation_failed');
      expectError(await account.api.get(`${path}${mark}cursor=${meta.next_cursor}`), 400, 'invalid_cursor');
    }
    expectError(await other.api.get(`/positions?cursor=${meta.next_cursor}`), 400, 'invalid_cursor');
  });

  it('go on after the hour has changed, and after an advance', async () => {
    const first = (await account.api.get('/positions?limit=5')).body;
    await account.advance(30);
    const second = (await account.api.get(`/positions?limit=5&cursor=${first.meta.next_cursor}`)).body;
    const ids = (body: any): string[] => body.data.map(({ id }: { id: string }) => id);
    expect((await account.list('/positions')).map(({ id }) => id).slice(0, 10)).toEqual([
      ...ids(first),
      ...ids(second),
    ]);
  });
});
