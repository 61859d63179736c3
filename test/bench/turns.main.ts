import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { type Answer, Api } from '../support/api.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import { say, withDatabase } from './deployment.js';
import { SERVES } from '../support/child-environment.js';

/**
 * Time from an event of one partner to its receiver: while nothing else is sent, while another partner raises 50 events a second for each of 50
 * endpoints, and while that partner does so with 50,000 deliveries queued before. `BENCH_BEFORE` names another built checkout, whose figures are taken
 * in the same run.
 */
const EVENTS_A_SECOND = Number(process.env['BENCH_RATE'] ?? 50);
const ENDPOINTS = 50;
/** Deliveries of the other partner that are queued at the beginning of the last measurement. */
const BACKLOG = Number(process.env['BENCH_BACKLOG'] ?? 50_000);
const SLICE_MS = Number(process.env['BENCH_SECONDS'] ?? 20) * 1_000;
const PROBE_MS = 250;
const GIVEN_UP_MS = 60_000;

const RAISE = `
WITH raised AS (
  INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
  SELECT 'evt_' || substr(md5(random()::text), 1, 26), $1, 'position.opened', '{"id":"of no account"}', now(), false
  RETURNING id, partner_id)
SELECT enqueue(json_agg(json_build_object('identifier', 'webhooks.fan_out',
         'payload', json_build_object('partnerId', partner_id, 'eventIds', json_build_array(id))))) FROM raised`;

/** Queues deliveries of $2 events for each endpoint of partner $1, as a fan-out leaves them, and wakes the endpoints. */
const QUEUE = `
WITH raised AS (
  INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
  SELECT 'evt_' || substr(md5(random()::text), 1, 26), $1, 'position.opened', '{"id":"of no account"}', now(), true FROM generate_series(1, $2)
  RETURNING id, partner_id, type, recorded_at
), queued AS (
  INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
  SELECT 'del_' || substr(md5(random()::text), 1, 26), e.id, w.id, e.partner_id, 'queued', 0, now()
    FROM raised e JOIN webhook_endpoints w ON w.partner_id = e.partner_id
), marked AS (
  INSERT INTO undelivered (event_id, webhook_id, partner_id, type, raised_at)
  SELECT e.id, w.id, e.partner_id, e.type, e.recorded_at FROM raised e JOIN webhook_endpoints w ON w.partner_id = e.partner_id
)
SELECT enqueue(json_build_array(json_build_object('identifier', 'webhooks.drain', 'payload',
         json_build_object('webhookIds', json_agg(id), 'partnerIds', json_agg(partner_id))))) FROM webhook_endpoints WHERE partner_id = $1`;
/** What an earlier burst has left. */
const FORGET = `DELETE FROM deliveries WHERE status = 'queued' AND partner_id = $1`;
const COUNT_QUEUED = `SELECT count(*)::int AS queued FROM deliveries WHERE status = 'queued' AND partner_id = $1`;

/** Milliseconds from a request to its answer, and to the event's arrival. Infinity: neither came. */
interface Took {
  answered: number;
  arrived: number;
}
const LOST: Took = { answered: Infinity, arrived: Infinity };

const ROOT = join(import.meta.dirname, '../..');
await import(new URL('../../scripts/build.mjs', import.meta.url).href);
const before = process.env['BENCH_BEFORE'];
const builds = { ...(before && { before }), now: ROOT };
for (const [name, root] of Object.entries(builds)) await measure(name, root);

