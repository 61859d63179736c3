import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';
import { chooseAccount, serverEnvironment } from '../../src/database/embedded/postgres.account.js';
import { readyBinaries } from '../../src/database/embedded/postgres.binaries.js';
import { freePort } from './replica.js';
import { until } from './until.js';

/** Where the run's databases lie; set by `global-setup.mjs`. */
const SCRATCH = 'VAULTLINE_TEST_SCRATCH';
/** Ends the program when nobody holds the other end of its input any more, however that one ended. */
const LEASHED = '"$@" & program=$!; cat >/dev/null; kill -INT "$program"; wait "$program"';

/** The machine's own PgBouncer: `PGBOUNCER_PATH`, or found on the path or where Debian puts it; null where there is none. */
function pgbouncerPath(env = process.env): string | null {
  const named = env['PGBOUNCER_PATH'];
  if (named !== undefined && !existsSync(named))
    throw new Error(`PGBOUNCER_PATH is ${named}, and there is no such file.`);
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return named ?? folders.map((folder) => join(folder, 'pgbouncer')).find(existsSync) ?? null;
}

/** A suite that needs PgBouncer: where there is none it says so, and is skipped. */
export function overPooler(name: string, suite: (path: string) => void): void {
  const path = pgbouncerPath();
  if (path !== null) return void describe(name, () => suite(path));
  process.stderr.write(
    `Skipped: ${name}. There is no PgBouncer here: install Debian's pgbouncer, or name one by PGBOUNCER_PATH.\n`,
  );
  describe.skip(name, () => suite(''));
}

/** A PgBouncer in transaction mode before a server: a few connections to each of its databases, for any number of callers. */
export class Pooler {
  private constructor(
    private readonly child: ChildProcess,
    private readonly root: string,
    private readonly port: number,
  ) {}

  /** @param serverUrl whose role it lets in @param poolSize connections to a database */
  static async start(path: string, serverUrl: string, poolSize: number): Promise<Pooler> {
    const root = mkdtempSync(join(process.env[SCRATCH] ?? tmpdir(), 'vaultline-pooler-'));
    await chmod(root, 0o711);
    // It refuses to run as root, as PostgreSQL does.
    const { prefix, ids, owner } = await chooseAccount(root, await readyBinaries(root));
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
    ]);
    const [command, ...args] = [...prefix, '/bin/sh', '-c', LEASHED, 'sh', path, configuration];
    const child = spawn(command, args, {
      ...ids,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer does not start: ${output.slice(-2_000)}`);
      return listens(port);
    }, 30_000);
    return new Pooler(child, root, port);
  }

  /** That of a database, by way of here. */
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
