import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { say, withDatabase } from './deployment.js';
import { Load } from './http/load.js';
import { BenchServer } from './http/served.js';
import { type Operation, setStage } from './http/stage.js';

/**
 * The cost of a request: the server, its log at `info` in a file, against a stock NestJS application with the same operations
 * (`http/stock.main.ts`), over one database, in turns. As production runs it, the server has `ROLE=api` beside a worker, which is not measured. Each
 * figure is the median of the rounds, each ratio the median of the rounds' ratios. CPU is the CPU time of the server's process alone: it is the
 * figure that other work on the machine affects least. `BENCH_BEFORE` names another built checkout, which takes its turns in the same run.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/**
 * The length of a slice is a number of requests, not a time: the JIT compiler has then seen the same amount of work on a busy machine as on an idle
 * one.
 */
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 4_000);
const WARM_UP_SLICES = 2;
/** Only operations whose name contains this text are measured. */
const ONLY = process.env['BENCH_ONLY'] ?? '';

interface Figures {
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  cpuMicros: number;
  statements: number;
}

const ROOT = join(import.meta.dirname, '../..');
await import(new URL('../../scripts/build.mjs', import.meta.url).href);

await withDatabase(async (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-bench-http-'));
  const adminKey = newKeySecret('live');
  const env = {
    CONTRACT: 'partner',
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    BOOTSTRAP_ADMIN_KEY: adminKey,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
    // Limits that no caller reaches here, while the server still counts against them.
    RATE_LIMIT_PER_MINUTE: '10000000',
    AUTH_FAILURES_PER_MINUTE: '10000000',
    LOG_LEVEL: 'info',
  };
  const servers = new Map<string, BenchServer>();
  const checkout = { path: join(ROOT, 'dist/main.js') };
  const worker = await BenchServer.start(checkout, { ...env, ROLE: 'worker' }, join(folder, 'worker.log'));
  try {
    const start = async (
      name: string,
      program: Parameters<typeof BenchServer.start>[0],
    ): Promise<BenchServer> => {
      const served = await BenchServer.start(program, { ...env, ROLE: 'api' }, join(folder, `${name}.log`));
      servers.set(name, served);
      return served;
    };
    const ours = await start('ours', checkout);
    const operations = await setStage(ours.url, adminKey);
    const before = process.env['BENCH_BEFORE'];
    if (before) await start('before', { path: join(before, 'dist/main.js') });
    await start('stock', {
      path: new URL('http/stock.main.ts', import.meta.url).pathname,
      execArgv: ['--import', new URL('../runner/typescript.mjs', import.meta.url).href],
    });
    say(
      '| operation | server | requests/s | of stock | p50 ms | p99 ms | statements | CPU µs a request | of stock | goal |',
    );
    say('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |');
    for (const operation of operations.filter(({ name }) => name.includes(ONLY))) {
      await requireSameAnswers(operation, servers);
      report(operation, await compare(operation, servers));
    }
  } finally {
    await Promise.all([worker, ...servers.values()].map((served) => served.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
});

async function compare(
  operation: Operation,
  servers: ReadonlyMap<string, BenchServer>,
): Promise<Map<string, Figures[]>> {
  const loads = new Map<string, Load>();
  for (const [name, { port }] of servers)
    loads.set(name, new Load(port, operation.requests, operation.status));
  for (const load of loads.values()) await load.run(WARM_UP_SLICES * REQUESTS);
  const rounds = new Map<string, Figures[]>([...servers.keys()].map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [...servers];
    // The order is reversed every other round, so that no server always follows the same one.
    if (round % 2 === 1) turns.reverse();
    for (const [name, served] of turns) rounds.get(name)!.push(await slice(served, loads.get(name)!));
  }
  return rounds;
}

async function slice(served: BenchServer, load: Load): Promise<Figures> {
  const before = await served.usage();
  const { seconds, took } = await load.run(REQUESTS);
  const requests = took.length;
  const after = await served.usage();
  const at = (share: number): number => took[Math.floor((took.length - 1) * share)]!;
  return {
    rate: requests / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuMicros: (after.cpuMicros - before.cpuMicros) / requests,
    statements: (after.statements - before.statements) / requests,
  };
}

/** The comparison needs equal answers from both servers. @throws Error when an answer differs */
async function requireSameAnswers(
  { name, status, sample }: Operation,
  servers: Map<string, BenchServer>,
): Promise<void> {
  const texts: string[] = [];
  for (const { url } of servers.values()) {
    const body = sample.body && { ...sample.body, external_id: randomUUID() };
    const answer = await fetch(`${url}/api/v1${sample.path}`, {
      method: sample.method,
      headers: {
        authorization: `Bearer ${sample.key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status !== status)
      throw new Error(`${name} was answered ${answer.status}: ${await answer.text()}`);
    // Times, ids and random values differ from answer to answer.
    texts.push(withoutChance(await answer.text()));
  }
  if (new Set(texts).size > 1) throw new Error(`${name} is answered in different ways: ${texts.join('\n')}`);
}

function withoutChance(text: string): string {
  return (
    text
      .replace(/\b(usr|req)_[0-9a-z]{26}/g, '$1')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
      .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"time"')
      // Points grow with time.
      .replace(/"points":[\d.]+/g, '"points"')
  );
}

function report({ name: operation, goal }: Operation, rounds: ReadonlyMap<string, readonly Figures[]>): void {
  const stock = rounds.get('stock')!;
  for (const [name, figures] of rounds) {
    const middle = (of: (figures: Figures) => number): number => median(figures.map(of));
    const share = median(figures.map(({ cpuMicros }, round) => cpuMicros / stock[round]!.cpuMicros));
    const speed = median(figures.map(({ rate }, round) => rate / stock[round]!.rate));
    const isJudged = goal !== null && name === 'ours';
    const cells = [
      middle(({ rate }) => rate).toFixed(0),
      speed.toFixed(2),
      middle(({ p50 }) => p50).toFixed(2),
      middle(({ p99 }) => p99).toFixed(2),
      middle(({ statements }) => statements).toFixed(2),
      middle(({ cpuMicros }) => cpuMicros).toFixed(0),
      share.toFixed(2),
      isJudged ? `${goal}, ${share <= goal ? 'met' : 'missed'}` : '',
    ];
    say(`| ${[operation, name, ...cells].join(' | ')} |`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
