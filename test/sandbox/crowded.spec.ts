import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner, type TestPartner } from '../support/partner.js';

jest.setTimeout(120_000);

describe('an account that is busy with itself', () => {
  let app: TestApp;
  let busy: TestPartner;
  let other: TestPartner;

  beforeAll(async () => {
    app = await startApp('sandbox');
    [busy, other] = [await createPartner(app.admin), await createPartner(app.admin)];
    await other.api.get('/partner/summary');
  });
  afterAll(() => app.close());

  it('keeps no other one waiting: what has to wait for its time holds no connection', async () => {
    const { id: user_id } = (await busy.api.post('/users', { external_id: 'busy' })).body.data;
    const deposit = { user_id, asset: 'USDC', amount: 10 };
    expect((await busy.api.post('/positions', deposit)).status).toBe(201);
    const advance = busy.api.post('/simulation/clock/advance', { hours: 744 });
    const transfers = Promise.all(Array.from({ length: 100 }, () => busy.api.post('/positions', deposit)));
    const read: number[] = [];
    for (let count = 0; count < 40; count++) read.push((await other.api.get('/partner/summary')).status);
    expect(new Set(read)).toEqual(new Set([200]));
    expect((await advance).status).toBe(200);
    const outcomes: Record<number, string | undefined> = { 409: 'advance_in_progress', 429: 'rate_limited' };
    for (const { status, body } of await transfers) {
      expect([201, 409, 429]).toContain(status);
      expect(body.error?.code).toBe(outcomes[status]);
    }
  });
});
