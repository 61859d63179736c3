import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { withDomain } from '../../src/cli/context.js';
import { loadSettings } from '../../src/config/settings.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market.service.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { Api } from '../support/api.js';
import { anotherKey, createPartner } from '../support/partner.js';
import { serverSeconds } from './cpu.js';
import { say, withDatabase } from './deployment.js';
import { BenchServer } from './http/served.js';
import { seed } from './seed.js';

/**
 * How long other partners wait while one repeats a heavy read, on as many connections as a partner may have requests in progress. Slices beside the
 * reads and quiet ones take turns. How late the event loop is: its 99th percentile to its largest, less noisy than the wait. No limit on points ends
 * the reads here; `seconds a minute` is how long the default one allows them.
 */
const POSITIONS = (process.env['BENCH_POSITIONS'] ?? '2000,8000').split(',').map(Number);
const USERS = 500;
const DAYS = 70;
const OTHERS = 4;
const AT_ONCE = Number(process.env['BENCH_CALLERS'] ?? 4);
const PAUSE_MS = 10;
const SLICE_MS = 2_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const ONLY = process.env['BENCH_ONLY'] ?? '';
const DEFAULT_POINTS = 6_000;
const DAY_MS = 24 * HOUR_MS;
const MOVES = `
INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, from_vault_id, amount, cost, share_index, from_index)
SELECT 'evt_' || substr(md5(id), 1, 26), now(), now(), 'rebalance', partner_id, user_id, position_id, asset, vault_id, vault_id, amount, 0, share_index, share_index
  FROM ledger_entries WHERE type = 'deposit'`;

