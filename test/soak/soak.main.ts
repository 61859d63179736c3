import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Role } from '../../src/config/environment.js';
import type { Contract } from '../../src/config/deployments.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { say, withDatabase } from '../bench/deployment.js';
import { audit } from '../faults/load/audit.js';
import { Hooks } from '../faults/load/hooks.js';
import { Load } from '../faults/load/load.js';
import { Random } from '../faults/load/random.js';
import { createPartner } from '../support/partner.js';
import { freePort, Replica } from '../support/replica.js';

/**
 * Minutes of mixed load on both contracts: memory, open files, handles and connections of each process must not grow after the warm-up. At the end every
 * invariant of the fault suites holds, and each process ends with status 0.
 */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
const ROLES: readonly Role[] = process.env['SOAK_ROLES'] === 'split' ? ['api', 'worker'] : ['all'];
/** Code is compiled, and pools and caches are filled, before the first figures count. */
const WARM_MS = Math.min(2, MINUTES / 4) * 60_000;
const SAMPLE_MS = 2_000;
/** Memory at the end, as a multiple of memory after the warm-up. */
const MOST_GROWTH = 1.1;
/** With 8 writers, some 30 requests a second. */
const PAUSE_MS = 500;
const METRICS = {
  rss: 'process_resident_memory_bytes',
  files: 'process_open_fds',
  handles: 'nodejs_active_handles_total',
};

interface Sample {
  at: number;
  rss: number;
  files: number;
  handles: number;
  connections: number;
}

/** A process, what it took over time, and its heap after the warm-up and at the end. */
interface ProcessSample {
  name: string;
  replica: Replica;
  managementPort: number;
  inspectorPort: number;
  database: Client;
  samples: Sample[];
  heaps: number[];
}

interface Finding {
  what: string;
  value: number;
  limit: number;
}

/** @returns whether everything is within its bounds */
async function soak(serverUrl: string): Promise<boolean> {
  const hooks = await Hooks.open(new Random(SEED), 100);
  const watched: ProcessSample[] = [];
  const closing: (() => Promise<unknown>)[] = [() => hooks.close()];
  try {
    const [live, sandbox] = [await databaseOf(serverUrl, 'partner'), await databaseOf(serverUrl, 'sandbox')];
    const [liveKey, sandboxKey] = [newKeySecret('live'), newKeySecret('sandbox')];
    for (const [contract, url, key] of [
      ['partner', live, liveKey],
      ['sandbox', sandbox, sandboxKey],
    ] as const) {
      const database = new Client({ connectionString: url });
      await database.connect();
      closing.push(() => database.end());
      for (const role of ROLES) watched.push(await started(contract, role, url, key, database));
    }
    const [partner, account] = ['partner', 'sandbox'].map(
      (contract) => watched.find(({ name }) => name.startsWith(contract))!.replica,
    ) as [Replica, Replica];
    const load = await Load.prepare({
      seed: SEED,
      adminKey: liveKey,
      hooks,
      pauseMs: PAUSE_MS,
      urls: () => [partner.url],
    });
    closing.push(() => load.close());
    load.start();
    const developer = new Developer(account, sandboxKey);
    const developing = developer.run();
    await watch(watched);
    developer.stop();
    await Promise.all([load.stop(), developing]);
    await load.settle();
    const findings = [
      ...watched.flatMap(growths),
      { what: 'unexpected answers in the sandbox', value: developer.surprises.length, limit: 0 },
    ];
    const troubles = [...developer.surprises, ...(await audit(live, load, hooks, { failures: ['timeout'] }))];
    for (const { name, replica } of watched) {
      const value = (await replica.kill()) ?? -1;
      findings.push({ what: `${name}: exit status on SIGTERM`, value: Math.abs(value), limit: 0 });
    }
    for (const trouble of troubles.slice(0, 20)) say(`! ${trouble}`);
    for (const { what, value, limit } of findings)
      say(`${value <= limit ? '  ' : '! '}${what.padEnd(64)}${value.toFixed(2).padStart(12)}  <= ${limit}`);
    return troubles.length === 0 && findings.every(({ value, limit }) => value <= limit);
  } finally {
    await Promise.all(watched.map(({ replica }) => replica.kill()));
    for (const { name, replica } of watched)
      if (replica.logs.includes('"level":50')) say(`${name} logged:\n${replica.logs.slice(-4_000)}`);
    for (const close of closing.reverse()) await close().catch(() => undefined);
  }
}

async function started(
  contract: Contract,
  role: Role,
  databaseUrl: string,
  adminKey: string,
  database: Client,
): Promise<ProcessSample> {
  const [managementPort, inspectorPort] = [await freePort(), await freePort()];
  const replica = await Replica.start(contract, {
    ROLE: role,
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    REQUESTS_AT_ONCE: '0',
    WEBHOOK_TIMEOUT_MS: '1000',
    ...(contract === 'partner' && { YIELDS: 'simulated', SETTLEMENT: 'instant' }),
    MANAGEMENT_PORT: String(managementPort),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  });
  const name = role === 'all' ? contract : `${contract} ${role}`;
  return { name, replica, managementPort, inspectorPort, database, samples: [], heaps: [] };
}

