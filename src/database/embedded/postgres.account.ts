import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';
import { copyBinaries, type PostgresBinaries } from './postgres.binaries.js';

/** Account that PostgreSQL runs as, and a place for its files that the account can reach. */
export interface PostgresAccount {
  readonly name: 'self' | 'namespace' | 'owner' | 'nobody' | 'nobody elsewhere';
  /** Prefix of every command. */
  readonly prefix: readonly string[];
  readonly ids: { uid?: number; gid?: number };
  /** Owner of the cluster's files, seen from outside; undefined when this process is not root and owns them anyway. */
  readonly owner: { uid: number; gid: number } | undefined;
  readonly native: string;
  /** Folder that contains the cluster `data`. */
  readonly place: string;
  readonly majorVersion: string;
}

type Candidate = Omit<PostgresAccount, 'majorVersion'>;
type Place = Pick<PostgresAccount, 'native' | 'place'>;
type Way = [PostgresAccount['name'], () => Omit<Candidate, 'name'> | Promise<Omit<Candidate, 'name'>>];
type Ids = { name: string; uid: number; gid: number };

/**
 * Chooses the account. PostgreSQL refuses to run as root, so root delegates: to the owner of an existing cluster, into a user namespace in which root
 * has another id, or to `nobody`. Whether the system allows a way is found by trying it.
 * @param root folder of the embedded server's files
 * @param only restricts the choice to one way
 */
export async function chooseAccount(
  root: string,
  binaries: PostgresBinaries,
  only?: PostgresAccount['name'],
): Promise<PostgresAccount> {
  const accounts = await localAccounts();
  const here = { native: binaries.native, place: root };
  const ways =
    process.getuid?.() === 0
      ? await waysOfRoot(root, here, binaries, accounts)
      : waysOfOrdinary(here, accounts);
  const refusals: EmbeddedServerError[] = [];
  for (const [name, way] of ways) {
    if (only !== undefined && only !== name) continue;
    try {
      return tried({ name, ...(await way()) });
    } catch (error) {
      refusals.push(error as EmbeddedServerError);
    }
  }
  if (refusals.length === 1 && refusals[0]) throw refusals[0];
  throw new EmbeddedServerError(
    `No account was found under which PostgreSQL runs here: start as an ordinary account, or ${OWN_SERVER}.`,
    { log: refusals.map((refusal) => refusal.message).join('\n') },
  );
}

function waysOfOrdinary(here: Place, accounts: Ids[]): Way[] {
  const self: Way = ['self', () => ({ prefix: [], ids: {}, owner: undefined, ...here })];
  try {
    userInfo();
    return [self];
  } catch {
    // A container's `--user 1234` has no entry in /etc/passwd, which initdb requires.
    return [
      ['namespace', () => ({ prefix: namespaceOf(accounts), ids: {}, owner: undefined, ...here })],
      self,
    ];
  }
}

async function waysOfRoot(
  root: string,
  here: Place,
  binaries: PostgresBinaries,
  accounts: Ids[],
): Promise<Way[]> {
  // 65534 is the kernel's overflow id, used when no account is named nobody.
  const { uid, gid } = accounts.find((account) => account.name === 'nobody') ?? { uid: 65534, gid: 65534 };
  const nobody = { uid, gid };
  const ways: Way[] = [
    ['namespace', () => ({ prefix: namespaceOf(accounts), ids: {}, owner: { uid: 0, gid: 0 }, ...here })],
    ['nobody', () => ({ prefix: [], ids: nobody, owner: nobody, ...here })],
    [
      'nobody elsewhere',
      async () => ({
        prefix: [],
        ids: nobody,
        owner: nobody,
        native: (await copyBinaries(binaries, await rootFolder(sharedFolder()))).native,
        place: await makeElsewhere(root),
      }),
    ],
  ];
  const found = await stat(join(root, 'data')).catch(() => undefined);
  if (found && found.uid !== 0 && found.uid !== uid) {
    const owner = { uid: found.uid, gid: found.gid };
    ways.unshift(['owner', () => ({ prefix: [], ids: owner, owner, ...here })]);
  }
  return ways;
}

/** The id inside must be one of the machine's accounts, because initdb looks it up; any will do. */
function namespaceOf(accounts: Ids[]): string[] {
  const { uid, gid } = accounts.find((account) => account.uid > 0 && account.gid > 0) ?? {
    uid: 1000,
    gid: 1000,
  };
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

/**
 * Place of the cluster of `root` when `nobody` cannot enter `root` itself; derived from the folder's name.
 * @returns undefined when there is no such place, or root did not create it.
 */
export async function elsewhere(root: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const place = join(sharedFolder(), await placeName(root));
  return (await madeByRoot(sharedFolder())) && (await madeByRoot(place)) ? place : undefined;
}

async function makeElsewhere(root: string): Promise<string> {
  return rootFolder(join(await rootFolder(sharedFolder()), await placeName(root)));
}

async function placeName(root: string): Promise<string> {
  return createHash('sha256')
    .update(await realpath(root))
    .digest('hex')
    .slice(0, 16);
}

function sharedFolder(): string {
  return join(tmpdir(), 'vaultline-postgres');
}

async function rootFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o711 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  if (!(await madeByRoot(path))) {
    throw new EmbeddedServerError(
      `${path} was not made by root and cannot be trusted: remove it, or ${OWN_SERVER}.`,
    );
  }
  await chmod(path, 0o711);
  return path;
}

/** In a shared temporary folder anybody may have created that name first. */
async function madeByRoot(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0,
    () => false,
  );
}

/** Environment of the programs: PG* variables, locale and time zone of a shell must not influence the cluster. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** @returns the candidate, if PostgreSQL runs as it and it can enter the folder. */
function tried(candidate: Candidate): PostgresAccount {
  const script = 'cd "$1" && exec "$2" --version';
  const postgres = join(candidate.native, 'bin', 'postgres');
  const [command = '', ...args] = [
    ...candidate.prefix,
    '/bin/sh',
    '-c',
    script,
    'sh',
    candidate.place,
    postgres,
  ];
  const run = spawnSync(command, args, {
    ...candidate.ids,
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
    timeout: 15_000,
  });
  const major = / (\d+)/.exec(run.stdout ?? '')?.[1];
  if (run.status === 0 && major) return { ...candidate, majorVersion: major };
  const reason = (run.error?.message ?? run.stderr?.trim()) || `exit status ${run.status ?? run.signal}`;
  throw new EmbeddedServerError(
    `The embedded PostgreSQL does not run on this system (as ${candidate.name}): ${OWN_SERVER}.`,
    { log: reason },
  );
}

async function localAccounts(): Promise<Ids[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3)
    .map((fields) => ({ name: fields[0] ?? '', uid: Number(fields[2]), gid: Number(fields[3]) }));
}