const root = join(import.meta.dirname, '../..');
await import(new URL('../../scripts/build.mjs', import.meta.url).href);
say(
  '| positions | the read | points | reads/s | seconds a minute | p50 quiet, ms | beside | ratio | CPU a read: server | database | event loop late, ms: quiet | beside |',
);
say('| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const positions of POSITIONS) await withDatabase((url) => measure(url, positions));

async function measure(url: string, positions: number): Promise<void> {
  const adminKey = newKeySecret('live');
  const env = {
    CONTRACT: 'partner',
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    BOOTSTRAP_ADMIN_KEY: adminKey,
    DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
    // No reader reaches it, and it tells what each read costs.
    RATE_LIMIT_PER_MINUTE: '10000000',
  };
  const settings = loadSettings(env);
  const client = new Client({ connectionString: url, options: `-c search_path=${settings.databaseSchema}` });
  const now = new Date();
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const closed = new Date(today.getTime() - DAY_MS);
  await withDomain(settings, async (context) => {
    const step = (_what: string, work: () => Promise<unknown>): Promise<unknown> => work();
    await seed(
      settings,
      { positions, entries: 2 * positions, partners: 1, users: USERS, days: DAYS, now },
      step,
    );
    await client.connect();
    const month = new Date(Date.UTC(closed.getUTCFullYear(), closed.getUTCMonth(), 1));
    await client.query('DELETE FROM statements');
    for (const day of [month, closed])
      await client.query(
        `INSERT INTO statements (market_id, day_end, done_at) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING`,
        [BASE_MARKET, day],
      );
    await context.get(ClosingService).write(BASE_MARKET);
    // Every position changed since, so that it is replayed.
    await client.query(MOVES);
  });
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-bench-tenants-'));
  const served = await BenchServer.start(
    { path: join(root, 'dist/main.js') },
    { ...env, ROLE: 'api', BENCH_TURNS: '1' },
    join(folder, 'log'),
  );
  try {
    const admin = new Api(served.url, adminKey);
    const { rows } = await client.query<{ id: string }>('SELECT partner_id AS id FROM positions LIMIT 1');
    const heavy = await anotherKey(admin, rows[0]!);
    const others: Api[] = [];
    for (let made = 0; made < OTHERS; made++) others.push((await createPartner(admin)).api);
    const month = closed.toISOString().slice(0, 7);
    const reads = {
      'users as of a closed day': `/partner/users?limit=${USERS}&as_of=${closed.toISOString()}`,
      'users as of an open day': `/partner/users?limit=${USERS}&as_of=${new Date(closed.getTime() + HOUR_MS).toISOString()}`,
      'a summary as of an open day': `/partner/summary?as_of=${new Date(closed.getTime() + HOUR_MS).toISOString()}`,
      'a statement by user': `/partner/statements/${month}/users?limit=${USERS}`,
      'a page of positions': `/positions?limit=500`,
      'a page of users': `/partner/users?limit=${USERS}`,
      'positions as of an open day': `/positions?limit=500&as_of=${new Date(closed.getTime() + HOUR_MS).toISOString()}`,
    };
    for (const [name, path] of Object.entries(reads).filter(([name]) => name.includes(ONLY))) {
      const points = await cost(heavy.api, path);
      const [quiet, loaded]: [number[], number[]] = [[], []];
      const spent = [0, 0];
      const late: [number, number][][] = [[], []];
      let count = 0;
      for (let round = 0; round < ROUNDS; round++) {
        await served.usage();
        quiet.push(...(await slice(others)));
        const calm = await served.usage();
        const before = [calm.cpuMicros / 1e6, await serverSeconds(client)];
        const repeated = repeat(heavy.api, path);
        loaded.push(...(await slice(others)));
        count += await repeated.end();
        const busy = await served.usage();
        const after = [busy.cpuMicros / 1e6, await serverSeconds(client)];
        [calm, busy].forEach(({ lateMs }, index) => late[index]!.push(lateMs!));
        after.forEach((seconds, index) => (spent[index]! += seconds - before[index]!));
      }
      const rate = (count * 1_000) / (ROUNDS * SLICE_MS);
      const [was, is] = [median(quiet), median(loaded)];
      const cpu = spent.map((seconds) => `${((seconds * 1_000) / count).toFixed(0)} ms`);
      const allowed = Math.min(60, DEFAULT_POINTS / points / rate).toFixed(0);
      // The middle of the slices: one of them may have had the machine to itself, or not at all.
      const lateness = late.map((slices) =>
        [0, 1].map((index) => median(slices.map((slice) => slice[index]!)).toFixed(0)).join(' to '),
      );
      say(
        `| ${[positions, name, points, rate.toFixed(1), allowed, was.toFixed(1), is.toFixed(1), (is / was).toFixed(1), ...cpu, ...lateness].join(' | ')} |`,
      );
    }
  } finally {
    await served.stop();
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Points that a read takes. */
async function cost(api: Api, path: string): Promise<number> {
  const remainingPoints = async (): Promise<number> =>
    Number(/r=(\d+)/.exec((await api.get('/partner/deposits')).headers.get('ratelimit')!)![1]);
  for (;;) {
    const before = await remainingPoints();
    const { status, text } = await api.get(path);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    await sleep(50);
    const points = before - (await remainingPoints()) - 1;
    if (points > 0) return points;
  }
}

/** Milliseconds of the answers to partners that each send a request after another, with pauses; sorted. */
async function slice(partners: readonly Api[]): Promise<number[]> {
  const until = performance.now() + SLICE_MS;
  const took: number[] = [];
  const call = async ({ url, key }: Api): Promise<void> => {
    while (performance.now() < until) {
      const from = performance.now();
      await (
        await fetch(`${url}/api/v1/partner/summary`, { headers: { authorization: `Bearer ${key}` } })
      ).text();
      took.push(performance.now() - from);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(partners.map(call));
  return took;
}

/** Repeats a read, and leaves its answers unread, so that this process has its time for the others. @returns how often, and ends it */
function repeat({ url, key }: Api, path: string): { end(): Promise<number> } {
  let [count, goesOn] = [0, true];
  const agent = new Agent({ keepAlive: true });
  const caller = async (): Promise<void> => {
    while (goesOn) {
      const sent = get(`${url}/api/v1${path}`, { agent, headers: { authorization: `Bearer ${key}` } });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`);
      await once(answer.resume(), 'end');
      count++;
    }
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, caller));
  return {
    end: async () => {
      goesOn = false;
      await all;
      agent.destroy();
      return count;
    },
  };
}

function median(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]!;
}
