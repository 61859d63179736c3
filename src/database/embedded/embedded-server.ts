import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, readFileSync } from 'node:fs';
import { chmod, mkdir, open, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ConfigError } from '../../config/config-error.js';
import {
  CLUSTER_USER,
  findPostgres,
  OWN_SERVER,
  passwordOf,
  prepareCluster,
  type Postgres,
} from './cluster.js';

/** The embedded PostgreSQL of a folder, for development and tests. */
export interface EmbeddedServer {
  /** postgres://user:password@127.0.0.1:port/vaultline */
  readonly url: string;
  /** Stops the server, and resolves once it is down; does nothing where another process started it. */
  release(): Promise<void>;
  /** Resolves when the server that this process started has ended and was not released. */
  readonly lost: Promise<void>;
}

export interface EmbeddedServerOptions {
  /** The server's files are in `${dataDir}/postgres`. */
  dataDir: string;
  /**
   * False for tests: nothing is flushed or kept for a standby, databases that live for seconds are not vacuumed, and sessions of a few statements
   * plan each of them once, where a server's long sessions do so after five.
   */
  durable?: boolean;
}

/** Limit on a start, with recovery after a crash and the end of a server from before. */
const START_MS = 60_000;
const POLL_MS = 25;
/** No socket: its path is limited to a length that a checkout's path may exceed. */
const FLAGS =
  '-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c timezone=UTC -c log_timezone=UTC';
const VOLATILE =
  '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum_naptime=10min -c wal_level=minimal -c max_wal_senders=0 ' +
  '-c io_method=sync -c max_parallel_workers_per_gather=0 -c plan_cache_mode=force_generic_plan';
/** Two servers that start at once both append: neither overwrites the reason why the other ended. */
const LOG_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/**
 * Shell that runs the server ("$@") and stops it (fast shutdown) when its standard input ends: the kernel closes that with the process that started
 * it, also after a crash or kill.
 */
const LEASH = `exec 3<&0 </dev/null; "$@" 3<&- & server=$!
{ cat <&3 >/dev/null; kill -0 $$ && kill -INT "$server"; } 2>/dev/null & exec 3<&-; wait "$server"`;

/**
 * Starts the embedded PostgreSQL of a folder; it runs until it is released, or this process ends. Where another process started it, it is used together
 * with that process. A server whose process was killed with its shell is stopped first.
 * @throws ConfigError with a sentence that says what to do
 */
export async function acquireEmbeddedServer({
  dataDir,
  durable = true,
}: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const folder = await openFolder(join(resolve(dataDir), 'postgres'));
  const data = join(folder, 'data');
  const postgres = await findPostgres(folder);
  const deadline = Date.now() + START_MS;
  let failure = 'a server from before does not end';
  while (Date.now() < deadline) {
    const running = await runningServer(data);
    if (running === null) {
      await prepareCluster(folder, postgres, durable);
      const started = await start(folder, postgres, durable);
      if (typeof started !== 'string') return started;
      failure = started.split('\n').slice(-12).join('\n');
      // Another process came first, another program took the port, or children of a killed server are still ending. The server that came first may
      // have logged a lot since.
      if (!/(already exists|in use)/.test(started)) break;
    } else if (!running.isOwned) {
      const [pgCtl, ...args] = postgres.command('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-t', '30');
      const stop = promisify(execFile)(pgCtl, args, { ...postgres.options, timeout: START_MS });
      await stop.catch((error: Error) => (failure = error.message));
    } else if (running.port !== null) {
      const url = await urlOf(data, running.port);
      if (await isReady(url))
        return { url, release: async () => undefined, lost: new Promise(() => undefined) };
    }
    await sleep(POLL_MS);
  }
  throw new ConfigError([
    `The embedded PostgreSQL did not start: mend what its log names (${join(folder, 'server.log')}), delete ${folder} to start with an empty ` +
      `database, or ${OWN_SERVER}.`,
    failure,
  ]);
}

async function openFolder(wanted: string): Promise<string> {
  try {
    await mkdir(wanted, { recursive: true });
    const folder = await realpath(wanted);
    // Root's server runs as an account that needs to traverse the folder; what it contains has permissions of its own.
    await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    return folder;
  } catch (error) {
    throw new ConfigError([
      `The embedded PostgreSQL cannot use the folder ${wanted}: choose another DATA_DIR, or ${OWN_SERVER}.`,
      (error as Error).message,
    ]);
  }
}

/** @returns its log when the server does not take connections */
async function start(folder: string, postgres: Postgres, durable: boolean): Promise<EmbeddedServer | string> {
  const data = join(folder, 'data');
  const port = await freePort();
  const url = await urlOf(data, port);
  const log = await open(join(folder, 'server.log'), LOG_FLAGS, 0o600);
  const flags = `${FLAGS}${durable ? '' : ` ${VOLATILE}`}`.split(' ');
  const server = postgres.command('postgres', '-D', data, '-p', String(port), ...flags);
  const shell = spawn('/bin/sh', ['-c', LEASH, 'sh', ...server], {
    ...postgres.options,
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  });
  await log.close();
  let isReleased = false;
  const ended = once(shell, 'exit');
  const lost = new Promise<void>((resolve) => {
    shell.once('exit', () => isReleased || resolve());
  });
  // The server alone keeps no process alive.
  shell.unref();
  (shell.stdin as Socket).unref();
  const release = async (): Promise<void> => {
    isReleased = true;
    shell.ref();
    shell.stdin!.end();
    await ended;
  };
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && (shell.exitCode ?? shell.signalCode) === null) {
    if (await isReady(url)) return { url, release, lost };
    await sleep(POLL_MS);
  }
  await release();
  return readFile(join(folder, 'server.log'), 'utf8');
}

/**
 * The server on the cluster by its pid file: whether a living process's shell runs it, and its port, null while it starts or stops. The file is removed
 * when another program has its pid, as after the restart of a container.
 */
async function runningServer(data: string): Promise<{ isOwned: boolean; port: number | null } | null> {
  const pidFile = join(data, 'postmaster.pid');
  const [pid, , , port, , , , status] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const server = processOf(Number(pid));
  if (server?.command.includes(data)) {
    const isOwned = processOf(server.parent)?.command.includes(data) === true;
    return { isOwned, port: status?.trim() === 'ready' ? Number(port) : null };
  }
  if (server) await rm(pidFile, { force: true });
  return null;
}

/** The parent and the command line of a process, which a zombie has none of; null when no process has that pid. */
function processOf(pid: number): { parent: number; command: string } | null {
  try {
    if (process.platform === 'linux') {
      const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may contain blanks and parentheses itself.
      const parent = Number(status.slice(status.lastIndexOf(')')).split(' ')[2]);
      return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
    }
    const args = ['-ww', '-o', 'ppid=,command=', '-p', String(pid)];
    const line = execFileSync('ps', args, { encoding: 'utf8', stdio: 'pipe', timeout: 15_000 });
    return { parent: Number.parseInt(line, 10), command: line };
  } catch {
    return null;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

const urlOf = async (data: string, port: number): Promise<string> =>
  `postgres://${CLUSTER_USER}:${await passwordOf(data)}@127.0.0.1:${port}/vaultline`;

/** Whether the server takes connections and has the database, which is created when it is missing. */
async function isReady(url: string): Promise<boolean> {
  try {
    await query(url, 'SELECT 1');
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '3D000')
      await query(url.replace(/\/[^/]*$/, '/postgres'), 'CREATE DATABASE vaultline').catch(() => undefined);
    // All connections are in use by others.
    return code === '53300';
  }
}

async function query(url: string, sql: string): Promise<void> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}
