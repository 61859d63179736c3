import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';
import { contentOf, withFolderLock } from './folder.lock.js';
import { clearServer, readyPort } from './orphan.server.js';
import { serverEnvironment, type PostgresAccount } from './postgres.account.js';
import { identityRuns, processIdentity } from './process.identity.js';

/** Hold on a running server: the write end of a named pipe, which the kernel closes with its process, also after a crash or kill. */
export interface Hold {
  readonly port: number;
  /** Resolves when the server has ended unasked, or its shell was killed. */
  readonly lost: Promise<void>;
  /** Resolves once the server continues for others, or is down. */
  release(): Promise<void>;
}

/** Limit on a start, recovery after a crash included. */
const START_MS = 15_000;
const POLL_MS = 10;
const LOST_POLL_MS = 500;

const PIPE = 'holders.pipe';
const SHELL_FILE = 'shell.pid';

/**
 * Shell in a session of its own: it runs the server ("$@"), and again after a crash, on the same port. Its second process reads the pipe on standard
 * input, and at the end of the last holder, or of the shell, has the server shut down; more than once, as one that just comes back may miss a signal.
 * Signals go to process 0, the shells (which ignore them) and the postmaster of this session: a pid could be another program's by then.
 */
const SHELL = [
  `trap '' INT TERM HUP`,
  'exec 3<&0 </dev/null',
  '( exec <&3 3<&-; while read -r _; do kill -0 $$ 2>/dev/null || break; done; exec <&-',
  'for _ in 1 2 3; do kill -INT 0; sleep 0.5; done ) & exec 3<&-',
  'crashes=0',
  'until "$@"; do crashes=$((crashes + 1)); [ $crashes -lt 10 ] || break; sleep 0.2; done',
  'kill -KILL 0',
].join('; ');

/**
 * Joins the server that the folder's other holders use. Requires the folder's lock.
 * @returns undefined when there is none, or it has just ended
 */
export async function joinServer(root: string): Promise<Hold | undefined> {
  const [shell, data = ''] = ((await contentOf(join(root, SHELL_FILE))) ?? '').split('\n');
  if (!identityRuns(shell)) return undefined;
  try {
    return await hold(root, data, openSync(join(root, PIPE), constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    // ENXIO: nobody reads the pipe.
    if (['ENXIO', 'ENOENT'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Starts a server on a prepared cluster, and holds it. Requires the folder's lock.
 * @param flags of postgres, beside the data folder
 * @throws EmbeddedServerError with the end of the server's log
 */
export async function startServer(
  root: string,
  data: string,
  account: PostgresAccount,
  flags: readonly string[],
): Promise<Hold> {
  for (const name of await holders(root)) await rm(join(root, name), { force: true });
  const { reader, writer } = await makePipe(join(root, PIPE));
  const logFile = join(root, 'server.log');
  await rm(logFile, { force: true });
  const log = openSync(logFile, 'a', 0o600);
  const command = [...account.prefix, join(account.native, 'bin', 'postgres'), '-D', data, ...flags];
  const shell = spawn('/bin/sh', ['-c', SHELL, root, ...command], {
    ...account.ids,
    detached: true,
    cwd: '/',
    env: serverEnvironment(),
    stdio: [reader, log, log],
  });
  shell.on('error', () => undefined).unref();
  closeSync(reader);
  closeSync(log);
  await writeFile(join(root, SHELL_FILE), `${processIdentity(shell.pid ?? 0)}\n${data}`, { mode: 0o600 });
  const started = await hold(root, data, writer);
  if (started) return started;
  const text = (await contentOf(logFile)) ?? '';
  throw new EmbeddedServerError(
    `The embedded PostgreSQL did not start: mend what its log names (${logFile}), or ${OWN_SERVER}.`,
    { log: text.trim().split('\n').slice(-12).join('\n') },
  );
}

/** A reader must be there before a writer, and a blocking one returns only when a writer is there. */
async function makePipe(path: string): Promise<{ reader: number; writer: number }> {
  await rm(path, { force: true });
  await promisify(execFile)('mkfifo', ['-m', '600', path], { timeout: 15_000 });
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const reader = openSync(path, constants.O_RDONLY);
  closeSync(first);
  return { reader, writer };
}

/** @returns undefined, and closes the pipe, when its reader is gone, or no server is ready in time. */
async function hold(root: string, data: string, pipe: number): Promise<Hold | undefined> {
  const deadline = Date.now() + START_MS;
  let port: number | undefined;
  while (port === undefined) {
    // A reader that has just seen its last holder go closes the pipe within this time.
    await sleep(POLL_MS);
    if (!isRead(pipe) || Date.now() > deadline) {
      closeSync(pipe);
      return undefined;
    }
    port = await readyPort(data);
  }
  const file = join(root, `holder-${randomUUID()}`);
  await writeFile(file, processIdentity(process.pid) ?? '', { mode: 0o600 });
  let watch: NodeJS.Timeout;
  const lost = new Promise<void>((resolve) => {
    watch = setInterval(() => {
      if (isRead(pipe)) return;
      clearInterval(watch);
      resolve();
    }, LOST_POLL_MS).unref();
  });
  const release = async (): Promise<void> => {
    clearInterval(watch);
    closeSync(pipe);
    await rm(file, { force: true });
    const stopped = withFolderLock(root, async () => {
      if (!(await isHeld(root))) await clearServer(data);
    });
    await stopped.catch((error: unknown) => {
      // The folder was deleted.
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  };
  return { port, lost, release };
}

/** Whether the shell's second process reads the pipe; a line is for its check of the shell. */
function isRead(pipe: number): boolean {
  try {
    writeSync(pipe, '\n');
    return true;
  } catch (error) {
    return errorCode(error) !== 'EPIPE';
  }
}

async function isHeld(root: string): Promise<boolean> {
  for (const name of await holders(root)) if (identityRuns(await contentOf(join(root, name)))) return true;
  return false;
}

async function holders(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => name.startsWith('holder-'));
}
