import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLUSTER_USER, prepareCluster, readPassword } from './cluster.folder.js';
import { EmbeddedServerError, errorCode, folderError, OWN_SERVER } from './embedded-server.error.js';
import { withFolderLock } from './folder.lock.js';
import { chooseAccount, type PostgresAccount } from './postgres.account.js';
import { readyBinaries } from './postgres.binaries.js';
import { joinServer, startServer, type Hold } from './server.hold.js';

export interface EmbeddedServer {
  /** postgres://user:password@127.0.0.1:port/vaultline */
  readonly url: string;
  /** Releases the server; the last release stops it. Idempotent. After the last one, it resolves once the server is down. */
  release(): Promise<void>;
  /** Resolves when the server ended without being released: it crashed, or somebody else stopped it. */
  readonly lost: Promise<void>;
}

export interface EmbeddedServerOptions {
  /** Absolute path; the server's files are in `${dataDir}/postgres`. */
  dataDir: string;
  /** False for tests: nothing is flushed, and databases that live for seconds are not vacuumed. */
  durable?: boolean;
}

/** Restrictions of the machine that tests simulate; never set otherwise. */
export interface EmbeddedServerTrial {
  account?: PostgresAccount['name'];
  /** Platform package to use instead of the installed one. */
  packageDir?: string;
}

const DATABASE = 'vaultline';
const CONNECT_MS = 15_000;
const ATTEMPTS = 5;

/**
 * Starts the embedded PostgreSQL of a folder, or joins the one that already runs for another process. The server lives as long as a process holds it;
 * the end of a process releases its hold, also after a crash or kill.
 * @throws EmbeddedServerError with a sentence that says what to do
 */
export async function acquireEmbeddedServer(
  options: EmbeddedServerOptions,
  trial: EmbeddedServerTrial = {},
): Promise<EmbeddedServer> {
  const wanted = join(resolve(options.dataDir), 'postgres');
  let hold: Hold | undefined;
  try {
    const root = await openFolder(wanted);
    return await withFolderLock(root, async () => {
      const held = (hold = await joinOrStart(root, options.durable ?? true, trial));
      const url = `postgres://${CLUSTER_USER}:${await readPassword(root)}@127.0.0.1:${held.port}/${DATABASE}`;
      await ensureDatabase(url);
      let released: Promise<void> | undefined;
      return { url, lost: held.lost, release: () => (released ??= held.release()) };
    });
  } catch (error) {
    await hold?.release();
    throw folderError(wanted, error);
  }
}

async function openFolder(wanted: string): Promise<string> {
  await makeFolder(wanted);
  // Canonical path, whatever links lead to the folder.
  const root = await realpath(wanted);
  // Root's server may run as an account that needs to traverse the folder; each file in it has its own permissions.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const found = await stat(root);
  if (!found.isDirectory()) throw Object.assign(new Error(`${root} is a file`), { code: 'ENOTDIR' });
  if ((found.mode & 0o777) !== mode) await chmod(root, mode);
  return root;
}

/** Not Node's recursive mkdir: it never returns when a parent exists but accepts no folders, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await mkdir(path).catch((again: unknown) => {
        if (errorCode(again) !== 'EEXIST') throw again;
      });
    } else if (errorCode(error) !== 'EEXIST') throw error;
  }
}

async function joinOrStart(root: string, durable: boolean, trial: EmbeddedServerTrial): Promise<Hold> {
  for (let attempt = 1; ; attempt++) {
    const joined = await joinServer(root);
    if (joined) return joined;
    const account = await chooseAccount(root, await readyBinaries(root, trial.packageDir), trial.account);
    const data = await prepareCluster(root, account, durable);
    const flags = [...serverFlags(durable), '-p', String(await freePort())];
    try {
      return await startServer(root, data, account, flags);
    } catch (error) {
      // Another program took the free port meanwhile, or children of a killed server are still ending.
      if (attempt === ATTEMPTS || !/(Address already|is still) in use/.test((error as Error).message))
        throw error;
    }
  }
}

function serverFlags(durable: boolean): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    // A socket's path is limited to a length that a checkout's path may exceed.
    'unix_socket_directories=',
    'max_connections=200',
    'logging_collector=off',
    'log_destination=stderr',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durable
      ? []
      : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum_naptime=10min']),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
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

/** Waits while a server recovers from a crash, and creates the database when it is missing. */
async function ensureDatabase(url: string): Promise<void> {
  const deadline = Date.now() + CONNECT_MS;
  for (;;) {
    try {
      await query(url, 'SELECT 1');
      return;
    } catch (error) {
      const code = errorCode(error) ?? '';
      // 53300: all connections are in use by other holders, so the database exists.
      if (code === '53300') return;
      if (code === '3D000') {
        await query(url.replace(/\/[^/]*$/, '/postgres'), `CREATE DATABASE ${DATABASE}`);
      } else if (code === '28P01') {
        throw new EmbeddedServerError(
          'The embedded PostgreSQL does not take the password in its folder: put the password file back, ' +
            `delete the folder to start with an empty database, or ${OWN_SERVER}.`,
        );
      } else if (Date.now() > deadline) {
        throw new EmbeddedServerError(
          `The embedded PostgreSQL started but takes no connection (${(error as Error).message}): ${OWN_SERVER}.`,
          { cause: error },
        );
      } else await sleep(50);
    }
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