async function measure(build: string, root: string): Promise<void> {
  await withDatabase(async (url) => {
    const adminKey = newKeySecret('sandbox');
    const port = String(await freePort());
    const server = spawn(process.execPath, [join(root, 'dist/bundle/main.js')], {
      env: {
        PATH: process.env['PATH'],
        CONTRACT: 'sandbox',
        HOST: '127.0.0.1',
        PORT: port,
        DATABASE_URL: url,
        SECRETS_KEY: Buffer.alloc(32).toString('base64'),
        BOOTSTRAP_ADMIN_KEY: adminKey,
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'fatal',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      ...SERVES,
    });
    const others = fork(new URL('turns-receiver.main.ts', import.meta.url), {
      execArgv: ['--import', new URL('../runner/typescript.mjs', import.meta.url).href],
      ...SERVES,
    });
    const receiver = await Receiver.start();
    try {
      const [{ url: theirs }] = (await once(others, 'message')) as [{ url: string }];
      const admin = new Api(`http://127.0.0.1:${port}`, adminKey);
      await until(
        () =>
          fetch(`${admin.url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        30_000,
      );
      const [victim, attacker] = [await createPartner(admin), await createPartner(admin)];
      await endpoint(victim, receiver.url);
      for (let number = 0; number < ENDPOINTS; number++) await endpoint(attacker, `${theirs}/${number}`);
      await probe(victim, receiver, 2_000);
      report(`${build}, quiet`, await probe(victim, receiver, SLICE_MS));
      await underBurst(`${build}, under a burst`, url, attacker.id, 0, () =>
        probe(victim, receiver, SLICE_MS),
      );
      await underBurst(`${build}, behind a backlog`, url, attacker.id, BACKLOG, () =>
        probe(victim, receiver, SLICE_MS),
      );
    } finally {
      others.kill();
      server.kill('SIGKILL');
      await receiver.close();
    }
  });
}

async function endpoint({ api }: TestPartner, url: string): Promise<void> {
  const { status, text } = await api.post('/webhooks', { url });
  if (status !== 201) throw new Error(`POST /webhooks answered ${status}: ${text}`);
}

/**
 * Reports a partner's probes while another one raises events.
 * @param backlog deliveries of the other one that are queued at the beginning
 */
async function underBurst(
  what: string,
  url: string,
  partnerId: string,
  backlog: number,
  probes: () => Promise<Took[]>,
): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c search_path=sandbox' });
  await client.connect();
  const queued = async (): Promise<number> =>
    (await client.query<{ queued: number }>(COUNT_QUEUED, [partnerId])).rows[0]!.queued;
  try {
    await client.query(FORGET, [partnerId]);
    if (backlog > 0) await client.query(QUEUE, [partnerId, Math.ceil(backlog / ENDPOINTS)]);
    const before = await queued();
    const burst = raise(client, partnerId);
    report(what, await probes());
    const raised = (await burst) * ENDPOINTS;
    say(
      `           the other partner's deliveries: ${before} queued before, ${raised} raised meanwhile, ${await queued()} queued after`,
    );
  } finally {
    await client.end();
  }
}

/** Raises events through the database, as if transfers had caused them: the cost of requests is not to be measured. @returns the number of events */
async function raise(client: Client, partnerId: string): Promise<number> {
  let raised = 0;
  for (const from = performance.now(); performance.now() - from < SLICE_MS; raised++) {
    await client.query(RAISE, [partnerId]);
    await sleep(Math.max(0, from + (raised * 1_000) / EVENTS_A_SECOND - performance.now()));
  }
  return raised;
}

/** Raises an event at intervals. @returns the times of each */
async function probe({ api }: TestPartner, receiver: Receiver, ms: number): Promise<Took[]> {
  const took: Promise<Took>[] = [];
  for (const end = performance.now() + ms; performance.now() < end; await sleep(PROBE_MS)) {
    const from = performance.now();
    const arrival = async ({ status, body }: Answer): Promise<Took> => {
      if (status !== 201) return LOST;
      const answered = performance.now() - from;
      const hasArrived = () =>
        receiver.received.some(({ headers }) => headers['webhook-id'] === body.data.id);
      for (;;) {
        const passed = performance.now() - from;
        if (hasArrived()) return { answered, arrived: passed };
        if (passed > GIVEN_UP_MS) return { answered, arrived: Infinity };
        await sleep(2);
      }
    };
    took.push(api.post('/simulation/events', { type: 'position.closed' }).then(arrival, () => LOST));
  }
  return Promise.all(took);
}

function report(what: string, took: readonly Took[]): void {
  const figures = (['answered', 'arrived'] as const).map((which) => {
    const sorted = took.map((one) => one[which]).sort((a, b) => a - b);
    const [median, tail, last] = [0.5, 0.95, 1].map((share) =>
      sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(0),
    );
    return `${which} in ${median} ms, 95 %: ${tail} ms, slowest: ${last} ms`;
  });
  say(`${what}: ${figures.join('; ')}, of ${took.length}`);
}
