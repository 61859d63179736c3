import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { hangingUrl } from '../faults/load/hanging-receivers.js';
import type { Api } from '../support/api.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { say, withDatabase } from './deployment.js';
import { SERVES } from '../support/child-environment.js';

/**
 * Latency of requests while 500 receivers hang, while the same receivers answer, and while nothing is sent to them: slices of each kind in turn, in
 * one run. The first ratio is the cost of hanging receivers; the second ratio also contains the cost of the deliveries themselves.
 */
const RECEIVERS = 500;
const ENDPOINTS_A_PARTNER = 50;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SLICE_MS = 10_000;
/** The default send timeout: for so long a receiver that hangs occupies a send slot. */
const TIMEOUT_MS = 5_000;
const CLIENTS = 6;
const PAUSE_MS = 10;

/** An event for each endpoint of some partners; their fan-out is queued, as if a deposit had caused them. */
const RAISE = `
WITH raised AS (
  INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
  SELECT 'evt_' || substr(md5(random()::text || p.id), 1, 26), p.id, 'position.opened', '{"id":"of no account"}', now(), false
    FROM partners p WHERE p.id = ANY($1)
  RETURNING id, partner_id)
SELECT enqueue(json_agg(json_build_object('identifier', 'webhooks.fan_out',
         'payload', json_build_object('partnerId', partner_id, 'eventIds', json_build_array(id))))) FROM raised`;

const UNFINISHED = `
SELECT FROM deliveries WHERE status IN ('queued', 'pending') UNION ALL SELECT FROM events WHERE NOT fanned_out LIMIT 1`;

/** The slices of one kind, such as all with receivers that hang. */
class Slices {
  readonly took: number[] = [];

  /** @param to partners whose endpoints get an event, @param answers whether most of the receivers answer */
  constructor(
    readonly what: string,
    readonly to: readonly string[],
    readonly answers = false,
  ) {}

  /** @returns the quantile of the requests' times, in milliseconds */
  at(share: number): number {
    const sorted = [...this.took].sort((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) * share)]!;
  }

  report(): void {
    const [median, tail, slowest] = [0.5, 0.99, 1].map((share) => this.at(share).toFixed(2));
    say(
      `${median!.padStart(7)} ms  a request, ${this.what}: median; 99 %: ${tail} ms, slowest ${slowest} ms, of ${this.took.length}`,
    );
  }
}

await import(new URL('../../scripts/build.mjs', import.meta.url).href);
await withDatabase(async (url) => {
  const adminKey = newKeySecret('live');
  const env = {
    DATABASE_URL: url,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    RATE_LIMIT_PER_MINUTE: '0',
    REQUESTS_AT_ONCE: '0',
    LOG_LEVEL: 'warn',
  };
  const hanging = fork(new URL('hanging-receivers.main.ts', import.meta.url), {
    execArgv: ['--import', new URL('../runner/typescript.mjs', import.meta.url).href],
    ...SERVES,
  });
  const [{ url: first }] = (await once(hanging, 'message')) as [{ url: string }];
  const receiver = await Receiver.start();
  const replica = await Replica.start('partner', env);
  const client = new Client({ connectionString: url, options: '-c search_path=live' });
  await client.connect();
  try {
    const partners = await register(replica.api(adminKey), (number) => hangingUrl(first, number));
    const healthy = await createPartner(replica.api(adminKey));
    await endpoint(healthy, receiver.url);
    const raise = async (ids: readonly string[]): Promise<void> => void (await client.query(RAISE, [ids]));
    const quiet = (): Promise<void> =>
      until(async () => (await client.query(UNFINISHED)).rowCount === 0, 120_000);
    await slice(healthy.api, () => raise([healthy.id]));
    const everybody = [healthy.id, ...partners];
    const idle = new Slices('while nothing is sent to them', [healthy.id]);
    const answering = new Slices(`while ${RECEIVERS} receivers answer`, everybody, true);
    const hung = new Slices(`while ${RECEIVERS} receivers hang`, everybody);
    for (let round = 0; round < ROUNDS; round++) {
      // The order changes every round, so that no kind of slice always follows the same one.
      for (const turn of [0, 1, 2]) {
        const { to, answers, took } = [idle, answering, hung][(round + turn) % 3]!;
        await quiet();
        hanging.send(answers);
        took.push(...(await slice(healthy.api, () => raise(to))));
      }
    }
    await quiet();
    for (const slices of [idle, answering, hung]) slices.report();
    for (const slices of [answering, idle]) {
      const times = (hung.at(0.99) / slices.at(0.99)).toFixed(2).padStart(10);
      say(`${times} times as long takes the slowest hundredth while they hang as ${slices.what}`);
    }
    hanging.send('end');
    const [{ mostAtOnce, requests }] = (await once(hanging, 'message')) as [Record<string, number>];
    say(`${mostAtOnce} connections to them at one time, ${requests} requests`);
  } finally {
    await client.end();
    await replica.kill();
    hanging.kill();
    await receiver.close();
  }
});

/** @returns the partners that own the endpoints */
async function register(admin: Api, url: (number: number) => string): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < RECEIVERS; first += ENDPOINTS_A_PARTNER) {
    const partner = await createPartner(admin);
    for (let number = first; number < first + ENDPOINTS_A_PARTNER; number++)
      await endpoint(partner, url(number));
    ids.push(partner.id);
  }
  return ids;
}

async function endpoint({ api }: TestPartner, url: string): Promise<void> {
  const { status, text } = await api.post('/webhooks', { url });
  if (status !== 201) throw new Error(`POST /webhooks answered ${status}: ${text}`);
}

/**
 * Clients that read and write, while each endpoint gets an event as soon as its previous send may have timed out. @returns milliseconds of each
 * request
 */
async function slice(api: Api, raise: () => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + SLICE_MS;
  const caller = async (name: number): Promise<void> => {
    for (let turn = 0; performance.now() < end; turn++) {
      const from = performance.now();
      const { status } = await (turn % 2 === 0
        ? api.get('/partner/summary')
        : api.post('/users', { external_id: `bench:${process.pid}:${name}:${from}` }));
      if (status >= 300) throw new Error(`Answered ${status}.`);
      took.push(performance.now() - from);
      await sleep(PAUSE_MS);
    }
  };
  const raiser = async (): Promise<void> => {
    // No event is raised so late that its send would reach past its deadline into the next slice.
    while (performance.now() < end) {
      await raise();
      await sleep(TIMEOUT_MS);
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, (_, name) => caller(name)), raiser()]);
  return took;
}
