import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Api } from '../support/api.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { secondsOf, serverSeconds } from './cpu.js';
import { say, withDatabase } from './deployment.js';
import { SERVES } from '../support/child-environment.js';

/**
 * Throughput of an announcement to many endpoints of one receiver, from the event to the last arrival. CPU time is that of the sending process, of the
 * database and of the receiver, until the last outcome is recorded.
 * `BENCH_CALLERS` connections send requests to the deployment meanwhile, and the times of its answers are printed.
 */
const ENDPOINTS = Number(process.env['BENCH_ENDPOINTS'] ?? 2_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const CALLERS = Number(process.env['BENCH_CALLERS'] ?? 0);
/** `split` runs the roles `api` and `worker` in separate processes. */
const ROLES = process.env['BENCH_ROLES'] === 'split' ? (['api', 'worker'] as const) : (['all'] as const);
const ENDPOINTS_A_PARTNER = 50;
const REGISTERED_AT_ONCE = 8;
const CALL_PAUSE_MS = 10;

/** Milliseconds from the beginning to the first and the last arrival, and CPU seconds a send: of the sender, the database and the receiver. */
interface SentCounts {
  untilFirst: number;
  ms: number;
  cpu: number[];
}

const RAISE = `
WITH raised AS (
  INSERT INTO events (id, partner_id, type, envelope, envelope_bytes, recorded_at, fanned_out)
  SELECT 'evt_' || substr(md5(random()::text), 1, 26), NULL, 'system.status', '{"id":"of no account"}', 22, clock_timestamp(), false
  RETURNING id)
SELECT enqueue('[{"identifier": "webhooks.fan_out", "payload": {}}]') FROM raised`;

await import(new URL('../../scripts/build.mjs', import.meta.url).href);
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
    ...SERVES,
  });
  const [{ url: hook }] = (await once(receiver, 'message')) as [{ url: string }];
  const replicas: Replica[] = [];
  for (const ROLE of ROLES) replicas.push(await Replica.start('partner', { ...env, ROLE }));
  const client = new Client({ connectionString: url, options: '-c search_path=live' });
  await client.connect();
  const quiet = (): Promise<void> =>
    until(
      async () =>
        (await client.query(`SELECT FROM deliveries WHERE status IN ('queued', 'pending') LIMIT 1`))
          .rowCount === 0,
      60_000,
    );
  const seconds = async (): Promise<number[]> => [
    replicas.reduce((sum, { child }) => sum + secondsOf(child.pid!), 0),
    await serverSeconds(client),
    secondsOf(receiver.pid!),
  ];
  const measured = async (): Promise<SentCounts> => {
    const before = await seconds();
    receiver.send(ENDPOINTS);
    const all = once(receiver, 'message') as Promise<[{ first: number; last: number }]>;
    const from = Date.now();
    await client.query(RAISE);
    const [{ first, last }] = await all;
    await quiet();
    const cpu = (await seconds()).map((now, place) => (now - before[place]!) / ENDPOINTS);
    return { ms: last - from, untilFirst: first - from, cpu };
  };
  try {
    const api = replicas[0]!.api(adminKey);
    await register(api, hook);
    const rates: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const calls = callAll(api);
      const sent = await measured();
      const took = (await calls.end()).sort((a, b) => a - b);
      // The first round warms all sides up and is not counted.
      if (round === 0) continue;
      rates.push((ENDPOINTS * 1_000) / sent.ms);
      say(told(sent));
      if (CALLERS > 0)
        say(
          `  ${took.length} requests of ${CALLERS} meanwhile: median ${at(took, 0.5)} ms, 99 %: ${at(took, 0.99)} ms`,
        );
    }
    const mean = rates.reduce((sum, one) => sum + one, 0) / rates.length;
    say(`${ENDPOINTS} endpoints: ${mean.toFixed(0)} sends/s`);
  } finally {
    await client.end();
    await Promise.all(replicas.map((replica) => replica.kill()));
    receiver.kill();
  }
});

function told({ untilFirst, ms, cpu }: SentCounts): string {
  const [sender, database, receiver] = cpu.map((seconds) => (seconds * 1e6).toFixed(0));
  return `${ms} ms, first after ${untilFirst} ms; CPU a send: ${sender} µs, database ${database} µs, receiver ${receiver} µs`;
}

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
