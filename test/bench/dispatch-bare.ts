import { createHmac } from 'node:crypto';
import { Pool, type QueryConfig } from 'pg';
import { Agent } from 'undici';
import { Batcher } from '../../src/domain/outbound/webhooks/batcher.js';

const AT_ONCE = 200;
const CONNECTIONS = 10;
const CLAIMED_AT_ONCE = 100;
const RECORDED_AT_ONCE = 200;

const QUEUE = `
WITH event AS (
  INSERT INTO events (id, partner_id, type, envelope, envelope_bytes, recorded_at, fanned_out)
  SELECT 'evt_' || substr(md5(random()::text), 1, 26), NULL, 'system.status', '{"id":"of no account"}', 22, clock_timestamp(), true
  RETURNING id, envelope)
INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
SELECT 'bare_' || substr(md5(random()::text || w.id), 1, 26), event.id, w.id, w.partner_id, 'queued', 0, now()
  FROM event, webhook_endpoints w RETURNING id, (SELECT envelope::text FROM event) AS body`;
const CLAIM = `
UPDATE deliveries d SET status = 'pending', attempts = 1, url = $3, signature = new.signature, claimed_at = clock_timestamp()
  FROM unnest($1::text[], $2::text[]) AS new(id, signature) WHERE d.id = new.id AND d.status = 'queued'`;
const RECORD = `
UPDATE deliveries d SET status = 'delivered', response_status = new.status, latency_ms = 1
  FROM unnest($1::text[], $2::int[]) AS new(id, status) WHERE d.id = new.id AND d.status = 'pending'`;

/** `gathered`: each statement for all sends that wait for it; `single`: two statements a send. */
export type Writes = 'gathered' | 'single';

/** As many queued rows as there are endpoints: each is claimed, signed, sent and recorded, without any other work. */
export async function sendBare(url: string, hook: string, writes: Writes): Promise<void> {
  const pool = new Pool({ connectionString: url, options: '-c search_path=live', max: CONNECTIONS });
  const agent = new Agent({ connections: AT_ONCE, pipelining: 1 });
  try {
    const { rows } = await pool.query<{ id: string; body: string }>(QUEUE);
    // Triggers count bytes by partner: claims and records of the same partners may deadlock, and the loser is run again.
    const write = async (query: QueryConfig): Promise<void> => {
      for (;;) {
        try {
          return void (await pool.query(query));
        } catch (error) {
          if ((error as { code?: string }).code !== '40P01') throw error;
        }
      }
    };
    const claimAll = async (asked: [string, string][]): Promise<void[]> => {
      const values = [asked.map(([id]) => id), asked.map(([, signature]) => signature), hook];
      await write({ name: 'claim', text: CLAIM, values });
      return [];
    };
    const recordAll = async (asked: [string, number][]): Promise<void[]> => {
      const values = [asked.map(([id]) => id), asked.map(([, status]) => status)];
      await write({ name: 'record', text: RECORD, values });
      return [];
    };
    const claims = new Batcher(claimAll, CLAIMED_AT_ONCE);
    const records = new Batcher(recordAll, RECORDED_AT_ONCE);
    const isSingle = writes === 'single';
    const lane = async (): Promise<void> => {
      for (let row = rows.pop(); row; row = rows.pop()) {
        const { id, body } = row;
        const time = Math.floor(Date.now() / 1000);
        const signature = `t=${time},v1=${createHmac('sha256', 'whsec_bare').update(`${time}.${body}`).digest('hex')}`;
        await (isSingle ? claimAll([[id, signature]]) : claims.ask('', [id, signature]));
        const answer = await agent.request({
          origin: new URL(hook).origin,
          path: '/hook',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'webhook-signature': signature },
          body,
        });
        await answer.body.dump();
        await (isSingle ? recordAll([[id, answer.statusCode]]) : records.ask('', [id, answer.statusCode]));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  } finally {
    await agent.close();
    await pool.end();
  }
}
