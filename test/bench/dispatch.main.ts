import { fork, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool, type QueryConfig } from 'pg';
import { Agent } from 'undici';
import { newKeySecret } from '../../src/domain/access/key-secret.js';
import type { Api } from '../support/api.js';
import { Gathered } from '../../src/domain/webhooks/gathered.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { say, withDatabase } from './deployment.js';

/**
 * Throughput of an announcement to many endpoints of one receiver. The deployment is measured from the event to the last arrival; for comparison,
 * bare undici and HMAC make the same two writes a send, batched in the same way, and are measured from the first queued row to the last.
 * `BENCH_CALLERS` connections send requests to the deployment meanwhile, and the times of its answers are printed.
 */
const ENDPOINTS = Number(process.env['BENCH_ENDPOINTS'] ?? 2_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const CALLERS = Number(process.env['BENCH_CALLERS'] ?? 0);
/** `split` runs the roles `api` and `worker` in separate processes. */
const ROLES = process.env['BENCH_ROLES'] === 'split' ? (['api', 'worker'] as const) : (['all'] as const);
const ENDPOINTS_A_PARTNER = 50;
const REGISTERED_AT_ONCE = 8;
const BARE_AT_ONCE = 200;
const BARE_CONNECTIONS = 10;
const CLAIMED_AT_ONCE = 100;
const RECORDED_AT_ONCE = 200;
const CALL_PAUSE_MS = 10;

const RAISE = `
WITH raised AS (
  INSERT INTO events (id, partner_id, type, envelope, envelope_bytes, recorded_at, fanned_out)
  SELECT 'evt_' || substr(md5(random()::text), 1, 26), NULL, 'system.status', '{"id":"of no account"}', 22, clock_timestamp(), false
  RETURNING id)
SELECT enqueue('[{"identifier": "webhooks.fan_out", "payload": {"partnerId": null}}]') FROM raised`;

if (spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1);
await withDatabase(async (url) => {
  const adminKey = newKeySecret('live');
  const env = {
    DATABASE_URL: url,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    RATE_LIMIT_PER_MINUTE: '0',
    REQUESTS_AT_ONCE: '0',
    LOG_LEVEL: 'warn',
    ...(process.env['BENCH_NODE_OPTIONS'] && { NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'] }),
  };
  const receiver = fork(new URL('dispatch-receiver.main.ts', import.meta.url), {
    execArgv: ['--import', new URL('../runner/typescript.mjs', import.meta.url).href],
  });
  const [{ url: hook }] = (await once(receiver, 'message')) as [{ url: string }];
  const replicas: Replica[] = [];
  for (const ROLE of ROLES) replicas.push(await Replica.start('partner', { ...env, ROLE }));
  const client = new Client({ connectionString: url, options: '-c search_path=live' });
  await client.connect();
  /** @returns milliseconds from the beginning to the last of the expected arrivals, and arrivals a second between the first and the last */
  const arrivals = async (begin: () => Promise<unknown>): Promise<{ ms: number; rate: number }> => {
    receiver.send(ENDPOINTS);
    const all = once(receiver, 'message') as Promise<[{ first: number; last: number }]>;
    const from = Date.now();
    const begun = begin();
    const [{ first, last }] = await all;
    await begun;
    return { ms: last - from, rate: (ENDPOINTS * 1_000) / (last - first) };
  };
  try {
    const api = replicas[0]!.api(adminKey);
    await register(api, hook);
    const quiet = (): Promise<void> =>
      until(
        async () =>
          (await client.query(`SELECT FROM deliveries WHERE status IN ('queued', 'pending') LIMIT 1`))
            .rowCount === 0,
        60_000,
      );
    const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const calls = callAll(api);
      const ours = await arrivals(() => client.query(RAISE));
      const took = (await calls.end()).sort((a, b) => a - b);
      await quiet();
      const bare = await arrivals(() => sendBare(url, hook));
      await client.query(`DELETE FROM deliveries WHERE id LIKE 'bare%'`);
      // The first round warms both sides up and is not counted.
      if (round === 0) continue;
      rates.ours.push((ENDPOINTS * 1_000) / ours.ms);
      rates.bare.push((ENDPOINTS * 1_000) / bare.ms);
      say(
        `${ENDPOINTS} endpoints: ${ours.ms.toFixed(0)} ms from the event to the last (${ours.rate.toFixed(0)}/s once begun); bare ${bare.ms.toFixed(0)} ms (${bare.rate.toFixed(0)}/s)` +
          (CALLERS > 0
            ? `; ${took.length} requests of ${CALLERS} meanwhile: median ${at(took, 0.5)} ms, 99 %: ${at(took, 0.99)} ms`
            : ''),
      );
    }
    const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;
    say(
      `${mean(rates.ours).toFixed(0)} sends/s, bare ${mean(rates.bare).toFixed(0)}: ${(mean(rates.ours) / mean(rates.bare)).toFixed(2)} of it`,
    );
  } finally {
    await client.end();
    await Promise.all(replicas.map((replica) => replica.kill()));
    receiver.kill();
  }
});

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1);
}

