import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  CLUSTER_USER,
  findPostgres,
  passwordOf,
  prepareCluster,
  type Postgres,
} from '../../src/database/embedded/cluster.js';
import { databaseUrl, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import { SERVES } from '../support/child-environment.js';

/** The folder of the run's databases; set by `global-setup.mjs`. */
const SCRATCH = 'VAULTLINE_TEST_SCRATCH';
/** A guard process that stops the server when its parent is gone, however it ended. */
const GUARD = `trap '' INT TERM HUP; pid=; while read -r line; do pid=$line; done; [ -z "$pid" ] || kill -QUIT "$pid"`;

/** `fast` rolls back and disconnects; `immediate` is a crash, with recovery at the next start. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export interface ServerOptions {
  /** Changes the command that starts the server. @param folder one that the server may use */
  wrap?: (command: readonly string[], folder: string) => readonly string[];
}

/** A PostgreSQL server for one test, which can be stopped, crashed and started again at the same address. */
export class DatabaseServer {
  private child: ChildProcess | null = null;
  private readonly guard = spawn('/bin/sh', ['-c', GUARD], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });

  private constructor(
    /** URL of the superuser, for the database `postgres`. */
    readonly url: string,
    private readonly root: string,
    private readonly data: string,
    private readonly postgres: Postgres,
    private readonly options: ServerOptions,
  ) {
    this.guard.unref();
    this.guard.stdin.on('error', () => undefined);
  }

  static async start(options: ServerOptions = {}): Promise<DatabaseServer> {
    const root = mkdtempSync(join(process.env[SCRATCH] ?? tmpdir(), 'vaultline-server-'));
    await chmod(root, 0o711);
    const postgres = await findPostgres(root);
    const data = join(root, 'data');
    await prepareCluster(root, postgres, false);
    const password = await passwordOf(data);
    const url = `postgres://${CLUSTER_USER}:${password}@127.0.0.1:${await freePort()}/postgres`;
    const server = new DatabaseServer(url, root, data, postgres, options);
    await mkdir(server.folder, { mode: 0o777 });
    await chmod(server.folder, 0o777);
    await server.start();
    return server;
  }

  /** A new, empty folder that the server may use. */
  get folder(): string {
    return join(this.root, 'extra');
  }

  /** Everything that the server logged. */
  get log(): string {
    return readFileSync(join(this.root, 'server.log'), 'utf8');
  }

  /** Starts the server again, and waits until it accepts connections. */
  async start(): Promise<void> {
    const { postgres, data, options, root } = this;
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: new URL(this.url).port,
      max_connections: '100',
      // Commits survive a crash of the server, but not of the machine, which no test needs.
      fsync: 'off',
      timezone: 'UTC',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const plain = postgres.command('postgres', '-D', data, ...flags);
    const [command, ...args] = options.wrap?.(plain, this.folder) ?? plain;
    const output = openSync(join(root, 'server.log'), 'a');
    const child = spawn(command!, args, {
      ...postgres.options,
      stdio: ['ignore', output, output],
      ...SERVES,
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

  /** Is a standby from its next start on, until `SELECT pg_promote()`. */
  async standBy(): Promise<void> {
    const { owner } = this.postgres;
    const file = join(this.data, 'standby.signal');
    await writeFile(file, '');
    if (owner) await chown(file, owner.uid, owner.gid);
  }

  /** Creates an empty database. @param clause appended to CREATE DATABASE */
  async createDatabase(name: string, clause = ''): Promise<TestDatabase> {
    await this.query(`CREATE DATABASE ${name} ${clause}`);
    return databaseAt(databaseUrl(this.url, name));
  }

  /** Runs SQL as the superuser. */
  query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return run<Row>(this.url, sql, values);
  }

  /** Ends every other connection. @returns the number of connections ended */
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

/** An existing database by its URL, for tests that expect a `TestDatabase`. */
export const databaseAt = (url: string): TestDatabase => ({
  url,
  query: (schema, sql, values) => run(url, sql, values, `-c search_path=${schema}`),
  drop: async () => undefined,
});

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
