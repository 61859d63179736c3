import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** Stands for a replica: a database of its own, so that what was read there shows. */
describe('a read replica', () => {
  let replica: TestDatabase;
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    replica = await createTestDatabase();
    app = await startApp('partner', { DATABASE_REPLICA_URL: replica.url });
    partner = await createPartner(app.admin);
    await replica.query(
      'live',
      `INSERT INTO book_totals (partner_id, asset, slot, deposited, withdrawn, deposits, withdrawals, accrued, fee, partner_revenue, opened, closed)
       VALUES ($1, 'USDC', 0, 123000000, 0, 1, 0, 0, 0, 0, 1, 0)`,
      [partner.id],
    );
  });
  afterAll(async () => {
    await app.close();
    await replica.drop();
  });

  const deposits = async (): Promise<{ status: number; total: number }> => {
    const { status, body } = await partner.api.get('/partner/deposits');
    return { status, total: body.data?.total };
  };

  it('is where reports are read', async () => {
    expect(await deposits()).toEqual({ status: 200, total: 123 });
  });

  it('is never where a write looks, nor what checks a key', async () => {
    const { body } = await partner.api.post('/users', { external_id: 'replica:1' });
    expect((await partner.api.get(`/users/${body.data.id}/ledger`)).body.data).toEqual([]);
    const { body: keys } = await app.admin.get('/keys');
    expect(keys.data).toHaveLength(2);
  });

  it('is done without while it is away', async () => {
    await replica.drop();
    expect(await deposits()).toEqual({ status: 200, total: 0 });
  });
});
