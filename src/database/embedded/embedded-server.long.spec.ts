import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ENDS, SERVES } from '../../../test/support/child-environment.js';
import { until } from '../../../test/support/until.js';
import { acquireEmbeddedServer, type EmbeddedServer } from './embedded-server.js';

const asRoot = process.getuid?.() === 0;
const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];

/** Folder that was started before: creating a cluster takes longer than starting one. */
let used: string;
beforeAll(async () => {
  used = await emptyFolder();
  folders.pop();
  await (await acquireEmbeddedServer({ dataDir: used, durable: false })).release();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(servers.splice(0).map((server) => server.release()));
  for (const folder of [used, ...folders]) await until(async () => processesOf(folder).length === 0);
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

afterAll(() => rm(used, { recursive: true, force: true, maxRetries: 5 }));

describe('the process that starts the embedded server', () => {
  it('The process that starts the embedded server creates the cluster with a password file readable by its owner alone, and listens on 127.0.0.1 only', async () => {
    const dataDir = await emptyFolder();
    const { url } = await acquire(dataDir);
    expect(url).toMatch(/^postgres:\/\/vaultline:[0-9a-f]{48}@127\.0\.0\.1:\d+\/vaultline$/);
    expect((await stat(join(dataDir, 'postgres/data/vaultline.password'))).mode & 0o777).toBe(0o600);
    expect(
      await rows(
        url,
        `select current_setting('server_encoding') as encoding, current_setting('listen_addresses') as addresses, datcollate as locale
           from pg_database where datname = 'vaultline'`,
      ),
    ).toEqual([{ encoding: 'UTF8', addresses: '127.0.0.1', locale: 'C' }]);
    await expect(rows(url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
  });

  it('The process that starts the embedded server stops it, and finds the same data at the next start', async () => {
    const first = await acquire(used);
    await leaveMark(first.url);
    let isLost = false;
    void first.lost.then(() => (isLost = true));
    await first.release();
    expect(processesOf(used)).toEqual([]);
    expect(isLost).toBe(false);
    await expectMark((await acquire(used)).url);
  });

  it('The process that starts the embedded server shares it with later processes, whose exit does not stop it', async () => {
    const mine = await acquire(used);
    const [other, url] = await otherProcess(used);
    expect(url).toBe(mine.url);
    other.stdin!.end();
    await once(other, 'exit');
    expect(await rows(mine.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('The process that starts the embedded server shares it with a process that starts at the same time in the same empty folder', async () => {
    const dataDir = await emptyFolder();
    const [mine, [, other]] = await Promise.all([acquire(dataDir), otherProcess(dataDir)]);
    expect(other).toBe(mine.url);
  });

  it('The process that starts the embedded server is notified when the server crashes', async () => {
    const { lost } = await acquire(used);
    process.kill(await serverPid(used), 'SIGKILL');
    await lost;
  });
});

describe('an embedded server whose parent process was killed', () => {
  it('An embedded server whose parent process was killed stops on its own', async () => {
    const [other] = await otherProcess(used);
    other.kill('SIGKILL');
    await until(async () => processesOf(used).length === 0);
  });

  it('An embedded server whose parent process was killed is stopped at the next start if its shell was killed too, and keeps its data', async () => {
    const [other, url] = await otherProcess(used);
    await leaveMark(url);
    const shell = processesOf(used).find((line) => line.includes('/bin/sh'))!;
    process.kill(Number.parseInt(shell, 10), 'SIGKILL');
    other.kill('SIGKILL');
    const stale = await serverPid(used);
    await expectMark((await acquire(used)).url);
    expect(await serverPid(used)).not.toBe(stale);
  });

  it('An embedded server whose parent process was killed does not block a start with a stale pid file that names another program', async () => {
    await writeFile(join(used, 'postgres/data/postmaster.pid'), `${process.pid}\n/nowhere\n1\n1\n\n\n`);
    expect(await rows((await acquire(used)).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

it.each([
  ['is below a file', 'ENOTDIR|EEXIST', async () => join(await aFile(), 'below')],
  ['holds files of another major version', 'PostgreSQL version 12', olderFolder],
  ['has no password file', 'password .* is missing', folderWithoutPassword],
])(
  'An embedded server rejects a folder that %s, with the reason and a hint to DATABASE_URL',
  async (_, reason, folder) => {
    const refusal = acquire(await folder());
    await expect(refusal).rejects.toThrow(new RegExp(reason));
    await expect(refusal).rejects.toThrow('DATABASE_URL');
  },
);

(asRoot ? it : it.skip)(
  'root runs the server as another user, even in a folder with mode 700, and reuses files owned by root',
  async () => {
    const closed = await emptyFolder();
    await chmod(closed, 0o700);
    const first = await acquire(join(closed, 'data'));
    await leaveMark(first.url);
    expect((await stat(`/proc/${await serverPid(join(closed, 'data'))}`)).uid).not.toBe(0);
    await first.release();
    execFileSync('chown', ['-R', '0:0', closed], ENDS);
    await expectMark((await acquire(join(closed, 'data'))).url);
  },
);

/** A process of its own that acquires the server until its standard input ends. @returns the URL that it got */
async function otherProcess(dataDir: string): Promise<[ChildProcess, string]> {
  const built = fileURLToPath(new URL('../../../dist/database/embedded/embedded-server.js', import.meta.url));
  const script = `const { acquireEmbeddedServer } = await import(${JSON.stringify(built)});
    const server = await acquireEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log(server.url);
    process.stdin.resume().once('end', () => server.release());`;
  const args = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], ...SERVES });
  children.push(child);
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return [child, String(value)];
}

async function acquire(dataDir: string): Promise<EmbeddedServer> {
  const server = await acquireEmbeddedServer({ dataDir, durable: false });
  servers.push(server);
  return server;
}

async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vaultline-embedded-')));
  await chmod(folder, 0o711);
  folders.push(folder);
  return folder;
}

async function aFile(): Promise<string> {
  const file = join(await emptyFolder(), 'file');
  await writeFile(file, '');
  return file;
}

async function olderFolder(): Promise<string> {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'postgres/data'), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'postgres/data/vaultline.password'), 'secret\n');
  await writeFile(join(folder, 'postgres/data/postgresql.conf'), '');
  await writeFile(join(folder, 'postgres/data/PG_VERSION'), '12\n');
  return folder;
}

async function folderWithoutPassword(): Promise<string> {
  const folder = await olderFolder();
  await unlink(join(folder, 'postgres/data/vaultline.password'));
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

/** Lines of the shells and servers of a folder, which begin with their pid. */
function processesOf(dataDir: string): string[] {
  const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8', ...ENDS }).split('\n');
  const data = join(dataDir, 'postgres/data');
  return lines.map((line) => line.trim()).filter((line) => line.includes(data));
}

async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
}
