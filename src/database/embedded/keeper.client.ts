import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { EmbeddedServerError, OWN_SERVER } from './embedded-server.error.js';
import type { KeeperReply, KeeperSettings } from './keeper.main.js';
import { identityRuns, processIdentity } from './process.identity.js';

/** Data by which a holder finds the keeper of a folder. */
interface KeeperState {
  identity: string;
  controlPort: number;
  token: string;
}

/** Hold on a running server. */
export interface Hold {
  readonly port: number;
  /** Resolves once the server continues for others, or is down. */
  /** Resolves when the keeper has ended, and its server with it: released by the last holder, or crashed. */
  lost: Promise<void>;
  release(): Promise<void>;
}

/** Limit on a keeper's answer: it starts within 15 s; it stops within 15 s, and by force within 10 s more. */
const ANSWER_MS = 20_000;
const RELEASE_MS = 30_000;

/**
 * Joins the folder's running keeper.
 * @returns undefined when there is none, or it has just ended.
 */
export async function joinKeeper(root: string): Promise<Hold | undefined> {
  const state = await readState(root);
  if (!state || !identityRuns(state.identity)) return undefined;
  return hold(state, root);
}

/** Starts a keeper with a server and joins it. Requires the folder's lock. */
export async function startKeeper(
  root: string,
  settings: Omit<KeeperSettings, 'token' | 'logFile' | 'stateFile'>,
): Promise<Hold | undefined> {
  const token = randomBytes(24).toString('hex');
  const stateFile = join(root, 'keeper.json');
  const logFile = join(root, 'server.log');
  await rm(stateFile, { force: true });
  await rm(logFile, { force: true });
  const log = openSync(logFile, 'a', 0o600);
  // Compiled, the keeper is beside this file; in a source tree node strips its types.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const entry = fileURLToPath(new URL(`./keeper.main.${extension}`, import.meta.url));
  const flags = extension === 'ts' ? ['--experimental-strip-types', '--no-warnings'] : [];
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const keeper = spawn(process.execPath, [...flags, entry, root], {
    detached: true,
    cwd: '/',
    env: environment,
    stdio: ['pipe', 'pipe', log],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  closeSync(log);
  keeper.unref();
  try {
    keeper.stdin.on('error', () => undefined);
    keeper.stdin.write(
      `${JSON.stringify({ ...settings, token, logFile, stateFile } satisfies KeeperSettings)}\n`,
    );
    const controlPort = await readControlPort(keeper.stdout, once(keeper, 'error'));
    const identity = keeper.pid === undefined ? undefined : processIdentity(keeper.pid);
    if (controlPort === undefined || identity === undefined) throw await startError(root);
    const state: KeeperState = { identity, controlPort, token };
    const draft = `${stateFile}.draft`;
    await writeFile(draft, JSON.stringify(state), { mode: 0o600 });
    await rename(draft, stateFile);
    return await hold(state, root);
  } finally {
    keeper.stdin.destroy();
    keeper.stdout.destroy();
  }
}

async function hold(state: KeeperState, root: string): Promise<Hold | undefined> {
  const socket = connect({ host: '127.0.0.1', port: state.controlPort });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  const replies = createInterface(socket)[Symbol.asyncIterator]();
  socket.write(`${state.token}\n`);
  const reply = await bounded(nextReply(replies), ANSWER_MS);
  if (reply === 'late') {
    socket.destroy();
    throw new EmbeddedServerError(
      `The keeper of the embedded PostgreSQL (process ${Number.parseInt(state.identity, 10)}) does not answer: ` +
        `end that process and start again, or ${OWN_SERVER}.`,
    );
  }
  if (reply?.state === 'ready') {
    socket.unref();
    return { port: reply.port, lost: closed, release: () => release(socket, replies, closed) };
  }
  // A keeper ends with its server; only then can the next one start.
  await bounded(closed, RELEASE_MS);
  socket.destroy();
  if (reply?.state === 'failed') throw await startError(root);
  return undefined;
}

async function release(socket: Socket, replies: AsyncIterator<string>, closed: Promise<void>): Promise<void> {
  socket.ref();
  if (!socket.destroyed) socket.write('release\n');
  const outcome = await bounded(Promise.race([nextReply(replies), closed]), RELEASE_MS);
  socket.destroy();
  if (outcome === 'late')
    throw new EmbeddedServerError('The embedded PostgreSQL did not stop in 30 seconds.');
}

async function nextReply(replies: AsyncIterator<string>): Promise<KeeperReply | undefined> {
  try {
    const line = await replies.next();
    return line.done ? undefined : (JSON.parse(line.value) as KeeperReply);
  } catch {
    return undefined;
  }
}

async function readControlPort(
  stdout: NodeJS.ReadableStream,
  failed: Promise<unknown>,
): Promise<number | undefined> {
  const first = async (): Promise<number | undefined> => {
    for await (const line of createInterface(stdout))
      return (JSON.parse(line) as { controlPort: number }).controlPort;
    return undefined;
  };
  const port = await bounded(Promise.race([first(), failed.then(() => undefined)]), ANSWER_MS);
  return port === 'late' ? undefined : port;
}

async function startError(root: string): Promise<EmbeddedServerError> {
  const file = join(root, 'server.log');
  const log = await readFile(file, 'utf8').catch(() => '');
  return new EmbeddedServerError(
    `The embedded PostgreSQL did not start: mend what its log names (${file}), or ${OWN_SERVER}.`,
    { log: log.trim().split('\n').slice(-12).join('\n') },
  );
}

async function readState(root: string): Promise<KeeperState | undefined> {
  const text = await readFile(join(root, 'keeper.json'), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  try {
    return JSON.parse(text) as KeeperState;
  } catch {
    return undefined;
  }
}

async function bounded<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
