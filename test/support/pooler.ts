import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';
import { findPostgres } from '../../src/database/embedded/cluster.js';
import { freePort } from './replica.js';
import { until } from './until.js';
import { SERVES } from './child-environment.js';

/** The folder of the run's databases; set by `global-setup.mjs`. */
const SCRATCH = 'VAULTLINE_TEST_SCRATCH';
/** Ends the program when its standard input is closed, however its parent ended. */
const LEASHED = '"$@" & program=$!; cat >/dev/null; kill -INT "$program"; wait "$program"';

/** The machine's own PgBouncer: `PGBOUNCER_PATH`, or the first on the PATH or where Debian installs it; null: there is none. */
function pgbouncerPath(env = process.env): string | null {
  const named = env['PGBOUNCER_PATH'];
  if (named !== undefined && !existsSync(named))
    throw new Error(`PGBOUNCER_PATH is ${named}, and there is no such file.`);
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return named ?? folders.map((folder) => join(folder, 'pgbouncer')).find(existsSync) ?? null;
}

/** The first version that keeps named statements in transaction mode. */
const NAMED_SINCE = [1, 21] as const;

/**
 * A suite that needs PgBouncer. Without one it is skipped, with a message.
 *
 * @param statements `named`: PgBouncer keeps prepared statements itself, which needs 1.21
 */
export function overPooler(
  name: string,
  statements: 'unnamed' | 'named',
  suite: (path: string) => void,
): void {
  const path = pgbouncerPath();
  const missing =
    path === null
      ? "There is no PgBouncer here: install Debian's pgbouncer, or name one by PGBOUNCER_PATH."
      : statements === 'named' && !keepsNamed(path)
        ? `${path} is older than ${NAMED_SINCE.join('.')}: name a newer one by PGBOUNCER_PATH.`
        : null;
  if (missing === null) return void describe(name, () => suite(path!));
  process.stderr.write(`Skipped: ${name}. ${missing}\n`);
  describe.skip(name, () => suite(''));
}

function keepsNamed(path: string): boolean {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const [major, minor] = (/PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  return major! > NAMED_SINCE[0] || (major === NAMED_SINCE[0] && minor! >= NAMED_SINCE[1]);
}

/** A PgBouncer in transaction mode in front of a server: a few connections to each database, for any number of clients. */
export class Pooler {
  private constructor(
    private readonly child: ChildProcess,
    private readonly root: string,
    private readonly port: number,
  ) {}

  /**
   * @param serverUrl with the role that may connect
   * @param poolSize connections to a database
   * @param statements `named`: it keeps prepared statements itself
   */
  static async start(
    path: string,
    serverUrl: string,
    poolSize: number,
    statements: 'unnamed' | 'named',
  ): Promise<Pooler> {
    const root = mkdtempSync(join(process.env[SCRATCH] ?? tmpdir(), 'vaultline-pooler-'));
    await chmod(root, 0o711);
    // PgBouncer refuses to run as root, as PostgreSQL does.
    const { command, options, owner } = await findPostgres(root);
    const { hostname, port: serverPort, username, password } = new URL(serverUrl);
    const port = await freePort();
    const write = async (name: string, lines: readonly string[]): Promise<string> => {
      const file = join(root, name);
      await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
      if (owner) await chown(file, owner.uid, owner.gid);
      return file;
    };
    const users = await write('userlist.txt', [`"${username}" "${password}"`]);
    const configuration = await write('pgbouncer.ini', [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 500',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      ...(keepsNamed(path) ? [`max_prepared_statements = ${statements === 'named' ? 200 : 0}`] : []),
    ]);
    const [shell, ...args] = command('/bin/sh', '-c', LEASHED, 'sh', path, configuration);
    const child = spawn(shell, args, {
      ...options,
      stdio: ['pipe', 'ignore', 'pipe'],
      ...SERVES,
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer does not start: ${output.slice(-2_000)}`);
      return listens(port);
    }, 30_000);
    return new Pooler(child, root, port);
  }

  /** The URL of a database through the pooler. */
  url(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async close(): Promise<void> {
    this.child.stdin!.end();
    if (this.child.exitCode === null) await once(this.child, 'exit');
    rmSync(this.root, { recursive: true, force: true });
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
