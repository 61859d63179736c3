import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError, OWN_SERVER } from './embedded-server.error.js';

/** Account that PostgreSQL runs as. */
export interface PostgresAccount {
  readonly name: 'self' | 'namespace' | 'owner' | 'nobody' | 'nobody, let through';
  /** Prefix of every command. */
  readonly prefix: readonly string[];
  readonly ids: { uid?: number; gid?: number };
  /** Owner of the cluster's files, seen from outside; undefined when this process is not root and owns them anyway. */
  readonly owner: { uid: number; gid: number } | undefined;
  /** Folder of the binaries. */
  readonly native: string;
  readonly majorVersion: string;
}

type Candidate = Omit<PostgresAccount, 'native' | 'majorVersion'>;
type Ids = { name: string; uid: number; gid: number };

/**
 * Chooses the account. PostgreSQL refuses to run as root, so root delegates: to the owner of an existing cluster, into a user namespace in which root
 * has another id, or to `nobody`. Whether the system allows a way is found by trying it.
 * @param root folder of the embedded server's files
 * @param native folder of the binaries
 * @param only restricts the choice to one way
 */
export async function chooseAccount(
  root: string,
  native: string,
  only?: PostgresAccount['name'],
): Promise<PostgresAccount> {
  const accounts = await localAccounts();
  const ways = process.getuid?.() === 0 ? await waysOfRoot(root, accounts) : waysOfOrdinary(accounts);
  const refusals: string[] = [];
  for (const way of ways) {
    if (only !== undefined && only !== way.name) continue;
    const { major, refusal } = tried(way, native, root);
    if (major) return { ...way, native, majorVersion: major };
    refusals.push(`as ${way.name}: ${refusal}`);
  }
  throw new EmbeddedServerError(
    `The embedded PostgreSQL runs under no account of this system: start as an ordinary account, or ${OWN_SERVER}.`,
    { log: refusals.join('\n') },
  );
}

function waysOfOrdinary(accounts: Ids[]): Candidate[] {
  const self: Candidate = { name: 'self', prefix: [], ids: {}, owner: undefined };
  try {
    userInfo();
    return [self];
  } catch {
    // A container's `--user 1234` has no entry in /etc/passwd, which initdb requires.
    return [{ ...self, name: 'namespace', prefix: namespaceOf(accounts) }, self];
  }
}

async function waysOfRoot(root: string, accounts: Ids[]): Promise<Candidate[]> {
  // 65534 is the kernel's overflow id, used when no account is named nobody.
  const { uid, gid } = accounts.find((account) => account.name === 'nobody') ?? { uid: 65534, gid: 65534 };
  const nobody = { uid, gid };
  const changed = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  // Root's capability to pass folders that are closed to others, such as /root.
  const letThrough = [...changed, '--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  const found = await stat(join(root, 'data')).catch(() => nobody);
  const owner = { uid: found.uid, gid: found.gid };
  return [
    ...(owner.uid === 0 || owner.uid === uid
      ? []
      : [{ name: 'owner' as const, prefix: [], ids: owner, owner }]),
    { name: 'namespace', prefix: namespaceOf(accounts), ids: {}, owner: { uid: 0, gid: 0 } },
    { name: 'nobody', prefix: [], ids: nobody, owner: nobody },
    { name: 'nobody, let through', prefix: letThrough, ids: {}, owner: nobody },
  ];
}

/** The id inside must be one of the machine's accounts, because initdb looks it up; any will do. */
function namespaceOf(accounts: Ids[]): string[] {
  const any = accounts.find((account) => account.uid > 0 && account.gid > 0) ?? { uid: 1000, gid: 1000 };
  return ['unshare', '--user', `--map-user=${any.uid}`, `--map-group=${any.gid}`, '--'];
}

/** Environment of the programs: PG* variables, locale and time zone of a shell must not influence the cluster. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** @returns PostgreSQL's version when it runs as that account and can enter the folder; otherwise why not. */
function tried(
  { prefix, ids }: Candidate,
  native: string,
  root: string,
): { major?: string; refusal?: string } {
  const postgres = join(native, 'bin', 'postgres');
  const script = ['/bin/sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', root, postgres];
  const [command = '', ...args] = [...prefix, ...script];
  const options = { ...ids, cwd: '/', env: serverEnvironment(), encoding: 'utf8' } as const;
  const { error, signal, status, stderr, stdout } = spawnSync(command, args, { ...options, timeout: 15_000 });
  const major = / (\d+)/.exec(stdout ?? '')?.[1];
  if (status === 0 && major) return { major };
  return { refusal: (error?.message ?? stderr?.trim()) || `exit status ${status ?? signal}` };
}

async function localAccounts(): Promise<Ids[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3)
    .map((fields) => ({ name: fields[0] ?? '', uid: Number(fields[2]), gid: Number(fields[3]) }));
}
