import { spawnSync } from 'node:child_process';
import { Client } from 'pg';
import type { Contract } from '../../src/config/environment.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { until } from '../support/until.js';
import { Process } from './process.js';
import type { Stage } from './stage.js';
import { ENDS } from '../support/child-environment.js';

/** The roles of a deployment's processes: `all` is one process, `split` an API and a worker. */
export const ROLES = { all: ['all'], split: ['api', 'worker'] } as const;

/** Statements that make old claims and records a day older. */
const AGE = [
  `UPDATE idempotency_claims SET claimed_at = claimed_at - interval '1 day' WHERE claimed_at < clock_timestamp() - interval '10 seconds'`,
  `UPDATE events SET recorded_at = recorded_at - interval '30 days'
    WHERE fanned_out AND recorded_at BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() - interval '10 seconds'`,
];

/** A deployment as real processes, on a database of its own. */
export class Server {
  readonly adminKey: string;

  private constructor(
    readonly contract: Contract,
    readonly processes: readonly Process[],
    private readonly env: Record<string, string>,
    private readonly stage: Stage,
    readonly database: Client,
  ) {
    this.adminKey = env['BOOTSTRAP_ADMIN_KEY']!;
  }

  static async start(
    contract: Contract,
    databaseUrl: string,
    stage: Stage,
    roles: keyof typeof ROLES,
    more: Record<string, string>,
  ): Promise<Server> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      CONTRACT: contract,
      HOST: '127.0.0.1',
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
    const program = stage.file('dist/bundle/main.js');
    const processes: Process[] = [];
    // One after another: the first makes the tables.
    for (const ROLE of ROLES[roles])
      processes.push(
        await Process.start(ROLE === 'all' ? contract : `${contract} ${ROLE}`, program, { ...env, ROLE }),
      );
    const schema = contract === 'partner' ? 'live' : 'sandbox';
    const database = new Client({ connectionString: databaseUrl, options: `-c search_path=${schema}` });
    await database.connect();
    return new Server(contract, processes, env, stage, database);
  }

  /** The address of the process that answers requests. */
  get url(): string {
    return this.processes[0]!.url;
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

  /** Connections to the database of all processes together, as PostgreSQL counts them. */
  connections(): Promise<number> {
    return this.count(
      `pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'vaultline-%'`,
    );
  }

  /** Runs `vaultline ledger verify`. @returns its last line, and whether it found no difference */
  verifyLedger(): { said: string; sound: boolean } {
    const run = spawnSync(
      process.execPath,
      [this.stage.file('dist/bundle/cli/main.js'), 'ledger', 'verify'],
      {
        env: this.env,
        encoding: 'utf8',
        ...ENDS,
      },
    );
    return { said: run.stdout.trim().split('\n').at(-1) ?? '', sound: run.status === 0 };
  }

  /** @returns the exit codes of the processes */
  async stop(): Promise<(number | null)[]> {
    await this.database.end();
    return Promise.all(this.processes.map((one) => one.stop()));
  }
}