async function register(admin: Api, hook: string): Promise<void> {
  for (let first = 0; first < ENDPOINTS; first += ENDPOINTS_A_PARTNER) {
    const partner = await createPartner(admin);
    let number = first;
    const end = Math.min(ENDPOINTS, first + ENDPOINTS_A_PARTNER);
    const lane = async (): Promise<void> => {
      while (number < end) {
        const { status, text } = await partner.api.post('/webhooks', { url: `${hook}/${number++}` });
        if (status !== 201) throw new Error(`POST /webhooks answered ${status}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: REGISTERED_AT_ONCE }, lane));
  }
}

function callAll(api: Api): { end(): Promise<number[]> } {
  const took: number[] = [];
  let goesOn = true;
  const caller = async (): Promise<void> => {
    while (goesOn) {
      const from = performance.now();
      await api.get('/keys?limit=1');
      took.push(performance.now() - from);
      await sleep(CALL_PAUSE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: CALLERS }, caller));
  return {
    end: async () => {
      goesOn = false;
      await all;
      return took;
    },
  };
}

/** As many queued rows as there are endpoints: each is claimed, signed, sent and recorded, without any other work. */
async function sendBare(url: string, hook: string): Promise<void> {
  const pool = new Pool({ connectionString: url, options: '-c search_path=live', max: BARE_CONNECTIONS });
  const agent = new Agent({ connections: BARE_AT_ONCE, pipelining: 1 });
  try {
    const { rows } = await pool.query<{ id: string; body: string }>(`
      WITH event AS (
        INSERT INTO events (id, partner_id, type, envelope, envelope_bytes, recorded_at, fanned_out)
        SELECT 'evt_' || substr(md5(random()::text), 1, 26), NULL, 'system.status', '{"id":"of no account"}', 22, clock_timestamp(), true
        RETURNING id, envelope)
      INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
      SELECT 'bare_' || substr(md5(random()::text || w.id), 1, 26), event.id, w.id, w.partner_id, 'queued', 0, now()
        FROM event, webhook_endpoints w RETURNING id, (SELECT envelope::text FROM event) AS body`);
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
    const claims = new Gathered(async (asked: [string, string][]) => {
      const values = [asked.map(([id]) => id), asked.map(([, signature]) => signature), hook];
      await write({
        name: 'claim',
        text: `UPDATE deliveries d SET status = 'pending', attempts = 1, url = $3, signature = new.signature, claimed_at = clock_timestamp()
                 FROM unnest($1::text[], $2::text[]) AS new(id, signature) WHERE d.id = new.id AND d.status = 'queued'`,
        values,
      });
      return asked;
    }, CLAIMED_AT_ONCE);
    const records = new Gathered(async (asked: [string, number][]) => {
      await write({
        name: 'record',
        text: `UPDATE deliveries d SET status = 'delivered', response_status = new.status, latency_ms = 1
                 FROM unnest($1::text[], $2::int[]) AS new(id, status) WHERE d.id = new.id AND d.status = 'pending'`,
        values: [asked.map(([id]) => id), asked.map(([, status]) => status)],
      });
      return asked;
    }, RECORDED_AT_ONCE);
    const lane = async (): Promise<void> => {
      for (let row = rows.pop(); row; row = rows.pop()) {
        const { id, body } = row;
        const time = Math.floor(Date.now() / 1000);
        const signature = `t=${time},v1=${createHmac('sha256', 'whsec_bare').update(`${time}.${body}`).digest('hex')}`;
        await claims.ask('', [id, signature]);
        const answer = await agent.request({
          origin: new URL(hook).origin,
          path: '/hook',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'webhook-signature': signature },
          body,
        });
        await answer.body.dump();
        await records.ask('', [id, answer.statusCode]);
      }
    };
    await Promise.all(Array.from({ length: BARE_AT_ONCE }, lane));
  } finally {
    await agent.close();
    await pool.end();
  }
}
