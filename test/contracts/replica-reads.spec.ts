import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';

/** Stands for a replica: a database of its own, so that what was read there shows. */
describe('a read replica', () => {
  let replica: TestDatabase;
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    replica = await createTestDatabase();
    app = await startApp('partner', { DATABASE_REPLICA_URL: replica.url, REQUESTS_AT_ONCE: '0' });
    partner = await createPartner(app.admin);
    await replica.query(
      'live',
      `INSERT INTO book_totals (partner_id, asset, slot, deposited, withdrawn, deposits, withdrawals, accrued, costs, settled_lending, settled_hold, principal,
              capital_moment, opened, closed, first_at)
       VALUES ($1, 'USDC', 0, 123000000, 0, 1, 0, 0, 0, 0, 0, 123000000, 0, 1, 0, now())`,
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

  it('has connections left for others while the reports of one partner wait there', async () => {
    const outside = new Client({ connectionString: replica.url, options: '-c search_path=live' });
    await outside.connect();
    await outside.query('BEGIN; LOCK TABLE book_totals IN ACCESS EXCLUSIVE MODE');
    const waits = async (): Promise<number> => {
      const [row] = await replica.query<{ waits: number }>(
        'live',
        `SELECT count(*)::int AS waits FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'vaultline-partner-reports' AND wait_event_type = 'Lock'`,
      );
      return row!.waits;
    };
    const asked = Array.from({ length: 20 }, () => deposits());
    await until(async () => (await waits()) >= 4);
    for (let count = 0; count < 5; count++) expect((await app.admin.get('/partners')).status).toBe(200);
    // Of ten.
    expect(await waits()).toBe(4);
    await outside.end();
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  });

  it('is done without while it is away', async () => {
    await replica.drop();
    expect(await deposits()).toEqual({ status: 200, total: 0 });
  });
});
