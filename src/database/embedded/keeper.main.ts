/**
 * Keeper: a detached process that owns one PostgreSQL server and stops it when no process holds it any more. A hold is an open socket, so a crashed
 * or killed holder releases like one that closes it. It is run by plain node, from `dist`, or from `src` with its types stripped: it may import only
 * Node's own modules, and use no syntax that needs compiling. It reads its settings as one line of JSON from stdin and prints its control port as one
 * line.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface KeeperSettings {
  /** Secret that a holder must send first. */
  token: string;
  /** The postgres command without its port. */
  command: string[];
  ids: { uid?: number; gid?: number };
  environment: Record<string, string | undefined>;
  data: string;
  logFile: string;
  stateFile: string;
}

/** Message to a holder, one line of JSON. */
export type KeeperReply = { state: 'ready'; port: number } | { state: 'failed' | 'stopping' | 'kept' };

const GRACE_MS = 200;
const START_MS = 15_000;
const FAST_STOP_MS = 15_000;
const IMMEDIATE_STOP_MS = 5_000;
const HELLO_MS = 5_000;
const RESTARTS_A_MINUTE = 5;

/** Guard that survives a kill -9 of the keeper, which closes its stdin; it then stops the last server that it was told of. */
const GUARD = `trap '' INT TERM HUP; pid=; while read -r line; do pid=$line; done; [ -z "$pid" ] || kill -INT "$pid"`;

const settings = await readSettings();
const holders = new Set<unknown>();
const leaving = new Set<Socket>();
const waiting = new Set<Socket>();
let phase: 'starting' | 'ready' | 'failed' | 'stopping' = 'starting';
let postgres: ChildProcess | undefined;
let port = 0;
let deaths: number[] = [];
let grace: NodeJS.Timeout | undefined;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
process.on('SIGHUP', () => undefined);
process.on('uncaughtException', (error) => {
  console.error('keeper:', error);
  void stop();
});

// The starting process holds the keeper by stdin until it has its socket: when it dies in between, no holder is left.
holders.add(process.stdin);
process.stdin
  .on('close', () => letGo(process.stdin))
  .on('error', () => undefined)
  .resume();
process.stdout.on('error', () => undefined);

const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', settings.data], {
  detached: true,
  cwd: '/',
  stdio: ['pipe', 'ignore', 'ignore'],
});
guard.on('error', () => undefined);
guard.stdin.on('error', () => undefined);

const control = createServer(welcome);
control.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ controlPort: (control.address() as AddressInfo).port })}\n`);
});
void open();

async function open(): Promise<void> {
  phase = 'starting';
  const started = await start();
  if (phase !== 'starting') return;
  phase = started ? 'ready' : 'failed';
  answerWaiting();
  if (!started) void stop();
}

async function start(): Promise<boolean> {
  const deadline = Date.now() + START_MS;
  const keepsPort = port !== 0;
  while (phase === 'starting' && Date.now() < deadline) {
    if (!keepsPort) port = await freePort();
    if (stopped()) return false;
    const [command = '', ...args] = [...settings.command, '-p', String(port)];
    const child = spawn(command, args, {
      ...settings.ids,
      cwd: '/',
      env: settings.environment,
      stdio: ['ignore', 2, 2],
    });
    let ended = false;
    child.on('error', () => (ended = true));
    child.on('exit', (code, signal) => {
      ended = true;
      guard.stdin.write('\n');
      if (phase === 'ready') died(code, signal);
    });
    postgres = child;
    guard.stdin.write(`${child.pid ?? ''}\n`);
    while (!ended && Date.now() < deadline) {
      if (accepts(child)) return true;
      await sleep(10);
    }
    // Another process took the free port meanwhile, or children of a killed server are still ending.
    if (!ended || !/Address already in use|is still in use/.test(logTail())) return false;
    await sleep(200);
  }
  return false;
}

function stopped(): boolean {
  return phase === 'stopping';
}

/** The last line of the pid file shows when the server accepts connections; a file of another server has another pid. */
function accepts(child: ChildProcess): boolean {
  try {
    const lines = readFileSync(`${settings.data}/postmaster.pid`, 'utf8').split('\n');
    return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function died(code: number | null, signal: NodeJS.Signals | null): void {
  console.error(`keeper: the server ended unasked (${signal ?? `exit status ${code}`})`);
  // Exit status 0 is a requested shutdown; after any other, the server is restarted on the same port, so that holders' URLs stay valid.
  deaths = [...deaths.filter((at) => at > Date.now() - 60_000), Date.now()];
  if (code === 0 || deaths.length > RESTARTS_A_MINUTE) void stop();
  else void open();
}

function welcome(socket: Socket): void {
  const strangers = setTimeout(() => socket.destroy(), HELLO_MS);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(strangers);
    waiting.delete(socket);
    leaving.delete(socket);
    letGo(socket);
  });
  createInterface(socket).on('line', (line) => {
    if (line === settings.token && !leaving.has(socket)) {
      clearTimeout(strangers);
      if (phase !== 'stopping') join(socket);
      answer(socket);
    } else if (line === 'release' && holders.has(socket)) {
      leaving.add(socket);
      letGo(socket);
    } else socket.destroy();
  });
}

function join(socket: Socket): void {
  holders.add(socket);
  clearTimeout(grace);
  dismiss();
}

function answer(socket: Socket): void {
  if (phase === 'starting') waiting.add(socket);
  else if (phase === 'ready') say(socket, { state: 'ready', port });
  else say(socket, { state: phase });
}

function answerWaiting(): void {
  const sockets = [...waiting];
  waiting.clear();
  sockets.forEach(answer);
}

function letGo(holder: unknown): void {
  if (!holders.delete(holder)) return;
  if (holders.size > 0) dismiss();
  else {
    clearTimeout(grace);
    grace = setTimeout(() => void stop(), GRACE_MS);
  }
}

/** Released holders are told that the server continues; otherwise their sockets close with the keeper, once it is down. */
function dismiss(): void {
  for (const socket of leaving) {
    say(socket, { state: 'kept' });
    socket.end();
  }
  leaving.clear();
}

function say(socket: Socket, reply: KeeperReply): void {
  socket.write(`${JSON.stringify(reply)}\n`);
}

async function stop(): Promise<void> {
  if (phase === 'stopping') return;
  phase = 'stopping';
  answerWaiting();
  await stopPostgres();
  guard.stdin.end('\n');
  try {
    if (readFileSync(settings.stateFile, 'utf8').includes(settings.token)) rmSync(settings.stateFile);
  } catch {
    // The file was never written, or belongs to another keeper.
  }
  process.exit(0);
}

async function stopPostgres(): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ];
  for (const [signal, patience] of steps) {
    if (!postgres?.pid || postgres.exitCode !== null || postgres.signalCode !== null) return;
    const child = postgres;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await Promise.race([exited, sleep(patience)]);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const found = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(found));
    });
  });
}

function logTail(): string {
  try {
    return readFileSync(settings.logFile, 'utf8').slice(-2_000);
  } catch {
    return '';
  }
}

async function readSettings(): Promise<KeeperSettings> {
  for await (const line of createInterface(process.stdin)) return JSON.parse(line) as KeeperSettings;
  return process.exit(1);
}
