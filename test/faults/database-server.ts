import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { CLUSTER_USER, prepareCluster, readPassword } from '../../src/database/embedded/cluster.folder.js';
import {
  chooseAccount,
  type PostgresAccount,
  serverEnvironment,
} from '../../src/database/embedded/postgres.account.js';
import { readyBinaries } from '../../src/database/embedded/postgres.binaries.js';
import { databaseUrl, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';

/** Where the run's databases lie; set by `global-setup.mjs`. */
const SCRATCH = 'VAULTLINE_TEST_SCRATCH';
/** Stops the server when whoever started it is gone, however it went. */
const GUARD = `trap '' INT TERM HUP; pid=; while read -r line; do pid=$line; done; [ -z "$pid" ] || kill -QUIT "$pid"`;

/** `fast` rolls back and closes; `immediate` is a crash: recovery follows at the next start. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export interface ServerOptions {
  /** Settings of PostgreSQL. What was committed survives a crash of the server by default; a crash of the machine is none of ours. */
  settings?: Record<string, string>;
  /** Changes the command that starts it. @param folder one that the server may use */
  wrap?: (command: readonly string[], folder: string) => readonly string[];
}

/** A PostgreSQL of a test's own, which may be stopped, crashed and started again at the same address. */
export class DatabaseServer {
  private child: ChildProcess | null = null;
  private readonly guard = spawn('/bin/sh', ['-c', GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });

  private constructor(
    /** Of the superuser; the database `postgres`. */
    readonly url: string,
    private readonly root: string,
    private readonly data: string,
    private readonly account: PostgresAccount,
    private readonly options: ServerOptions,
  ) {
    this.guard.unref();
    this.guard.stdin.on('error', () => undefined);
  }

  static async start(options: ServerOptions = {}): Promise<DatabaseServer> {
    const root = mkdtempSync(join(process.env[SCRATCH] ?? tmpdir(), 'vaultline-server-'));
    await chmod(root, 0o711);
    const account = await chooseAccount(root, await readyBinaries(root));
    const data = await prepareCluster(root, account, false);
    const url = `postgres://${CLUSTER_USER}:${await readPassword(root)}@127.0.0.1:${await freePort()}/postgres`;
    const server = new DatabaseServer(url, root, data, account, options);
    await mkdir(server.folder, { mode: 0o777 });
    await chmod(server.folder, 0o777);
    await server.start();
    return server;
  }

  /** An empty one that the server may use. */
  get folder(): string {
    return join(this.account.place, 'extra');
  }

  /** Everything that it wrote. */
  get log(): string {
    return readFileSync(join(this.root, 'server.log'), 'utf8');
  }

  /** Starts it again, and waits until it takes connections. */
  async start(): Promise<void> {
    const { account, data, options, root } = this;
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: new URL(this.url).port,
      max_connections: '100',
      fsync: 'off',
      timezone: 'UTC',
      ...options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const plain = [...account.prefix, join(account.native, 'bin', 'postgres'), '-D', data, ...flags];
    const [command, ...args] = options.wrap?.(plain, this.folder) ?? plain;
    const output = openSync(join(root, 'server.log'), 'a');
    const child = spawn(command!, args, {
      ...account.ids,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', output, output],
    });
    this.child = child;
    this.guard.stdin.write(`${child.pid}\n`);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL does not start: ${this.log.slice(-2_000)}`);
      return this.takesConnections();
    }, 60_000);
  }

  async stop(how: keyof typeof SIGNALS): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(SIGNALS[how]);
    await once(child, 'exit');
    this.guard.stdin.write('\n');
  }

  async restart(how: keyof typeof SIGNALS): Promise<void> {
    await this.stop(how);
    await this.start();
  }

  /** A new database, empty. @param clause of CREATE DATABASE */
  async createDatabase(name: string, clause = ''): Promise<TestDatabase> {
    await this.query(`CREATE DATABASE ${name} ${clause}`);
    const url = databaseUrl(this.url, name);
    return {
      url,
      query: (schema, sql, values) => run(url, sql, values, `-c search_path=${schema}`),
      drop: async () => undefined,
    };
  }

  /** Runs SQL as the superuser. */
  query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return run<Row>(this.url, sql, values);
  }

  /** Ends every connection but this one's own. @returns how many */
  async endConnections(): Promise<number> {
    const ended = await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return ended.length;
  }

  async close(): Promise<void> {
    await this.stop('immediate');
    this.guard.stdin.end();
    rmSync(this.root, { recursive: true, force: true });
  }

  private async takesConnections(): Promise<boolean> {
    return this.query('SELECT').then(
      () => true,
      () => false,
    );
  }
}

async function run<Row>(url: string, sql: string, values: unknown[] = [], options?: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, ...(options !== undefined && { options }) });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}
