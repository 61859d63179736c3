import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import * as queries from '../../src/domain/outbound/webhooks/delivery.queries.js';
import { Housekeeping } from '../../src/jobs/housekeeping.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';

const ENDPOINTS = 5;
const QUEUED_OF_EACH = 400;
const AT_ONCE = 20;
/** Of a table, for each delivery that a statement is about. */
const ROWS_OF_ONE = 10;

const COUNT_READ = `
SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables WHERE schemaname = 'live'`;

interface Queued {
  id: string;
  secret: Buffer;
  url: string;
}

/**
 * Statements of sends read their own rows only, however many deliveries are queued, although their plans were made while no delivery was: the queue
 * grows by thousands before statistics tell the planner, and a statement that reads all of it delays every partner's sends.
 */
describe('what a send costs the database', () => {
  let app: TestApp;
  let client: Client;
  let partnerId: string;
  let webhookIds: string[];

  beforeAll(async () => {
    app = await startApp('partner');
    await app.application.get(Housekeeping).stop();
    const partner = await createPartner(app.admin);
    partnerId = partner.id;
    for (let number = 0; number < ENDPOINTS; number++)
      await partner.api.post('/webhooks', { url: `http://127.0.0.1:9/${number}` });
    client = new Client({ connectionString: app.database.url, options: '-c search_path=live' });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM webhook_endpoints WHERE partner_id = $1',
      [partnerId],
    );
    webhookIds = rows.map(({ id }) => id);
    await client.query('VACUUM ANALYZE');
    // After five executions, a prepared statement and a function keep their plans.
    for (let time = 0; time < 10; time++)
      for (const { name, text, values } of asked([])) await client.query({ name, text, values });
  });
  afterAll(async () => {
    await client?.end();
    await app?.close();
  });

  /** Queues deliveries of new events to each endpoint. @returns the deliveries */
  const queue = async (events: number): Promise<Queued[]> => {
    const { rows } = await client.query<Queued>(
      `WITH raised AS (
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || gen_random_uuid(), $1, 'position.opened', '{}', now(), false FROM generate_series(1, $2::int) RETURNING *
       ), marked AS (
         INSERT INTO undelivered (event_id, webhook_id, partner_id, type, raised_at)
         SELECT e.id, w.id, $1, e.type, e.recorded_at FROM raised e, webhook_endpoints w WHERE w.partner_id = $1)
       INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
       SELECT 'del_' || gen_random_uuid(), e.id, w.id, $1, 'queued', 0, now() FROM raised e, webhook_endpoints w WHERE w.partner_id = $1
       RETURNING id, (SELECT secret_sealed FROM webhook_endpoints w WHERE w.id = webhook_id) AS secret,
                 (SELECT w.url FROM webhook_endpoints w WHERE w.id = webhook_id) AS url`,
      [partnerId, events],
    );
    return rows;
  };
  const asked = (deliveries: readonly Queued[]): { name: string; text: string; values: unknown[] }[] => {
    const ids = deliveries.map(({ id }) => id);
    const all = (value: unknown): unknown[] => ids.map(() => value);
    const now = new Date();
    const secrets = deliveries.map(({ secret }) => secret);
    const urls = deliveries.map(({ url }) => url);
    return [
      { ...queries.FIND_QUEUED, values: [webhookIds, AT_ONCE / ENDPOINTS, 100_000] },
      { ...queries.HAVE_QUEUED, values: [webhookIds] },
      {
        ...queries.CLAIM,
        values: [ids, all('t=1,v1=0'), secrets, urls, all('127.0.0.1'), now, AT_ONCE, AT_ONCE, AT_ONCE],
      },
      { ...queries.RECORD, values: [ids, all('delivered'), all(1), all(200), all(null), all(1), now] },
    ];
  };

  it('does not grow with what is queued', async () => {
    const deliveries = (await queue(QUEUED_OF_EACH)).slice(0, AT_ONCE);
    const count = async (): Promise<number> =>
      (await client.query<{ rows: number }>(COUNT_READ)).rows[0]!.rows;
    const read: Record<string, number> = {};
    await client.query('BEGIN');
    for (const { name, text, values } of asked(deliveries)) {
      const before = await count();
      await client.query({ name, text, values });
      read[name] = (await count()) - before;
    }
    await client.query('COMMIT');
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM deliveries WHERE status = 'delivered') AS delivered, (SELECT count(*)::int FROM undelivered) AS undelivered`,
    );
    expect(rows).toEqual([{ delivered: AT_ONCE, undelivered: QUEUED_OF_EACH * ENDPOINTS - AT_ONCE }]);
    for (const [name, rows] of Object.entries(read))
      expect({ name, rows, isFew: rows <= AT_ONCE * ROWS_OF_ONE }).toMatchObject({ isFew: true });
  });
});
