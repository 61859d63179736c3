import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryService } from '../../src/domain/webhooks/delivery.service.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';

describe.each(['partner', 'sandbox'] as const)('%s contract: the delivery log', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  const kept = contract === 'partner' ? 500 : 10_000;
  let app: TestApp;
  let receiver: Receiver;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, { WEBHOOK_TIMEOUT_MS: '300' });
    receiver = await Receiver.start();
    partner = await createPartner(app.admin);
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  const query = (sql: string, values: unknown[] = []): Promise<any[]> =>
    app.database.query(schemaOf(contract), sql, values);
  const register = async (url: string, input: object = {}, owner = partner): Promise<string> => {
    const { status, body } = await owner.api.post('/webhooks', { url, ...input });
    expect(status).toBe(201);
    return body.data.id;
  };
  /** The record of a test send; it succeeds as an operation whatever the receiver did. */
  const sendTest = async (id: string, owner = partner): Promise<any> => {
    const { status, body } = await owner.api.post(`/webhooks/${id}/test`);
    expect(status).toBe(contract === 'partner' ? 201 : 200);
    return body.data;
  };
  const read = async (parameters = '', owner = partner): Promise<any> => {
    const { status, body } = await owner.api.get(`${log}?${parameters}`);
    expect(status).toBe(200);
    return body;
  };
  const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

  describe('what became of a delivery', () => {
    const outcome = async (url: string, endpoint?: string): Promise<any> => {
      const { id } = await sendTest(endpoint ?? (await register(url)));
      const { data } = await read('limit=1');
      expect(data[0].id).toBe(id);
      return data[0];
    };
    const answering = (status: number, headers: Record<string, string> = {}): Promise<Receiver> =>
      Receiver.start((response) => response.writeHead(status, headers).end());

    it('delivered: the receiver answered 2xx', async () => {
      const noContent = await answering(204);
      const delivery = await outcome(noContent.url);
      expect(delivery).toMatchObject({
        status: 'delivered',
        attempts: 1,
        response_status: 204,
        failure: null,
      });
      expect(Number.isInteger(delivery.latency_ms)).toBe(true);
      expect(delivery.signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
      expect(noContent.received[0]!.headers['webhook-signature']).toBe(delivery.signature);
      expect(JSON.parse(noContent.received[0]!.body.toString())).toEqual(delivery.payload);
      await noContent.close();
    });

    it('http_status: it answered something else', async () => {
      const broken = await answering(500);
      const failed = { status: 'failed', attempts: 1, failure: 'http_status' };
      expect(await outcome(broken.url)).toMatchObject({ ...failed, response_status: 500 });
      expect(broken.received).toHaveLength(1);
      await broken.close();
    });

    it('http_status: a redirect is not followed', async () => {
      const before = receiver.received.length;
      const moved = await answering(302, { location: receiver.url });
      expect(await outcome(moved.url)).toMatchObject({
        status: 'failed',
        failure: 'http_status',
        response_status: 302,
      });
      expect(receiver.received).toHaveLength(before);
      await moved.close();
    });

    it('connect_error: nobody listens', async () => {
      const gone = await Receiver.start();
      await gone.close();
      const expected = { status: 'failed', attempts: 1, failure: 'connect_error', response_status: null };
      expect(await outcome(gone.url)).toMatchObject(expected);
    });

    it('timeout: it did not answer in time, or did not end its answer', async () => {
      const silent = await Receiver.start(() => undefined);
      const expected = { status: 'failed', attempts: 1, failure: 'timeout' };
      expect(await outcome(silent.url)).toMatchObject({ ...expected, response_status: null });
      const endless = await Receiver.start((response) => response.writeHead(200).write('and'));
      expect(await outcome(endless.url)).toMatchObject({ ...expected, response_status: 200 });
      await silent.close();
      await endless.close();
    });

    it('blocked_address: the URL is forbidden by now; nothing was sent', async () => {
      const id = await register(receiver.url);
      const before = receiver.received.length;
      for (const url of [
        'http://10.0.0.1/hook',
        'http://169.254.169.254/',
        receiver.url.replace('127.0.0.1', '[::1]'),
      ]) {
        await query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [id, url]);
        const expected = {
          status: 'failed',
          attempts: 0,
          failure: 'blocked_address',
          response_status: null,
          url,
        };
        expect(await outcome('', id)).toMatchObject(expected);
      }
      expect(receiver.received).toHaveLength(before);
    });

    it('interrupted: the server stopped between claim and outcome', async () => {
      const id = await register(receiver.url);
      const delivery = await sendTest(id);
      await query(
        `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL,
                claimed_at = now() - interval '1 minute' WHERE id = $1`,
        [delivery.id],
      );
      await app.application.get(DeliveryService).closeInterrupted();
      const expected = { status: 'failed', failure: 'interrupted', response_status: null, latency_ms: null };
      expect((await read(`webhook_id=${id}`)).data).toMatchObject([{ id: delivery.id, ...expected }]);
    });

    it('a test send works on an inactive endpoint', async () => {
      expect(await sendTest(await register(receiver.url, { active: false }))).toMatchObject({
        status: 'delivered',
      });
    });
  });

  /** Rows as a past dispatch left them, a millisecond apart, oldest first. */
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
         INSERT INTO events (id, partner_id, type, envelope, recorded_at)
         SELECT 'evt_' || $2 || tail, $1, $4, json_build_object('id', 'evt_' || $2 || tail, 'type', $4::text), at FROM made
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
      await insert(owner, 'wh_a', 5, 'position.opened', null);
      await insert(owner, 'wh_b', 4, 'position.opened', 'timeout');
      await insert(owner, 'wh_c', 3, 'yield.threshold', null);
    });
    const count = async (parameters: string): Promise<number> => (await read(parameters, owner)).data.length;

    it('narrows to an endpoint, a status, an event type, and any of them together', async () => {
      expect(await count('')).toBe(12);
      expect(await count('webhook_id=wh_a')).toBe(5);
      expect(await count('status=failed')).toBe(4);
      expect(await count('status=delivered')).toBe(8);
      expect(await count('status=pending')).toBe(0);
      expect(await count('event=yield.threshold')).toBe(3);
      expect(await count('event=position.opened&status=delivered')).toBe(5);
      expect(await count('webhook_id=wh_b&event=yield.threshold')).toBe(0);
      expect(await count('webhook_id=wh_nobody')).toBe(0);
      const { data } = await read('webhook_id=wh_b', owner);
      expect(new Set(data.map((row: any) => `${row.webhook_id} ${row.failure}`))).toEqual(
        new Set(['wh_b timeout']),
      );
    });

    it('refuses filters that there are not', async () => {
      for (const [parameters, field] of [
        ['status=queued', 'status'],
        ['event=position.lost', 'event'],
        ['url=x', 'url'],
      ]) {
        const answer: Answer = await owner.api.get(`${log}?${parameters}`);
        expectError(answer, 400, 'validation_failed');
        expect(fieldsOf(answer)).toEqual([field]);
      }
      const { meta } = await read('webhook_id=wh_a&limit=2', owner);
      expectError(
        await owner.api.get(`${log}?webhook_id=wh_b&cursor=${meta.next_cursor}`),
        400,
        'invalid_cursor',
      );
      expectError(
        await partner.api.get(`${log}?webhook_id=wh_a&cursor=${meta.next_cursor}`),
        400,
        'invalid_cursor',
      );
    });

    it('goes newest first, page by page, within its filter', async () => {
      const pages: string[][] = [];
      for (let cursor = ''; ;) {
        const { data, meta } = await read(`event=position.opened&limit=4${cursor}`, owner);
        pages.push(idsOf(data));
        if (!meta.has_more) break;
        cursor = `&cursor=${meta.next_cursor}`;
      }
      expect(pages.map(({ length }) => length)).toEqual([4, 4, 1]);
      const newestFirst = [5, 4, 3, 2, 1].flatMap((n) =>
        ['wh_b', 'wh_a'].map((hook) => `del_${hook}00000${n}`),
      );
      expect(pages.flat()).toEqual(newestFirst.filter((id) => id !== 'del_wh_b000005'));
    });

    it('shows a partner its own deliveries alone, also of an endpoint that is deleted', async () => {
      expect((await read('webhook_id=wh_a')).data).toEqual([]);
      const id = await register(receiver.url, {}, owner);
      const delivery = await sendTest(id, owner);
      await owner.api.delete(`/webhooks/${id}`);
      expect((await read(`webhook_id=${id}`, owner)).data).toEqual([delivery]);
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
    await app.application.get(DeliveryService).prune();
    const rows = await query('SELECT id FROM deliveries WHERE partner_id = $1 ORDER BY at DESC', [owner.id]);
    expect(idsOf(rows)).toEqual(expected);
    expect((await read('', bystander)).data).toHaveLength(3);
  });
});
