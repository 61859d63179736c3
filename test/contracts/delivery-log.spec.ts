import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookRetention } from '../../src/domain/outbound/webhooks/webhook-retention.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';

/** Ids of deleted endpoints, of which only deliveries remain. */
const hooks = { a: `wh_${'0'.repeat(25)}a`, b: `wh_${'0'.repeat(25)}b`, c: `wh_${'0'.repeat(25)}c` };

describe.each(eitherContract('partner'))('%s contract: the delivery log', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  const kept = contract === 'partner' ? 500 : 10_000;
  let app: TestApp;
  let receiver: Receiver;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract);
    receiver = await Receiver.start();
    partner = await createPartner(app.admin);
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const query = (sql: string, values: unknown[] = []): Promise<any[]> =>
    app.database.query(schemaOf(contract), sql, values);
  const read = async (parameters = '', owner = partner): Promise<any> => {
    const { status, body } = await owner.api.get(`${log}?${parameters}`);
    expect(status).toBe(200);
    return body;
  };
  const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

  /** Inserts rows as a past dispatch left them, a millisecond apart, oldest first. */
  const insert = (
    owner: TestPartner,
    webhookId: string,
    rows: number,
    type: string,
    failure: string | null,
  ) =>
    query(
      `WITH made AS (
         SELECT n, lpad(n::text, 6, '0') AS tail, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 millisecond' AS at
           FROM generate_series(1, $3::int) AS n
       ), recorded AS (
         INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
         SELECT 'evt_' || $2 || tail, $1, $4, json_build_object('id', 'evt_' || $2 || tail, 'type', $4::text), at, true FROM made
       )
       INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, url, signature, failure, at, claimed_at)
       SELECT 'del_' || $2 || tail, 'evt_' || $2 || tail, $2, $1, CASE WHEN $5::text IS NULL THEN 'delivered' ELSE 'failed' END,
              1, 'http://hooks.acme.example/', 't=1,v1=0', $5, at, at FROM made`,
      [owner.id, webhookId, rows, type, failure],
    );

  describe('how it is read', () => {
    let owner: TestPartner;
    beforeAll(async () => {
      owner = await createPartner(app.admin);
      await insert(owner, hooks.a, 5, 'position.opened', null);
      await insert(owner, hooks.b, 4, 'position.opened', 'timeout');
      await insert(owner, hooks.c, 3, 'yield.threshold', null);
    });
    const count = async (parameters: string): Promise<number> => (await read(parameters, owner)).data.length;

    it('narrows to an endpoint, a status, an event type, and any of them together', async () => {
      expect(await count('')).toBe(12);
      expect(await count(`webhook_id=${hooks.a}`)).toBe(5);
      expect(await count('status=failed')).toBe(4);
      expect(await count('status=delivered')).toBe(8);
      expect(await count('status=pending')).toBe(0);
      expect(await count('event=yield.threshold')).toBe(3);
      expect(await count('event=position.opened&status=delivered')).toBe(5);
      expect(await count(`webhook_id=${hooks.b}&event=yield.threshold`)).toBe(0);
      expect(await count(`webhook_id=${hooks.b}&status=delivered`)).toBe(0);
      const { data } = await read(`webhook_id=${hooks.b}`, owner);
      expect(new Set(data.map((row: any) => `${row.webhook_id} ${row.failure}`))).toEqual(
        new Set([`${hooks.b} timeout`]),
      );
    });
  });

  it(`keeps the newest ${kept} of a partner: no more are shown, and the sweep removes the others`, async () => {
    const [owner, bystander] = [await createPartner(app.admin), await createPartner(app.admin)];
    await insert(owner, 'wh_many', kept + 20, 'system.status', null);
    await insert(bystander, 'wh_few', 3, 'system.status', null);
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const { data, meta } = await read(`limit=500${cursor}`, owner);
      ids.push(...idsOf(data));
      if (!meta.has_more) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    const expected = Array.from(
      { length: kept },
      (_, n) => `del_wh_many${String(kept + 20 - n).padStart(6, '0')}`,
    );
    expect(ids).toEqual(expected);
    await app.application.get(WebhookRetention).pruneDeliveries();
    const rows = await query('SELECT id FROM deliveries WHERE partner_id = $1 ORDER BY at DESC', [owner.id]);
    expect(idsOf(rows)).toEqual(expected);
    expect((await read('', bystander)).data).toHaveLength(3);
  });
});