/** A developer with accounts of the sandbox: deposits, withdrawals, advances, resets, events and reports, one after another. */
class Developer {
  readonly surprises: string[] = [];
  private isRunning = true;

  constructor(
    private readonly server: Replica,
    private readonly adminKey: string,
  ) {}

  stop(): void {
    this.isRunning = false;
  }

  async run(): Promise<void> {
    const random = new Random(SEED + 1);
    const { api } = await createPartner(this.server.api(this.adminKey));
    const open: string[] = [];
    let user: string | null = null;
    const send = async (path: string, body?: object): Promise<any> => {
      const answer = await (body ? api.post(path, body) : api.get(path));
      if (answer.status >= 300) this.surprises.push(`${path}: ${answer.status} ${answer.text}`);
      return answer.body?.data;
    };
    while (this.isRunning) {
      user ??= (await send('/users', { external_id: `soak:${random.next()}` })).id as string;
      const drawn = random.next();
      if (drawn < 0.3) {
        const made = await send('/positions', {
          user_id: user,
          asset: 'USDC',
          amount: random.between(1, 1_000),
        });
        open.push(made.id);
      } else if (drawn < 0.5 && open.length > 0) await send(`/positions/${open.shift()}/withdrawals`, {});
      else if (drawn < 0.6) await send('/simulation/clock/advance', { hours: random.between(1, 30) });
      else if (drawn < 0.7) await send('/simulation/events', { type: 'position.opened' });
      else if (drawn < 0.71) {
        await send('/simulation/reset', {});
        open.length = 0;
      } else await send(random.pick(['/partner/summary', '/analytics/signals', '/yield/history/USDC']));
      await sleep(random.between(0, 150));
    }
  }
}

/** Samples every process until the time is over, and measures its heap after the warm-up and at the end. */
async function watch(watched: readonly ProcessSample[]): Promise<void> {
  const begun = performance.now();
  while (performance.now() < begun + MINUTES * 60_000) {
    await sleep(SAMPLE_MS);
    for (const item of watched) {
      item.samples.push({ ...(await resources(item)), at: performance.now() - begun });
      if (item.heaps.length === 0 && item.samples.at(-1)!.at >= WARM_MS)
        item.heaps.push(await heldHeap(item));
    }
  }
  for (const item of watched) item.heaps.push(await heldHeap(item));
}

async function resources({ managementPort, database }: ProcessSample): Promise<Omit<Sample, 'at'>> {
  const text = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  const { rows } = await database.query<{ connections: number }>(
    `SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'vaultline-%'`,
  );
  const { rss, files, handles } = METRICS;
  return { rss: value(rss), files: value(files), handles: value(handles), ...rows[0]! };
}

/** Bytes of the heap that are in use right after a garbage collection. */
async function heldHeap({ inspectorPort }: ProcessSample): Promise<number> {
  const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json();
  const socket = new WebSocket((targets as [{ webSocketDebuggerUrl: string }])[0].webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const ask = (id: number, method: string): Promise<any> =>
    new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  try {
    await ask(1, 'HeapProfiler.collectGarbage');
    return (await ask(2, 'Runtime.getHeapUsage')).usedSize;
  } finally {
    socket.close();
  }
}

/**
 * The last quarter of the samples against those between the warm-up and half the time. Memory varies with the garbage collector, so the limit of the
 * earlier ones counts: a leak exceeds it.
 */
function growths({ name, samples, heaps }: ProcessSample): Finding[] {
  const end = samples.at(-1)!.at;
  const figure = (of: keyof Sample): [before: number, after: number] => {
    const between = (from: number, to: number): number[] =>
      samples
        .flatMap((sample) => (sample.at >= from && sample.at <= to ? [sample[of]] : []))
        .sort((a, b) => a - b);
    const later = between(end * 0.75, end);
    return [between(WARM_MS, Math.max(end / 2, WARM_MS)).at(-1) ?? 0, later[Math.floor(later.length / 2)]!];
  };
  const [before, after] = figure('rss');
  return [
    { what: `${name}: rss after / warm`, value: after / before, limit: MOST_GROWTH },
    { what: `${name}: heap held after / warm`, value: heaps.at(-1)! / heaps[0]!, limit: MOST_GROWTH },
    ...(['files', 'handles', 'connections'] as const).map((of) => {
      const [warm, value] = figure(of);
      return { what: `${name}: ${of} after (warm ${warm})`, value, limit: Math.ceil(warm * 1.1) + 3 };
    }),
  ];
}

/** A new database beside the given one. @returns its URL */
async function databaseOf(url: string, contract: Contract): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS soak_${contract} WITH (FORCE)`);
    await client.query(`CREATE DATABASE soak_${contract}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/soak_${contract}` }).href;
}

if (!(MINUTES > 0 && MINUTES <= 1440)) throw new Error('SOAK_MINUTES is a number of minutes, up to a day.');
say(`soak of ${MINUTES} minutes, SOAK_ROLES=${ROLES.length > 1 ? 'split' : 'all'}, SOAK_SEED=${SEED}`);
process.exitCode = (await withDatabase(soak)) ? 0 : 1;
