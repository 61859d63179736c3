import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import type { Contract } from '../../src/config/environment.js';
import { newKeySecret } from '../../src/domain/access/key-secret.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import type { Stage } from './stage.js';

/** Resources of a process at a moment. */
export interface Sample {
  at: number;
  rss: number;
  /** Open file descriptors: sockets, mostly. */
  files: number;
  handles: number;
  /** Connections to the database, as PostgreSQL counts them. */
  connections: number;
}

/** Statements that make old claims and records a day older. */
const AGE = [
  `UPDATE idempotency_claims SET claimed_at = claimed_at - interval '1 day' WHERE claimed_at < clock_timestamp() - interval '10 seconds'`,
  `UPDATE events SET recorded_at = recorded_at - interval '30 days'
    WHERE fanned_out AND recorded_at BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() - interval '10 seconds'`,
];

const METRICS = {
  rss: 'process_resident_memory_bytes',
  files: 'process_open_fds',
  handles: 'nodejs_active_handles_total',
} as const;

/** A deployment as a real process, on a database of its own. */
export class Server {
  readonly adminKey: string;
  private output = '';

  private constructor(
    readonly contract: Contract,
    readonly url: string,
    private readonly metricsUrl: string,
    private readonly inspectorUrl: string,
    private readonly child: ChildProcess,
    private readonly env: Record<string, string>,
    private readonly stage: Stage,
    readonly database: Client,
  ) {
    this.adminKey = env['BOOTSTRAP_ADMIN_KEY']!;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-20_000)));
  }

  static async start(
    contract: Contract,
    databaseUrl: string,
    stage: Stage,
    more: Record<string, string>,
  ): Promise<Server> {
    const [port, metricsPort, inspectorPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      PATH: process.env['PATH'] ?? '',
      CONTRACT: contract,
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(metricsPort),
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_ADMIN_KEY: newKeySecret(contract === 'partner' ? 'live' : 'sandbox'),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_TIMEOUT_MS: '1000',
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      LOG_LEVEL: 'warn',
      ...more,
    };
    const child = spawn(
      process.execPath,
      [`--inspect=127.0.0.1:${inspectorPort}`, stage.file('dist/bundle/main.js')],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    // Ends the server however this process exits.
    process.once('exit', () => child.kill('SIGKILL'));
    const schema = contract === 'partner' ? 'live' : 'sandbox';
    const database = new Client({ connectionString: databaseUrl, options: `-c search_path=${schema}` });
    await database.connect();
    const [url, metricsUrl, inspectorUrl] = [
      `http://127.0.0.1:${port}`,
      `http://127.0.0.1:${metricsPort}/metrics`,
      `http://127.0.0.1:${inspectorPort}/json`,
    ];
    const server = new Server(contract, url, metricsUrl, inspectorUrl, child, env, stage, database);
    await until(async () => (await fetch(`${url}/health/ready`).catch(() => null))?.ok === true, 60_000);
    return server;
  }

  /** The end of the server's log. */
  get logs(): string {
    return this.output;
  }

  get schema(): 'live' | 'sandbox' {
    return this.contract === 'partner' ? 'live' : 'sandbox';
  }

  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.database.query(text, values)).rows as Row[];
  }

  /** The number of rows of a table, or of a part of it. */
  async count(from: string): Promise<number> {
    const [row] = await this.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`);
    return row!.count;
  }

  /** Makes rows that are kept for a day a day older. */
  async age(): Promise<void> {
    for (const statement of AGE) await this.sql(statement);
  }

  /** Runs scheduled jobs now, one after another, and waits for them. */
  async run(...tasks: ('sweep' | 'prune')[]): Promise<void> {
    const jobs = `${this.schema}_jobs`;
    for (const task of tasks) {
      await this.sql(`SELECT ${jobs}.add_job($1, job_key => 'soak')`, [task]);
      await until(async () => (await this.count(`${jobs}.jobs WHERE key = 'soak'`)) === 0, 60_000);
    }
  }

  async sample(): Promise<Sample> {
    const text = await (await fetch(this.metricsUrl)).text();
    const value = (name: string): number =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
    const connections = await this.count(
      `pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'vaultline-%'`,
    );
    const figures = Object.fromEntries(
      Object.entries(METRICS).map(([figure, name]) => [figure, value(name)]),
    ) as Record<keyof typeof METRICS, number>;
    return { at: performance.now(), ...figures, connections };
  }

  /** The held heap: bytes in use right after a garbage collection. */
  async heldHeap(): Promise<number> {
    const [target] = (await (await fetch(this.inspectorUrl)).json()) as [{ webSocketDebuggerUrl: string }];
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    const ask = async (id: number, method: string): Promise<any> => {
      const answered = Promise.withResolvers<any>();
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === id) answered.resolve(answer.result);
      });
      socket.addEventListener('error', () => answered.reject(new Error('The inspector does not answer.')));
      socket.send(JSON.stringify({ id, method }));
      return answered.promise;
    };
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    try {
      await ask(1, 'HeapProfiler.collectGarbage');
      return (await ask(2, 'Runtime.getHeapUsage')).usedSize;
    } finally {
      socket.close();
    }
  }

  /** Runs `vaultline ledger verify`. @returns its last line, and whether it found no difference */
  verifyLedger(): { said: string; sound: boolean } {
    const run = spawnSync(
      process.execPath,
      [this.stage.file('dist/bundle/cli/main.js'), 'ledger', 'verify'],
      {
        env: this.env,
        encoding: 'utf8',
      },
    );
    return { said: run.stdout.trim().split('\n').at(-1) ?? '', sound: run.status === 0 };
  }

  async stop(): Promise<number | null> {
    await this.database.end();
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }
}
